import { spawn } from 'node:child_process';
import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../src/platform/files/files.ts';
import { fileSink, sink, source } from '../../src/platform/terminal/streams.ts';

describe('a sink', () => {
  it('writes in order and is open', async () => {
    const stream = new PassThrough();
    const out = sink(stream);
    await Promise.all([out.write('a'), out.write(''), out.write('trà')]);
    expect(stream.read().toString()).toBe('atrà');
    expect(out.closed).toBe(false);
  });

  it('waits for a slow reader', async () => {
    const taken: string[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, callback) {
        setTimeout(() => {
          taken.push(String(chunk));
          callback();
        }, 20);
      },
    });
    await sink(slow).write('first');
    expect(taken).toEqual(['first']);
  });

  it('takes a reader that went away for closed, not for a failure', async () => {
    const child = spawn('true', { stdio: ['pipe', 'ignore', 'ignore'] });
    await new Promise((resolve) => child.once('exit', resolve));
    const out = sink(child.stdin);
    for (let line = 0; line < 50 && !out.closed; line += 1) await out.write('x'.repeat(10_000));
    expect(out.closed).toBe(true);
    await expect(out.write('more')).resolves.toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('fails when the disk is full, and goes on failing', async () => {
    for (const out of [sink(createWriteStream('/dev/full')), fileSink(openSync('/dev/full', 'w'))]) {
      await expect(out.write('x')).rejects.toMatchObject({ code: 'ENOSPC' });
      await expect(out.write('x')).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(out.closed).toBe(false);
    }
  });

  it('appends to a regular file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shopctl-streams-'));
    const descriptor = openSync(join(directory, 'out'), 'w');
    const out = fileSink(descriptor);
    await out.write('trà ');
    await out.write('sữa');
    closeSync(descriptor);
    expect(readFileSync(join(directory, 'out'), 'utf8')).toBe('trà sữa');
    rmSync(directory, { recursive: true });
  });

  it('writes texts of any length whole, whatever its letters take', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shopctl-streams-'));
    const descriptor = openSync(join(directory, 'out'), 'w');
    const out = fileSink(descriptor);
    const lengths = [1, 64 * 1024, 128 * 1024 - 1, 128 * 1024, 128 * 1024 + 1, 300_000, 2];
    const texts = ['x', 'é', 'ữ', '𠮷'].flatMap((letter) => lengths.map((length) => letter.repeat(length)));
    for (const text of texts) await out.write(text);
    closeSync(descriptor);
    expect(readFileSync(join(directory, 'out'), 'utf8') === texts.join('')).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it('knows the terminal and its present width', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const out = sink(terminal);
    terminal.columns = 120;
    expect([out.isTerminal, out.columns]).toEqual([true, 120]);
    expect([sink(new PassThrough()).isTerminal, sink(new PassThrough()).columns]).toEqual([false, undefined]);
  });

  it('opens its stream with the first write', async () => {
    let opened = 0;
    const out = sink(() => {
      opened += 1;
      return new PassThrough();
    });
    expect([opened, out.isTerminal, out.columns]).toEqual([0, false, undefined]);
    await out.write('a');
    await out.write('b');
    expect(opened).toBe(1);
  });
});

describe('a source', () => {
  const failure = (stream: Readable, limit?: number) =>
    source(stream, false, limit)
      .readAll()
      .catch((error: unknown) => error);

  it('reads everything, with characters cut by a chunk’s end whole', async () => {
    const bytes = Buffer.from('trà sữa');
    expect(await source(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)])).readAll()).toBe('trà sữa');
    expect(await source(Readable.from([])).readAll()).toBe('');
  });

  it('drops a byte-order mark', async () => {
    expect(await source(Readable.from([Buffer.from('\ufeff{}')])).readAll()).toBe('{}');
  });

  it('refuses bytes that are no UTF-8 and names the first', async () => {
    const error = await failure(Readable.from([Buffer.from('caf\u00e9', 'latin1')]));
    expect(error).toBeInstanceOf(FileError);
    expect(error).toMatchObject({ code: 'EILSEQ', message: 'standard input is not UTF-8 text: byte 4 is wrong' });
  });

  it('stops at its limit without reading further', async () => {
    const error = await failure(createReadStream('/dev/zero'), 1024 * 1024);
    expect(error).toMatchObject({ code: 'EFBIG', message: 'standard input is larger than 1 MiB' });
  });

  it('says so when there is nothing to read from', async () => {
    const directory = createReadStream('', { fd: openSync('/', 'r') });
    expect(await failure(directory)).toMatchObject({ code: 'EISDIR' });
  });
});
