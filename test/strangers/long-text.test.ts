import { expect, it } from 'vitest';
import { displayWidth, truncate } from '../../src/platform/terminal/text-width.ts';
import { testMachine } from '../support/context.ts';
import { processorMs } from '../support/processor-time.ts';

const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:4010', SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: 'shop:1234567890abcdef' };
const words = 'Nguyễn Thị Thanh Hương, 3/2 Đường Cách Mạng Tháng Tám, ';
const long = (characters: number) => words.repeat(characters / words.length + 1).slice(0, characters);

/** A machine whose list has one page, or never ends. */
function listing(name: string, endless = false) {
  let page = 0;
  return testMachine(async () => {
    page += 1;
    const customers = Array.from({ length: 100 }, (_, index) => ({ id: `${page}${index}`, full_name: name }));
    const paging = endless ? { next: `page-${page}` } : {};
    return {
      status: 200,
      headers: {},
      body: JSON.stringify({ customers: page > 1 && !endless ? [] : customers, paging }),
    };
  });
}

it.each([8_000, 16_000])('prints a hundred names of %i characters in every format', async (characters) => {
  for (const text of [
    long(characters),
    long(characters).normalize('NFD'),
    '\u{1f1fb}\u{1f1f3}'.repeat(characters / 4),
  ]) {
    for (const format of ['table', 'csv', 'json', 'yaml']) {
      for (const terminal of [true, false]) {
        const { exit } = await listing(text).run(['customers', 'list', '-o', format, '-q'], { env, terminal });
        expect(exit).toBe(0);
      }
    }
  }
});

it('takes time in proportion to a cell, not to its square', async () => {
  const timeOf = async (characters: number) => {
    const began = processorMs();
    await listing(long(characters)).run(['customers', 'list', '-q', '--fields', 'full_name'], { env });
    return processorMs() - began;
  };
  await timeOf(4_000);
  // The garbage of what ran before is collected in whichever of them it pleases.
  const [short, eightTimes]: [number[], number[]] = [[], []];
  for (let time = 0; time < 3; time += 1) {
    short.push(await timeOf(4_000));
    eightTimes.push(await timeOf(32_000));
  }
  expect(Math.min(...eightTimes) / Math.min(...short)).toBeLessThan(32);
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

it.each(['table', 'json', 'jsonl', 'csv', 'yaml', 'name'])(
  'ends the printing of an endless list with Ctrl-C: %s',
  async (format) => {
    const interrupt = new AbortController();
    const { exit } = await listing('An', true).run(['customers', 'list', '--all', '-o', format], {
      env,
      signal: interrupt.signal,
      onStdout: () => interrupt.abort('SIGINT'),
    });
    expect(exit).toBe(130);
  },
);
