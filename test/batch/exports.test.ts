import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workbookOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { shopWorld } from '../support/shop-world.ts';
import { noticeText } from '../support/stderr-lines.ts';
import { orderCells, orderHeader, orderSheet } from './batch-world.ts';

const examples = new URL('../../examples/exports/', import.meta.url);

async function world(name: string) {
  const made = await shopWorld();
  for (const file of [name, 'pickup.yaml'])
    writeFileSync(join(made.directory, file), readFileSync(new URL(file, examples)));
  return made;
}

/** Ships an export, and asks the service itself what arrived. */
async function shipped(name: string, ...words: string[]) {
  const { run, service } = await world(name);
  const ran = await run(['batch', 'run', name, '--map', 'pickup.yaml', '--yes', '-o', 'json', ...words]);
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  const orders = body.orders.map(({ external_id, shipping_address: to, lines, shipping }: never) => {
    const { full_name, phone, province, district, ward, address1 } = to;
    const goods = (lines as Record<string, unknown>[]).map(
      ({ product_name, quantity, retail_price, payment_price }) => [
        product_name,
        quantity,
        retail_price,
        payment_price,
      ],
    );
    const { cod_amount: cash, gross_weight } = shipping;
    const cod_amount = cash ?? 0;
    return { external_id, to: [full_name, phone, province, district, ward, address1], goods, cod_amount, gross_weight };
  });
  const byId = (one: { external_id: string }, other: { external_id: string }) =>
    one.external_id < other.external_id ? -1 : 1;
  return { ...ran, orders: orders.sort(byId) };
}

const hanoi = ['Thành phố Hà Nội', 'Quận Cầu Giấy', 'Phường Dịch Vọng'];
const danang = ['Thành phố Đà Nẵng', 'Quận Hải Châu', 'Phường Thạch Thang'];

it('ships an export of Shopee: kilograms, variations, cash only on delivery, cancelled orders left out', async () => {
  const { exit, stderr, orders } = await shipped('shopee.csv');
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(noticeText(stderr)).toContain('read as an export of Shopee\n');
  expect(noticeText(stderr)).toContain('1 line is left out: Trạng Thái Đơn Hàng "Đã hủy"');
  const address = '12 ngõ 5, Phường Dịch Vọng, Quận Cầu Giấy, Hà Nội';
  expect(orders).toEqual([
    {
      external_id: '241101ABC001',
      to: ['Nguyễn Thị Lan', '84901234561', ...hanoi, address],
      goods: [
        ['Áo khoác gió - Đỏ, L', 2, 250_000, 199_000],
        ['Mũ len', 1, 150_000, 150_000],
      ],
      cod_amount: 563_000,
      gross_weight: 1200,
    },
    {
      external_id: '241101ABC002',
      to: ['Trần Văn Bình', '84912345672', ...danang, '45 Lê Lợi, Phường Thạch Thang, Quận Hải Châu, Đà Nẵng'],
      goods: [['Trà ô long - Hộp 250 g', 1, 95_000, 95_000]],
      cod_amount: 0,
      gross_weight: 250,
    },
  ]);
});

it('ships an export of TikTok Shop, whose second row explains the columns', async () => {
  const { exit, stderr, orders } = await shipped('tiktok.csv');
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(noticeText(stderr)).toContain('1 line is left out: an explanation of the columns (line 2, column Order ID)\n');
  expect(noticeText(stderr)).toContain('1 line is left out: Order Status "Canceled"');
  expect(orders).toEqual([
    {
      external_id: '576461413038',
      to: ['Nguyễn Thị Lan', '(+84)901234561', ...hanoi, '12 ngõ 5'],
      goods: [['Áo thun - Đen, M', 3, 120_000, 120_000]],
      cod_amount: 375_000,
      gross_weight: 450,
    },
    {
      external_id: '576461413039',
      to: ['Phạm Quốc Huy', '(+84)987654321', ...danang, '45 Lê Lợi'],
      goods: [['Sổ tay - Xanh', 10, 35_000, 35_000]],
      cod_amount: 0,
      gross_weight: 2000,
    },
  ]);
});

it('ships an export of Lazada, a line for each piece', async () => {
  const { exit, stderr, orders } = await shipped('lazada.csv');
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(noticeText(stderr)).toContain('column "Shipping Fee" is left out: who pays it is not said');
  const tea = ['Trà ô long - Hộp 250 g', 1, 110_000, 95_000];
  expect(orders).toEqual([
    {
      external_id: '400100200300',
      to: ['Trần Văn Bình', '84912345672', ...danang, '45 Lê Lợi'],
      goods: [tea, tea],
      cod_amount: 190_000,
      gross_weight: 500,
    },
    {
      external_id: '400100200301',
      to: ['Lê Thu Hà', '84901234561', ...hanoi, '12 ngõ 5'],
      goods: [['Bình giữ nhiệt', 1, 180_000, 180_000]],
      cod_amount: 0,
      gross_weight: 500,
    },
  ]);
});

it('ships an export of KiotViet, with province and district in one column', async () => {
  const { exit, stderr, orders } = await shipped('kiotviet.csv');
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(orders).toEqual([
    {
      external_id: 'HD000101',
      to: ['Nguyễn Thị Lan', '0901234561', ...hanoi, '12 ngõ 5'],
      goods: [
        ['Áo khoác gió', 2, 250_000, 249_000],
        ['Mũ len', 1, 250_000, 250_000],
      ],
      cod_amount: 748_000,
      gross_weight: 800,
    },
    {
      external_id: 'HD000102',
      to: ['Trần Văn Bình', '0912345672', ...danang, '45 Lê Lợi'],
      goods: [['Trà ô long', 1, 95_000, 95_000]],
      cod_amount: 0,
      gross_weight: 300,
    },
  ]);
});

