import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { lastMomentOf } from '../../src/domain/moment-text.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';
import { manyOrders, orderCells, orderHeader, orderSheet } from './batch-world.ts';

/** The names of the sheets of a workbook. */
async function tabsOf(path: string): Promise<string[]> {
  const text = strFromU8(unzipSync(readFileSync(path))['xl/workbook.xml'] ?? new Uint8Array());
  return [...text.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name = '']) => name);
}

async function world() {
  const calls: string[] = [];
  const made = await shopWorld((transport) => (request) => {
    calls.push(request.url);
    return transport(request);
  });
  const file = (text: string, name = 'orders.csv') => {
    writeFileSync(join(made.directory, name), text);
    return name;
  };
  return { ...made, file, calls };
}

it('shows the rows that would be sent: all up to fifty, of more the first twenty and how many there are', async () => {
  const { run, file } = await world();
  const { exit, stdout, stderr } = await run(['batch', 'plan', file(manyOrders(51))]);
  const lines = stdout.trim().split('\n');
  expect([exit, lines.length]).toEqual([0, 21]);
  expect(lines[0]).toMatch(/^ROW +ORDER +RECIPIENT +PHONE +WHERE +WHAT +CASH +FEE +CARRIER +DELIVERY/);
  const where = '1 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội';
  const row = `^ +1 +SO-1 +Khách 1 +0910000001 +${where} +2 × Áo 1 +900,000 +[\\d,]+ +\\S+ +\\d{4}-\\d\\d-\\d\\d`;
  expect(lines[1]).toMatch(new RegExp(row));
  expect(stderr).toContain('and 31 more\n');
  expect(stderr).toContain('51 rows: 51 to send\ncash 45,900,000 to collect\n');
  const all = await run(['batch', 'plan', file(manyOrders(23))]);
  expect(all.stdout.trim().split('\n').length).toBe(24);
});

it('says what is collected and paid before anything is sent, and the question has both sums', async () => {
  const { run, file } = await world();
  const unpaid = orderCells(2).map((cell) => (cell === '900000' ? '0' : cell));
  const path = file(orderSheet([orderCells(1), unpaid]));
  const asked = await run(['batch', 'run', path], { terminal: true, env: { TERM: 'xterm' }, answers: [false] });
  expect(asked.stderr).toContain('cash 900,000 to collect; 1 parcel without cash\n');
  expect(asked.prompter.asked.join()).toMatch(/Ship 2 orders: collect 900,000, pay [\d,]+ for delivery\?/);
  const { collect, read } = JSON.parse((await run(['batch', 'plan', path, '-o', 'json'])).stdout);
  expect([collect, read]).toMatchObject([
    { total: 900_000, without: 1 },
    { lines: 2, orders: 2, left_out: [] },
  ]);
});

it('accounts for each line of a sheet: in an order, or left out with its cell and the reason', async () => {
  const { run, file } = await world();
  const sums = orderCells(0).map((_, index) => (index === 0 ? 'Tổng cộng' : index === 8 ? '4' : ''));
  const path = file(orderSheet([orderCells(1), orderCells(2), sums]));
  const { stdout, stderr } = await run(['batch', 'plan', path, '-o', 'json']);
  expect(noticeText(stderr)).toContain('3 lines: 2 in orders, 1 left out\n');
  expect(JSON.parse(stdout).read).toEqual({
    sheets: [],
    lines: 3,
    orders: 2,
    left_out: [{ cell: 'line 4, column external_id', reason: 'a row of sums' }],
    readings: [],
    warnings: [],
    questions: [],
  });
});

it('has the requests for a program, exactly as they are sent', async () => {
  const { run, file, service } = await world();
  const path = file(manyOrders(2));
  const planned = JSON.parse((await run(['batch', 'plan', path, '-o', 'json'])).stdout);
  expect(planned.rows.map(({ row, external_id }: never) => [row, external_id])).toEqual([
    [1, 'SO-1'],
    [2, 'SO-2'],
  ]);
  await run(['batch', 'run', path, '--yes', '-o', 'json']);
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  const sent = body.orders.find(({ external_id }: { external_id: string }) => external_id === 'SO-1');
  const { external_id, lines, total_amount, shipping } = planned.rows[0].payload;
  expect(sent).toMatchObject({ external_id, total_amount, shipping: { cod_amount: shipping.cod_amount } });
  expect(sent.lines).toMatchObject(lines);
});

