import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { identityOf } from '../../src/batch/plan/row-identity.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { isPostgresAddress } from '../../src/store/postgres-address.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText, stderrLines } from '../support/stderr-lines.ts';
import { yieldingClock } from '../support/stepped-clock.ts';
import { manyOrders, orderCells, orderHeader, orderSheet, places } from './batch-world.ts';

async function world() {
  const made = await shopWorld();
  const file = (text: string, name = 'orders.csv') => {
    const path = join(made.directory, name);
    writeFileSync(path, text);
    return path;
  };
  const place = await places.next(made.directory);
  const workspace = isPostgresAddress(place) ? { SHOPCTL_WORKSPACE: place } : {};
  const run: typeof made.run = (words, options = {}) =>
    made.run(words, { ...options, env: { ...workspace, ...options.env } });
  return { ...made, run, file };
}

it.each([
  ['Asia/Ho_Chi_Minh', /^20260201-/],
  ['UTC', /^20260131-/],
])('names a batch by the day of the clocks of %s', async (tz, name) => {
  const { run, file } = await world();
  const clock = yieldingClock(Date.parse('2026-01-31T22:51:00Z'));
  const words = ['batch', 'run', file(manyOrders(1)), '--pick', 'cheapest', '--yes', '-o', 'json'];
  const ran = await run(words, { clock, env: { SHOPCTL_TZ: tz } });
  expect([ran.exit, JSON.parse(ran.stdout).batch]).toEqual([0, expect.stringMatching(name)]);
});

it('plans, runs, tells the same file, and reads back, with the exits and the JSON that scripts rely on', async () => {
  const { run, file, directory } = await world();
  const path = file(manyOrders(3));
  const planned = await run(['batch', 'plan', path, '-o', 'json']);
  expect([planned.exit, JSON.parse(planned.stdout)]).toMatchObject([
    0,
    {
      batch: null,
      state: 'planned',
      do: 'ship',
      counts: { rows: 3, left: 3 },
      fees: { total: expect.any(Number) },
      next: null,
    },
  ]);
  const ran = await run(['batch', 'run', path, '--yes', '-o', 'json']);
  const summary = JSON.parse(ran.stdout);
  expect([ran.exit, summary.state, summary.counts.done, summary.fees]).toEqual([
    0,
    'finished',
    3,
    JSON.parse(planned.stdout).fees,
  ]);
  expect(noticeText(ran)).toContain(`batch ${summary.batch}\n`);
  const again = await run(['batch', 'run', path, '-o', 'json']);
  expect([again.exit, again.stderr, JSON.parse(again.stdout)]).toEqual([
    0,
    expect.stringContaining(`was run as ${summary.batch}`),
    summary,
  ]);
  const rows = await run(['batch', 'rows', summary.batch, '-o', 'jsonl']);
  const [first = ''] = rows.stdout.split('\n');
  expect(Object.keys(JSON.parse(first))).toEqual([
    'row',
    'cell',
    'external_id',
    'state',
    'id',
    'code',
    'shipping_code',
    'carrier',
    'fee',
    'error',
    'recipient',
    'phone',
    'sheet',
  ]);
  expect((await run(['batch', 'list', '-o', 'json'])).stdout).toContain(summary.batch);
  const to = join(directory, 'result.csv');
  expect((await run(['batch', 'result', summary.batch, '--to', to])).exit).toBe(0);
  const [header = '', line = ''] = readFileSync(to, 'utf8').split('\r\n');
  expect(header.startsWith(`${orderHeader.join(',')},result.state,result.id`)).toBe(true);
  expect(line).toContain(orderCells(1).join(','));
  const book = join(directory, 'result.xlsx');
  expect((await run(['batch', 'result', summary.batch, '--to', book])).exit).toBe(0);
  expect((await run(['batch', 'plan', book, '-o', 'json'])).stderr).toContain('were run as');
  // A result is a sheet again: the same rows.
  expect((await run(['batch', 'run', to, '-o', 'json'])).stderr).toContain('was run as');
  expect((await run(['batch', 'resume'])).exit).toBe(3);
});

