/* What the plan says of orders that may be the same one twice, and of a sheet with nothing in it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testStart } from '../support/sandbox.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { manyOrders, orderCells, orderSheet } from './batch-world.ts';

it.each([
  { groups: 1, each: 5, last: /^line 2, line 3, line 4, line 5, line 6$/ },
  { groups: 1, each: 7, last: /^line 2, line 3, line 4, line 5, line 6 and 2 more$/ },
  { groups: 10, each: 2, last: /^line \d+, line \d+$/ },
  { groups: 1, each: 300, last: /^line 2, line 3, line 4, line 5, line 6 and 295 more$/ },
  { groups: 14, each: 2, last: /^… and 4 more groups of possible duplicates$/ },
  { groups: 11, each: 2, last: /^… and 1 more group of possible duplicates$/ },
])('$groups groups of $each equal orders end with $last', async ({ groups, each, last }) => {
  const world = await shopWorld();
  const rows = Array.from({ length: groups * each }, (_, index) =>
    orderCells(Math.floor(index / each) + 1, `SO-${index}`),
  );
  writeFileSync(join(world.directory, 'orders.csv'), orderSheet(rows));
  const { exit, stderr } = await world.run(['batch', 'plan', 'orders.csv']);
  const said = stderr.split('\n').filter((line) => line.includes('possible duplicates'));
  expect([exit, said.length]).toEqual([0, Math.min(groups, 11)]);
  expect(said.at(-1)?.replace(/^.*\): /, '')).toMatch(last);
});

it('is named in the order of the lines, whatever the phone numbers are, and however they are written', async () => {
  const world = await shopWorld();
  const cells = (order: number, phone: string) =>
    orderCells(order, `SO-${phone}`).map((cell) => (/^09\d{8}$/.test(cell) ? phone : cell));
  const rows = [cells(2, '0987654321'), cells(1, '0912345678'), cells(2, '+84 987 654 321'), cells(1, '84912345678')];
  writeFileSync(join(world.directory, 'orders.csv'), orderSheet(rows));
  const { stderr } = await world.run(['batch', 'plan', 'orders.csv']);
  const said = stderr.split('\n').filter((line) => line.includes('possible duplicates'));
  expect(said.map((line) => line.replace(/^.*\): /, ''))).toEqual(['line 2, line 4', 'line 3, line 5']);
});

it('points out parcels of different goods to one phone, and not what are duplicates', async () => {
  const world = await shopWorld();
  const to = (order: number, phone: string) =>
    orderCells(order, `SO-${order}`).map((cell) => (/^09\d{8}$/.test(cell) ? phone : cell));
  // Lines 2 and 4 are one buyer's, however the phone is written; lines 3 and 5 are the same order twice.
  const same = orderCells(7, 'SO-70');
  const rows = [to(1, '0987654321'), orderCells(7), to(2, '+84 987 654 321'), same, orderCells(8)];
  writeFileSync(join(world.directory, 'orders.csv'), orderSheet(rows));
  const { stderr } = await world.run(['batch', 'plan', 'orders.csv']);
  const said = stderr.split('\n').filter((line) => /one phone|duplicates/.test(line));
  expect(said.map((line) => line.trim().replace(/^shopctl: /, ''))).toEqual([
    'possible duplicates (same phone and lines): line 3, line 5',
    'parcels to one phone: line 2, line 4: send them together (gửi chung)?',
  ]);
  const { stdout } = await world.run(['batch', 'plan', 'orders.csv', '-o', 'json']);
  expect(JSON.parse(stdout).read.warnings).toEqual([
    {
      code: 'possible_duplicate',
      cell: 'line 3',
      value: null,
      message: 'possible duplicates (same phone and lines): line 3, line 5',
    },
    {
      code: 'one_phone',
      cell: 'line 2',
      value: null,
      message: 'parcels to one phone, which could be sent together: line 2, line 4',
    },
  ]);
});

it('points out what may have gone to a phone within a day, with other words for its goods', async () => {
  const world = await shopWorld();
  const sheet = (name: string, rows: string[][]) => writeFileSync(join(world.directory, name), orderSheet(rows));
  const worded = (order: number, name: string, changes: Record<string, string> = {}) =>
    orderCells(order, name).map((cell) => changes[cell] ?? (cell === `Áo ${order}` ? 'Áo khoác gió' : cell));
  sheet('first.csv', [orderCells(1), orderCells(2), orderCells(3), orderCells(4)]);
  const sent = await world.run(['batch', 'run', 'first.csv', '--pick', 'cheapest', '--yes']);
  expect(sent.exit).toBe(0);
  sheet('second.csv', [
    worded(1, 'B-1'),
    worded(2, 'B-2', { 900000: '800000' }),
    worded(3, 'B-3', { 900000: '800000', '3 ngõ 5': '7 Lê Lợi' }),
    orderCells(4, ''),
    orderCells(5, 'B-5'),
  ]);
  const warned = async (words: string[], clock = steppedClock(testStart)) => {
    const { stderr } = await world.run(['batch', ...words], { clock });
    return stderr.split('\n').filter((line) => line.includes('got a parcel'));
  };
  // The plan that is written has its times in the zone of the run, too, which is named once.
  await world.run(['batch', 'plan', 'second.csv', '--pick', 'cheapest', '--to', 'plan.md'], {
    clock: steppedClock(testStart),
  });
  const plan = readFileSync(join(world.directory, 'plan.md'), 'utf8');
  expect(plan.match(/got a parcel at 2026-01-31 15:\d\d: /g)).toHaveLength(2);
  expect([plan.match(/Asia\/Ho_Chi_Minh|GMT\+7/g), /\dT\d\d:/.test(plan)]).toEqual([['Asia/Ho_Chi_Minh'], false]);
  for (const words of [
    ['plan', 'second.csv', '--pick', 'cheapest'],
    ['run', 'second.csv', '--pick', 'cheapest', '--yes'],
  ])
    expect(await warned(words)).toEqual(
      ['line 2', 'line 3'].map((line) =>
        expect.stringMatching(new RegExp(`${line}: "09\\d+" got a parcel at \\S+ \\S+ \\(GMT.*: \\w+, 900,000 ₫`)),
      ),
    );
  sheet('third.csv', [worded(1, 'C-1', { 'Áo khoác gió': 'Áo gió' })]);
  expect(await warned(['plan', 'third.csv', '--pick', 'cheapest'], steppedClock(testStart + 25 * 3_600_000))).toEqual(
    [],
  );
});

it('points out the orders of another batch of the last days that come again under other names, and names the batch', async () => {
  const world = await shopWorld();
  const sheet = (name: string, rows: string[][]) => writeFileSync(join(world.directory, name), orderSheet(rows));
  sheet('thursday.csv', [orderCells(1, 'SO-1'), orderCells(2, 'SO-2'), orderCells(3, 'SO-3')]);
  const sent = await world.run(['batch', 'run', 'thursday.csv', '--pick', 'cheapest', '--yes', '-o', 'name']);
  const batch = sent.stdout.trim();
  const other = (order: number, cell: string) => (/^09\d{8}$/.test(cell) ? `098765432${order}` : cell);
  sheet('friday.csv', [
    orderCells(1, 'FR-1'),
    orderCells(2, 'FR-2').map((cell) => (cell === '900000' ? '850000' : cell)),
    orderCells(3, 'FR-3').map((cell) => other(3, cell)),
    orderCells(3, 'FR-4').map((cell) => (/^3 ngõ/.test(cell) ? '7 Lê Lợi' : cell)),
  ]);
  const plan = async (file: string, days: number) => {
    const clock = steppedClock(testStart + days * 86_400_000);
    const { stdout } = await world.run(['batch', 'plan', file, '--pick', 'cheapest', '-o', 'json'], { clock });
    const { warnings } = JSON.parse(stdout).read;
    return warnings.flatMap(({ code, cell, message }: { code: string; cell: string; message: string }) =>
      code === 'sent_to_phone' ? [[cell, message.replace(/ at \S+: \w+/, '')]] : [],
    );
  };
  const again = `got the same goods of batch ${batch}, 900,000 ₫ to collect; is this the same order under another name?`;
  // Line 3 asks for other cash at the same door; line 4 goes to another phone; line 5 to another door.
  expect(await plan('friday.csv', 3)).toEqual([
    ['line 2', again],
    ['line 5', again],
  ]);
  expect((await plan('friday.csv', 0)).map(([cell]: string[]) => cell)).toEqual(['line 2', 'line 3', 'line 5']);
  expect(await plan('friday.csv', 8)).toEqual([]);
  // Its own rows again are no repetition: those orders are there.
  sheet('grown.csv', [orderCells(1, 'SO-1'), orderCells(2, 'SO-2'), orderCells(3, 'SO-3'), orderCells(4, 'SO-4')]);
  expect(await plan('grown.csv', 3)).toEqual([]);
});

it('what may be a repeat is told however quiet it is, and counted in the question', async () => {
  const world = await shopWorld();
  const sheet = (name: string, rows: string[][]) => writeFileSync(join(world.directory, name), orderSheet(rows));
  sheet('first.csv', [orderCells(1, 'A-1'), orderCells(2, 'A-2')]);
  const run = (name: string, words: readonly string[], how = {}) =>
    world.run(['batch', 'run', name, '--pick', 'cheapest', ...words], how);
  expect((await run('first.csv', ['--yes', '-q'])).stderr).not.toMatch(/goods|duplicates/);
  sheet('second.csv', [orderCells(1, 'B-1'), orderCells(2, 'B-2'), orderCells(3, 'B-3'), orderCells(3, 'B-4')]);
  const terminal = { terminal: true, env: { TERM: 'xterm' }, answers: [false] };
  const asked = await run('second.csv', ['-q'], terminal);
  expect(asked.prompter.asked.join()).toContain('Ship 4 orders (3 of them may be repeats): collect 3,600,000, pay');
  const quiet = await run('second.csv', ['--yes', '-q']);
  for (const { stderr } of [asked, quiet]) {
    expect(stderr.match(/line \d+: "\d+" got the same goods/g)).toHaveLength(2);
    expect(stderr).toContain('possible duplicates (same phone and lines): line 4, line 5');
    expect(stderr).not.toContain('4 rows: 4 to send');
  }
});

it('rows that may go wrong are named in the question, with their cells, and told however quiet it is', async () => {
  const world = await shopWorld();
  const odd = orderCells(2, 'B-2');
  odd[odd.findIndex((cell) => /^09\d{8}$/.test(cell))] = '09120001';
  const rows = [orderCells(1, 'A-1'), odd, orderCells(3, 'C-3')];
  writeFileSync(join(world.directory, 'odd.csv'), orderSheet(rows));
  const words = ['batch', 'run', 'odd.csv', '--pick', 'cheapest', '-q'];
  const how = { terminal: true, env: { TERM: 'xterm' }, answers: [false] };
  const asked = await world.run(words, how);
  expect(asked.prompter.asked.join()).toMatch(
    /Ship 3 orders \(1 with an odd phone: line 3, column [^"]+ "09120001"\): collect/,
  );
  expect(asked.stderr).toContain('"09120001" is unusual: 8 digits');
  const vi = await world.run(words, { ...how, env: { TERM: 'xterm', SHOPCTL_LANG: 'vi' } });
  expect(vi.prompter.asked.join()).toMatch(/Gửi 3 đơn này \(1 đơn có SĐT có vẻ sai: dòng 3.* "09120001"\)\?/);
});

it('offers a person to go on with what is new of rows that a batch has sent before', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'first.csv'), manyOrders(3, false));
  await world.run(['batch', 'run', 'first.csv', '--pick', 'cheapest', '--yes']);
  writeFileSync(join(world.directory, 'more.csv'), manyOrders(4, false));
  const words = ['batch', 'run', 'more.csv', '--pick', 'cheapest'];
  const terminal = { terminal: true, env: { TERM: 'xterm' } };
  const no = await world.run(words, { ...terminal, answers: [false] });
  expect([no.exit, no.stderr]).toEqual([12, expect.stringContaining('--continue')]);
  const yes = await world.run(words, { ...terminal, answers: [true, true] });
  expect([yes.exit, yes.exit === 0 || yes.stderr]).toEqual([0, true]);
  expect(yes.prompter.asked).toEqual([
    expect.stringMatching(/^3 of 4 rows were sent before, 3 of them by batch .+ Leave out what was sent/),
    expect.stringMatching(/^Ship 1 order: /),
  ]);
  expect((await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey)).body.orders).toHaveLength(
    4,
  );
});

it('an empty standard input is called so', async () => {
  const world = await shopWorld();
  const { exit, stderr } = await world.run(['batch', 'plan', '-', '--format', 'csv'], { stdin: '' });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('stdin is empty: the first line names the columns')]);
});

it('a sheet without a row is not the same as another one', async () => {
  const world = await shopWorld();
  const [header = ''] = orderSheet([]).split('\n');
  for (const name of ['monday.csv', 'tuesday.csv']) {
    writeFileSync(join(world.directory, name), `${header}\n`);
    const { exit, stderr } = await world.run(['batch', 'run', name, '--yes']);
    expect([name, exit, stderr]).toEqual([name, 0, expect.not.stringContaining('monday.csv was')]);
    expect(stderr).not.toMatch(/was run as|already/);
  }
});
