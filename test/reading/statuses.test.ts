import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderCells, orderHeader, orderSheet } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { exportWithLines } from './exports.ts';

/** The lists as a person wrote them down, apart from those of the reader. */
const lists = {
  shopee: {
    id: 'Mã đơn hàng',
    column: 'Trạng Thái Đơn Hàng',
    ship: 'Chờ giao hàng · Chờ lấy hàng · To ship · READY_TO_SHIP',
    ask: 'Chờ xác nhận · Đã xử lý · PROCESSED · Lấy hàng lại · RETRY_SHIP · Yêu cầu hủy · IN_CANCEL',
    not: 'Đã hủy · Đơn hủy · Đang giao · Đã giao · Đã giao cho đơn vị vận chuyển · Hoàn thành · Đã nhận được hàng · Người mua xác nhận đã nhận được hàng, nhưng vẫn có thể gửi yêu cầu tới ngày 2026-12-10. · Trả hàng/Hoàn tiền · Trả hàng · Giao hàng không thành công · Giao không thành công · Chưa thanh toán · Unpaid · Shipping · Shipped · To receive · TO_CONFIRM_RECEIVE · Delivered · Completed · Cancelled · Canceled · TO_RETURN · Return/Refund',
    more: [
      [{ 'Lý do hủy': 'Đổi ý' }, 'not'],
      [{ 'Trạng thái Trả hàng/Hoàn tiền': 'Đã Chấp Thuận Yêu Cầu' }, 'not'],
      [{ 'Trạng thái Trả hàng/Hoàn tiền': 'Đang xét' }, 'ask'],
      [{ 'Số lượng sản phẩm được hoàn trả': '2' }, 'not'],
      [{ 'Số lượng sản phẩm được hoàn trả': '1' }, 'ask'],
      [{ 'Số lượng sản phẩm được hoàn trả': '0' }, 'ship'],
      [{ 'Mã vận đơn': 'SPX1' }, 'tracked'],
      [{ 'Ngày gửi hàng': '2026-11-21' }, 'tracked'],
    ],
  },
  tiktok: {
    id: 'Order ID',
    column: 'Order Status',
    ship: 'To ship · Cần vận chuyển · AWAITING_SHIPMENT',
    ask: 'Awaiting collection · AWAITING_COLLECTION · Đang chờ lấy hàng · Chờ lấy hàng · Chờ thu gom · PARTIALLY_SHIPPING · On hold · Đã xác nhận · Đang đóng hàng · Pre-order',
    not: 'Unpaid · Chưa thanh toán · Shipped · Đã vận chuyển · In transit · IN_TRANSIT · Đang vận chuyển · Đang trung chuyển · Đang giao · Delivered · Đã giao · Đã giao hàng · Đã nhận hàng · Completed · Đã hoàn tất · Đã hoàn thành · Hoàn thành · Canceled · Cancelled · Đã hủy · Đang hoàn · Đã hoàn',
    more: [
      [{ 'Order Substatus': 'Chờ vận chuyển' }, 'ship'],
      [{ 'Order Substatus': '' }, 'ship'],
      [{ 'Order Substatus': 'In transit' }, 'not'],
      [{ 'Cancelation/Return Type': 'Cancel' }, 'not'],
      [{ 'Cancelation/Return Type': 'Return/Refund' }, 'not'],
      [{ 'Cancelation/Return Type': 'Claim' }, 'ask'],
      [{ 'Sku Quantity of return': '3' }, 'not'],
      [{ 'Fulfillment Type': 'Fulfillment by TikTok Shop' }, 'not'],
      [{ 'Tracking ID': '8600' }, 'tracked'],
    ],
  },
  lazada: {
    id: 'Order Number',
    column: 'Status',
    ship: 'pending · topack · to_pack · repacked · Chờ xử lý · Đang chờ xử lý · Đang xử lý · Chờ đóng gói · Đóng gói lại',
    ask: 'packed · toship · to_ship · ready_to_ship · Sẵn sàng giao · Chờ bàn giao · Chờ giao hàng · Chờ xác nhận',
    not: 'unpaid · Chưa thanh toán · shipped · in_transit · Đang giao · Đang giao hàng · Đang vận chuyển · delivered · confirmed · Đã giao hàng · Giao hàng · Giao hàng thành công · failed · failed_delivery · delivery_failed · Giao hàng thất bại · Không thể giao hàng · shipped_back · shipped_back_success · shipped_back_failed · returned · package_returned · Hàng trả về · Đã hoàn hàng · Đang trả hàng · Đã trả hàng · Trả hàng thành công · Trả hàng thất bại · Trả hàng hoặc hoàn tiền · refunded · canceled · cancelled · Hủy · Đã hủy · Đơn đã hủy · lost · lost_by_3pl · damaged_by_3pl · package_scrapped · Mất hàng · Hỏng hàng',
    more: [],
  },
  kiotviet: {
    id: 'Mã hóa đơn',
    column: 'Trạng thái',
    ship: 'Đang xử lý',
    ask: 'Phiếu tạm · Đã xác nhận',
    not: 'Hoàn thành · Đã hủy · Hủy · Không giao được · Trả hàng',
    more: [
      [{ 'Trạng thái giao hàng': '' }, 'ask'],
      [{ 'Trạng thái giao hàng': 'Chờ chuyển hàng' }, 'ask'],
      [{ 'Trạng thái giao hàng': 'Đã giao hàng' }, 'not'],
      [{ 'Trạng thái giao hàng': 'Chờ chuyển hoàn lại' }, 'not'],
      [{ 'Trạng thái': 'Hoàn thành', 'Trạng thái giao hàng': '' }, 'not'],
      [{ 'Mã vận đơn': 'GHN1' }, 'tracked'],
    ],
  },
  sapo: {
    id: 'Mã ĐH',
    column: 'Trạng thái đơn hàng',
    ship: 'Đang giao dịch',
    ask: 'Đặt hàng',
    not: 'Hoàn thành · Đã hoàn thành · Kết thúc · Hủy · Đã hủy',
    more: [
      [{ 'Trạng thái xuất kho': 'Xuất kho toàn bộ' }, 'not'],
      [{ 'Trạng thái xuất kho': 'Xuất kho một phần' }, 'ask'],
      [{ 'Trạng thái đóng gói': 'Đóng gói một phần' }, 'ask'],
      [{ 'Trạng thái trả hàng': 'Trả toàn bộ' }, 'not'],
      [{ 'Trạng thái trả hàng': 'Trả một phần' }, 'ask'],
      [{ 'Tình trạng gói hàng': 'Chờ đóng gói' }, 'ship'],
      [{ 'Tình trạng gói hàng': 'Chờ lấy hàng' }, 'ask'],
      [{ 'Tình trạng gói hàng': 'Đã hủy - chờ nhận lại' }, 'not'],
      [{ 'Mã vận đơn': 'VTP1' }, 'tracked'],
    ],
  },
} as const;

