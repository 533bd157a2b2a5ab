import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatMoney } from '../../../src/domain/amounts/money.ts';
import { paidWorld, parcel } from './paid-world.ts';

it('compares whole days of the shop, the last one included, in each spelling of a day', async () => {
  // The last second of 16 January in the shop, and the first one of the 17th.
  const world = await paidWorld([
    parcel(1, 100_000, { closed_at: '2026-01-16T16:59:59Z' }),
    parcel(2, 200_000, { closed_at: '2026-01-16T17:00:00Z' }),
  ]);
  await world.pay('none.csv', [['SPX9', 'S1', 'Thu hộ', 1]]);
  const dueOf = async (...days: readonly string[]) => {
    const { stdout } = await world.run(['cod', 'reconcile', '--carrier', 'spx', ...days, '--json']);
    const { since, until, totals } = JSON.parse(stdout);
    return [since, until, totals.due];
  };
  expect(await dueOf('--since', '2026-01-16', '--until', '16/01/2026')).toEqual(['2026-01-16', '2026-01-16', 100_000]);
  expect(await dueOf('--until', '17/1/2026')).toEqual([null, '2026-01-17', 300_000]);
  expect(await dueOf('--since', '2026-01-17')).toEqual(['2026-01-17', null, 200_000]);
  const wrong = await world.run(['cod', 'reconcile', '--since', '2026-01-17', '--until', '2026-01-16']);
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('must not be before')]);
});

it('says what the other half of the truth is, in figures: what the platform settled, and what files paid', async () => {
  const world = await paidWorld([
    parcel(1, 100_000, { platform_payment_status: 'P' }),
    parcel(2, 250_000),
    parcel(3, 60_000, { shipping_state: 'returned', actual_cod_amount: 0 }),
    parcel(4, 70_000),
    parcel(5, 40_000),
  ]);
  await world.pay('week.csv', [
    ['SPX1', 'S1', 'Thu hộ', 100_000],
    ['SPX2', 'S1', 'Thu hộ', 230_000],
    // Ten times what is due.
    ['SPX5', 'S1', 'Thu hộ', 400_000],
    ['SPX5', 'S2', 'Thu hộ', 100_000],
  ]);
  const ran = await world.run(['cod', 'reconcile', '--json']);
  expect(JSON.parse(ran.stdout)).toMatchObject({ settled: 100_000, totals: { due: 460_000, paid: 830_000 } });
  expect(ran.stderr).toContain("the platform's own payments settled 100,000 of the 460,000 that is due");
  expect(ran.stderr).toMatch(/`shopctl report cod[^`]*` has that by day/);
  await world.run(['mirror', 'sync']);
  // Of 250,000, 70,000 and 40,000 that the platform has not settled, the file paid 230,000 and 40,000.
  const day = (await world.run(['day'])).stderr.replaceAll(/\s+/g, ' ');
  expect(day).toContain('cash outstanding, 360,000, is what the platform has not settled');
  expect(day).toMatch(/imported payment files paid 270,000 of it; `shopctl cod reconcile[^`]*` compares them/);
});

it('finds the parcel of a line as a reconciliation does, however the line names it', async () => {
  const world = await paidWorld([
    ...[1, 2, 3, 4, 5, 6].map((number) => parcel(number, number * 100_000)),
    parcel(7, 700_000, { shipping_code: '' }),
    // One code for two parcels: a line belongs to that of its time.
    parcel(8, 800_000, {
      shipping_code: 'SPX8',
      created_at: '2025-10-10T03:00:00Z',
      closed_at: '2025-10-16T03:00:00Z',
    }),
    parcel(9, 900_000, { shipping_code: 'SPX8' }),
  ]);
  const layout = join(world.directory, 'named.yaml');
  writeFileSync(
    layout,
    `columns:
  Code: shipping_code
  Id: fulfillment_id
  Cash: cod
  Day: { field: delivered_on, dates: DD/MM/YYYY }
`,
  );
  const ids = (number: number) => parcel(number, 0).id;
  const rows = [
    ['SPX1', '', 100_000, ''],
    ['SPX2', 'KT-026', 200_000, ''],
    ['SPX3', '987654321098765432', 300_000, ''],
    ['SPX4', ids(4), 400_000, ''],
    ['', ids(5), 500_000, ''],
    ['SPX6', ids(1), 600_000, ''],
    ['', ids(7), 700_000, ''],
    ['SPX8', 'KT-027', 800_000, '20/10/2025'],
    ['SPX8', '', 900_000, '20/01/2026'],
  ];
  const expected: number[] = [];
  for (const [index, [code, id, cash, day]] of rows.entries()) {
    writeFileSync(join(world.directory, `${index}.csv`), `Code,Id,Cash,Day\n${code},${id},${cash},${day}\n`);
    const imported = await world.run(['cod', 'import', `${index}.csv`, '--layout', layout, '--session', `S${index}`]);
    expect(imported.exit, imported.stderr).toBe(0);
    const { totals } = JSON.parse((await world.run(['cod', 'reconcile', '--json'])).stdout);
    expected.push(totals.paid);
    await world.run(['mirror', 'sync']);
    const told = (await world.run(['day'])).stderr.replaceAll(/\s+/g, ' ');
    expect(told, `${code} ${id}`).toContain(`imported payment files paid ${formatMoney(totals.paid)} of it`);
  }
  expect(expected).toEqual([1, 3, 6, 10, 15, 21, 28, 36, 45].map((count) => count * 100_000));
});

it('shows the unknown parcels of the sessions of a carrier with it, and names it where it is the only one', async () => {
  const world = await paidWorld([
    parcel(1, 100_000),
    parcel(2, 100_000, { carrier: 'other', shipping_code: 'OT2' }),
    parcel(3, 100_000, { carrier: 'third', shipping_code: 'TH3' }),
  ]);
  await world.pay('one.csv', [
    ['SPX1', 'S1', 'Thu hộ', 100_000],
    ['GR999', 'S1', 'Thu hộ', 150_000],
    ['OT2', 'S2', 'Thu hộ', 100_000],
    ['TH3', 'S2', 'Thu hộ', 100_000],
    ['GR888', 'S2', 'Thu hộ', 70_000],
  ]);
  const unknownOf = async (...words: readonly string[]) => {
    const { parcels } = JSON.parse((await world.run(['cod', 'reconcile', ...words, '--json'])).stdout);
    return parcels
      .filter((one: { class: string }) => one.class === 'unknown')
      .map((one: { shipping_code: string; carrier: string | null }) => [one.shipping_code, one.carrier]);
  };
  expect(await unknownOf()).toEqual([
    ['GR888', null],
    ['GR999', 'spx'],
  ]);
  expect(await unknownOf('--carrier', 'spx')).toEqual([['GR999', 'spx']]);
  expect(await unknownOf('--carrier', 'other')).toEqual([['GR888', null]]);
  expect(await unknownOf('--carrier', 'third')).toEqual([['GR888', null]]);
});
