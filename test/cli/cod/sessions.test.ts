import { expect, it } from 'vitest';
import { paidWorld, parcel } from './paid-world.ts';

const reconcile = ['cod', 'reconcile', '--json'];

it('compares a session with the bank, and explains the rest: held, carried over, debt', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  await world.pay('week.csv', [
    ['SPX1', 's47', 'Thu hộ', 350_000],
    ['SPX1', 's47', 'Phí giao hàng', -22_000],
    ['SPX2', 's47', 'Thu hộ', 150_000],
    ['SPX2', 's47', 'Tạm thu', -30_000],
    ['', 's47', 'Công nợ kỳ trước', -45_000],
    ['', 's47', 'Chuyển khoản', -403_000],
    ['SPX2', 's48', 'Hoàn tạm thu', 30_000],
  ]);
  const bank = async (session: string, received: number) => {
    const words = [...reconcile, '--session', session, '--received', String(received)];
    const { exit, stdout, stderr } = await world.run(words);
    return { exit, received: JSON.parse(stdout).received, stderr };
  };
  const whole = await bank('s47', 403_000);
  // A transfer is what was paid, not what is due.
  expect([whole.exit, whole.received]).toEqual([
    0,
    {
      session: 's47',
      expected: 403_000,
      received: 403_000,
      rest: 0,
      parts: expect.arrayContaining([
        { what: 'cash on delivery', amount: 500_000 },
        { what: 'delivery fees', amount: -22_000 },
        { what: 'held: provisional charges', amount: -30_000 },
        { what: 'carried over: debt of earlier sessions', amount: -45_000 },
        { what: 'transferred, as the file says', amount: -403_000 },
      ]),
    },
  ]);
  expect(whole.stderr).toContain('s47: 403,000 is due, the bank received 403,000: nothing is left');
  const less = await bank('s47', 400_000);
  expect([less.exit, less.received.rest]).toEqual([11, -3_000]);
  expect(less.stderr).toContain('s47: carried over: debt of earlier sessions -45,000');
  expect(less.stderr).toContain('the bank received 400,000: 3,000 is missing');
  const more = await bank('s48', 31_000);
  expect([more.exit, more.received]).toMatchObject([11, { expected: 30_000, rest: 1_000 }]);
  expect(more.stderr).toContain('1,000 is too much');
});

it('refuses an amount of the bank without a session, and for a session that no file has', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  const without = await world.run([...reconcile, '--received', '1000']);
  expect([without.exit, without.stdout]).toEqual([2, '']);
  expect(without.stderr).toContain('--session');
  const unknown = await world.run([...reconcile, '--session', 's9', '--received', '1000']);
  expect([unknown.exit, unknown.stdout]).toEqual([2, '']);
  expect(unknown.stderr).toContain('no payment line belongs to a session s9');
});

it('takes the same parcel, kind and amount in two sessions for two payments, in one file and over files', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('first.csv', [['SPX1', 's47', 'Thu hộ', 350_000]]);
  const second = await world.pay('second.csv', [
    ['SPX1', 's47', 'Thu hộ', 350_000],
    ['SPX1', 's48', 'Thu hộ', 350_000],
    ['SPX1', 's49', 'Thu hộ', 350_000],
    ['SPX1', 's49', 'Thu hộ', 350_000],
  ]);
  // The first repeats a line of the other file, the last one the line above it.
  expect(JSON.parse(second.stdout)).toMatchObject([
    { lines: 2, repeated: 2, amount: 700_000, problems: [{ cell: 'D2' }, { cell: 'D5' }] },
  ]);
  const { exit, stdout } = await world.run(reconcile);
  expect([exit, JSON.parse(stdout).parcels]).toMatchObject([
    11,
    [{ class: 'over', also: ['doubled'], due: 350_000, paid: 1_050_000, difference: 700_000 }],
  ]);
});

it('reconciles while the service is unreachable, and says how old the shipments are', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 350_000]]);
  world.ends();
  const clock = { now: () => Date.parse('2026-02-02T08:00:00Z'), wait: async () => {} };
  const { exit, stdout, stderr } = await world.run(reconcile, { clock });
  expect([exit, JSON.parse(stdout).parcels]).toMatchObject([0, [{ class: 'paid' }]]);
  expect(stderr).toMatch(/Shipments complete up to 2026-01-31 1[45]:\d\d \(Asia\/Ho_Chi_Minh\), copied 2 days ago/);
});
