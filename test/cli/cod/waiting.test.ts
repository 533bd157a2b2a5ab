/* What carriers have not paid and need not yet, and what payment files have paid beside the platform. */
import { expect, it } from 'vitest';
import { paidWorld, parcel } from './paid-world.ts';

const world = () =>
  paidWorld([
    parcel(1, 350_000),
    parcel(2, 150_000, { closed_at: '2026-01-30T03:00:00Z' }),
    parcel(3, 90_000, { closed_at: '2026-01-30T03:00:00Z' }),
  ]);

it('says which parcels wait for their payment, and lists those of a class', async () => {
  const { pay, run } = await world();
  await pay('week.csv', [['SPX1', 's47', 'Thu hộ', 340_000]]);
  const short = await run(['cod', 'reconcile', '--differing']);
  expect(short.stderr).toContain('2 delivered parcels are not yet due to be paid, with 240,000: `--class');
  expect(short.stdout).not.toContain('SPX2');
  const waiting = await run(['cod', 'reconcile', '--class', 'awaiting', '--json']);
  const { parcels } = JSON.parse(waiting.stdout);
  expect(parcels.map((one: Record<string, unknown>) => [one.shipping_code, one.class])).toEqual([
    ['SPX2', 'awaiting'],
    ['SPX3', 'awaiting'],
  ]);
  expect(waiting.stderr).not.toContain('--class awaiting');
  expect((await run(['cod', 'reconcile', '--class', 'waits'])).exit).toBe(2);
});

it('shows fields of the records of a list as a table', async () => {
  const { pay, run } = await world();
  await pay('week.csv', [['SPX1', 's47', 'Thu hộ', 340_000]]);
  const fields = 'totals.parcels,parcels.shipping_code,parcels.fee_quoted,parcels.also';
  const { stdout } = await run(['cod', 'reconcile', '--fields', fields], {
    terminal: true,
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^totals\.parcels\s+3$/),
      expect.stringMatching(/SHIPPING_CODE\s+FEE_QUOTED/),
      expect.stringMatching(/SPX1\s+22,000/),
    ]),
  );
});

it('says of reports about the platform that payment files have paid more', async () => {
  const { pay, run } = await world();
  await run(['mirror', 'sync', '--area', 'orders']);
  expect((await run(['report', 'cod'])).stderr).not.toContain('payment files');
  await pay('week.csv', [['SPX1', 's47', 'Thu hộ', 340_000]]);
  for (const words of [
    ['report', 'cod'],
    ['day', '--list', 'cash-outstanding'],
  ]) {
    const { stderr } = await run(words);
    expect([words, stderr]).toEqual([
      words,
      expect.stringContaining('only what the platform has settled counts here; imported payment files paid 340,000'),
    ]);
  }
});