const wordsOf = (list: string) => list.split(' · ');

interface Reported {
  readonly path: string;
  readonly message: string;
}

it.each(Object.entries(lists))(
  'an export of %s is sent, left out or asked about by its own words',
  async (name, one) => {
    const { run, directory } = await shopWorld();
    const cases = [
      ...(['ship', 'ask', 'not'] as const).flatMap((kind) =>
        wordsOf(one[kind]).map((word) => [{ [one.column]: word }, kind] as const),
      ),
      ...one.more,
      [{ [one.column]: '' }, 'ask'] as const,
    ];
    const lines = cases.map(
      ([cells], index): Record<string, string> => ({ [one.id]: `4100${String(index).padStart(3, '0')}`, ...cells }),
    );
    writeFileSync(join(directory, 'x.csv'), exportWithLines(`${name}.csv`, lines));
    writeFileSync(join(directory, 'map.yaml'), pickup);
    const plan = async (...words: string[]) => {
      const { exit, stdout, stderr } = await run([
        'batch',
        'plan',
        'x.csv',
        '--map',
        'map.yaml',
        '-o',
        'json',
        ...words,
      ]);
      return { exit, stdout, error: exit === 2 ? (errorOf(stderr).field_errors as Reported[]) : [] };
    };
    const idsOf = (kind: string) => cases.flatMap(([, own], index) => (own === kind ? [lines[index]?.[one.id]] : []));
    const { exit, error } = await plan();
    expect(exit).toBe(2);
    const text = (path: string) => error.find((reported) => reported.path === path)?.message ?? '';
    // Each row that is asked about is counted once.
    const counted = [...text('status').matchAll(/ in (\d+) rows?/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(counted).toBe(idsOf('ask').length);
    expect(text('tracked').startsWith(`${idsOf('tracked').length} row`) || idsOf('tracked').length === 0).toBe(true);
    const asked = [...text('status').matchAll(/("(?:[^"\\]|\\.)*"|blank) in \d+ row/g)].map(([, word = '']) =>
      word === 'blank' ? '' : (JSON.parse(word) as string),
    );
    const skips = [...asked.flatMap((word) => ['--status', `${word}=skip`]), '--tracked', 'skip'];
    const only = await plan(...skips);
    const shipped = (stdout: string) => [...new Set(stdout.match(/4100\d{3}/g))].sort();
    expect([only.exit, shipped(only.stdout)]).toEqual([0, idsOf('ship')]);
    const all = await plan(...skips.map((word) => word.replace(/skip$/, 'ship')));
    const wanted = [...idsOf('ship'), ...idsOf('ask'), ...idsOf('tracked')].sort();
    expect([all.exit, shipped(all.stdout)]).toEqual([0, wanted]);
  },
);

const pickup = `constants:
  shipping.try_on: open
  shipping.gross_weight: 500
  shipping.pickup_address.full_name: Kho
  shipping.pickup_address.phone: "0905123456"
  shipping.pickup_address.province: Đà Nẵng
  shipping.pickup_address.district: Liên Chiểu
  shipping.pickup_address.ward: Hòa Khánh Nam
  shipping.pickup_address.address1: Lô 7
`;

it('a word that is in no list of an export is asked about, by that word', async () => {
  const { run, directory } = await shopWorld();
  const word = { 'Order Number': '4100001', Status: 'Hàng trên mây' };
  writeFileSync(join(directory, 'x.csv'), exportWithLines('lazada.csv', [word]));
  writeFileSync(join(directory, 'map.yaml'), pickup);
  const plan = (...words: string[]) => run(['batch', 'plan', 'x.csv', '--map', 'map.yaml', '-o', 'json', ...words]);
  const { exit, stderr } = await plan();
  expect([exit, stderr]).toEqual([2, expect.stringContaining("--status 'Hàng trên mây=ship|skip'")]);
  const shipped = await plan('--status', 'Hàng trên mây=ship');
  expect([shipped.exit, shipped.stdout]).toEqual([0, expect.stringContaining('4100001')]);
  const skipped = await plan('--status', 'hang tren may=skip');
  expect([skipped.exit, skipped.stdout]).toEqual([0, expect.not.stringContaining('4100001')]);
});

const stateHeader = [...orderHeader, 'Ghi'];

/** A sheet of one's own with a column that the command does not know. */
async function ownSheet(header: string, cells: readonly string[]) {
  const world = await shopWorld();
  const lines = cells.map((cell, index) => [...orderCells(index + 1), cell]);
  writeFileSync(join(world.directory, 'own.csv'), orderSheet(lines, [...stateHeader.slice(0, -1), header]));
  const plan = async (...words: string[]) => {
    const ran = await world.run(['batch', 'plan', 'own.csv', '--ignore-columns', '-o', 'json', ...words]);
    return { ...ran, ids: [...new Set(ran.stdout.match(/SO-\d+/g))].sort() };
  };
  return { ...world, plan };
}

it('a column of states of any other sheet is one question, and none of its words decides by itself', async () => {
  const { plan } = await ownSheet('Trạng thái đơn', ['Mới', 'Đã gửi', 'Khách hẹn', 'Mới']);
  const { exit, stderr } = await plan();
  expect([exit, stderr]).toEqual([2, expect.stringContaining('\\"Mới\\" in 2 rows')]);
  for (const word of ['Đã gửi', 'Khách hẹn']) expect(stderr).toContain(`\\"${word}\\" in 1 row`);
  const answers = ['Mới=ship', 'Đã gửi=skip', 'Khách hẹn=skip'].flatMap((word) => ['--status', word]);
  expect(await plan(...answers)).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-4'] });
});

it('a word is answered as it is written, with brackets and an at sign', async () => {
  const { plan } = await ownSheet('Trạng thái đơn', ['[Mới]', '@hủy']);
  const answers = ['[Mới]=ship', '@hủy=skip'].flatMap((word) => ['--status', word]);
  expect(await plan(...answers)).toMatchObject({ exit: 0, ids: ['SO-1'] });
});

it('words of nothing but symbols are words of their own, and no blank cells', async () => {
  const { plan } = await ownSheet('Trạng thái đơn', ['', '❌', '🔴', '???', '-', '已发货']);
  const others = ['🔴=ship', '???=ship', '-=ship', '已发货=ship'];
  const with_ = (...words: string[]) => plan(...[...words, ...others].flatMap((word) => ['--status', word]));
  expect(await with_('=ship', '❌=skip')).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-3', 'SO-4', 'SO-5', 'SO-6'] });
  expect(await with_('=skip', '❌=ship')).toMatchObject({ exit: 0, ids: ['SO-2', 'SO-3', 'SO-4', 'SO-5', 'SO-6'] });
  const { exit, stderr } = await with_('=ship');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('\\"❌\\" in 1 row')]);
});