it('asks with cash and fees of the rows that are left before it continues a batch that was not named', async () => {
  let orders = 0;
  const { run, directory } = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    orders += 1;
    if (orders === 1) return transport(request);
    return { status: 401, headers: {}, body: '{"code":"unauthenticated","msg":"the key was withdrawn"}' };
  });
  writeFileSync(join(directory, 'orders.csv'), manyOrders(3));
  expect((await run(['batch', 'run', 'orders.csv', '--yes', '--concurrency', '1'])).exit).toBe(4);
  const rows = JSON.parse((await run(['batch', 'rows', '--json'])).stdout);
  const left = rows.filter(({ state }: { state: string }) => state !== 'done');
  const fees = left.reduce((sum: number, { fee }: { fee: number }) => sum + fee, 0);
  const { prompter } = await run(['batch', 'resume'], { terminal: true, env: { TERM: 'xterm' }, answers: [false] });
  const cost = fees.toLocaleString('en-US');
  expect(prompter.asked).toEqual([
    expect.stringContaining(`send the 2 rows that are left: collect 1,800,000, pay ${cost} for delivery?`),
  ]);
});

it('tells once what it costs, and again only where it came to something else', async () => {
  const { run, file, directory } = await world();
  const feesIn = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('fees '));
  const ran = await run(['batch', 'run', file(manyOrders(2)), '--yes', '-o', 'name']);
  expect([ran.exit, feesIn(ran.stderr)]).toEqual([0, [expect.stringMatching(/^fees [\d,]+: \w+ [\d,]+/)]]);
  const again = await run(['batch', 'run', file(manyOrders(2)), '--yes', '-o', 'name']);
  expect(feesIn(again.stderr)).toEqual(feesIn(ran.stderr));
  // The first one is there with another address, which only the service knows: this is another user's machine.
  const elsewhere = join(directory, 'elsewhere');
  const { ledgers: _, ...settings } = await settingsIn(directory).read();
  await settingsIn(elsewhere).update(() => settings);
  const env = { SHOPCTL_WORKSPACE: await places.next(join(directory, 'other')), SHOPCTL_CONFIG_DIR: elsewhere };
  const changed = file(manyOrders(3).replace('1 ngõ 5', '99 ngõ 5'), 'changed.csv');
  const different = await run(['batch', 'run', changed, '--yes', '-o', 'name'], { env });
  expect(different.exit).toBe(9);
  const [planned, came, ...more] = feesIn(different.stderr);
  expect([planned, came, more]).toEqual([expect.any(String), expect.any(String), []]);
  expect(came).not.toBe(planned);
});

it('asks before it sends, and needs --yes where shopctl cannot ask; nothing is left behind', async () => {
  const { run, file, service } = await world();
  const path = file(manyOrders(2));
  expect((await run(['batch', 'run', path])).exit).toBe(2);
  const refused = await run(['batch', 'run', path], { terminal: true, answers: [false] });
  expect(refused.exit).not.toBe(0);
  expect((await run(['batch', 'list', '-o', 'json'])).stdout.trim()).toBe('[]');
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  expect(body.orders).toEqual([]);
});

it('names the batch before it tells anything else of it, and with --quiet too', async () => {
  const { run, file } = await world();
  const path = file(manyOrders(2));
  const asked = await run(['batch', 'run', path], { terminal: true, answers: [false] });
  // What it waited is taken away before it says something.
  expect(asked.stderr.replaceAll('\r\u001b[K', '')).toMatch(/^batch \d{8}-\w{5}\n/);
  expect(asked.stderr).toContain('2 rows: 2 to send');
  const ran = await run(['batch', 'run', path, '--yes', '-q', '-o', 'json']);
  const { batch } = JSON.parse(ran.stdout);
  expect(stderrLines(ran.stderr).notices).toEqual([
    { code: 'batch_began', message: `batch ${batch}`, batch, resumed: false },
  ]);
  // An undo that nobody agreed to does not exist, and is not named.
  expect(await run(['batch', 'undo', batch])).toMatchObject({
    exit: 2,
    stderr: expect.not.stringMatching(/^batch \d/m),
  });
  const undone = await run(['batch', 'undo', batch, '--yes', '-q', '-o', 'json']);
  expect(noticeText(undone)).toBe(`batch ${JSON.parse(undone.stdout).batch}\n`);
  const resumed = await run(['batch', 'run', path, '--yes', '-q', '-o', 'json']);
  expect(noticeText(resumed)).toMatch(/^batch \d{8}-\w{5}\n$/);
});