it('asks for nothing where rows and columns are left out as asked, and counts the rows', async () => {
  const { run, file } = await world();
  const [header = '', ...rows] = orderSheet([orderCells(1), orderCells(2).with(2, 'none')])
    .trim()
    .split('\n');
  const path = file([`${header},"Người bán"`, ...rows.map((row) => `${row},"Hoa"`), ''].join('\n'));
  const words = ['batch', 'plan', path, '--ignore-columns'];
  const { exit, stderr } = await run([...words, '--skip-bad']);
  expect([exit, stderr]).toEqual([9, expect.stringContaining('2 rows: 1 to send, 1 left out\n')]);
  expect(stderr).toContain('column Người bán is left out: as asked\n');
  expect(stderr).not.toMatch(/error:|fix /);
  const refused = await run(words);
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining('1 cell cannot be used; nothing was sent'),
  ]);
});

it('runs a saved plan elsewhere, without the file and without a path of the machine that made it', async () => {
  const { run, file, directory } = await world();
  const path = file(orderSheet([orderCells(1), orderCells(2), orderCells(3).with(2, 'none')]));
  expect((await run(['batch', 'plan', path, '--save', 'plan.json', '--skip-bad'])).exit).toBe(9);
  const text = readFileSync(join(directory, 'plan.json'), 'utf8');
  expect(text).not.toContain(directory);
  rmSync(join(directory, path));
  mkdirSync(join(directory, 'elsewhere'));
  renameSync(join(directory, 'plan.json'), join(directory, 'elsewhere', 'plan.json'));
  const words = ['batch', 'run', '--plan', 'elsewhere/plan.json', '--yes', '-o', 'json'];
  const ran = await run(words);
  const { counts, fees, file: name } = JSON.parse(ran.stdout);
  expect([ran.exit, counts.done, counts.skipped, name]).toEqual([9, 2, 1, 'orders.csv']);
  expect(fees.total).toBe(
    JSON.parse(text).rows.reduce((sum: number, { fee }: { fee: number | null }) => sum + (fee ?? 0), 0),
  );
  // The same plan again sends nothing.
  const again = await run(words);
  expect(JSON.parse(again.stdout).counts.done).toBe(2);
  expect(again.stderr).toContain('nothing was sent');
});

type Place = readonly (string | number)[];

/** Every value in a plan that has no values in it, and every field or item that can be taken out. */
function placesIn(value: unknown, place: Place = []): { leaves: Place[]; parts: Place[] } {
  if (typeof value !== 'object' || value === null) return { leaves: [place], parts: [place] };
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = names.map((name) => placesIn(Object(value)[name], [...place, name]));
  return {
    leaves: inner.flatMap(({ leaves }) => leaves),
    parts: [...(place.length > 0 ? [place] : []), ...inner.flatMap(({ parts }) => parts)],
  };
}

