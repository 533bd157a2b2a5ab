import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../src/platform/transport.ts';
import { type RunOptions, testMachine } from '../support/context.ts';
import { errorAnswer, json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';

interface Paging {
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
  readonly sort?: string;
}

const baseUrl = 'http://127.0.0.1:4010';

/** A shop with so many customers, `id` 1 and on, whose cursors are ids; what happened is noted in order. */
async function shopOf(total: number, options: { readonly failsAt?: number } = {}) {
  const events: string[] = [];
  const pagings: Paging[] = [];
  const answer = (request: WireRequest) => {
    const { paging } = JSON.parse(request.body) as { paging: Paging };
    pagings.push(paging);
    events.push(`asked ${paging.after ?? paging.before ?? 'from the start'}`);
    if (pagings.length === options.failsAt) return errorAnswer(403, 'permission_denied');
    const from =
      paging.before === undefined ? Number(paging.after ?? 0) : Math.max(0, Number(paging.before) - 1 - paging.limit);
    const to = paging.before === undefined ? Math.min(total, from + paging.limit) : Number(paging.before) - 1;
    const customers = Array.from({ length: Math.max(0, to - from) }, (_, row) => ({
      id: String(from + row + 1),
      full_name: `Khách ${from + row + 1}`,
    }));
    const next = customers.length === 0 ? (paging.after ?? '0') : String(to);
    return json(200, { customers, paging: { next, prev: String(from + 1) } });
  };
  const machine = testMachine(async (request) => answer(request));
  await machine.save({
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { kind: 'shop', base_url: baseUrl, api_key: '1:key-of-a-test' } },
  });
  const list = (words: readonly string[], more: RunOptions = {}) =>
    machine.run(['customers', 'list', ...words], {
      onStdout: (text) => void events.push(`printed ${(text.match(/"id"/g) ?? []).length}`),
      ...more,
    });
  return { ...machine, list, pagings, events };
}

const ids = (text: string) => JSON.parse(text).map(({ id }: { id: string }) => Number(id));
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a list', () => {
  it('is a hundred records when nothing is said, and tells how to go on', async () => {
    const { list, pagings } = await shopOf(250);
    const { exit, stdout, stderr } = await list(['--json']);
    expect([exit, ids(stdout)]).toEqual([0, upTo(100)]);
    expect(pagings).toEqual([{ limit: 100 }]);
    expect(stderr).toBe('there may be more: go on with --after 100, or take everything with --all\n');
  });

  it('goes on from the cursor that it told, to the very end', async () => {
    const { list } = await shopOf(250);
    const second = await list(['--json', '--after', '100', '--all']);
    expect([ids(second.stdout)[0], ids(second.stdout).at(-1), second.stderr]).toEqual([101, 250, '']);
  });

  it('is everything with --all, over pages of the largest size', async () => {
    const { list, pagings } = await shopOf(250);
    const { stdout, stderr } = await list(['--all', '--json']);
    expect([ids(stdout), stderr]).toEqual([upTo(250), '']);
    expect(pagings.map(({ after }) => after)).toEqual([undefined, '100', '200', '250']);
  });

  it('asks for no more than it needs, in pages of the size that is asked for', async () => {
    const { list, pagings } = await shopOf(250);
    const { stdout } = await list(['--limit', '45', '--page-size', '20', '--json']);
    expect(ids(stdout)).toEqual(upTo(45));
    expect(pagings.map(({ limit }) => limit)).toEqual([20, 20, 5]);
  });

  it('goes backwards from --before, and tells how to go on in that direction', async () => {
    const { list, pagings } = await shopOf(250);
    const { stdout, stderr } = await list(['--before', '51', '--limit', '10', '--sort=-created_at', '--json']);
    expect(ids(stdout)).toEqual(upTo(50).slice(40));
    expect(stderr).toContain('--before 41');
    expect(pagings).toEqual([{ before: '51', limit: 10, sort: '-created_at' }]);
  });

  it('says nothing of more with --quiet, nor when the end was reached', async () => {
    const { list } = await shopOf(250);
    expect((await list(['--quiet', '--json'])).stderr).toBe('');
    expect((await (await shopOf(3)).list(['--json'])).stderr).toBe('');
  });

  it.each([
    [['--limit', 'many'], '--limit'],
    [['--limit', '-1'], '--limit'],
    [['--page-size', '0'], '--page-size'],
    [['--page-size', '101'], '--page-size'],
    [['--all', '--limit', '5'], '--all and --limit'],
  ])('refuses %j before anything is sent', async (words, told) => {
    const { list, pagings } = await shopOf(3);
    const { exit, stdout, stderr } = await list(words);
    expect([exit, stdout, pagings]).toEqual([2, '', []]);
    expect(stderr).toContain(told);
  });

  it('takes its paging and its filters from --input too, flags over it', async () => {
    const { list, pagings } = await shopOf(250);
    const stdin = 'paging: {after: "7", sort: created_at}\n';
    const { stdout } = await list(['--input', '-', '--limit', '2', '--after', '10', '--json'], { stdin });
    expect([ids(stdout), pagings]).toEqual([[11, 12], [{ after: '10', sort: 'created_at', limit: 2 }]]);
  });
});

