import { expect, it } from 'vitest';
import { loadOperation } from '../../src/contract/areas.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { orderCells, orderHeader } from './service/sheets.ts';

const schema = jsonSchema((await loadOperation('shop.Shipping/CreateAndConfirmOrder')).request);

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** The first row of a workbook with these cells, dates as spreadsheets have them. */
async function read(cells: Readonly<Record<string, string>>, days: readonly string[]): Promise<SourceRow | undefined> {
  const columns = Object.keys(cells);
  const kinds = columns.map((column) => (days.includes(column) ? ('day' as const) : undefined));
  const bytes = xlsxOf(columns, [Object.values(cells)], 'Orders', { kinds });
  const sheet = await readXlsx({ name: 'orders.xlsx', bytes: once(bytes) });
  const options = { schema, shown: [], ignored: [], nameFields: ['external_id'], blankClears: false, command: 'ship' };
  for await (const row of sourceRows(sheet, { ...options, places: async () => locationTree }).rows) return row;
  return undefined;
}

const reported = (row: SourceRow | undefined) =>
  row?.faults.map(({ cell, value, message }) => `${cell} ${value} ${message}`);
const message = 'is a date that a spreadsheet has made of it: format the column as text, and type it again';

it.each(['external_id', 'external_code', 'shipping_address.address1', 'lines.product_name'])(
  'a text that a spreadsheet took for a date is refused in %s: 12/3 is a house, and no day',
  async (field) => {
    const cells = { 'lines.quantity': '1', [field]: '2026-03-12' };
    expect(reported(await read(cells, [field]))).toEqual([`Orders!B2 2026-03-12 ${message}`]);
    // Typed as a text, it is one.
    expect(reported(await read(cells, []))).toEqual([]);
  },
);

it('a date is taken as people write it where a text may be one', async () => {
  const row = await read({ order_note: '2026-03-12' }, ['order_note']);
  expect([reported(row), row?.value]).toEqual([[], { order_note: '12/03/2026' }]);
});

it('a date is refused in the address of a sheet of the service, and taken in its note', async () => {
  const cells = { ...orderCells, 'Địa chỉ giao hàng': '2026-03-12', 'Ghi chú giao hàng': '2026-03-12' };
  const given = Object.fromEntries(orderHeader.map((name) => [name, String(Reflect.get(cells, name) ?? '')]));
  const row = await read(given, ['Địa chỉ giao hàng', 'Ghi chú giao hàng']);
  expect(reported(row)?.filter((one) => one.includes('date'))).toEqual([`Orders!N2 12/03/2026 ${message}`]);
  expect(row?.value).toMatchObject({ shipping: { shipping_note: '12/03/2026' } });
});
