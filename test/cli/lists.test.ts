import { describe, expect, it } from 'vitest';
import { formatNames } from '../../src/cli/print/formats.ts';
import type { WireRequest } from '../../src/platform/http/transport.ts';
import { type RunOptions, testMachine } from '../support/context.ts';
import { orderFields } from '../support/sandbox-order.ts';
import { errorAnswer, json } from '../support/scripted-transport.ts';
import { createShopOrder } from '../support/shop-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

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
  it.each(formatNames.filter((name) => name !== 'table'))(
    'is whole where a program reads it, as %s',
    async (format) => {
      const { list, pagings } = await shopOf(250);
      const { exit, stdout, stderr } = await list(['-o', format]);
      expect([exit, stderr, stdout.match(/Khách \d+|^\d+$/gm)?.length]).toEqual([0, '', 250]);
      expect(pagings.map(({ after, sort }) => [after, sort])).toEqual([
        [undefined, '-created_at'],
        ...['100', '200', '250'].map((after) => [after, '-created_at']),
      ]);
    },
  );

  it('has the same records in the same order in every format', async () => {
    const { list } = await shopOf(250);
    const first = async (...words: string[]) =>
      (await list(['--limit', '3', '--fields', 'id', ...words])).stdout.match(/\b\d+\b/g);
    const newest = await first('-o', 'table');
    expect(newest).toHaveLength(3);
    for (const format of formatNames.filter((name) => name !== 'table')) {
      expect([format, await first('-o', format)]).toEqual([format, newest]);
    }
  });

  it('is the newest hundred as a table, and says with --quiet too how to go on', async () => {
    const { list, pagings } = await shopOf(250);
    for (const words of [[], ['--quiet']]) {
      const { exit, stdout, stderr } = await list(words);
      expect([exit, stdout.trimEnd().split('\n').length]).toEqual([0, 101]);
      expect(stderr).toBe(
        'there may be more: take everything with --all, or continue with --sort=-created_at --after 100\n',
      );
    }
    expect(pagings).toEqual(Array.from({ length: 2 }, () => ({ limit: 100, sort: '-created_at' })));
  });

  it('keeps the order of a cursor, and is whole for a query, as a table too', async () => {
    const { list, pagings } = await shopOf(250);
    await list(['--after', '7', '--limit', '1']);
    expect(pagings).toEqual([{ after: '7', limit: 1 }]);
    expect((await list(['--query', 'length(@)'])).stdout).toBe('250\n');
    const all = await list(['--all']);
    expect([all.stdout.trimEnd().split('\n').length, all.stderr]).toEqual([251, '']);
  });

  it('asks for pages of the largest size where larger ones are asked for', async () => {
    const { list, pagings } = await shopOf(3);
    expect((await list(['--page-size', '1000', '--json'])).exit).toBe(0);
    expect(pagings[0]).toEqual({ limit: 100, sort: '-created_at' });
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

  it('says nothing of more when the end was reached', async () => {
    expect((await (await shopOf(3)).list(['--json'])).stderr).toBe('');
  });

  it.each([
    [['--limit', 'many'], '--limit'],
    [['--limit', '-1'], '--limit'],
    [['--page-size', '0'], '--page-size'],
    [['--since', 'yesterdayish'], '--since'],
    [['--until', '2026-02-30'], '--until'],
    [['--all', '--limit', '5'], '--all and --limit'],
    [['--today', '--since', '7d'], '--since and --today'],
  ])('refuses %j before anything is sent', async (words, reported) => {
    const { list, pagings } = await shopOf(3);
    const { exit, stdout, stderr } = await list(words);
    expect([exit, stdout, pagings]).toEqual([2, '', []]);
    expect(stderr).toContain(reported);
  });

  it('takes its paging and its filters from --input too, flags over it', async () => {
    const { list, pagings } = await shopOf(250);
    const stdin = 'paging: {after: "7", sort: created_at}\n';
    const { stdout } = await list(['--input', '-', '--limit', '2', '--after', '10', '--json'], { stdin });
    expect([ids(stdout), pagings]).toEqual([[11, 12], [{ after: '10', sort: 'created_at', limit: 2 }]]);
  });
});

