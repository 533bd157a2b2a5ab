import { describe, expect, it } from 'vitest';
import { loadOperation } from '../../src/contract/areas.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { Account } from '../../src/sheets/account/account.ts';
import type { Cell } from '../../src/sheets/formats/sheet.ts';
import { type ColumnMapping, mappedCell, mappingContent, mappingOf } from '../../src/sheets/mapping/mapping.ts';
import { isFor, mappingFrom, proposeMapping } from '../../src/sheets/mapping/propose-mapping.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';
import { orderCells, orderHeader, tableOf } from './service/sheets.ts';

const orderSchema = jsonSchema((await loadOperation('shop.Shipping/CreateAndConfirmOrder')).request);
const customerSchema = jsonSchema((await loadOperation('shop.Customer/CreateCustomer')).request);

const options = {
  schema: orderSchema,
  shown: [],
  ignored: [],
  nameFields: ['external_id'],
  blankClears: false,
  command: 'ship',
  places: async () => locationTree,
};

type Line = Readonly<Record<string, Cell>>;

async function read(header: readonly string[], lines: Line | readonly Line[], mapping?: unknown, schema = orderSchema) {
  const rows: SourceRow[] = [];
  const read = sourceRows(tableOf(header, [lines].flat()), {
    ...options,
    schema,
    mapping: mapping === undefined ? undefined : mappingOf(mapping, 'ours.yaml'),
  });
  for await (const row of read.rows) rows.push(row);
  return rows[0];
}

const reported = (row: SourceRow | undefined) => row?.faults.map(({ cell, message }) => `${cell} ${message}`);