const otherThan = (value: unknown) =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value ?? ''}x`;

/** The text of a plan in which one value is another one, or is not there. */
function edited(plan: object, place: Place, isGone: boolean): string {
  const copy = structuredClone(plan);
  const last = place.at(-1) ?? '';
  const home = place.slice(0, -1).reduce((inner: unknown, name) => Object(inner)[name], copy);
  if (!isGone) Object(home)[last] = otherThan(Object(home)[last]);
  else if (Array.isArray(home)) home.splice(Number(last), 1);
  else Reflect.deleteProperty(Object(home), last);
  return JSON.stringify(copy);
}

it('refuses a plan in which anything was changed by hand, and takes one that was only written anew', async () => {
  const { run, file, directory, calls } = await world();
  const limits = ['--pick', 'cheapest', '--max-fee', '60000', '--max-total', '500000'];
  await run(['batch', 'plan', file(manyOrders(2)), ...limits, '--save', 'plan.json']);
  const plan = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8'));
  const { leaves, parts } = placesIn(plan);
  expect(leaves.length).toBeGreaterThan(50);
  calls.splice(0);
  const passed: unknown[] = [];
  const tryOne = async (place: Place, isGone: boolean) => {
    file(edited(plan, place, isGone), 'edited.json');
    const { exit } = await run(['batch', 'run', '--plan', 'edited.json', '--yes', '-o', 'json']);
    // Without its version or its lists it is no plan at all.
    const isPlan = place.length > 1 || !['plan', 'source', 'rows'].includes(String(place[0]));
    if (exit !== (isPlan ? 12 : 2)) passed.push({ place, isGone, exit });
  };
  for (const place of leaves) await tryOne(place, false);
  for (const place of parts) await tryOne(place, true);
  expect([passed, calls]).toEqual([[], []]);
  const turned = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(turned)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, inner]) => [name, turned(inner)]),
          )
        : value;
  file(JSON.stringify(turned(plan), null, 3), 'anew.json');
  const { exit, stdout } = await run(['batch', 'run', '--plan', 'anew.json', '--yes', '-o', 'json']);
  expect([exit, JSON.parse(stdout).counts.done]).toEqual([0, 2]);
});

it('asks for a plan anew that an older version has saved, which does not show whether it was changed', async () => {
  const { run, file, directory } = await world();
  await run(['batch', 'plan', file(manyOrders(1)), '--save', 'plan.json']);
  const { digest: _, ...plan } = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8'));
  file(JSON.stringify({ ...plan, plan: 2 }), 'old.json');
  const { exit, stderr } = await run(['batch', 'run', '--plan', 'old.json', '--yes']);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('old.json was saved by an older version: save the plan again'),
  ]);
});

it('leaves out what a saved plan has left out: a row without a service that may be taken', async () => {
  const { run, file, directory } = await world();
  const heavy = orderCells(2).with(orderHeader.indexOf('shipping.gross_weight'), '20000');
  const path = file(orderSheet([orderCells(1), heavy]));
  const planned = JSON.parse((await run(['batch', 'plan', path, '-o', 'json'])).stdout);
  const most = ['--max-fee', String(planned.rows[0].fee), '--skip-bad', '--save', 'plan.json'];
  expect((await run(['batch', 'plan', path, ...most])).exit).toBe(9);
  expect(JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')).rows[1].payload).toBe('');
  const { exit, stdout } = await run(['batch', 'run', '--plan', 'plan.json', '--yes', '-o', 'json']);
  expect([exit, JSON.parse(stdout).counts]).toEqual([9, expect.objectContaining({ done: 1, skipped: 1 })]);
});

it('refuses a plan beside its file in another order, in which a row would be sent as another one', async () => {
  const { run, file } = await world();
  const [first, second] = [orderCells(1), orderCells(2)] as const;
  await run(['batch', 'plan', file(orderSheet([first, second])), '--save', 'plan.json']);
  await run(['batch', 'run', file(orderSheet([first])), '--yes']);
  const words = ['batch', 'run', file(orderSheet([second, first])), '--plan', 'plan.json', '--yes', '-o', 'json'];
  const { exit, stderr } = await run(words);
  expect([exit, errorOf(stderr).code]).toEqual([12, 'plan_stale']);
});

it('writes the rows for whoever approves them, as a workbook, as Markdown and as a page', async () => {
  const { run, file, directory } = await world();
  const path = file(orderSheet([orderCells(1).with(1, 'A | <b>'), orderCells(2)]));
  for (const name of ['plan.xlsx', 'plan.md', 'plan.html'])
    expect((await run(['batch', 'plan', path, '--to', name])).exit).toBe(0);
  expect(await tabsOf(join(directory, 'plan.xlsx'))).toEqual(['Plan']);
  const markdown = readFileSync(join(directory, 'plan.md'), 'utf8');
  expect(markdown).toContain('- 2 rows: 2 to send\n');
  expect(markdown).toMatch(
    /\| 1 \| SO-1 \| A \\\| <b> \| 0910000001 \| 1 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội \| 2 × Áo 1 \| 900,000 \| /,
  );
  expect(readFileSync(join(directory, 'plan.html'), 'utf8')).toContain('<td>A | &lt;b&gt;</td>');
  const bytes = readFileSync(join(directory, 'plan.xlsx'));
  const sheet = await readXlsx({
    name: 'plan.xlsx',
    bytes: (async function* () {
      yield bytes;
    })(),
  });
  const lines = [];
  for await (const { cells } of sheet.lines) lines.push(cells);
  expect(lines[1]?.slice(0, 7)).toEqual([
    ...[2, 'SO-2', 'Khách 2', '0910000002', '2 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội', '2 × Áo 2', 900_000],
  ]);
  // Beside them the sheet's own columns, as they are there.
  expect(sheet.columns.slice(10)).toEqual(orderHeader);
  expect(lines[1]?.slice(10)).toEqual(orderCells(2));
  const refused = await run(['batch', 'plan', path, '--to', 'plan.pdf']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('.xlsx, .md or .html')]);
});

it('says at once that nobody can agree to it, before the service is asked for a quote', async () => {
  const { run, file, calls } = await world();
  const { exit, stderr } = await run(['batch', 'run', file(manyOrders(2))]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('has to be confirmed: add --yes')]);
  expect(calls.filter((url) => url.includes('GetShippingServices'))).toEqual([]);
});

it('takes the newest batch without a name, and the end of a name for the whole', async () => {
  const { run, file } = await world();
  const none = await run(['batch', 'show']);
  expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('there is no batch yet')]);
  expect(none.stderr).not.toContain('hint');
  const first = JSON.parse((await run(['batch', 'run', file(manyOrders(1)), '--yes', '-o', 'json'])).stdout).batch;
  for (const words of ['show', 'rows', 'undo', 'resume']) {
    const { exit, stderr } = await run(['batch', words, 'nope']);
    expect([exit, stderr]).toEqual([3, expect.stringMatching(/there is no batch nope\nhint: see `shopctl batch list/)]);
  }
  const second = JSON.parse((await run(['batch', 'run', file(manyOrders(2, true, 5)), '--yes', '-o', 'json'])).stdout);
  expect(JSON.parse((await run(['batch', 'show', '-o', 'json'])).stdout).batch).toBe(second.batch);
  expect(JSON.parse((await run(['batch', 'rows', '-o', 'json'])).stdout)).toHaveLength(2);
  expect((await run(['batch', 'result', '--to', 'result.csv'])).exit).toBe(0);
  const tail = first.split('-').at(-1);
  expect(JSON.parse((await run(['batch', 'show', tail, '-o', 'json'])).stdout).batch).toBe(first);
});

