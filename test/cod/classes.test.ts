import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sessionKinds } from '../../src/cod/reconcile.ts';
import { graceOf, startOfDay, workingDaysBefore } from '../../src/cod/times-sql.ts';
import { builtIn, type CodWorld, codWorld, type PlantedParcel, shopId } from './cod-world.ts';

/** A world in a file. */
async function world(): Promise<CodWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-classes-'));
  const end = async () => rmSync(directory, { recursive: true, force: true });
  const place = async () => join(directory, 'mirror.db');
  const made = await codWorld({ name: 'SQLite', missing: undefined, place, end });
  onTestFinished(async () => {
    await made.close();
    await end();
  });
  return made;
}

const parcel = (number: number, more: Partial<PlantedParcel> = {}): PlantedParcel => ({
  id: `100000000000000000${number}`,
  code: `GR${number}`,
  carrier: 'greenmile',
  state: 'delivered',
  cod: 100_000,
  actual: 100_000,
  quoted: 22_000,
  closedAt: '2026-11-05T03:00:00Z',
  ...more,
});

/** A file of a carrier that writes one sum of fees. */
const paid = (...rows: readonly (readonly [number: number, cash: number, fee: number])[]) =>
  [
    'STT,Ngày gửi,Mã vận đơn,Tiền thu hộ,Tổng cước,Thực nhận,Ngày phát,Tạm thu',
    ...rows.map(([number, cash, fee]) => `${number},02/11/2026,GR${number},${cash},${fee},${cash - fee},05/11/2026,0`),
  ].join('\n');
const vtp = { session: 'one', layout: builtIn('vtp') };

const reported = async (made: CodWorld, overdueBefore: string) =>
  (await made.reconcile({ overdueBefore })).parcels.map(({ shipping_code, class: name, also }) => [
    shipping_code,
    name,
    also,
  ]);

