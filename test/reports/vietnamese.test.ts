import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dayLists } from '../../src/reports/declared/now.ts';
import { chartOf, columnWords } from '../../src/reports/declared/report.ts';
import { reports } from '../../src/reports/declared/reports.ts';
import { readXlsxGrid } from '../../src/sheets/xlsx/read-xlsx.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import { servingShop } from '../support/random-shop.ts';
import { testStart } from '../support/sandbox.ts';
import { shopWorld } from '../support/shop-world.ts';

// The service's clock shows 2026-01-31T08:00:00Z, 15:00 in the shop.
const address = { full_name: 'Trần Lan', phone: '0938111222' };
const order = {
  id: '1000000000000000011',
  code: 'DH1',
  status: 'S',
  lines: [{ product_name: 'Mũ', quantity: 2, payment_price: 150_000, attributes: [] }],
  total_items: 2,
  total_amount: 300_000,
  shipping_address: address,
  created_at: '2026-01-20T03:00:00Z',
  updated_at: '2026-01-20T03:00:00Z',
};
const parcel = (id: number, more: object) => ({
  id: `200000000000000001${id}`,
  order_id: order.id,
  carrier: 'tortoise',
  shipping_code: `TO${id}`,
  shipping_state: 'delivering',
  shipping_service_fee: 22_000,
  status: 'S',
  shipping_status: 'S',
  platform_payment_status: 'Z',
  cod_amount: 300_000,
  shipping_address: address,
  created_at: '2026-01-20T03:00:00Z',
  updated_at: '2026-01-20T03:00:00Z',
  ...more,
});
const shop = {
  orders: [order],
  fulfillments: [
    parcel(1, { estimated_delivery_at: '2026-01-28T10:00:00Z' }),
    parcel(2, { shipping_state: 'delivered', actual_cod_amount: 300_000, closed_at: '2026-01-22T03:00:00Z' }),
  ],
  variants: [],
  levels: [],
};

async function synced() {
  const world = await shopWorld(servingShop(shop, testStart));
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  return world;
}

/** What stands in no brackets: data, names that are typed, and those of columns, whose words are the labels of all subjects. */
const known = new Set(
  `Trần Lan tortoise DH TO Mũ Asia Ho_Chi_Minh GMT VND COD shopctl error figure now day before days unit file title definition columns
  name meaning report sales carriers stock products customers cod late states unreconciled html xlsx csv jsonl index pages since until width list tz
  by to has that compares them the of is state source test SQL Jan line SO Khách greenmile external_id date fields are wrong nothing show in delivery event time order parcel webhook slip payment batch code external_code`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);
const names = new Set(reports.flatMap(({ columns }) => columns.map(({ name }) => name)));