it('an answer is of the word that it names, symbols included, and two of one word are refused', async () => {
  const { plan } = await ownSheet('Trạng thái đơn', ['Gửi ✅', 'Gửi ❌', 'Gửi?', 'gửi']);
  const with_ = (...words: string[]) => plan(...words.flatMap((word) => ['--status', word]));
  const answers = ['Gửi ✅=ship', 'gui ❌=skip', 'Gửi?=skip', 'GỬI=ship'];
  expect(await with_(...answers)).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-4'] });
  expect((await with_('Gửi ✅=ship', 'Gửi=ship')).stderr).toContain('\\"Gửi ❌\\" in 1 row');
  const { exit, stderr } = await with_('Gửi=ship', 'Gửi=skip', 'Gửi ✅=ship');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is answered with ship and with skip')]);
  // Words that differ by their accents have answers of their own; a third spelling is asked about.
  const spelt = await ownSheet('Trạng thái đơn', ['Hủy', 'Huy', 'HỦY']);
  const both = ['Hủy=skip', 'Huy=ship'].flatMap((word) => ['--status', word]);
  expect((await spelt.plan(...both)).stderr).toContain('\\"HỦY\\" in 1 row');
  expect(await spelt.plan(...both, '--status', 'HỦY=skip')).toMatchObject({ exit: 0, ids: ['SO-2'] });
});