describe('the pages of a list', () => {
  it('are printed while the next one is asked for, and no further one', async () => {
    const { list, events } = await shopOf(5);
    await list(['--all', '--page-size', '2', '-o', 'jsonl']);
    expect(events).toEqual([
      'asked from the start',
      ...['asked 2', 'printed 2'],
      ...['asked 4', 'printed 2'],
      ...['asked 5', 'printed 1'],
    ]);
  });

  it('that came before a failure are printed, and the array stays open', async () => {
    const { list } = await shopOf(250, { failsAt: 2 });
    const { exit, stdout, stderr } = await list(['--all', '--json']);
    expect(exit).toBe(4);
    expect((stdout.match(/"id"/g) ?? []).length).toBe(100);
    expect(() => JSON.parse(stdout)).toThrow();
    expect(errorOf(stderr).code).toBe('permission_denied');
  });

  it('are told to be a list where a query asks them for a field', async () => {
    const { list } = await shopOf(5);
    const { exit, stdout, stderr } = await list(['--query', 'customers[].id']);
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toContain('the result is a list, so begin with [].customers');
  });

  it('are all seen by a query, and by --fields', async () => {
    const { list } = await shopOf(250);
    expect((await list(['--all', '--json', '--query', 'length(@)'])).stdout).toBe('250\n');
    const { stdout } = await list(['--all', '--json', '--fields', 'id']);
    expect(JSON.parse(stdout).at(-1)).toEqual({ id: '250' });
  });
});

