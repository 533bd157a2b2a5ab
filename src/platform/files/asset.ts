import { readFile } from 'node:fs/promises';

/** The bytes of a file that ships with the program, at a URL relative to the module that needs it. */
export function readAsset(url: URL): Promise<Uint8Array> {
  return readFile(url);
}
