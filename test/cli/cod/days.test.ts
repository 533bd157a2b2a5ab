import { expect, it } from 'vitest';
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
