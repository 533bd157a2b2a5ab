/* Small files with one difficulty each, from public reports and shops' mornings: what the service has of them afterwards. */
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { orderCells, orderSheet } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';

const files = fileURLToPath(new URL('files', import.meta.url));
const exports = fileURLToPath(new URL('../../examples/exports', import.meta.url));

async function world() {
  const made = await shopWorld();
  cpSync(files, made.directory, { recursive: true });
  cpSync(join(exports, 'pickup.yaml'), join(made.directory, 'pickup.yaml'));
  const run = (...words: string[]) => made.run([...words, '--profile', 'shop']);
  const listed = async (operation: string) => (await made.service.post(operation, {}, made.service.shop.apiKey)).body;
  return { run, listed, directory: made.directory };
}

interface Order {
  readonly external_id: string;
  readonly shipping_address: { readonly phone: string; readonly address1: string };
  readonly shipping: { readonly cod_amount?: number };
}

const ship = ['--pick', 'cheapest', '--yes'];
const pickup = ['--map', 'pickup.yaml'];

/** What is sent of a file, by the code or else the phone of each order, and what is said of it. */
const sent: readonly (readonly [
  file: string,
  words: readonly string[],
  exit: number,
  orders: Readonly<Record<string, object>>,
  said: readonly string[],
])[] = [
  ['r03-hidden-first.xlsx', [], 0, { 'R03-NEW': {} }, ['not "_old" (hidden)']],
  ['r04-two-sheets.xlsx', [], 2, {}, ['"Thứ 2", "Thứ 3"', '--all-sheets']],
  ['r04-two-sheets.xlsx', ['--all-sheets'], 0, { 'R04-MON': {}, 'R04-TUE': {} }, []],
  ['r05-filtered.xlsx', [], 2, {}, ['1 row is hidden', '--hidden-rows']],
  ['r05-filtered.xlsx', ['--hidden-rows', 'skip'], 0, { 'R05-SHOWN': {} }, ['is left out: hidden']],
  ['r07-dateaddr.xlsx', [], 2, {}, ['3 cells cannot be used', 'a date that a spreadsheet has made of it']],
  ['r14-tong.xlsx', [], 0, { 'R14-1': {}, '0901230014': { shipping_address: { full_name: 'Tống Văn Hải' } } }, []],
  ['r14f-sumid.csv', [], 0, { 'R14-2': {}, 'SUM-0001': {}, 'TONG-KHO-02': {} }, []],
  [
    'r38e-mapped-sum.csv',
    ['--map', 'm38.yaml'],
    0,
    { 'R38E-1': {}, 'R38E-2': { lines: [{ quantity: 2, retail_price: 100_000 }], shipping: { cod_amount: 200_000 } } },
    ['a row of sums'],
  ],
  ['r33-headeronly.csv', [], 0, {}, ['0 rows: nothing to send']],
  ['r34-mojibake.csv', [], 2, {}, ['5 cells cannot be used', 'is damaged text', 'a font of former times (TCVN3)']],
  ['r45c-price.csv', [], 2, {}, ['line 2 has 21 cells, and the header has 20']],
  ['t1-shopee-status.csv', pickup, 0, { '24110TSHP000': {}, '24110TSHP004': {} }, ['"Đơn hủy"', '"Đã huỷ"']],
  ['t2-tiktok-status.csv', pickup, 2, {}, ["--status '1 of 3 returned=ship|skip'"]],
  ['t5-lazada-unpaid.csv', pickup, 0, {}, ['is left out: Status "unpaid"']],
  ['t7-shopee-masked.csv', pickup, 2, {}, ['3 cells cannot be used', 'is hidden by the marketplace']],
  [
    'r32c-tiktok-percell.xlsx',
    pickup,
    0,
    { 576461413038: { shipping: { cod_amount: 375_000 } }, 576461413039: { lines: [{ quantity: 10 }] } },
    [],
  ],
  ['wards-2025.csv', pickup, 2, {}, ['--new-wards', 'may be Phường Phường Đúc']],
];

it.each(sent)('of %s with %j, exit %i, the service has what is meant', async (file, words, exit, orders, said) => {
  const { run, listed } = await world();
  const ran = await run('batch', 'run', file, ...words, ...ship);
  expect([ran.exit, ran.stderr]).toEqual([exit, expect.any(String)]);
  const text = ran.stderr.replaceAll(/\s+/g, ' ');
  for (const sentence of said) expect(text).toContain(sentence);
  const { orders: made } = await listed('shop.Order/ListOrders');
  const called = ({ external_id, shipping_address: { phone } }: Order) =>
    external_id.startsWith('shopctl-') ? phone : external_id;
  const found = Object.fromEntries(made.map((order: Order) => [called(order), order]));
  expect(Object.keys(found).sort()).toEqual(Object.keys(orders).sort());
  expect(found).toMatchObject(orders);
});

it('a birthday is the day that is shown, and the number of a day is none', async () => {
  const { run, listed } = await world();
  const day = await run('batch', 'run', 'r01d-stylescase.xlsx', '--do', 'customers create', '--yes');
  const { customers } = await listed('shop.Customer/ListCustomers');
  expect([day.exit, customers[0]]).toMatchObject([0, { full_name: 'Lan Styles', birthday: '1986-05-04' }]);
  const number = await run('batch', 'run', 'r31-serial.csv', '--do', 'customers create', '--yes');
  expect([number.exit, number.stderr]).toEqual([2, expect.stringContaining('"31536" is the number of a day')]);
});

