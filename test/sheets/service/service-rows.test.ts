import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadOperation } from '../../../src/contract/areas.ts';
import type { OperationId } from '../../../src/contract/operation-id.ts';
import { jsonSchema } from '../../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../../src/domain/places/place-data.ts';
import { Account } from '../../../src/sheets/account/account.ts';
import { fieldNamed } from '../../../src/sheets/fields.ts';
import type { Cell, TableSheet } from '../../../src/sheets/formats/sheet.ts';
import { fulfilmentSheet } from '../../../src/sheets/service/fulfilment-sheet.ts';
import { orderSheet } from '../../../src/sheets/service/order-sheet.ts';
import { productSheets } from '../../../src/sheets/service/product-sheet.ts';
import { nearlyRecognised, recognised, serviceRows } from '../../../src/sheets/service/service-rows.ts';
import type { SourceRow } from '../../../src/sheets/source-row.ts';
import { orderCells, orderHeader, tableOf } from './sheets.ts';

type Line = Readonly<Record<string, Cell>>;

async function rowsOf(table: TableSheet, command: string, operation: OperationId): Promise<SourceRow[]> {
  const found = recognised(table.columns);
  if (found === undefined) throw new Error('the header was not recognised');
  const schema = jsonSchema((await loadOperation(operation)).request);
  const rows: SourceRow[] = [];
  const options = { command, schema, account: new Account(), places: async () => locationTree };
  for await (const row of serviceRows(table, found, options).rows) rows.push(row);
  return rows;
}

const orders = (...lines: Line[]) => rowsOf(tableOf(orderHeader, lines), 'orders create', 'shop.Order/CreateOrder');
const reported = (row: SourceRow | undefined) => row?.faults.map(({ cell, message }) => `${cell} ${message}`);

