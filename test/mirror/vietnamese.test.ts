import { expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { labelTexts } from '../../src/contract/labels.ts';
import { describedTables } from '../../src/mirror/store/describe-tables.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';

/**
 * What stands in no brackets: names of tables, columns and what is read of them, which are typed; what SQLite says; commands of
 * the service manager, and usage, which is help.
 */
const given = [
  ...describedTables().flatMap(({ name, columns }) => [name, ...columns.flatMap((one) => [one.name, one.type])]),
  'shop FILE table http ID db file config a csv service systemctl daemon reload enable disable shopctl timer',
  'Asia Ho_Chi_Minh ask compare near syntax error SELECT no such column nothing',
  /\/\S+/g,
];

it('says everything of the mirror in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes']);
  const shop = ['--profile', 'shop'];
  expect(
    await leftBy(
      world,
      [
        [['mirror', 'status']],
        [['mirror', 'sql', 'SELECT 1']],
        [['mirror', 'verify', ...shop]],
        [['mirror', 'export', '--to', 'tables', ...shop]],
        [['report', 'states']],
        [['mirror', 'forget'], { answers: [true] }],
        [['mirror', 'sync']],
        [['mirror', 'sync', '--area', 'customers']],
        [['mirror', 'sync', '--area', 'nothing']],
        [['mirror', 'sync', '--every', '5m']],
        [['mirror', 'sync', '--every', 'x', '--watch']],
        [['mirror', 'verify']],
        [['mirror', 'verify', '--all', ...shop]],
        [['mirror', 'status']],
        [['mirror', 'sync', ...shop]],
        [['mirror', 'status', ...shop]],
        [['mirror', 'verify', '--all', ...shop]],
        [['mirror', 'verify', '--all', '--sample', '3', ...shop]],
        [['mirror', 'verify', '--sample', '0', ...shop]],
        [['mirror', 'sql', ...shop]],
        [['mirror', 'sql', 'SELECT 1', '--file', 'a', ...shop]],
        [['mirror', 'sql', 'DELETE FROM orders', ...shop]],
        [['mirror', 'sql', 'SELECT 1; SELECT 2', ...shop]],
        [['mirror', 'sql', 'SELECT nothing FROM orders', ...shop]],
        [['mirror', 'sql', 'SELECT 1 AS a', '--to', 'a.csv', ...shop]],
        [['mirror', 'sql', 'SELECT 1 AS a', '--to', 'a.doc', ...shop]],
        [['mirror', 'sql', '', ...shop]],
        [['mirror', 'tables', ...shop]],
        [['mirror', 'schema', ...shop]],
        [['mirror', 'schema', 'nothing', ...shop]],
        [['mirror', 'export', '--to', 'tables', ...shop]],
        [['mirror', 'path', ...shop]],
        [['mirror', 'install', '--every', '1h', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'uninstall', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'uninstall', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'forget', ...shop], { answers: [false] }],
        [['mirror', 'forget', ...shop], { answers: [true] }],
        [['mirror', 'forget', ...shop], { answers: [true] }],
      ],
      given,
    ),
  ).toEqual({});
});

it('tells what tables and columns hold in Vietnamese', async () => {
  const world = await shopWorld();
  const { sentence } = vietnamese.textsOf('label', labelTexts);
  const described = describedTables();
  const told = described.flatMap(({ description, columns }) => [description, ...columns.map((one) => one.description)]);
  expect(told.filter((text) => sentence(text) === text && !/^[a-z_]+(?: [-+] [a-z_]+)+$/.test(text))).toEqual([]);
  const shown = await inVietnamese(world, ['mirror', 'schema', 'customer_lifetime', '--profile', 'shop']);
  expect([shown.lines.slice(0, 5), shown.tooWide]).toEqual([
    [
      'BẢNG               CỘT             LOẠI     MÔ TẢ',
      'customer_lifetime  shop_id         text     Id của shop',
      'customer_lifetime  phone           text     Số điện thoại của khách',
      'customer_lifetime  full_name       text     Một tên mà khách đã dùng',
      'customer_lifetime  orders          integer  Số đơn (đơn)',
    ],
    [],
  ]);
});

it("shows what a partner's key reaches, and that nothing differs, in Vietnamese", async () => {
  const world = await shopWorld();
  await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes']);
  const synced = await inVietnamese(world, ['mirror', 'sync']);
  expect([synced.lines, synced.tooWide]).toEqual([
    [
      'NHÓM DỮ LIỆU  ĐÃ ĐỌC  TẠO MỚI  ĐÃ CẬP NHẬT  ĐÃ XÓA  LƯỢT GỌI  ĐỦ ĐẾN (GMT+7)',
      'orders             1        1            0       0         1  31/01 14:59',
      'fulfillments       1        1            0       0         0  31/01 14:59',
      'Key của đối tác không có danh sách: đã đọc 1 đơn biết được từ các lần gửi ở đây',
      '  và từ webhook. Không đọc được đơn khác, khách hàng, sản phẩm và tồn kho',
    ],
    [],
  ]);
  await world.run(['mirror', 'sync', '--profile', 'shop']);
  const verified = await inVietnamese(world, ['mirror', 'verify', '--profile', 'shop']);
  expect([verified.lines, verified.tooWide]).toEqual([
    ['NHÓM DỮ LIỆU  ID  TRƯỜNG  BẢN SAO  HỆ THỐNG', 'đã so sánh 1 bản ghi, không có gì khác'],
    [],
  ]);
});