function untold(text: string): readonly string[] {
  const own = text
    .replaceAll(/<style>[\s\S]*?<\/style>|<pre[\s\S]*?<\/pre>|<svg[\s\S]*?<\/svg>|<meta[^>]*>|<!doctype html>/g, ' ')
    .replaceAll(/<[^>]*?((?:aria-label|data-label)="[^"]*")?>/g, ' ')
    .split('\n')
    .filter((line) => !/^(?:hint|⟦Usage):? /.test(line))
    .join('\n')
    .replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
    .replaceAll(/`[^`]*`/g, ' ');
  const words = own.match(/(?<![\p{L}\d_])[\p{L}_]{2,}(?![\p{L}\d_])/gu) ?? [];
  return [...new Set(words.filter((word) => !known.has(word.toLowerCase()) && !names.has(word)))];
}

it('says everything of reports and of a day in a catalogue', async () => {
  const world = await synced();
  const all = reports.map(({ name }) => name);
  const screens = [
    ...all.map((name) => ['report', name]),
    ...all.map((name) => ['report', name, '--explain']),
    ...all.map((name) => ['report', name, '--chart']),
    ...dayLists.map(({ name }) => ['day', '--list', name]),
    ['day'],
    ['day', '2026-01-22'],
    ['day', 'nowhere'],
    ['day', '2026-01-22', '--list', 'in-delivery'],
    ['report', 'late', '--list'],
    ['report', 'sales', '--tz', 'Asia/Tokyo', '--by', 'week'],
    ['report', 'sales', '--tz', 'nowhere', '--since', 'nowhere', '--until', 'nowhere', '--width', '3', '--list'],
    ['report', 'states', '--since', '2026-01-22', '--by', 'day'],
    ['report', 'sales', '--since', '2026-01-22', '--until', '2026-01-20'],
    ['report', 'sales', '--to', 'sales.doc'],
    ['report', 'all'],
    ['report', 'all', '--to', 'pages'],
  ];
  const left: unknown[] = [];
  for (const words of screens) {
    const { stdout, stderr } = await world.run(words, { spoken: pseudoLanguage });
    const found = untold(`${stdout}\n${stderr}`).filter((word) => !['nowhere', 'Tokyo', 'doc'].includes(word));
    if (found.length > 0) left.push([words, found]);
  }
  for (const name of ['index', ...all]) {
    const found = untold(readFileSync(join(world.directory, 'pages', `${name}.html`), 'utf8'));
    if (found.length > 0) left.push([name, found]);
  }
  expect(left).toEqual([]);
});

it('has words for every column of every report', () => {
  const all = [...reports, ...dayLists, ...reports.flatMap(({ list }) => list ?? [])];
  const without = all.flatMap((report) =>
    report.columns
      .filter(({ name }) => columnWords(report, name).meaning === '')
      .map(({ name }) => [report.name, name]),
  );
  expect(without).toEqual([]);
});

it('shows a day, a report and what is late in Vietnamese', async () => {
  const world = await synced();
  const env = { SHOPCTL_LANG: 'vi', TZ: 'Asia/Ho_Chi_Minh' };
  const late = await world.run(['report', 'late', '--list'], { env });
  expect(late.stdout).toBe(
    `MÃ VẬN ĐƠN  NGƯỜI NHẬN  SĐT         NGÀY  TRẠNG THÁI  ĐVVC      MÃ ĐƠN   THU HỘ
TO1         Trần Lan    0938111222     2  Đang giao   tortoise  DH1     300.000
Tổng                                                                    300.000
`,
  );
  expect(late.stderr).toMatch(
    /^Vận đơn giao trễ: hiện tại, dữ liệu đầy đủ đến 31\/01 1\d:\d\d \(Asia\/Ho_Chi_Minh\), cập nhật vừa xong\n$/,
  );
  const weeks = await world.run(['report', 'sales', '--by', 'week', '--since', '2026-01-19', '--until', '2026-01-31'], {
    env,
  });
  expect(weeks.stdout).toBe(
    `NGÀY TẠO     ĐƠN  SẢN PHẨM  DOANH THU  TRUNG BÌNH
19/01–25/01    1         2    300.000     300.000
26/01–31/01    0         0          0
Tổng           1         2    300.000     300.000
`,
  );
  expect(weeks.stderr).toMatch(/^Doanh thu: đơn tạo 19\/01\/2026–31\/01\/2026, dữ liệu đầy đủ đến /);
  const day = await world.run(['day', '2026-01-22'], { env });
  expect(day.stdout.split('\n').slice(1)).toEqual([
    'Đơn mới                         0          0  ▁▁▁▁▁▁▁▁▁▁▁█▁▁  đơn',
    'Doanh thu                       0          0  ▁▁▁▁▁▁▁▁▁▁▁█▁▁  ₫',
    'Đã gửi                          0          0  ▁▁▁▁▁▁▁▁▁▁▁█▁▁  vận đơn',
    'Phí giao hàng                   0          0  ▁▁▁▁▁▁▁▁▁▁▁█▁▁  ₫',
    'Đã giao                         1          0  ▁▁▁▁▁▁▁▁▁▁▁▁▁█  vận đơn',
    'Đã hoàn                         0          0  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁  vận đơn',
    'Đã thu hộ                 300.000          0  ▁▁▁▁▁▁▁▁▁▁▁▁▁█  ₫',
    'Chờ lấy hàng (hiện nay)         0                             vận đơn',
    'Lấy trễ (hiện nay)              0                             vận đơn',
    'Đang giao (hiện nay)            1                             vận đơn',
    'Giao hôm nay (hiện nay)         0                             vận đơn',
    'Giao trễ (hiện nay)             1                             vận đơn',
    'Thu hộ còn nợ (hiện nay)  300.000                             ₫',
    '',
  ]);
  expect(day.stderr.replaceAll('\u00a0', ' ')).toMatch(
    /^22\/01\/2026, dữ liệu đầy đủ đến .*, cập nhật vừa xong\nthu hộ còn nợ 300\.000 ₫ là số nền tảng chưa thanh toán; các file đối soát đã nhập đã trả 0 ₫ trong số đó; /,
  );
});

it('writes pages and sheets in the language of the run, and what programs read in none', async () => {
  const world = await synced();
  const env = { SHOPCTL_LANG: 'vi' };
  const written = async (name: string, lang: string) => {
    await world.run(['report', 'states', '--to', name], { env: { SHOPCTL_LANG: lang } });
    return readFileSync(join(world.directory, name), 'utf8');
  };
  expect(await written('vi.csv', 'vi')).toBe(await written('en.csv', 'en'));
  expect(await written('vi.jsonl', 'vi')).toBe(await written('en.jsonl', 'en'));
  const page = await written('vi.html', 'vi');
  expect(page).toContain('<html lang="vi">');
  expect(page).toContain('<h1>Vận đơn đang ở đâu</h1>');
  expect(page).toContain('data-label="trạng thái">Trong đó lấy trễ</td>');
  expect(await written('en.html', 'en')).toContain('<html lang="en">');
  for (const words of [
    ['day'],
    ['report', 'cod'],
    ['report', 'late', '--list'],
    ['report', 'cod', '--explain'],
    ['report', 'carriers'],
  ])
    for (const format of ['json', 'csv']) {
      const { exit, stdout, stderr } = await world.run([...words, '-o', format]);
      expect(await world.run([...words, '-o', format], { env })).toMatchObject({ exit, stdout, stderr });
    }
});

it('tells the story of an order in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
  await world.run(['batch', 'run', 'orders.csv', '--pick', 'cheapest', '--yes']);
  const story = ['orders', 'story', 'SO-1'];
  const { stdout, stderr } = await world.run(story, { spoken: pseudoLanguage });
  expect(untold(`${stdout}\n${stderr}`)).toEqual([]);
  const told = await world.run(story, { env: { SHOPCTL_LANG: 'vi' } });
  const events = told.stdout
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.split(/ {2,}/).at(-1));
  expect(events.map((event) => event?.replace(/^\d{8}-\w{5}/, 'BATCH'))).toEqual([
    'SỰ KIỆN',
    'tạo đơn cho Khách 1, 900.000 ₫, thu hộ 900.000 ₫',
    'xác nhận',
    'tạo GR000001, greenmile, phí 34.500 ₫',
    'BATCH, dòng 2: xong',
    'GR000001: Chờ lấy hàng, không đổi từ 31/01 15:00',
    '',
  ]);
  const json = [...story, '-o', 'json'];
  expect((await world.run(json, { env: { SHOPCTL_LANG: 'vi' } })).stdout).toBe((await world.run(json)).stdout);
});

it('names the variant in a chart where two have one name', () => {
  const report = reports.find(({ name }) => name === 'products');
  const rows = ['M', 'L'].map((variant) => ({ product: 'Áo', variant, items: 2 }));
  const drawn = report && chartOf(report, [...rows, { product: 'Mũ', variant: 'đỏ', items: 1 }]);
  expect(drawn?.labels).toEqual(['Áo · M', 'Áo · L', 'Mũ']);
});

it('begins weeks and months with their first day, and names the days of what a span cuts short', async () => {
  const world = await synced();
  const env = { SHOPCTL_LANG: 'vi', TZ: 'Asia/Ho_Chi_Minh' };
  const periods = async (...words: readonly string[]) => {
    const { stdout } = await world.run(['report', 'cod', ...words, '--output', 'table'], { env });
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(/\s{2,}/)[0]);
  };
  // The 30 days up to 31 January begin on the 2nd, a Friday.
  expect(await periods('--by', 'month')).toEqual(['01/2026']);
  expect(await periods('--by', 'week')).toEqual([
    '29/12/2025–04/01/2026',
    '05/01–11/01',
    '12/01–18/01',
    '19/01–25/01',
    '26/01–31/01',
  ]);
  const span = ['--since', '2025-12-10', '--until', '2026-02-01', '--by', 'month'];
  expect(await periods(...span)).toEqual(['10/12–31/12/2025', '01/2026', '01/02']);
  const english = await world.run(['report', 'cod', ...span, '--output', 'table']);
  expect(english.stdout).toMatch(/\n2025-12-10 to 12-31 .*\n2026-01 .*\n2026-02-01 /);
  const { rows, since } = JSON.parse((await world.run(['report', 'cod', '--by', 'month', '--json'])).stdout);
  expect([since, rows.map(({ period }: { period: string }) => period)]).toEqual(['2026-01-01', ['2026-01']]);
  const programs = JSON.parse((await world.run(['report', 'cod', ...span, '--json'])).stdout);
  expect(programs.rows.map(({ period }: { period: string }) => period)).toEqual(['2025-12', '2026-01', '2026-02']);
  await world.run(['report', 'cod', ...span, '--to', 'cod.html'], { env });
  expect(readFileSync(join(world.directory, 'cod.html'), 'utf8')).toContain('>10/12–31/12/2025<');
  await world.run(['report', 'cod', ...span, '--to', 'cod.xlsx'], { env });
  const bytes = readFileSync(join(world.directory, 'cod.xlsx'));
  const grid = await readXlsxGrid({
    name: 'cod.xlsx',
    bytes: (async function* () {
      yield bytes;
    })(),
  });
  const firsts: unknown[] = [];
  for await (const { cells } of grid.lines) firsts.push(cells[0]);
  expect(firsts.slice(1, 3)).toEqual(['10/12–31/12/2025', '01/2026']);
});
