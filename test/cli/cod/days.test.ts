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

it('says where the other half of the truth is: what the platform settled, and what files paid', async () => {
  const world = await paidWorld([parcel(1, 100_000)]);
  await world.pay('none.csv', [['SPX9', 'S1', 'Thu hộ', 1]]);
  const { stderr } = await world.run(['cod', 'reconcile']);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/`shopctl report cod[^`]*` says what the platform has settled of it/);
  await world.run(['mirror', 'sync']);
  const day = await world.run(['day']);
  expect(day.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /`shopctl cod reconcile[^`]*` says what imported payment files paid/,
  );
});