it('every word of an address beside a name of its own is street or place', async () => {
  const { run, listed } = await world();
  const ran = await run('batch', 'run', 'addresses.csv', '--map', 'addresses.yaml', '--skip-bad', ...ship);
  expect([ran.exit, ran.stderr]).toEqual([9, expect.stringContaining('"Phường Võ Thị Sáu" is no ward')]);
  const { orders } = await listed('shop.Order/ListOrders');
  const streets = orders.map(({ external_id, shipping_address: { address1 } }: Order) => [external_id, address1]);
  expect(Object.fromEntries(streets)).toEqual({
    D1: 'khóm 4',
    D2: 'Lô C2, KCN Tân Bình',
    D3: '12 đường số 7, KDC Trung Sơn',
    D5: 'Phòng 1204 toà S2.05 Vinhomes Ocean Park',
    D6: 'Sạp 15 chợ Bến Thành',
    D7: 'Đối diện trường THCS Lê Quý Đôn, thôn 2',
    D8: 'cổng sau bệnh viện Bạch Mai, 78 Giải Phóng',
    D9: 'Công ty TNHH ABC, tầng 5, 72 Lê Thánh Tôn',
    D10: '17/5 đường 22/12, KP Hòa Lân 2',
    D11: 'Ấp Tân Bình',
    D12: 'đội 3 thôn Yên Phú',
  });
});

it('a tab a day is asked about with the names of those that fit', async () => {
  const { run, listed } = await world();
  await run('batch', 'map', 'tabs.xlsx', '--save', 'tabs');
  const ran = await run('batch', 'run', 'tabs.xlsx', '--map', 'tabs', ...ship);
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('("25-11", "26-11")')]);
  expect((await listed('shop.Order/ListOrders')).orders).toEqual([]);
});

it('payment files are counted to the dong, and a corrected one is asked about', async () => {
  const { run } = await world();
  const float = await run('cod', 'import', 'c07-float.xlsx', '--json');
  expect([float.exit, float.stdout]).toEqual([0, expect.stringContaining('"cod": 100000,')]);
  const moved = await run('cod', 'import', 'c24b-ghn-sum.csv', '--carrier', 'tortoise');
  expect([moved.exit, moved.stderr]).toEqual([2, expect.stringMatching(/line 2 has 8 cells/)]);
  await run('cod', 'import', 'ghtk-2026-11-28.xlsx');
  const corrected = await run('cod', 'import', 'ghtk-2026-11-28-corrected.xlsx');
  expect([corrected.exit, corrected.stderr]).toEqual([2, expect.stringContaining('--replaces')]);
});

it('a morning of a shop adds up: every line is in an order or left out, and every order is sent or invalid', async () => {
  const { run, listed, directory } = await world();
  const { saved } = JSON.parse((await run('batch', 'map', 'morning.xlsx', '--save', 'morning', '--json')).stdout);
  appendFileSync(
    saved,
    readFileSync(join(directory, 'pickup.yaml'), 'utf8').replace('  shipping.gross_weight: 500\n', ''),
  );
  const asked = await run('batch', 'run', 'morning.xlsx', ...ship);
  expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining("--status 'Đã hủy=ship|skip'")]);
  expect(asked.stderr).not.toContain('TikTok');
  const answers = ['--status', 'Mới=ship', '--status', 'Đã hủy=skip', '--new-wards', 'ask', '--skip-bad', '--json'];
  const planned = JSON.parse((await run('batch', 'plan', 'morning.xlsx', ...answers, '--pick', 'cheapest')).stdout);
  expect(planned.read).toMatchObject({
    lines: 50,
    left_out: [
      { cell: 'Đơn T11!B23', reason: 'Trạng thái "Đã hủy"' },
      { cell: 'Đơn T11!B53', reason: 'a row of sums' },
      { cell: 'Đơn T11!B55', reason: expect.stringContaining('a note') },
    ],
  });
  const ran = await run('batch', 'run', 'morning.xlsx', ...answers, ...ship);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([9, { rows: 39, done: 29, skipped: 10 }]);
  const { orders, paging } = await listed('shop.Order/ListOrders');
  expect([orders.length, paging.next]).toEqual([29, expect.anything()]);
  const cash = orders.reduce((sum: number, { shipping }: Order) => sum + (shipping.cod_amount ?? 0), 0);
  // Without the 340,000 of the order to Phường Sài Gòn, of which nobody knows the former ward.
  expect(cash).toBe(14_128_000);
});

it('names the characters for which a slip has a box, and refuses one only where nothing of a recipient can be read', async () => {
  const { run, directory } = await world();
  const rows = [orderCells(1), orderCells(2).with(1, 'Lan 氏 🌸'), orderCells(3).with(1, '阮氏蘭')];
  writeFileSync(join(directory, 'han.csv'), orderSheet(rows));
  await run('batch', 'run', 'han.csv', ...ship);
  const { exit, stdout, stderr } = await run('slips', '--today', '--to', 'slips.pdf', '--json');
  const notices = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).notice]));
  expect(notices.filter(({ code }) => code === 'font_lacks')).toEqual([
    {
      code: 'font_lacks',
      order: expect.stringMatching(/^DH/),
      characters: [{ of: 'recipient', characters: ['氏', '🌸'] }],
      message: expect.stringMatching(
        /^order DH\w+: ▢ is printed for 氏 \(U\+6C0F\), 🌸 \(U\+1F338\) of its recipient: /,
      ),
    },
  ]);
  const reason = "its recipient's name has no character that can be printed";
  expect([exit, JSON.parse(stdout)]).toMatchObject([9, { slips: 2, left_out: [{ reason }] }]);
  // Goods are fetched for it all the same.
  const pick = await run('slips', '--today', '--pick-list', '--to', 'pick.pdf', '--json');
  expect([pick.exit, JSON.parse(pick.stdout).slips]).toEqual([0, 3]);
});