describe('what is told of a parcel', () => {
  it('is that its fees differ, whether they are above the quote or below it', async () => {
    const made = await world();
    await made.plant([1, 2, 3].map((number) => parcel(number)));
    await made.import('a.csv', paid([1, 100_000, 22_000], [2, 100_000, 21_999], [3, 100_000, 22_001]), vtp);
    expect(await reported(made, '2026-11-11T00:00:00')).toEqual([
      ['GR1', 'paid', []],
      ['GR2', 'fee_differs', []],
      ['GR3', 'fee_differs', []],
    ]);
    // Beside another fault too.
    await made.plant([parcel(2, { actual: 150_000, cod: 150_000 })]);
    expect(await reported(made, '2026-11-11T00:00:00')).toContainEqual(['GR2', 'short', ['fee_differs']]);
  });

  it('is that it is not paid once the time of the carrier is over, and until then nothing', async () => {
    const made = await world();
    await made.plant([parcel(1), parcel(2, { cod: 90_000 })]);
    expect(await reported(made, '2026-11-05T03:00:00')).toEqual([
      ['GR1', 'awaiting', []],
      ['GR2', 'awaiting', ['cod_changed']],
    ]);
    expect(await reported(made, '2026-11-05T03:00:01')).toEqual([
      ['GR1', 'unpaid', []],
      ['GR2', 'unpaid', ['cod_changed']],
    ]);
  });

  it('is nothing where all is in order: paid, within the time for it, or come back', async () => {
    const made = await world();
    const back = (number: number, state: string) => parcel(number, { state, actual: 0 });
    await made.plant([
      parcel(1),
      parcel(2),
      back(3, 'returned'),
      back(4, 'returning'),
      parcel(5),
      back(6, 'undeliverable'),
    ]);
    await made.import('a.csv', paid([1, 100_000, 22_000], [5, 100_000, 21_000]), vtp);
    const { parcels, differing, sums } = await made.reconcile({ overdueBefore: '2026-11-05T03:00:00' }, false);
    expect([parcels.map(({ class: name }) => name), differing]).toEqual([['fee_differs'], 1]);
    const counts = sums.map(({ class: name, parcels: count, due }) => [name, count, due]).sort();
    expect(counts).toEqual([
      ['awaiting', 1, 100_000],
      ['fee_differs', 1, 100_000],
      ['paid', 1, 100_000],
      ['returned', 2, 0],
      ['undeliverable', 1, 0],
    ]);
    await made.plant([parcel(1)]);
    await made.clear();
    expect(await made.reconcile({ overdueBefore: '2026-11-05T03:00:00' }, false)).toMatchObject({
      parcels: [],
      differing: 0,
    });
  });

  it('is that the carrier charged for what it could not deliver, unless it made good for it', async () => {
    const made = await world();
    const lost = (number: number) => parcel(number, { state: 'undeliverable', actual: 0 });
    await made.plant([lost(1), lost(2), lost(3), lost(4)]);
    await made.import('a.csv', paid([1, 0, 22_000], [2, 100_000, 22_000], [3, 0, 22_000]), vtp);
    const compensated = 'Mã vận đơn,Loại,Số tiền\nGR3,Bồi thường,90000';
    const columns = new Map([
      ['Mã vận đơn', { field: 'shipping_code' }],
      ['Loại', { field: 'kind', words: { 'Bồi thường': 'compensation' } }],
      ['Số tiền', { field: 'amount' }],
    ] as const);
    const layout = { ...builtIn('vtp'), name: 'other', onlyByName: false, columns };
    await made.import('b.csv', compensated, { session: 'two', layout });
    expect(await reported(made, '2026-11-11T00:00:00')).toEqual([
      ['GR4', 'undeliverable', []],
      ['GR1', 'undeliverable', ['uncompensated']],
      ['GR2', 'paid_not_delivered', []],
      ['GR3', 'undeliverable', []],
    ]);
  });

  it('is that what is paid for its row does not follow from the amounts of the row, and by how much', async () => {
    const made = await world();
    await made.plant([parcel(1), parcel(2), parcel(3, { actual: 150_000, cod: 150_000 }), parcel(4)]);
    const rows = [1, 2, 3, 4].map((number) => [number, 100_000, 22_000] as const);
    const nets = [78_000, 50_000, 79_000, 78_000];
    const file = paid(...rows);
    await made.import(
      'a.csv',
      file.replaceAll(/78000/g, () => String(nets.shift())),
      vtp,
    );
    expect(await reported(made, '2026-11-11T00:00:00')).toEqual([
      ['GR1', 'paid', []],
      ['GR2', 'unexplained', []],
      ['GR3', 'short', ['unexplained']],
      ['GR4', 'paid', []],
    ]);
    const { parcels } = await made.reconcile({ overdueBefore: '2026-11-11T00:00:00' }, false);
    expect(parcels.map(({ paid: cash, lines }) => [cash, lines.map(({ cell, amount }) => [cell, amount])])).toEqual([
      [
        100_000,
        [
          ['D3', 100_000],
          ['E3', -22_000],
          ['F3', -28_000],
        ],
      ],
      [
        100_000,
        [
          ['D4', 100_000],
          ['E4', -22_000],
          ['F4', 1_000],
        ],
      ],
    ]);
    // A session adds up to what its rows pay.
    expect([...(await sessionKinds(made.mirror, shopId, 'one')).values()].reduce((sum, one) => sum + one, 0)).toBe(
      285_000,
    );
  });

  it('is what was paid too little or too much, were it the sum of nothing and of less than nothing', async () => {
    const made = await world();
    await made.plant([1, 2, 3, 4].map((number) => parcel(number, number === 4 ? { cod: 0, actual: 0 } : {})));
    await made.import(
      'a.csv',
      paid([1, 99_999, 22_000], [2, 100_001, 22_000], [3, -5_000, 22_000], [4, -5_000, 22_000]),
      vtp,
    );
    expect(await reported(made, '2026-11-11T00:00:00')).toEqual([
      ['GR1', 'short', []],
      ['GR2', 'over', []],
      ['GR3', 'short', []],
      ['GR4', 'short', []],
    ]);
  });
});

