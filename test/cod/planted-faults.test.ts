import { expect, it, onTestFinished } from 'vitest';
import { type CarriedParcel, carrierFile } from '../../src/cod/payment-file.ts';
import { delimitedLine } from '../../src/sheets/formats/records-as-lines.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { builtIn, codWorld } from './cod-world.ts';

const parcels = Array.from({ length: 9 }, (_, index): CarriedParcel => {
  const number = index + 1;
  return {
    id: `100000000000000000${number}`,
    shippingCode: `GR00000${number}`,
    state: number < 9 ? 'delivered' : 'returned',
    cash: number < 9 ? 100_000 + 1_000 * number : 0,
    fee: 22_000,
    createdAt: '2026-11-02T01:30:00Z',
    closedAt: '2026-11-05T03:00:00Z',
    recipient: 'Lan',
    address: '1 Hoa Sữa',
  };
});

it.each(['ghtk', 'ghn', 'vtp'] as const)(
  'every mistake planted in a file of %s is found with its amount',
  async (layout) => {
    const [sqlite] = mirrorKinds();
    if (sqlite === undefined) throw new TypeError('there is no SQLite');
    const world = await codWorld(sqlite);
    onTestFinished(async () => {
      await world.close();
      await sqlite.end();
    });
    await world.plant(
      parcels.map(({ id, shippingCode, state, cash, fee, closedAt }) => ({
        id,
        code: shippingCode,
        carrier: 'greenmile',
        state,
        cod: cash,
        actual: cash,
        quoted: fee,
        closedAt,
      })),
    );
    const faults = { short: 1, missing: 1, unknown: 1, provisional: 1, doubled: 1, feeRaised: 1 };
    const { lines, planted } = carrierFile(layout, parcels, faults);
    const everyFault = ['doubled', 'fee_raised', 'missing', 'provisional', 'short', 'unknown'];
    expect(planted.map(({ fault }) => fault).sort()).toEqual(everyFault);
    const text = lines.map((cells) => delimitedLine(cells.map(String), ',')).join('');
    const how = layout === 'vtp' ? { session: 'week', layout: builtIn('vtp') } : { session: 'week' };
    const imported = await world.import(`${layout}.csv`, text, how);
    expect(imported.unread).toBe(0);
    const found = await world.reconcile({ overdueBefore: '2026-11-20T17:00:00' });

    const reported = found.parcels.flatMap(({ shipping_code, class: name, also, difference, provisional, ...one }) => {
      if (name === 'short') return [['short', shipping_code, difference]];
      if (name === 'unpaid') return [['missing', shipping_code, difference]];
      if (name === 'provisional_open') return [['provisional', shipping_code, provisional]];
      if (name === 'unknown') return [['unknown', shipping_code, one.paid]];
      if (name === 'fee_differs')
        return [['fee_raised', shipping_code, (one.fee_quoted ?? 0) - (one.fee_charged ?? 0)]];
      if (also.includes('doubled')) return [['doubled', shipping_code, one.paid]];
      // Viettel Post's one column of fees has the fee of a return in it.
      const cameBack = ['returned', layout === 'vtp' ? ['fee_differs'] : []];
      expect([shipping_code, name, also]).toEqual([
        shipping_code,
        ...(one.state === 'delivered' ? ['paid', []] : cameBack),
      ]);
      return [];
    });
    // A file of GHN has no fees.
    const wanted = planted.filter(({ fault }) => layout !== 'ghn' || fault !== 'fee_raised');
    expect(reported.sort()).toEqual(
      wanted.map(({ fault, shipping_code, amount }) => [fault, shipping_code, amount]).sort(),
    );
  },
);