describe('a mapping', () => {
  const pickup = { full_name: 'Kho', phone: '0905123456', province: 'Đà Nẵng' };
  const constants = Object.fromEntries(
    Object.entries(pickup).map(([name, value]) => [`shipping.pickup_address.${name}`, value]),
  );

  it('gives each column its field, unit and words, and every row its constants', async () => {
    const mapping = {
      columns: {
        'Order #': 'external_id',
        'Cân nặng': { field: 'shipping.gross_weight', unit: 'kg' },
        'Thu hộ (nghìn)': { field: 'shipping.cod_amount', unit: 'thousand' },
        'Xem hàng': { field: 'shipping.try_on', words: { Có: 'open', Không: 'none' } },
        SP: 'lines.product_name',
        Colour: null,
      },
      constants: { ...constants, 'lines.quantity': 1 },
    };
    const line = {
      'Order #': 'A-1',
      'Cân nặng': '1,25',
      'Thu hộ (nghìn)': 450,
      'Xem hàng': 'có',
      SP: 'Mũ',
      Colour: 'red',
    };
    const row = await read(Object.keys(line), line, mapping);
    expect(reported(row)).toEqual([]);
    expect(row?.value).toEqual({
      external_id: 'A-1',
      lines: [{ product_name: 'Mũ', quantity: 1 }],
      shipping: { gross_weight: 1250, cod_amount: 450_000, try_on: 'open', pickup_address: pickup },
    });
  });

  it('tells the cell that it cannot turn into its field', async () => {
    const mapping = {
      columns: {
        W: { field: 'shipping.gross_weight', unit: 'kg' },
        T: { field: 'shipping.try_on', words: { Có: 'open' } },
        P: { field: 'lines.retail_price', unit: 'thousand' },
      },
    };
    expect(reported(await read(['W', 'T', 'P'], { W: 'heavy', T: 'maybe', P: '1.200' }, mapping))).toEqual([
      'Orders!A2 must be a number of kg',
      'Orders!B2 must be one of Có',
      // 1.2 thousand, or 1,200 thousand: nobody can tell.
      'Orders!C2 can be read in more than one way: write it without marks between the thousands',
    ]);
  });

  it('is refused in words: a field that is none, a constant that is none, what is not a mapping', async () => {
    await expect(read(['A'], { A: 'x' }, { columns: { A: 'external_ids' } })).rejects.toThrow(
      'column "A" is mapped to external_ids, which is not a field; did you mean external_id?',
    );
    await expect(read(['external_id'], { external_id: 'x' }, { constants: { external_ode: 'x' } })).rejects.toThrow(
      'the constant external_ode is not a field; did you mean external_code?',
    );
    expect(() => mappingOf({ columns: { A: { field: 'id', unit: 'ton' } } }, 'ours.yaml')).toThrow(
      'ours.yaml is not a mapping: columns.A',
    );
    expect(() => mappingOf(['x'], 'ours.yaml')).toThrow('ours.yaml is not a mapping');
  });

  it.each<[unknown, string]>([
    [{ field: 'id', when: { TT: 3 } }, 'columns.A.when.TT: must be a word, or a list of words, for each column'],
    [{ field: 'id', otherwise: [] }, 'columns.A.otherwise: must be a text or a number'],
    [{ when: { TT: ['COD'] } }, 'columns.A.field: '],
    [{ field: 'id', whenn: { TT: ['COD'] } }, 'columns.A: Unrecognized key: "whenn"'],
    [7, 'columns.A: must be a field, or an object with a field'],
  ])('is refused with what is wrong with a column: %o', (column, message) => {
    expect(() => mappingOf({ columns: { A: column } }, 'ours.yaml')).toThrow(`ours.yaml is not a mapping: ${message}`);
  });

  it('takes a condition of one word, a number elsewhere, and blank cells of further lines as said on the first', async () => {
    const header = ['Mã', 'Thu hộ', 'Nguồn', 'Hàng'];
    const cash = { field: 'shipping.cod_amount', when: { Nguồn: 'Facebook' }, otherwise: 0 };
    const mapping = { columns: { Mã: 'external_id', 'Thu hộ': cash, Nguồn: null, Hàng: 'lines.product_name' } };
    const first = { Mã: 'A-1', 'Thu hộ': 680_000, Nguồn: 'Facebook', Hàng: 'Mũ' };
    const row = await read(header, [first, { Mã: 'A-1', Hàng: 'Áo' }], mapping);
    expect([row?.faults, row?.value]).toMatchObject([[], { shipping: { cod_amount: 680_000 } }]);
    const other = await read(header, { ...first, Nguồn: 'Web' }, mapping);
    expect(other?.value).toMatchObject({ shipping: { cod_amount: 0 } });
  });

  it('joins the texts of several columns of one field, on each line of an order, equal ones too', async () => {
    const mapping = {
      columns: {
        'Mã đơn': 'external_id',
        'Số nhà': 'shipping_address.address1',
        Đường: { field: 'shipping_address.address1', join: ' ' },
        SP: 'lines.product_name',
        Loại: { field: 'lines.product_name', join: ' - ' },
      },
    };
    const header = Object.keys(mapping.columns);
    const line = { 'Mã đơn': 'A-1', 'Số nhà': '12', Đường: 'Lê Lợi', SP: 'Mũ', Loại: 'đỏ' };
    const lines = [line, { ...line, SP: 'Áo', Loại: '' }, { ...line, 'Số nhà': '', Đường: '', Loại: 'Mũ' }];
    const row = await read(header, lines, mapping);
    expect(reported(row)).toEqual([]);
    expect(row?.value).toMatchObject({
      shipping_address: { address1: '12 Lê Lợi' },
      lines: [{ product_name: 'Mũ - đỏ' }, { product_name: 'Áo' }, { product_name: 'Mũ - Mũ' }],
    });
    const [same, alone, other] = [{ 'Số nhà': 'Chợ', Đường: 'Chợ' }, { 'Số nhà': '' }, { Đường: 'Lê Lai' }];
    expect((await read(header, { ...line, ...same }, mapping))?.value).toMatchObject({
      shipping_address: { address1: 'Chợ Chợ' },
    });
    expect((await read(header, { ...line, ...alone }, mapping))?.value).toMatchObject({
      shipping_address: { address1: 'Lê Lợi' },
    });
    expect(reported(await read(header, [line, { ...line, ...other }], mapping))).toEqual([
      'Orders!B3 differs from "12" at Orders!B2, though both belong to one order',
    ]);
  });

  it('is refused where the file lacks a column that decides what counts, or has it twice', async () => {
    const cash = { field: 'shipping.cod_amount', when: { 'Thanh toán': ['COD'] }, otherwise: '0' };
    const mapping = { columns: { Mã: 'external_id', 'Thu hộ': cash, 'Thanh toán': null } };
    const line = { Mã: 'A-1', 'Thu hộ': 100_000 };
    await expect(read(['Mã', 'Thu hộ'], line, mapping)).rejects.toThrow(
      'there is no column "Thanh toán" to say whether "Thu hộ" counts',
    );
    await expect(read(['Mã', 'Thu hộ', 'Thanh toán', 'Thanh toán'], line, mapping)).rejects.toThrow(
      'there are several columns "Thanh toán" to say whether "Thu hộ" counts',
    );
    const leavingOut = { columns: { Mã: 'external_id' }, leave_out: { 'Trạng thái': ['Đã hủy'] } };
    await expect(read(['Mã'], { Mã: 'A-1' }, leavingOut)).rejects.toThrow(
      'there is no column "Trạng thái" to say whether a line is left out',
    );
    // A file without the column of the cash has nothing to decide.
    expect((await read(['Mã'], { Mã: 'A-1' }, mapping))?.value).toEqual({ external_id: 'A-1' });
  });

  it('tells which of its columns the file lacks', () => {
    const mapping = mappingOf({ columns: { Mã: 'external_id', 'Thu hộ': 'shipping.cod_amount', Màu: null } }, 'x');
    const account = new Account();
    sourceRows(tableOf(['Mã'], []), { ...options, mapping, account });
    const message = 'there is no column "Thu hộ", from which the mapping reads shipping.cod_amount';
    expect(account.warnings).toEqual([{ code: 'column_missing', message }]);
  });

  it('lets a cell win over a constant', async () => {
    const row = await read(
      ['external_id', 'order_note'],
      { external_id: 'x', order_note: 'own' },
      { constants: { order_note: 'all' } },
    );
    expect(row?.value.order_note).toBe('own');
    // A field without a column is named beside its row.
    expect(row?.cellOf('shipping_address.ward')).toBe('row 2');
    const blank = await read(['external_id', 'order_note'], { external_id: 'x' }, { constants: { order_note: 'all' } });
    expect(blank?.value.order_note).toBe('all');
  });

  it('adds its constants to a sheet of the service, which keeps its columns', async () => {
    const row = await read(orderHeader, orderCells, { constants });
    expect(reported(row)).toEqual([]);
    expect(row?.value).toMatchObject({ external_code: 'A-1', shipping: { gross_weight: 119, pickup_address: pickup } });
  });

  it('is written as it is read', () => {
    const content = {
      command: 'ship',
      columns: { A: 'external_id', B: { field: 'shipping.gross_weight', unit: 'kg' }, C: null },
    };
    expect(mappingContent(mappingOf(content, 'x'))).toEqual(content);
  });
});