describe('the pages of a list', () => {
  it('are printed before the next one is asked for', async () => {
    const { list, events } = await shopOf(5);
    await list(['--all', '--page-size', '2', '-o', 'jsonl']);
    expect(events).toEqual([
      'asked from the start',
      ...['printed 1', 'printed 1', 'asked 2'],
      ...['printed 1', 'printed 1', 'asked 4'],
      ...['printed 1', 'asked 5'],
    ]);
  });

  it('that came before a failure are printed, and the array stays open', async () => {
    const { list } = await shopOf(250, { failsAt: 2 });
    const { exit, stdout, stderr } = await list(['--all', '--json']);
    expect(exit).toBe(4);
    expect((stdout.match(/"id"/g) ?? []).length).toBe(100);
    expect(() => JSON.parse(stdout)).toThrow();
    expect(JSON.parse(stderr).error.code).toBe('permission_denied');
  });

  it('are all seen by a query, and by --fields', async () => {
    const { list } = await shopOf(250);
    expect((await list(['--all', '--json', '--query', 'length(@)'])).stdout).toBe('250\n');
    const { stdout } = await list(['--all', '--json', '--fields', 'id']);
    expect(JSON.parse(stdout).at(-1)).toEqual({ id: '250' });
  });
});

describe('a list without records', () => {
  it.each([
    ['json', '[]\n'],
    ['jsonl', ''],
    ['yaml', '[]\n'],
    ['name', ''],
  ])('is success, as %s %j', async (format, text) => {
    const { list } = await shopOf(0);
    expect(await list(['-o', format])).toMatchObject({ exit: 0, stdout: text, stderr: '' });
  });

  it('is its header alone as a table and as csv', async () => {
    const { list } = await shopOf(0);
    expect((await list([])).stdout).toMatch(/^ID .*\n$/);
    expect((await list(['-o', 'csv'])).stdout).toMatch(/^id,.*\r\n$/);
  });
});

describe('the ids of a list', () => {
  it('are offered by completion after it was shown at a terminal', async () => {
    const { list, run } = await shopOf(3);
    await list([], { terminal: true });
    const { stdout } = await run(['__complete', 'ids', 'customers', '--']);
    expect(stdout).toBe('1\tcustomers\n2\tcustomers\n3\tcustomers\n');
  });

  it('are kept of a list without cursors as well', async () => {
    const world = await shopWorld();
    const words = ['webhooks', 'create', '--url', 'http://127.0.0.1:9/hook', '--entities', 'order', '-o', 'name'];
    const { stdout: id } = await world.run(words);
    await world.run(['webhooks', 'list'], { terminal: true });
    expect((await world.run(['__complete', 'ids', 'webhooks', '--'])).stdout).toBe(`${id.trim()}\twebhooks\n`);
  });

  it('are not kept where nobody is at a terminal', async () => {
    const { list, run } = await shopOf(3);
    await list(['--json']);
    expect((await run(['__complete', 'ids', 'customers', '--'])).stdout).toBe('');
  });
});