it('names every bad cell, and leaves bad rows out only where that is said', async () => {
  const { run, file } = await world();
  const bad = orderSheet([
    orderCells(1),
    orderCells(2).map((cell) => (cell === '450.000' ? '450k-500k' : cell)),
    orderCells(3).map((cell) => (cell === 'open' ? 'maybe' : cell)),
  ]);
  const path = file(bad);
  expect((await run(['batch', 'plan', path])).exit).toBe(2);
  const refused = await run(['batch', 'run', path, '--yes', '-o', 'json']);
  const error = errorOf(refused);
  expect([refused.exit, error.code, error.field_errors.map(({ path: cell }: { path: string }) => cell)]).toEqual([
    2,
    expect.any(String),
    ['line 3, column lines.retail_price', 'line 4, column shipping.try_on'],
  ]);
  const people = await run(['batch', 'run', path, '--yes']);
  expect(people.stderr).toContain('line 3, column lines.retail_price: "450k-500k"');
  const skipped = await run(['batch', 'run', path, '--yes', '--skip-bad', '-o', 'json']);
  expect([skipped.exit, JSON.parse(skipped.stdout).counts]).toMatchObject([9, { rows: 3, done: 1, skipped: 2 }]);
});

it('names the cell of a place that nobody knows, with the nearest names, before anything is sent', async () => {
  const { run, file, directory } = await world();
  const bad = [orderCells(1), orderCells(2).map((cell) => (cell === 'Cầu Giấy' ? 'Cầu Giấyy' : cell))];
  const reported = `is not in our list of places; did you mean Quận Cầu Giấy?`;
  const path = file(orderSheet(bad));
  const planned = await run(['batch', 'plan', path]);
  const at = 'line 3, column shipping_address.district';
  expect([planned.exit, planned.stderr]).toEqual([2, expect.stringContaining(`${at}: "Cầu Giấyy" ${reported}`)]);
  const book = join(directory, 'orders.xlsx');
  writeFileSync(book, xlsxOf(orderHeader, bad, 'Orders'));
  const refused = await run(['batch', 'run', book, '--yes', '-o', 'json']);
  const error = errorOf(refused);
  expect([refused.exit, error.field_errors]).toEqual([2, [{ path: 'Orders!E3', message: `"Cầu Giấyy" ${reported}` }]]);
  expect((await run(['batch', 'list', '-o', 'json'])).stdout.trim()).toBe('[]');
  // Nobody quotes it: the service may know more places than we do, and it is told.
  const noted = await run(['batch', 'plan', path, '--profile', 'shop', '--do', 'orders create']);
  expect([noted.exit, noted.stderr]).toEqual([0, expect.stringContaining(`${at}: "Cầu Giấyy" ${reported}`)]);
});

it('runs a saved plan, and refuses it where the file or the policy changed since', async () => {
  const { run, file, directory } = await world();
  const path = file(manyOrders(2));
  const plan = join(directory, 'plan.json');
  expect((await run(['batch', 'plan', path, '--save', plan])).exit).toBe(0);
  expect(parse(readFileSync(plan, 'utf8')).rows).toHaveLength(2);
  const stale = async (words: readonly string[]) => {
    const { exit, stderr } = await run(['batch', 'run', ...words, '--plan', plan, '--yes', '-o', 'json']);
    return [exit, errorOf(stderr).code];
  };
  expect(await stale(['--pick', 'fastest'])).toEqual([12, 'plan_stale']);
  file(manyOrders(3));
  expect(await stale([path])).toEqual([12, 'plan_stale']);
  file(manyOrders(2));
  const ran = await run(['batch', 'run', '--plan', plan, '--yes', '-o', 'json']);
  expect([ran.exit, JSON.parse(ran.stdout).counts.done]).toEqual([0, 2]);
});