it('a word of a mapping is no blank cell either, and what is said now counts before what it says', async () => {
  const { plan, directory } = await ownSheet('Trạng thái đơn', ['', '❌', 'Mới']);
  const columns = Object.fromEntries(orderHeader.map((name) => [name, name]));
  const map = (own: object) =>
    writeFileSync(join(directory, 'own.json'), JSON.stringify({ command: 'ship', columns, ...own }));
  map({ leave_out: { 'Trạng thái đơn': ['❌'] } });
  const words = ['--map', 'own.json', '--status', '=ship', '--status', 'Mới=ship'];
  expect(await plan(...words)).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-3'] });
  map({ status: { Mới: 'ship', '': 'skip', '❌': 'skip' } });
  expect(await plan('--map', 'own.json', '--status', 'moi=skip', '--status', '❌=ship')).toMatchObject({
    exit: 0,
    ids: ['SO-2'],
  });
});

it('a column is one of states by its values as well: few, short ones, one of which is known', async () => {
  const reported = (await (await ownSheet('Ghi', ['Chị Lan', 'Bom', ''])).plan()).stderr;
  expect(reported).toContain('\\"Bom\\" in 1 row');
  const many = [...Array.from({ length: 12 }, (_, index) => `khách ${index}`), 'Đang giao'];
  expect((await (await ownSheet('Ghi', many)).plan()).exit).toBe(0);
  expect((await (await ownSheet('Ghi', ['Đang giao', 'x'.repeat(41)])).plan()).exit).toBe(0);
  expect((await (await ownSheet('Ghi', ['Chị Lan', 'anh Tú'])).plan()).exit).toBe(0);
  expect((await (await ownSheet('Nguồn', ['FB', 'TikTok', 'Shopee'])).plan()).exit).toBe(0);
});

it('a list of orders that we wrote is sent without those that are done, as csv and as jsonl', async () => {
  const { plan, directory, run } = await ownSheet('status', ['Z', 'S', 'N', 'P', 'NS']);
  expect((await plan()).stderr).toContain('\\"S\\" in 1 row');
  expect(await plan('--status', 'S=skip')).toMatchObject({ exit: 0, ids: ['SO-1'] });
  expect(await plan('--status', 'S=ship')).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-2'] });
  const record = (number: number, status: string) => ({
    external_id: `SO-${number}`,
    status,
    shipping_address: {
      full_name: 'Lan',
      phone: '0901234567',
      province: 'Hà Nội',
      district: 'Cầu Giấy',
      ward: 'Dịch Vọng',
      address1: '1',
    },
    lines: [{ product_name: 'Áo', quantity: 1, retail_price: 100000 }],
  });
  const records = ['Z', 'S', 'N'].map((status, index) => JSON.stringify(record(index + 1, status)));
  writeFileSync(join(directory, 'own.jsonl'), records.join('\n'));
  const asked = await run(['batch', 'plan', 'own.jsonl', '--do', 'orders create', '--profile', 'shop', '-o', 'json']);
  expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('\\"S\\" in 1 row')]);
  const words = [
    'batch',
    'plan',
    'own.jsonl',
    '--do',
    'orders create',
    '--profile',
    'shop',
    '-o',
    'json',
    '--status',
    'S=skip',
  ];
  const { stdout } = await run(words);
  expect([...new Set(stdout.match(/SO-\d+/g))]).toEqual(['SO-1']);
});
