import { expect, it } from 'vitest';
import { gather } from '../../../src/cli/print/gathering.ts';
import { memorySink } from '../../support/sinks.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A gathering sink, and what reached the stream behind it, write by write. */
function gathering(options: Partial<Parameters<typeof memorySink>[0]> = {}) {
  const writes: string[] = [];
  const sink = gather(memorySink({ onWrite: (text) => void writes.push(text), ...options }));
  return { sink, writes };
}

it('writes together what comes together, and before the program waits for long', async () => {
  const { sink, writes } = gathering();
  await sink.write('a\n');
  await sink.write('b\n');
  expect(writes).toEqual([]);
  await turn();
  expect(writes).toEqual(['a\nb\n']);
  await sink.write('c\n');
  await sink.flush();
  await sink.flush();
  expect(writes).toEqual(['a\nb\n', 'c\n']);
});

it('lets neither many texts nor a long one wait', async () => {
  const { sink, writes } = gathering();
  for (let count = 0; count < 50; count += 1) await sink.write('x');
  expect(writes).toEqual(['x'.repeat(50)]);
  await sink.write('y'.repeat(70_000));
  expect(writes).toHaveLength(2);
});

it('never fills a pipe at once, whatever letters the rows have', async () => {
  const { sink, writes } = gathering();
  for (let row = 0; row < 200; row += 1) await sink.write('ữ'.repeat(1500));
  await sink.flush();
  expect(writes.join('')).toHaveLength(200 * 1500);
  expect(Math.max(...writes.map((text) => Buffer.byteLength(text)))).toBeLessThan(64 * 1024);
});

it('tells of a failed write, also of one that nobody waited for', async () => {
  const failing = () => Promise.reject(new Error('no space left'));
  const { sink } = gathering({ onWrite: failing });
  await sink.write('a');
  await turn();
  await expect(sink.flush()).rejects.toThrow('no space left');
});