it('ships an export of Sapo, with a line for each product of an order', async () => {
  const { exit, stderr, orders } = await shipped('sapo.csv', '--status', 'Đặt hàng=ship');
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(noticeText(stderr)).toContain('read as an export of Sapo\n');
  expect(noticeText(stderr)).toContain('1 line is left out: Trạng thái đơn hàng "Đã hủy"');
  expect(orders).toEqual([
    {
      external_id: 'SON06712',
      to: ['Nguyễn Thị Lan', '0901234561', ...hanoi, '12 ngõ 5'],
      goods: [
        ['Áo khoác gió', 2, 249_000, 249_000],
        ['Mũ len', 1, 250_000, 250_000],
      ],
      cod_amount: 748_000,
      gross_weight: 500,
    },
    {
      external_id: 'SON06713',
      to: ['Trần Văn Bình', '0912345672', ...danang, '45 Lê Lợi'],
      goods: [['Trà ô long', 1, 95_000, 95_000]],
      cod_amount: 0,
      gross_weight: 500,
    },
  ]);
});

it('reads an export below the titles of a report, where a column stands twice and only the first line of an order is full', async () => {
  const { run, directory } = await world('sapo.csv');
  const [header = '', first = '', second = '', ...others] = readFileSync(join(directory, 'sapo.csv'), 'utf8').split(
    '\n',
  );
  const columns = header.split(',');
  const ofTheLine = ['Mã ĐH', 'Tên hàng', 'Số lượng', 'Đơn giá'];
  const bare = second.split(',').map((cell, index) => (ofTheLine.includes(columns[index] ?? '') ? cell : ''));
  const twice = (line: string) => (line === '' ? line : `${line},`);
  const titles = ['BÁO CÁO ĐƠN HÀNG', 'Từ ngày 01/11/2026', '', 'Chi nhánh: tất cả', ''];
  const lines = [...titles, `${header},Tham chiếu`, ...[first, bare.join(','), ...others].map(twice)];
  writeFileSync(join(directory, 'report.csv'), lines.join('\n'));
  const { exit, stdout, stderr } = await run([
    ...['batch', 'plan', 'report.csv', '--map', 'pickup.yaml', '--status', 'Đặt hàng=ship', '-o', 'json'],
  ]);
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  const { rows } = JSON.parse(stdout);
  expect(rows.map(({ external_id, what }: Record<string, string>) => [external_id, what])).toEqual([
    ['SON06712', '2 × Áo khoác gió, 1 × Mũ len'],
    ['SON06713', '1 × Trà ô long'],
  ]);
});

it('finds the header below titles and notes, in another sheet, and leaves a row of sums out', async () => {
  const { run, directory } = await shopWorld();
  const [first = [], second = []] = [orderCells(1), orderCells(2)];
  // Of the merged cells of an order only the first has a value.
  const more = first.map((cell, index) => (orderHeader[index]?.startsWith('lines.') ? cell : ''));
  const sums = ['Tổng cộng', ...second.slice(1).map(() => '')];
  writeFileSync(
    join(directory, 'book.xlsx'),
    workbookOf([
      { name: 'Hướng dẫn', columns: ['Đọc kỹ trước khi dùng'], lines: [['Cột nào cũng cần điền']] },
      {
        name: 'Đơn hàng',
        columns: ['BÁO CÁO ĐƠN HÀNG', ...second.slice(1).map(() => '')],
        lines: [['Ngày 20/11/2026'], orderHeader, first, more.with(7, 'Mũ'), second, sums],
      },
    ]),
  );
  const { exit, stdout, stderr } = await run(['batch', 'plan', 'book.xlsx', '-o', 'json']);
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(noticeText(stderr)).toContain('sheet "Đơn hàng" is read, the header is in row 3\n');
  expect(noticeText(stderr)).toContain('1 line is left out: a row of sums (Đơn hàng!A7)\n');
  const { rows } = JSON.parse(stdout);
  expect(rows.map(({ what }: { what: string }) => what)).toEqual(['2 × Áo 1, 2 × Mũ', '2 × Áo 2']);
});

it('takes the header row that is asked for, and leaves out a row of sums in the middle as well', async () => {
  const { run, directory } = await shopWorld();
  const sheet = orderSheet([
    orderCells(1),
    [
      'Tổng cộng',
      ...orderCells(2)
        .slice(1)
        .map(() => ''),
    ],
    orderCells(3),
  ]);
  writeFileSync(join(directory, 'orders.csv'), `Báo cáo\nTháng 11\n${sheet}`);
  const asked = await run(['batch', 'plan', 'orders.csv', '--header-row', '3']);
  expect([asked.exit, asked.stderr]).toEqual([0, expect.stringContaining('a row of sums (line 5, ')]);
  const blank = await run(['batch', 'plan', 'orders.csv', '--header-row', '90']);
  expect([blank.exit, blank.stderr]).toEqual([2, expect.stringContaining('line 90')]);
});

it.each([
  ['shopee.csv', 'Phương thức thanh toán', 'whether "Tổng số tiền người mua thanh toán" counts'],
  ['lazada.csv', 'Status', 'whether a line is left out'],
])(
  'refuses %s without its column %s: cash of paid orders, or cancelled ones, would be sent',
  async (name, column, use) => {
    const { run, directory, service } = await world(name);
    const [header = '', ...lines] = readFileSync(join(directory, name), 'utf8').split('\n');
    writeFileSync(join(directory, name), [header.replace(column, 'Khác'), ...lines].join('\n'));
    const { exit, stderr } = await run(['batch', 'run', name, '--map', 'pickup.yaml', '--yes']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`there is no column "${column}" to say ${use}`)]);
    const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
    expect(body.orders).toEqual([]);
  },
);
