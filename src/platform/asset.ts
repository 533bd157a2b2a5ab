import { readFile } from 'node:fs/promises';

/** The bytes of a file that comes with the program, at an address relative to the module that needs it. */
export function readAsset(url: URL): Promise<Uint8Array> {
  return readFile(url);
}
