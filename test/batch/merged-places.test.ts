import { expect, it } from 'vitest';
import { BatchError } from '../../src/batch/batch-error.ts';
import { batchWorld, orderCells, orderHeader, orderSheet } from './batch-world.ts';

/** A sheet with one parcel to a place. */
function sheetTo(place: Readonly<Record<string, string>>): string {
  const cells = orderCells(1).map((cell, at) => place[orderHeader[at]?.replace('shipping_address.', '') ?? ''] ?? cell);
  return orderSheet([cells]);
}

it('ships to places that are newer than the list of the service, and says how they were sent', async () => {
  const world = await batchWorld();
  const sheet = sheetTo({ province: 'Đà Nẵng', district: 'Hội An', ward: 'Cẩm Châu' });
  const planned = await world.plan(sheet, { isLookupOnly: true });
  if (planned.kind !== 'planned') throw new Error('it was planned before');
  planned.release();
  const meant = 'Phường Cẩm Châu, Thành phố Hội An, Tỉnh Quảng Nam';
  expect(planned.facts.remarks.readings.map(({ cell, message }) => [cell, message])).toEqual([
    [expect.stringContaining('shipping_address.province'), `is newer than the service's list, and sent as ${meant}`],
  ]);
  await world.run(sheet);
  expect(await world.orders()).toMatchObject([
    { shipping_address: { ward: 'Phường Cẩm Châu', district: 'Thành phố Hội An', province: 'Tỉnh Quảng Nam' } },
  ]);
});

it.each([
  ['TP HCM', 'TP Thủ Đức', '', 'Quận 2, Thành phố Hồ Chí Minh or Quận 9, Thành phố Hồ Chí Minh or ', 'add the ward'],
  ['Đà Nẵng', '', 'P. Hải Châu', 'Phường Thanh Bình, Quận Hải Châu, Thành phố Đà Nẵng or ', 'write the former ward'],
  [
    'TP HCM',
    '',
    'Phường Tân Bình',
    'Phường Tân Bình, Thị xã Dĩ An, Tỉnh Bình Dương or Phường 13, ',
    'add the district',
  ],
])('sends nothing to a place that may be several: %s, %s %s', async (province, district, ward, places, advice) => {
  const world = await batchWorld();
  const error = await world.run(sheetTo({ province, district, ward })).catch((reason: unknown) => reason);
  if (!(error instanceof BatchError)) throw error;
  const said = error.faults.map(({ value, message }) => `${JSON.stringify(value)} ${message}`).join('\n');
  expect(said).toContain(`"${advice === 'write the former ward' ? ward : province}" may be `);
  expect(said).toContain(places);
  expect(said).toContain(advice);
  expect(error.faults.length).toBe(1);
  expect(await world.orders()).toEqual([]);
});
