// Stands in for src/platform/files/file-parts.ts: files in halves, between which anything may happen.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { processNow } from '../scheduler.ts';

export async function* readParts(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = readFileSync(path);
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  await processNow().waitFor('file', 'the other half of a file', () => {});
  yield bytes.subarray(half);
}

export async function writeParts(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const written: Buffer[] = [];
  for await (const part of parts) written.push(Buffer.from(part));
  writeFileSync(`${path}.draft`, Buffer.concat(written));
  renameSync(`${path}.draft`, path);
}