describe('what is looked for in a list', () => {
  /** Orders over three days, and customers, of the shop's own. */
  async function stocked() {
    const world = await shopWorld();
    const { post, shop, clock } = world.service;
    const line = { product_name: 'Trà', quantity: 1, retail_price: 1000, payment_price: 1000 };
    const sums = { total_items: 1, basket_value: 1000, total_amount: 1000 };
    for (const [external_id, full_name] of [
      ['A-1', 'Đỗ Hữu Phước'],
      ['A-2', 'Nguyễn Thị Lan'],
      ['A-3', 'Lê Văn Đỗ'],
    ]) {
      const shipping_address = { ...orderFields.shipping_address, full_name, phone: `09000000${external_id?.at(-1)}1` };
      const order = { external_id, lines: [line], shipping_address, ...sums };
      expect((await post('shop.Order/CreateOrder', order, shop.apiKey)).status).toBe(200);
      clock.advance(24 * 3_600_000);
    }
    await post('shop.Order/CancelOrder', { external_id: 'A-2', cancel_reason: 'a try' }, shop.apiKey);
    return (words: readonly string[]) => world.run(['--profile', 'shop', 'orders', 'list', ...words]);
  }
  const names = (text: string) => JSON.parse(text).map(({ external_id }: { external_id: string }) => external_id);

  it('is found by the words of names, phones and codes, whatever their diacritics', async () => {
    const list = await stocked();
    for (const [words, found] of [
      ['do', ['A-3', 'A-1']],
      ['PHUOC do', ['A-1']],
      ['Phước', ['A-1']],
      ['090000002', ['A-2']],
      ['a-3', ['A-3']],
      ['nobody', []],
    ] as const) {
      const { exit, stdout, stderr } = await list(['--json', '--match', words]);
      expect([words, exit, names(stdout)]).toEqual([words, 0, found]);
      expect(noticeText(stderr)).toBe(`3 records were looked at, ${found.length} shown\n`);
    }
  });

  it('is found by when it was made, and by its state in letters and words', async () => {
    const list = await stocked();
    for (const [words, found] of [
      [
        ['--since', '2026-02-01T08:00Z'],
        ['A-3', 'A-2'],
      ],
      [['--until', '2026-02-01T07:59Z'], ['A-1']],
      [['--since', '2026-02-01T00:00Z', '--until', '2026-02-01T23:59Z'], ['A-2']],
      [['--status', 'N'], ['A-2']],
      [['--status', 'cancelled'], ['A-2']],
      [['--status', 'Z', '--match', 'do', '--limit', '1'], ['A-3']],
    ] as const) {
      expect([words, names((await list(['--json', ...words])).stdout)]).toEqual([words, found]);
    }
    const cut = await list(['--json', '--match', 'do', '--limit', '1']);
    expect(noticeText(cut)).toBe(
      '3 records were looked at, 1 shown\nthere may be more: leave out --limit, or give --all\n',
    );
  });

  it('is found by its day, which ends', async () => {
    const world = await shopWorld();
    const { post, shop, clock } = world.service;
    const line = { product_name: 'Trà', quantity: 1, retail_price: 1000, payment_price: 1000 };
    const sums = { total_items: 1, basket_value: 1000, total_amount: 1000 };
    const today = async () => {
      const { exit, stdout } = await world.run(['--profile', 'shop', 'orders', 'list', '--today', '--json'], { clock });
      return [exit, ...names(stdout)];
    };
    for (const external_id of ['D-1', 'D-2']) {
      await post('shop.Order/CreateOrder', { external_id, lines: [line], ...sums }, shop.apiKey);
      expect(await today()).toEqual([0, external_id]);
      clock.advance(24 * 3_600_000);
      expect(await today()).toEqual([0]);
    }
  });

  it('is refused for a state that none of its records has, and looked for otherwise', async () => {
    const list = await stocked();
    const nothing = '3 records were looked at, 0 shown\n';
    const known = 'new, done, in progress, cancelled, returned';
    const mistyped = await list(['--json', '--status', 'cancelld']);
    expect([mistyped.exit, mistyped.stdout]).toEqual([2, '']);
    expect(errorOf(mistyped).message).toBe(`--status "cancelld" is none of ${known}`);
    for (const state of ['P', 'done', 'NS', 'Returned']) {
      expect(noticeText(await list(['--json', '--status', state]))).toBe(nothing);
    }
  });

  it('is sent to the service as no filter of its own, and read no further than it can be', async () => {
    const list = await stocked();
    const { stdout } = await list(['--since', '2026-02-01T08:00Z', '--dry-run', '--json']);
    expect(JSON.parse(stdout).body).toEqual({ paging: { limit: 100, sort: '-created_at' } });
    const table = await list(['--since', '2026-02-01T08:00Z']);
    expect(table.stderr).toBe('2 records were looked at, 2 shown\n');
  });

  it('may be cut in a list without pages too', async () => {
    const world = await shopWorld();
    for (const port of [9, 10, 11]) {
      const url = `http://127.0.0.1:${port}/hook`;
      await world.run(['webhooks', 'create', '--url', url, '--entities', 'order', '-o', 'name']);
    }
    const none = await world.run(['webhooks', 'list', '--status', 'stopped', '-o', 'name']);
    expect([none.exit, none.stdout, none.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('--status "stopped" is none of ok, retry, stop'),
    ]);
    const { stdout, stderr } = await world.run(['webhooks', 'list', '--limit', '2', '-o', 'name']);
    expect([stdout.trim().split('\n').length, stderr]).toEqual([
      2,
      'there may be more: leave out --limit, or give --all\n',
    ]);
    expect(
      (await world.run(['webhooks', 'list', '--match', '10/hook', '-o', 'name'])).stdout.trim().split('\n'),
    ).toHaveLength(1);
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

it('shows the names that people gave their orders at 80 columns, and no column that is blank in all of them', async () => {
  const { run, service } = await shopWorld();
  for (const external_id of ['MB1001', 'MB1002']) await createShopOrder(service, { external_id });
  const { stdout, stderr } = await run(['orders', 'list', '--profile', 'shop'], { terminal: true, columns: 80 });
  const [header, ...rows] = stdout
    .replaceAll(/\x1b\[\d+m/g, '')
    .trim()
    .split('\n');
  expect(header?.split(/ {2,}/)).toEqual([
    ...['CODE', 'EXTERNAL_ID', 'STATUS', 'RECIPIENT', 'ITEMS', 'AMOUNT', 'CREATED (GMT+7)'],
  ]);
  expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual(['MB1002', 'MB1001']);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('1 column is left out on a terminal of 80: id;');
});