it('shows what an update changes, from what to what, leaves equal rows out and warns of large changes of a price', async () => {
  const { run, file } = await world();
  const shop = ['--profile', 'shop', '--do', 'products update'];
  const made = async (name: string) => {
    const words = ['products', 'create', '--name', name, '--retail-price', '100000', '--profile', 'shop', '-o', 'name'];
    return (await run(words)).stdout.trim();
  };
  const sheet = `id,retail_price\n${await made('Trà')},100.000\n${await made('Bánh')},200.000\n`;
  const { exit, stdout, stderr } = await run(['batch', 'plan', file(sheet, 'prices.csv'), ...shop, '-o', 'json']);
  const { counts, rows } = JSON.parse(stdout);
  expect([exit, counts.left, counts.skipped]).toEqual([0, 1, 1]);
  expect(rows[0].changes).toEqual([{ field: 'retail_price', old: 100_000, new: 200_000 }]);
  expect(rows[0].what).toMatch(/^\d+: retail_price [\d,]+ → [\d,]+ \(\+100 %\)$/);
  expect(noticeText(stderr)).toContain('warning: a price changes by more than 30 % in 1 row: 2\n');
  expect(stderr).not.toContain('cannot be undone');
  const shown = await run(['batch', 'plan', file(sheet, 'prices.csv'), ...shop, '-o', 'table']);
  expect(shown.stdout).toMatch(/^ROW {2}WHAT\n +2 {2}\d+: retail_price 100,000 → 200,000 \(\+100 %\)\n$/);
  await run(['batch', 'plan', file(sheet, 'prices.csv'), ...shop, '--save', 'prices.json']);
  const ran = await run(['batch', 'run', '--plan', 'prices.json', '--profile', 'shop', '--yes', '-o', 'json']);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toEqual([0, expect.objectContaining({ done: 1, skipped: 1 })]);
});

it('says what cannot be undone', async () => {
  const { run, file } = await world();
  const shop = ['--profile', 'shop'];
  const id = async (words: readonly string[]) => (await run([...words, ...shop, '-o', 'name'])).stdout.trim();
  const customer = await id(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567']);
  const place = ['--province', 'Hà Nội', '--district', 'Cầu Giấy', '--ward', 'Dịch Vọng', '--address1', '12 ngõ 5'];
  const person = ['--customer-id', customer, '--full-name', 'Lan', '--phone', '0901234567'];
  const address = await id(['addresses', 'create', ...person, ...place]);
  const plan = (sheet: string, words: string) =>
    run(['batch', 'plan', file(sheet, 'change.csv'), ...shop, '--do', words]);
  const sheet = `id,address1,coordinates.latitude,coordinates.longitude\n${address},14 ngõ 5,21.03,105.79\n`;
  expect((await plan(sheet, 'addresses update')).stderr).toContain(
    'coordinates cannot be undone in 1 row: its old value is not known or cannot be set again\n',
  );
  expect((await plan(`id\n${customer}\n`, 'customers delete')).stderr).toContain(
    '"customers delete" cannot be undone: store a copy of what it changes\n',
  );
});

it.each([
  ['2026-02-03T12:00Z', '2026-02-03T12:00:00.000Z'],
  ['2026-02-03T12:00:30+07:00', '2026-02-03T05:00:30.000Z'],
  ['2026-02-03', '2026-02-03T22:59:59.999Z'],
  ['3/2/2026', '2026-02-03T22:59:59.999Z'],
  ['today', '2026-02-01T22:59:59.999Z'],
  ['2d', undefined],
  ['2026-02-30', undefined],
  ['2026-02-03T12:00', undefined],
  ['2026-02-03T25:00Z', undefined],
  ['soon', undefined],
])('the last moment of --by %s is %s', (text, moment) => {
  const last = lastMomentOf(text, { now: Date.UTC(2026, 1, 1, 8), timeZone: 'Europe/Berlin' });
  expect(last === undefined ? undefined : new Date(last).toISOString()).toBe(moment);
});