describe('an order sheet', () => {
  it('is recognised by its header, whatever its case, accents and line breaks', () => {
    expect(recognised(orderHeader)?.sheet.name).toBe('order sheet');
    expect(recognised(orderHeader.map((name) => name.toUpperCase().replaceAll('\n', ' ')))?.sheet.name).toBe(
      'order sheet',
    );
    expect(recognised([...orderHeader, 'more', 'of ours'])?.sheet.name).toBe('order sheet');
    expect(recognised(orderHeader.toSpliced(22, 4))?.places.has('fee_tax')).toBe(false);
    expect(recognised(orderHeader.toReversed())).toBeUndefined();
    expect(recognised(['external_id', 'phone'])).toBeUndefined();
  });

  it('is nearly one without three of the columns that it needs, and none without four', () => {
    const needed = orderSheet.columns.filter(({ optional }) => optional !== true).map(({ header }) => header);
    const without = (...places: readonly number[]) => nearlyRecognised(needed.filter((_, at) => !places.includes(at)));
    expect(without()).toBeUndefined();
    expect(without(2, 5, 8)).toEqual({ name: 'order sheet', missing: [needed[2], needed[5], needed[8]] });
    expect(without(2, 5, 8, 11)).toBeUndefined();
  });

  it('becomes an order in whole amounts and grams', async () => {
    const [row] = await orders(orderCells);
    expect(reported(row)).toEqual([]);
    const address = {
      full_name: 'Nguyễn Thị Lan',
      phone: '0901234567',
      province: 'Hà Nội',
      district: 'Cầu Giấy',
      ward: 'Dịch Vọng',
      address1: '12 ngõ 5',
    };
    expect(row?.value).toEqual({
      external_code: 'A-1',
      customer_address: address,
      shipping_address: address,
      lines: [{ product_name: 'Áo khoác gió', quantity: 2, retail_price: 175_000, payment_price: 113_750 }],
      fee_lines: [{ type: 'shipping', name: 'Phí giao hàng', amount: 30_000 }],
      payment_method: 'cod',
      shipping: { gross_weight: 119, chargeable_weight: 119, cod_amount: 257_500, try_on: 'open' },
    });
    expect(row?.notes.map(({ cell, message }) => `${cell} ${message}`)).toEqual(['Orders!C2 is sent as 0901234567']);
    expect(row?.cellOf('shipping_address.phone')).toBe('Orders!C2');
    expect(row?.cellOf('lines[0].quantity')).toBe('Orders!F2');
  });

  it('reads a number of a formula as a spreadsheet shows it, with 15 digits', async () => {
    const noise = { 'Đơn giá': 175_000.00000000003, 'Số lượng': 2.0000000000000004 };
    const [row] = await orders({ ...orderCells, ...noise });
    expect(reported(row)).toEqual([]);
    expect(row?.value).toMatchObject({ lines: [{ quantity: 2, retail_price: 175_000 }] });
    expect(reported((await orders({ ...orderCells, 'Đơn giá': 175_000.5 }))[0])?.[0]).toBe(
      'Orders!G2 must be a whole amount, without a fraction',
    );
  });

  it('refuses what a marketplace hides, and warns of lost letters and of days that a spreadsheet made', async () => {
    const [hidden] = await orders({ ...orderCells, 'Tên khách hàng': 'N***n', 'Địa chỉ giao hàng': '***, Dịch Vọng' });
    expect(reported(hidden)).toEqual([
      'Orders!B2 is hidden by the marketplace: write it in full',
      'Orders!N2 is hidden by the marketplace: write it in full',
    ]);
    const goods = 'Tên phiên bản sản phẩm';
    const [unusual] = await orders({
      ...orderCells,
      'Tên khách hàng': 'Nguy?n Lan',
      [goods]: '12-Mar',
      'Ghi chú giao hàng': '12-Mar',
    });
    expect(reported(unusual)).toEqual([]);
    expect(unusual?.notes.flatMap(({ cell, code }) => (code === undefined ? [] : [`${cell} ${code}`]))).toEqual([
      'Orders!E2 made_a_date',
      'Orders!B2 lost_letter',
    ]);
  });

  it.each([912_345_678.5, '912345678.5'])(
    'refuses the phone number %s, whose point is none between digits',
    async (phone) => {
      expect(reported((await orders({ ...orderCells, 'Số điện thoại': phone }))[0])?.[0]).toContain(
        'Orders!C2 is a number that',
      );
    },
  );

  it('takes the decimals away that a program gave a phone number', async () => {
    const [row] = await orders({ ...orderCells, 'Số điện thoại': '912345678.0' });
    expect([reported(row), row?.value]).toMatchObject([[], { shipping_address: { phone: '0912345678' } }]);
    expect(row?.notes).toMatchObject([{ cell: 'Orders!C2', value: '912345678.0' }]);
  });

  it('takes the sum of 35 % of 350,000 as it is, and as the service works it out', async () => {
    const sums = (discounted: number) => ({
      ...orderCells,
      'Thành tiền\n(sau giảm giá)': discounted,
      'Tổng tiền hàng (sau giảm giá)': discounted,
      'Tổng tiền thanh toán (khách trả)': discounted + 30_000,
    });
    expect(reported((await orders(sums(227_500)))[0])).toEqual([]);
    const [serviceSum] = await orders(sums(227_501));
    expect(reported(serviceSum)).toEqual([]);
    expect(serviceSum?.notes.map(({ message }) => message)).toContain('for 2 is sent as 113750 each, 227500 in all');
    expect(reported((await orders(sums(227_502)))[0])?.[0]).toBe('Orders!K2 must be 227500');
  });

  it('reads weights without rounding, as numbers and as texts', async () => {
    const grams = async (weight: Cell) => {
      const [row] = await orders({ ...orderCells, 'Tổng khối lượng (kg)': weight });
      return (row?.value.shipping as { gross_weight: number } | undefined)?.gross_weight;
    };
    expect([
      await grams(0.253),
      await grams(1.2),
      await grams('1,25'),
      await grams('2 kg'),
      await grams(0.1195),
    ]).toEqual([253, 1200, 1250, 2000, 120]);
  });

  it('is one order for all rows with the same code, and tells what differs between them', async () => {
    const next: Line = {
      'Mã đơn hàng': 'A-1',
      'Tên khách hàng': 'Somebody else',
      'Tên phiên bản sản phẩm': 'Mũ',
      'Số lượng': 1,
      'Đơn giá': 50_000,
      'Thành tiền\n(trước giảm giá)': 50_000,
      'Thành tiền\n(sau giảm giá)': 50_000,
    };
    const first = {
      ...orderCells,
      'Tổng tiền hàng (sau giảm giá)': 277_500,
      'Tổng tiền thanh toán (khách trả)': 307_500,
      'Số dòng sản phẩm': 2,
    };
    const [row, ...others] = await orders(first, next);
    expect(others).toEqual([]);
    expect(row?.value.lines).toHaveLength(2);
    expect(reported(row)).toEqual(['Orders!B3 differs from "Nguyễn Thị Lan" at Orders!B2: both belong to one order']);
  });

  it('reports a wrong count of rows, wrong sums and words, each at its cell', async () => {
    const [row] = await orders({
      ...orderCells,
      'Số dòng sản phẩm': 3,
      'Thành tiền\n(trước giảm giá)': 340_000,
      'Tổng phí': 20_000,
      'Thu hộ': 'Không',
      'Ghi chú xem hàng': 'maybe',
      'Số điện thoại': '12',
    });
    expect(reported(row)?.sort()).toEqual([
      'Orders!AC2 must be Có: 257500 is to be collected',
      'Orders!AE2 tells 3 rows, and the order has 1',
      'Orders!C2 is not a phone number: it has fewer than 7 digits',
      'Orders!H2 must be 2 × 175000 = 350000',
      'Orders!S2 must be "Không cho xem hàng", "Cho xem hàng không thử" or "Cho thử hàng"',
      'Orders!Z2 must be the sum of the fees, 30000',
    ]);
  });

  it('refuses a code that comes again further down', async () => {
    const other = { ...orderCells, 'Mã đơn hàng': 'A-2' };
    const rows = await orders(orderCells, other, orderCells);
    expect(rows.map(reported)).toEqual([[], [], ['Orders!A4 is the same as Orders!A2, and other rows stand between']]);
  });

  it('passes rows over that the template alone has filled', async () => {
    const template = { 'Thành tiền\n(trước giảm giá)': 0, 'Thu hộ': 'Không', 'VUI LÒNG KHÔNG SỬA cột này!': 0 };
    expect(await orders(template, orderCells, template)).toHaveLength(1);
  });

  it('asks for the id of goods that are named by a code', async () => {
    const [row] = await orders({ ...orderCells, 'Mã phiên bản sản phẩm': 'SP000001-01', 'Tên phiên bản sản phẩm': '' });
    expect(reported(row)).toEqual([]);
    expect(row?.lookups).toEqual([
      { cell: 'Orders!D2', path: ['lines', 0, 'variant_id'], of: 'variant', code: 'SP000001-01' },
    ]);
  });

  it('leaves out for a shipment what only an order has', async () => {
    const [row] = await rowsOf(tableOf(orderHeader, [orderCells]), 'ship', 'shop.Shipping/CreateAndConfirmOrder');
    expect(Object.keys(row?.value ?? {})).not.toContain('payment_method');
  });
});

