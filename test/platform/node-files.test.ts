import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileError } from '../../src/platform/files/files.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-files-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe('reading a named file', () => {
  it('returns the text without a byte-order mark', async () => {
    writeFileSync(join(directory, 'order.json'), '\ufeff{"name":"Trà"}');
    expect(await nodeFiles.read(join(directory, 'order.json'))).toBe('{"name":"Trà"}');
  });

  it('says what is the matter in a sentence', async () => {
    const missing = await refusal(nodeFiles.read(join(directory, 'no\u001b[31m.json')));
    expect(missing).toBeInstanceOf(FileError);
    expect(missing).toMatchObject({ code: 'ENOENT', message: `no such file: ${directory}/no\\x1b[31m.json` });
    expect(await refusal(nodeFiles.read(directory))).toMatchObject({ message: `${directory} is a directory` });
    writeFileSync(join(directory, 'latin1'), Buffer.from([0x61, 0xff]));
    expect(await refusal(nodeFiles.read(join(directory, 'latin1')))).toMatchObject({ code: 'EILSEQ' });
    expect(await refusal(nodeFiles.read(join(directory, 'latin1', 'x')))).toMatchObject({ code: 'ENOTDIR' });
  });

  it('stops reading an endless file', async () => {
    expect(await refusal(nodeFiles.read('/dev/zero'))).toMatchObject({ code: 'EFBIG' });
  });

  it('reads a pipe, as the shell’s <(…) gives one', async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const [text] = await Promise.all([nodeFiles.read(pipe), nodeFiles.write(pipe, 'through a pipe')]);
    expect(text).toBe('through a pipe');
    expect(statSync(pipe).isFIFO()).toBe(true);
  });
});

describe('writing a named file', () => {
  it('makes directories and file private', async () => {
    const path = join(directory, 'a', 'b', 'key.json');
    await nodeFiles.write(path, 'x');
    expect(readFileSync(path, 'utf8')).toBe('x');
    expect([modeOf(path), modeOf(join(directory, 'a')), modeOf(join(directory, 'a', 'b'))]).toEqual([
      0o600, 0o700, 0o700,
    ]);
  });

  it('gives the mode that was asked for', async () => {
    await nodeFiles.write(join(directory, 'public.csv'), 'x', 0o644);
    expect(modeOf(join(directory, 'public.csv'))).toBe(0o644);
  });

  it('replaces what a link points at and leaves the link', async () => {
    writeFileSync(join(directory, 'real'), 'old');
    symlinkSync('real', join(directory, 'link'));
    await nodeFiles.write(join(directory, 'link'), 'new');
    expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('new');
    expect(readdirSync(directory).sort()).toEqual(['link', 'real']);
  });

  it('writes into a device instead of replacing it', async () => {
    await nodeFiles.write('/dev/null', 'x');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('leaves nothing behind when it fails', async () => {
    mkdirSync(join(directory, 'taken'));
    expect(await refusal(nodeFiles.write(join(directory, 'taken'), 'x'))).toMatchObject({ code: 'EISDIR' });
    writeFileSync(join(directory, 'file'), '');
    expect(await refusal(nodeFiles.write(join(directory, 'file', 'below'), 'x'))).toBeInstanceOf(FileError);
    expect(await refusal(nodeFiles.write(join(directory, 'n'.repeat(300)), 'x'))).toMatchObject({
      code: 'ENAMETOOLONG',
    });
    expect(readdirSync(directory).sort()).toEqual(['file', 'taken']);
  });

  it.skipIf(process.getuid?.() === 0)('names a directory without permission', async () => {
    chmodSync(directory, 0o500);
    expect(await refusal(nodeFiles.write(join(directory, 'x'), 'x'))).toMatchObject({ code: 'EACCES' });
    chmodSync(directory, 0o700);
  });
});

it('waits for the disk where a file is replaced, and not where a line is appended', async () => {
  const handle = await open(join(directory, 'any'), 'w');
  const ofHandles = Object.getPrototypeOf(handle);
  await handle.close();
  const flushed = [vi.spyOn(ofHandles, 'sync'), vi.spyOn(ofHandles, 'datasync')];
  const times = () => flushed.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  await nodeFiles.append(join(directory, 'drift.jsonl'), '{}\n');
  expect(times()).toBe(0);
  await nodeFiles.write(join(directory, 'drift.jsonl'), '{}\n');
  expect(times()).toBe(1);
  vi.restoreAllMocks();
});