it('the sums of a session count a line once that comes twice, and neither other sessions nor files that are gone', async () => {
  const made = await world();
  const kinds = async (session: string) => {
    await made.copy();
    return Object.fromEntries(await sessionKinds(made.mirror, shopId, session));
  };
  await made.import('a.csv', paid([1, 100_000, 22_000], [2, 50_000, 20_000]), vtp);
  await made.import('b.csv', paid([1, 100_000, 22_000], [3, 30_000, 10_000]), vtp);
  await made.import('c.csv', paid([1, 100_000, 22_000]), { ...vtp, session: 'two' });
  expect(await kinds('one')).toEqual({ cod: 180_000, delivery: -52_000 });
  expect(await kinds('two')).toEqual({ cod: 100_000, delivery: -22_000 });
  expect(await kinds('three')).toEqual({});
  const first = (await made.payments.files(shopId)).find(({ name }) => name === 'a.csv');
  if (first === undefined) throw new Error('the file is not listed');
  await made.payments.remove(shopId, first);
  // What the other file had repeated is counted there now.
  expect(await kinds('one')).toEqual({ cod: 130_000, delivery: -32_000 });
});

it('a file is of the carrier that its layout names, as are the parcels that nobody knows otherwise', async () => {
  const made = await world();
  const layout = { ...builtIn('vtp'), carrier: 'viettel' };
  expect(await made.import('a.csv', paid([1, 100_000, 22_000]), { session: 'one', layout })).toMatchObject({
    carrier: 'viettel',
  });
  expect(await made.import('b.csv', paid([2, 100_000, 22_000]), vtp)).toMatchObject({ carrier: null });
  const { parcels } = await made.reconcile();
  expect(parcels.map(({ shipping_code, carrier }) => [shipping_code, carrier])).toEqual([
    ['GR2', null],
    ['GR1', 'viettel'],
  ]);
});

describe('working days', () => {
  it.each([
    ['2026-11-27', 1, '2026-11-26'],
    ['2026-11-27', 5, '2026-11-20'],
    ['2026-11-28', 1, '2026-11-27'],
    ['2026-11-29', 1, '2026-11-27'],
    ['2026-11-30', 1, '2026-11-27'],
    ['2026-11-30', 2, '2026-11-26'],
    ['2026-11-30', 6, '2026-11-20'],
    ['2026-01-01', 1, '2025-12-31'],
    ['2026-11-29', 0, '2026-11-29'],
  ])('before %s, %d of them back, is %s: neither Saturdays nor Sundays count', (day, count, before) => {
    expect(workingDaysBefore(day, count)).toBe(before);
  });

  it('begin at midnight of a zone, in zones of quarter hours and on days that are set forward too', () => {
    const dayIn = (timeZone: string) => {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
      return (moment: string) => format.format(Date.parse(moment));
    };
    expect(startOfDay('2026-11-20', dayIn('Asia/Ho_Chi_Minh'))).toBe('2026-11-19T17:00:00Z');
    expect(startOfDay('2026-11-20', dayIn('Asia/Kathmandu'))).toBe('2026-11-19T18:15:00Z');
    expect(startOfDay('2026-11-20', dayIn('Pacific/Kiritimati'))).toBe('2026-11-19T10:00:00Z');
    expect(startOfDay('2026-11-20', dayIn('Pacific/Pago_Pago'))).toBe('2026-11-20T11:00:00Z');
    // Midnight does not exist.
    expect(startOfDay('2026-04-24', dayIn('Africa/Cairo'))).toBe('2026-04-23T22:00:00Z');
  });

  it('that a carrier has are read for all, and for single ones', () => {
    expect(graceOf('5')).toEqual({ days: 5, of: new Map() });
    expect(graceOf('ghn=3d')).toEqual({ days: 7, of: new Map([['ghn', 3]]) });
    expect(graceOf(' 10d , ghn = 5d ,ghtk=0')).toEqual({
      days: 10,
      of: new Map([
        ['ghn', 5],
        ['ghtk', 0],
      ]),
    });
    for (const text of ['', '7 days', 'ghn=', '=5', '7d,', '-1d', '1000d', '1.5d'])
      expect(graceOf(text)).toBeUndefined();
  });
});