describe('a cell', () => {
  const days: readonly (readonly [string, ColumnMapping['dates'], string | undefined])[] = [
    ['21/11/2026', 'DD/MM/YYYY', '2026-11-21'],
    ['1-2-2026', 'DD-MM-YYYY', '2026-02-01'],
    ['02/01/2026', 'MM/DD/YYYY', '2026-02-01'],
    ['2026-11-21', 'DD/MM/YYYY', '2026-11-21'],
    ['31/02/2026', 'DD/MM/YYYY', undefined],
    ['21/11/26', 'DD/MM/YYYY', undefined],
    ['soon', 'DD/MM/YYYY', undefined],
  ];
  it.each(days)('with the day %s in the layout %s is %s', (text, dates, expected) => {
    const mapped = mappedCell(text, { field: 'birthday', dates });
    expect(mapped.ok ? mapped.cell : undefined).toBe(expected);
  });

  it.each([
    [0.1, 'kg', '100'],
    ['1.234', 'kg', '1234'],
    [2, 'm', '200'],
    ['0.5 kg', 'kg', '500'],
    ['120 kg', 'kg', '120000'],
    [99, 'kg', '99000'],
    [1500, 'thousand', '1500000'],
    ['-9500', 'thousand', '-9500000'],
    [17_839, 'thousand', '17839000'],
    [385.00000000000006, 'thousand', '385000'],
  ] as const)('of %s %s is %s', (cell, unit, expected) => {
    expect(mappedCell(cell, { field: 'x', unit })).toEqual({ ok: true, cell: expected });
  });

  it.each([
    ['450k', 450_000, '450,000'],
    ['1tr2', 1_200_000, '1,200,000'],
    ['1,2 TRIỆU', 1_200_000, '1,200,000'],
    ['1,2 triệu'.normalize('NFD'), 1_200_000, '1,200,000'],
    ['12tr', 12_000_000, '12,000,000'],
    ['12000k', 12_000_000, '12,000,000'],
  ])('of %s in a column of thousands is in its own unit', (cell, amount, shown) => {
    const note = `is read as ${shown}`;
    expect(mappedCell(cell, { field: 'x', unit: 'thousand' })).toEqual({ ok: true, cell: amount, note });
  });

  it.each([
    ['670000', 'thousand', 'may be 670,000 or 670,000,000, since its column is in thousands'],
    [30_000, 'thousand', 'may be 30,000 or 30,000,000'],
    ['-25500', 'thousand', 'may be 25,500 or 25,500,000'],
    [123_456, 'thousand', 'may be 123,456 or 123,456,000'],
    ['500', 'kg', 'may be 500 g or 500 kg: write it with its unit'],
    [30, 'm', 'may be 30 cm or 30 m'],
  ] as const)('of %s in a column of %s may be one of the smaller unit, and is refused', (cell, unit, message) => {
    expect(mappedCell(cell, { field: 'x', unit })).toEqual({ ok: false, message: expect.stringContaining(message) });
  });

  it('that is not a whole number of the smaller unit is refused, not rounded', () => {
    const refused = (cell: string, unit: 'kg' | 'm' | 'thousand') => mappedCell(cell, { field: 'x', unit });
    const message = (words: string) => ({ ok: false, message: expect.stringContaining(words) });
    expect(refused('0.0005', 'kg')).toEqual(message('is not a whole number of g, and nothing is rounded'));
    expect(refused('0,005', 'm')).toEqual(message('not a whole number of cm'));
    expect(refused('1.200', 'thousand')).toEqual(message('more than one way'));
    expect(refused('many', 'thousand')).toEqual(message('must be a number of thousands'));
    // A million, metres in place of kilograms, kilograms in place of money.
    expect(refused('1.2m', 'thousand')).toEqual(message('must be a number of thousands'));
    expect(refused('0.5 m', 'kg')).toEqual(message('must be a number of kg'));
    expect(refused('450 kg', 'thousand')).toEqual(message('must be a number of thousands'));
  });
});