const parcelHeader = [
  'Mã nội bộ',
  'Tên khách hàng*',
  'SĐT*',
  'Địa chỉ giao hàng*',
  'Mô tả sản phẩm*',
  'Tổng khối lượng (g)*',
  'Tổng giá trị hàng hoá*',
  'Bảo hiểm hàng hoá',
  'COD*',
  'Ghi chú',
];

const parcelCells: Line = {
  'Mã nội bộ': 'P-1',
  'Tên khách hàng*': 'Trần Văn B',
  'SĐT*': '84912000003',
  'Địa chỉ giao hàng*': '12 ngõ 5, P. Dịch Vọng, Q. Cầu Giấy, HN',
  'Mô tả sản phẩm*': '2 áo khoác',
  'Tổng khối lượng (g)*': 500,
  'Tổng giá trị hàng hoá*': '500.000đ',
  'COD*': 500_000,
};

describe('a fulfilment sheet', () => {
  const parcels = (...lines: Line[]) =>
    rowsOf(tableOf(parcelHeader, lines), 'ship', 'shop.Shipping/CreateAndConfirmOrder');

  it('becomes a parcel a row, with the places that the address ends with', async () => {
    const [row] = await parcels(parcelCells);
    expect(reported(row)).toEqual([]);
    expect(row?.value).toMatchObject({
      external_code: 'P-1',
      shipping_address: {
        phone: '0912000003',
        province: 'Thành phố Hà Nội',
        district: 'Quận Cầu Giấy',
        ward: 'Phường Dịch Vọng',
        address1: '12 ngõ 5',
      },
      lines: [{ product_name: '2 áo khoác', quantity: 1, retail_price: 500_000, payment_price: 500_000 }],
      shipping: { gross_weight: 500, cod_amount: 500_000, include_insurance: false },
    });
  });

  it('tells each wrong cell that the service loses: cash, weight, marks, places', async () => {
    const [row] = await parcels({
      ...parcelCells,
      'COD*': 'abc',
      'Tổng khối lượng (g)*': 49,
      'Bảo hiểm hàng hoá': 'maybe',
      'Địa chỉ giao hàng*': 'somewhere',
    });
    expect(reported(row)).toEqual([
      'Orders!F2 must be at least 50 g',
      expect.stringContaining('Orders!I2 is not an amount'),
      'Orders!H2 must be x, or blank for no insurance',
      'Orders!D2 must end with ward, district and province, with commas between them',
    ]);
    expect(reported((await parcels({ ...parcelCells, 'COD*': 4_999 }))[0])).toEqual([
      'Orders!I2 must be 0, or at least 5000',
    ]);
  });
});

