import { expect, it } from 'vitest';
import { cellText } from '../../src/cli/print/cell.ts';
import { labelOf, measured, namingControls } from '../../src/console/page/fields.ts';
import { fieldsOf, tableOf, withSpread } from '../../src/console/run/shown.ts';
import type { ColumnKind } from '../../src/contract/view.ts';

it.each([
  ['tz', 'Time zone'],
  ['shipping.cod_amount', 'Shipping cod amount'],
  ['filter.order_id', 'Order id'],
  ['quartz', 'Quartz'],
])('calls the field %s as a person would', (path, label) => {
  expect(labelOf(path)).toBe(label);
});

it.each([
  ['Khối lượng (g)', { unit: 'g' }, 'Khối lượng (g)'],
  ['Gross weight', { unit: 'g' }, 'Gross weight (g)'],
  ['Phí', { unit: 'currency units' }, 'Phí (₫)'],
  ['Name', {}, 'Name'],
])('says the unit of %s once', (label, schema, wanted) => {
  expect(measured(label, schema)).toBe(wanted);
});

it('calls the flags of a form as the form does, in what is said of it and not in a command to copy', () => {
  const hint =
    '--order-only cancels the order alone; `shopctl orders cancel 7 --order-only --yes` does it, --yes alone not';
  expect(namingControls(hint, { id: { type: 'string' }, order_only: { type: 'boolean' } })).toBe(
    '“Order only” cancels the order alone; `shopctl orders cancel 7 --order-only --yes` does it, --yes alone not',
  );
});

it('calls the flags of fields within a record as the form does', () => {
  const phone = { type: 'string', title: 'SĐT' } as const;
  const address = { type: 'object', title: 'Địa chỉ khách', properties: { phone } } as const;
  const notice = '--customer-address.phone: có vẻ mất số 0 ở đầu';
  expect(namingControls(notice, { customer_address: address })).toBe('“Địa chỉ khách · SĐT”: có vẻ mất số 0 ở đầu');
});

it('shows the numbers of a sheet by their digits, and amounts as amounts', () => {
  const cell = (value: unknown, kind?: ColumnKind) => ({ text: cellText(value, kind, { timeZone: 'UTC' }) });
  const rows = [{ row: 1, fee: 25_000, sheet: { phone: 987_654_321, name: 'Lan' } }];
  const view = { columns: [{ path: 'fee', kind: 'number' }], spread: 'sheet' } as const;
  const { rows: shown, columns } = withSpread(tableOf(rows, view, cell), rows, 'sheet', cell);
  // There may be many of them: a page leaves out those that it has no room for.
  expect(columns.map(({ header, optional }) => [header, optional])).toEqual([
    ['fee', false],
    ['phone', true],
    ['name', true],
  ]);
  expect(shown[0]?.cells).toEqual([{ text: '25,000' }, { text: '987654321' }, { text: 'Lan' }]);
  const fields = fieldsOf(rows[0], { ...view, columns: [...view.columns, { path: 'sheet' }] }, cell);
  expect(fields.map((field) => field.cell?.text)).toEqual(['25,000', 'phone: 987654321\nname: Lan']);
});