describe('a proposal', () => {
  const header = [
    'Mã đơn',
    'Người nhận',
    'SĐT',
    'Địa chỉ',
    'Tỉnh/TP',
    'Quận/Huyện',
    'Phường/Xã',
    'Sản phẩm',
    'SL',
    'Giá',
    'COD',
    'Khối lượng (kg)',
    'Ghi chú',
    'Màu',
  ];

  it('knows what people call the fields, in Vietnamese and English, with their units', () => {
    const proposed = proposeMapping(header, orderSchema);
    expect(proposed.map(({ mapping }) => mapping?.field)).toEqual([
      'external_id',
      'shipping_address.full_name',
      'shipping_address.phone',
      'shipping_address.address1',
      'shipping_address.province',
      'shipping_address.district',
      'shipping_address.ward',
      'lines.product_name',
      'lines.quantity',
      'lines.retail_price',
      'shipping.cod_amount',
      'shipping.gross_weight',
      'shipping.shipping_note',
      'lines.product_name',
    ]);
    expect(proposed[11]?.mapping).toEqual({ field: 'shipping.gross_weight', unit: 'kg' });
    const english = proposeMapping(['Order No.', 'Receiver', 'Phone number*', 'Qty', 'Weight (g)'], orderSchema);
    expect(english.map(({ mapping }) => mapping?.field)).toEqual([
      'external_id',
      'shipping_address.full_name',
      'shipping_address.phone',
      'lines.quantity',
      'shipping.gross_weight',
    ]);
  });

  it('names only fields of the command, each once', () => {
    expect(proposeMapping(['Tên', 'SĐT', 'Điện thoại'], customerSchema).map(({ mapping }) => mapping?.field)).toEqual([
      'full_name',
      'phone',
      undefined,
    ]);
  });

  it('makes a mapping that is found again by its header', () => {
    const mapping = mappingFrom(proposeMapping(header, orderSchema), 'ship');
    expect(mapping.columns.Màu).toEqual({ field: 'lines.product_name', join: ' - ' });
    expect(isFor(mapping, header)).toBe(true);
    expect(isFor(mapping, header.slice(1))).toBe(false);
    expect(isFor(mapping, [...header, 'more'])).toBe(false);
  });
});

it.each([
  ['shipping.gross_weight', 'kg', '300g', '300'],
  ['shipping.gross_weight', 'kg', '5kg', '5000'],
  ['shipping.gross_weight', 'kg', '0,5 kg', '500'],
  ['shipping.gross_weight', 'kg', '300 gr', '300'],
  ['shipping.gross_weight', undefined, '0.5kg', '500'],
  ['shipping.gross_weight', undefined, '300g', '300'],
  ['shipping.length', 'm', '30cm', '30'],
  ['shipping.length', 'm', '1,2 m', '120'],
  ['shipping.length', undefined, '300 mm', '30'],
] as const)('in %s in %s, a unit that is written decides: %s', (field, unit, text, cell) => {
  expect(mappedCell(text, { field, ...(unit && { unit }) })).toMatchObject({ ok: true, cell });
});

it('a unit that does not divide is refused', () => {
  expect(mappedCell('5 mm', { field: 'shipping.length', unit: 'm' })).toMatchObject({ ok: false });
  expect(mappedCell('300 lb', { field: 'shipping.gross_weight', unit: 'kg' })).toMatchObject({ ok: false });
});