const productHeader = [
  'Danh mục (3 cấp)',
  'Bộ sưu tập (ngang hàng)',
  'Mã sản phẩm',
  'Mã phiên bản sản phẩm',
  'Tên sản phẩm',
  'Thuộc tính',
  'Giá bán',
  'Giá vốn',
  'Tồn kho',
  'Đơn vị tính',
  'Hình ảnh (link1, link2)',
  'Khối lượng (kg)',
  'Mô tả',
];

const productCells: Line = {
  'Danh mục (3 cấp)': 'Quần áo>>Áo',
  'Mã sản phẩm': 'AO-1',
  'Mã phiên bản sản phẩm': 'AO-1-X',
  'Tên sản phẩm': 'Áo khoác',
  'Thuộc tính': 'Màu: xanh | Cỡ: M',
  'Giá bán': 450_000,
  'Giá vốn': '300.000',
  'Đơn vị tính': 'cái',
  'Hình ảnh (link1, link2)': 'https://a.example/1.jpg, https://a.example/2.jpg',
  'Mô tả': 'Ấm',
};

describe('a product sheet', () => {
  const older = [
    'Loại hàng',
    'Nhóm hàng (3 cấp)',
    'Bộ sưu tập (ngang hàng)',
    'Mã hàng',
    'Mã thuộc tính',
    'Tên hàng hóa',
    'Thuộc tính',
    'Giá bán',
    'Giá vốn',
    'Tồn kho',
    'ĐVT',
    'Hình ảnh (url1, url2…)',
    'Trọng lượng',
    'Mô tả',
  ];

  it('is recognised in both layouts', () => {
    expect(recognised(productHeader)?.sheet.name).toBe('product sheet of 13 columns');
    expect(recognised(older)?.sheet.name).toBe('product sheet of 14 columns');
  });

  it('is a product for all rows of its variants', async () => {
    const second = { ...productCells, 'Mã phiên bản sản phẩm': 'AO-1-D', 'Thuộc tính': 'màu: đỏ, cỡ: L' };
    const rows = await rowsOf(
      tableOf(productHeader, [productCells, second]),
      'products create',
      'shop.Product/CreateProduct',
    );
    expect(rows.map(({ value }) => value)).toEqual([
      {
        code: 'AO-1',
        name: 'Áo khoác',
        unit: 'cái',
        list_price: 450_000,
        cost_price: 300_000,
        image_urls: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      },
    ]);
    expect(rows[0]?.notes).toEqual([
      { cell: 'Orders!A2', value: 'Quần áo>>Áo', message: 'is left out: no command sets it' },
    ]);
  });

  it('is a variant a row, which asks for the id of its product, and whether its own code is free', async () => {
    const [row] = await rowsOf(tableOf(productHeader, [productCells]), 'variants create', 'shop.Variant/CreateVariant');
    expect(row?.value).toMatchObject({
      code: 'AO-1-X',
      name: 'xanh M',
      attributes: [
        { name: 'màu', value: 'xanh' },
        { name: 'cỡ', value: 'M' },
      ],
      retail_price: 450_000,
      list_price: 450_000,
    });
    expect(row?.lookups).toEqual([
      { cell: 'Orders!C2', path: ['product_id'], of: 'product', code: 'AO-1' },
      { cell: 'Orders!D2', path: ['code'], of: 'variant', code: 'AO-1-X', isNew: true },
    ]);
  });
});

it('makes a field of the contract of every column that it says becomes one', async () => {
  const schemaOf = async (operation: OperationId) => jsonSchema((await loadOperation(operation)).request);
  const order = [await schemaOf('shop.Order/CreateOrder')];
  const product = await Promise.all(
    (['shop.Product/CreateProduct', 'shop.Variant/CreateVariant'] as const).map(schemaOf),
  );
  for (const { columns, name } of [orderSheet, fulfilmentSheet, ...productSheets])
    for (const { header, field } of columns) {
      const schemas = name.startsWith('product') ? product : order;
      const isKnown = field === undefined || schemas.some((schema) => fieldNamed(schema, field) !== undefined);
      expect([name, header, isKnown]).toEqual([name, header, true]);
    }
});

it('has every column of the sheets in its docs', () => {
  const docs = readFileSync(new URL('../../../docs/sheets.md', import.meta.url), 'utf8');
  for (const { columns } of [orderSheet, fulfilmentSheet, ...productSheets])
    for (const { header } of columns) expect(docs).toContain(header);
});