it('asks what equal rows of another file mean, keeps the options of a batch, and forgets it when told to', async () => {
  const { run, file } = await world();
  const first = JSON.parse((await run(['batch', 'run', file(manyOrders(3, false)), '--yes', '-o', 'json'])).stdout);
  const more = file(manyOrders(4, false), 'more.csv');
  const asked = await run(['batch', 'run', more, '--yes', '-o', 'json']);
  const error = errorOf(asked);
  expect([asked.exit, error.code, error.meta]).toMatchObject([
    12,
    'rows_shared',
    { batch: first.batch, same: '3', new: '1' },
  ]);
  const continued = await run(['batch', 'run', more, '--continue', first.batch, '--yes', '-o', 'json']);
  expect(JSON.parse(continued.stdout).counts).toMatchObject({ existed: 3, done: 1 });
  expect((await run(['batch', 'resume', first.batch, '--pick', 'fastest'])).exit).toBe(2);
  expect((await run(['batch', 'run', more, '--max-total', '1', '--again', '--yes'])).exit).toBe(12);
  expect((await run(['batch', 'forget', first.batch, '--yes'])).exit).toBe(0);
  expect((await run(['batch', 'show', first.batch])).exit).toBe(3);
});

it('says of a plan that its rows cost more than they may, as a run would', async () => {
  const { run, file } = await world();
  const path = file(manyOrders(2));
  const fees = JSON.parse((await run(['batch', 'plan', path, '-o', 'json'])).stdout).fees.total;
  const reported = `${fees - 1}`.replace(/\B(?=(\d{3})+$)/g, ',');
  const planned = await run(['batch', 'plan', path, '--max-total', String(fees - 1)]);
  expect(planned.stderr).toContain(`more than the limit of ${reported}: a run would be refused\n`);
  const enough = await run(['batch', 'plan', path, '--max-total', String(fees)]);
  expect(enough.stderr).not.toContain('refused');
  const refused = await run(['batch', 'run', path, '--max-total', String(fees - 1), '--yes']);
  expect([refused.exit, refused.stderr]).toMatchObject([12, expect.stringContaining(`and ${reported} is the limit`)]);
});

it('reads a sheet from the standard input', async () => {
  const { run } = await world();
  const { exit, stdout } = await run(['batch', 'plan', '-', '--format', 'csv', '-o', 'json'], { stdin: manyOrders(2) });
  expect([exit, JSON.parse(stdout).counts.rows]).toEqual([0, 2]);
});

it('gives the rows of another account another name', async () => {
  const work = await findWork('ship', 'partner');
  const name = (shop: string, origin = 'https://shop.example') =>
    identityOf({ order_note: 'a' }, work, { origin, family: 'partner', shop }).name;
  expect(new Set([name('1'), name('2'), name('1', 'https://other.example')]).size).toBe(3);
  expect(name('1')).toBe(name('1'));
});

it('names the newest batches that can be undone to whoever names none', async () => {
  const { run, file } = await world();
  const none = await run(['batch', 'undo', '--json']);
  expect([none.exit, errorOf(none.stderr)]).toMatchObject([2, { field_errors: [{ path: 'batch' }] }]);
  const batches: string[] = [];
  for (const name of ['a.csv', 'b.csv']) {
    const text = name === 'a.csv' ? manyOrders(1) : manyOrders(2).replaceAll(/0901/g, '0902').replaceAll('DH-', 'XH-');
    const ran = await run(['batch', 'run', file(text, name), '--pick', 'cheapest', '--yes', '-o', 'json']);
    batches.unshift(JSON.parse(ran.stdout).batch);
  }
  const { exit, stderr } = await run(['batch', 'undo', '--json']);
  const { message, hint } = errorOf(stderr);
  expect([exit, message]).toEqual([2, 'batch is required']);
  for (const batch of batches) expect(hint).toContain(`${batch} (ship, `);
  expect(hint.indexOf(batches[0])).toBeLessThan(hint.indexOf(batches[1]));
  // What was undone, and an undo, can be undone no more.
  expect((await run(['batch', 'undo', batches[0] ?? '', '--yes'])).exit).toBe(0);
  const left = errorOf((await run(['batch', 'undo', '--json'])).stderr).hint;
  expect(left).toBe(`the newest that can be undone: ${batches[1]} (ship, 1 row)`);
});
