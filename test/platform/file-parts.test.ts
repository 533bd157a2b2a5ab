import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readParts, writeParts } from '../../src/platform/files/file-parts.ts';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopctl-parts-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function* parts(texts: readonly string[], failure?: Error) {
  yield* texts;
  if (failure !== undefined) throw failure;
}

it('writes a file whole, for its user alone, and reads it back piece by piece', async () => {
  const path = join(directory(), 'made', 'result.csv');
  await writeParts(path, parts(['a,', 'b\n']));
  const chunks: Uint8Array[] = [];
  for await (const chunk of readParts(path)) chunks.push(chunk);
  expect([Buffer.concat(chunks).toString(), statSync(path).mode & 0o777]).toEqual(['a,b\n', 0o600]);
});

it('leaves what was there, and nothing else, where the parts fail in the middle', async () => {
  const place = directory();
  const path = join(place, 'result.csv');
  writeFileSync(path, 'before');
  await expect(writeParts(path, parts(['half'], new Error('stopped')))).rejects.toThrow('stopped');
  expect([readFileSync(path, 'utf8'), readdirSync(place)]).toEqual(['before', ['result.csv']]);
});

it('says which file is not there', async () => {
  const path = join(directory(), 'none.csv');
  await expect(readParts(path).next()).rejects.toMatchObject({ name: 'FileError', code: 'ENOENT', path });
});
