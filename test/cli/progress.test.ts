import { describe, expect, it } from 'vitest';
import type { Transport } from '../../src/platform/http/transport.ts';
import { type RunOptions, type TestMachine, testMachine } from '../support/context.ts';
import { json } from '../support/scripted-transport.ts';
import { type StandingClock, standingClock } from '../support/standing-clock.ts';

const profiles = { shop: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: '1:key-of-a-test' } } as const;

/** A machine whose service takes so many milliseconds for each answer. */
async function slow(answer: Transport, milliseconds: number) {
  const clock = standingClock();
  const machine = testMachine(async (request) => {
    // The line is drawn by its own turn of the clock, second by second.
    for (let left = milliseconds; left > 0; left -= 500) {
      clock.advance(Math.min(left, 500));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return answer(request);
  });
  await machine.save({ version: 1, current_profile: 'shop', profiles });
  return { machine, clock };
}

/** What is written to stderr, piece by piece; a line that is drawn over begins with a carriage return. */
async function drawn(machine: TestMachine, clock: StandingClock, words: readonly string[], options: RunOptions = {}) {
  const pieces: string[] = [];
  const ended = await machine.run(words, {
    terminal: true,
    clock,
    ...options,
    onStderr: (text) => {
      pieces.push(text);
      options.onStderr?.(text);
    },
  });
  return { ...ended, lines: pieces.filter((piece) => piece.startsWith('\r')) };
}

const account = () => Promise.resolve(json(200, { id: '1', name: 'Tea House', type: 'shop' }));

describe('a call that takes long', () => {
  it('shows the seconds, and takes them away before the result is printed', async () => {
    const { machine, clock } = await slow(account, 3500);
    const { exit, lines, stdout, stderr } = await drawn(machine, clock, ['account', 'show']);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('Tea House')]);
    expect(lines).toEqual([
      '\rwaiting for the service, 1 s\u001b[K',
      '\rwaiting for the service, 2 s\u001b[K',
      '\rwaiting for the service, 3 s\u001b[K',
      '\r\u001b[K',
    ]);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  it('shows nothing within the first second', async () => {
    const { machine, clock } = await slow(account, 900);
    expect((await drawn(machine, clock, ['account', 'show'])).stderr).toBe('');
  });

  it.each([
    [['--quiet'], {}],
    [['--json'], {}],
    [['-o', 'csv'], {}],
    [['--no-input'], {}],
    [[], { env: { CI: 'true' } }],
    [[], { env: { TERM: 'dumb' } }],
    [[], { terminal: false }],
  ])('shows nothing with %j and %j', async (flags, options) => {
    const { machine, clock } = await slow(account, 3000);
    const { exit, stderr } = await drawn(machine, clock, ['account', 'show', ...flags], options);
    expect([exit, stderr]).toEqual([0, '']);
  });
});

describe('a list that takes long', () => {
  it('counts the records over its pages', async () => {
    let page = 0;
    const { machine, clock } = await slow(async () => {
      page += 1;
      const customers = page > 3 ? [] : Array.from({ length: 2 }, (_, row) => ({ id: `${page}${row}` }));
      return json(200, { customers, paging: { next: `after-${page}` } });
    }, 600);
    const { exit, lines } = await drawn(machine, clock, ['customers', 'list', '--all']);
    expect(exit).toBe(0);
    expect(lines.filter((line) => line !== '\r\u001b[K')).toEqual([
      // The next page is asked for while one is printed.
      '\rwaiting for the service, 1 s\u001b[K',
      '\r2 records so far, 1 s\u001b[K',
      '\r4 records so far, 1 s\u001b[K',
    ]);
  });

  it('names it where it is one of several', async () => {
    const { machine, clock } = await slow(async (request) => {
      if (!request.url.endsWith('ListCustomers')) return account();
      const isFirst = !request.body.includes('after');
      const customers = isFirst ? [{ id: '1' }, { id: '2' }] : [];
      return json(200, { customers, paging: { next: 'after-1' } });
    }, 2500);
    const { exit, lines } = await drawn(machine, clock, ['mirror', 'sync', '--area', 'customers']);
    expect([exit, lines]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/^\rcustomers: 2 records so far, \d+ s/)]),
    ]);
  });
});
