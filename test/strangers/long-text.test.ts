import { expect, it } from 'vitest';
import { formatNames } from '../../src/cli/print/formats.ts';
import { displayWidth, truncate } from '../../src/platform/terminal/text-width.ts';
import { env, listing, long } from './long-names.ts';

it.each(['table', 'csv', 'json', 'yaml'])('prints a hundred names of 8000 characters: %s', async (format) => {
  for (const terminal of [true, false]) {
    const { exit } = await listing(long(8_000)).run(['customers', 'list', '-o', format, '-q'], { env, terminal });
    expect(exit).toBe(0);
  }
});

it('draws a long name in its place, with the columns behind it where they belong', async () => {
  const name = long(8_000);
  const { stdout } = await listing(name).run(['customers', 'list', '-q', '--fields', 'full_name,id'], { env });
  const [header = '', first = ''] = stdout.split('\n');
  expect(first).toBe(`${name.trim()}${' '.repeat(name.length - name.trim().length)}  10`);
  expect(header).toBe(`FULL_NAME${' '.repeat(displayWidth(name) - 9)}  ID`);
});

it('cuts a text of a million characters, and one of marks alone, by one look at each', () => {
  expect(displayWidth(truncate(long(1_000_000), 200))).toBe(200);
  expect(truncate(`a${'\u0301'.repeat(1_000_000)}bcd`, 3)).toBe('…');
});

it.each([...formatNames])('ends the printing of an endless list with Ctrl-C: %s', async (format) => {
  const interrupt = new AbortController();
  const { exit } = await listing('An', true).run(['customers', 'list', '--all', '-o', format], {
    env,
    signal: interrupt.signal,
    onStdout: () => interrupt.abort('SIGINT'),
  });
  expect(exit).toBe(130);
});
