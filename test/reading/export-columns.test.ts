import { expect, it } from 'vitest';
import type { Answers } from '../../src/sheets/account/questions.ts';
import { exportWithLines } from './exports.ts';
import { readSheet } from './read-sheet.ts';

const today = '2026-11-30';

/** What becomes of the first order of an export with other cells. */
async function read(name: string, cells: Readonly<Record<string, string>>, answers: Answers = {}) {
  const content = exportWithLines(`${name}.csv`, [cells]);
  const { orders, faults, questions, left } = await readSheet(`${name}.csv`, content, {
    isExport: true,
    today,
    answers,
  });
  const [order] = orders as { payment_method?: string; shipping?: { cod_amount?: number } }[];
  return {
    cash: order?.shipping?.cod_amount,
    method: order?.payment_method,
    faults,
    questions: questions.map(({ id, subjects }) => [id, ...subjects.map((one) => one.name)]),
    left: left.map(([reason]) => reason),
  };
}

const spellings = {
  shopee: ['Phương thức thanh toán', 563_000],
  tiktok: ['Payment Method', 375_000],
  lazada: ['Payment Method', undefined],
} as const;
/** As marketplaces, shop programs and people write it, listed apart from the reader. */
const onDelivery = [
  ...['COD', 'cod', 'CCOD', 'Cash on delivery', 'CASH ON DELIVERY', 'CashOnDelivery', 'cash_on_delivery'],
  ...['Cash On Delivery (COD)', 'Thanh toán khi nhận hàng', 'Thanh toán khi giao hàng', 'THANH TOAN KHI NHAN HANG'],
  ...['Thanh toán khi nhận hàng (COD)', 'Thanh toán khi giao hàng (COD)', 'COD - Thanh toán khi nhận hàng'],
  ...['Tiền mặt', 'Tiền mặt khi nhận hàng', 'Tiền mặt khi giao hàng', 'Thanh toán tiền mặt khi nhận hàng'],
  ...['Thanh toán COD', 'Thu hộ (COD)'],
];
const inAdvance = [
  'Ví ShopeePay',
  'Credit card',
  'MIXEDCARD',
  'Chuyển khoản',
  'Thẻ Tín dụng/Ghi nợ',
  'SPayLater',
  'Momo',
];

it.each(Object.entries(spellings))(
  'cash of an export of %s is collected by every word for it',
  async (name, [column, cash]) => {
    for (const word of onDelivery)
      expect([word, await read(name, { [column]: word })]).toMatchObject([
        word,
        { cash, method: 'cod', questions: [] },
      ]);
    const none = cash === undefined ? undefined : 0;
    for (const word of inAdvance)
      expect([word, await read(name, { [column]: word })]).toMatchObject([
        word,
        { cash: none, method: 'other', questions: [] },
      ]);
    for (const word of ['Trả góp qua bưu tá', 'Other', ''])
      expect((await read(name, { [column]: word })).questions).toEqual([['payment', word]]);
    const payment = { 'tra gop qua buu ta': 'cash' } as const;
    expect(await read(name, { [column]: 'Trả góp qua bưu tá' }, { payment })).toMatchObject({
      cash,
      method: 'cod',
      questions: [],
    });
    expect(await read(name, { [column]: 'COD' }, { payment: { COD: 'paid' } })).toMatchObject({
      cash: none,
      method: 'other',
    });
  },
);

it('a mapping that collects cash by words of payment asks about every other word that may be cash', async () => {
  const columns = {
    Mã: 'external_id',
    Tổng: { field: 'shipping.cod_amount', when: { 'Thanh toán': ['COD'] }, otherwise: 0 },
    'Thanh toán': null,
    Hàng: 'lines.product_name',
  };
  const cashOf = async (word: string, answers: Answers = {}) => {
    const content = `Mã,Tổng,Thanh toán,Hàng\nA1,350000,${word},Mũ\nA1,,,Áo\n`;
    const { orders, questions } = await readSheet('o.csv', content, {
      mapping: { columns, ignore_columns: ['Thanh toán'] },
      answers: { ignore_columns: ['Thanh toán'], ...answers },
    });
    const [order] = orders as { shipping?: { cod_amount?: number } }[];
    return [
      order?.shipping?.cod_amount,
      ...questions.flatMap(({ id, subjects }) => [id, ...subjects.map((one) => one.name)]),
    ];
  };
  expect(await cashOf('cod')).toEqual([350_000]);
  expect(await cashOf('Chuyển khoản')).toEqual([0]);
  expect(await cashOf('Thanh toán khi nhận hàng')).toEqual([0, 'payment', 'Thanh toán khi nhận hàng']);
  expect(await cashOf('partially_paid')).toEqual([0, 'payment', 'partially_paid']);
  expect(await cashOf('')).toEqual([0, 'payment', '']);
  expect(await cashOf('Ship lấy tiền', { payment: { 'Ship lấy tiền': 'cash' } })).toEqual([350_000]);
});

const cancelled: readonly (readonly [name: string, cells: Readonly<Record<string, string>>, asked: string])[] = [
  ['sapo', { 'Lý do hủy đơn': 'Khách đổi ý' }, 'Lý do hủy đơn'],
  ['sapo', { 'Ngày hủy đơn': '28/11/2026' }, 'Ngày hủy đơn'],
  ['sapo', { 'Lý do hủy giao hàng': 'Không gọi được' }, 'Lý do hủy giao hàng'],
  ['sapo', { 'Ngày hoàn thành': '28/11/2026 10:00' }, 'Ngày hoàn thành'],
  ['sapo', { 'Ngày hẹn giao': '20/12/2026 08:00' }, 'Ngày hẹn giao'],
  ['sapo', { 'Ghi chú': 'KHÁCH HỦY - KHOAN GỬI' }, 'KHÁCH HỦY - KHOAN GỬI'],
  ['sapo', { Tag: 'khách hủy' }, 'khách hủy'],
  ['sapo', { 'Ghi chú sản phẩm': 'hết hàng' }, 'hết hàng'],
  ['sapo', { 'Đối tác giao hàng': 'Khách tự đến lấy' }, 'Khách tự đến lấy'],
  ['sapo', { 'Trạng thái xử lý': 'Đã hủy đơn' }, 'Đã hủy đơn'],
  ['kiotviet', { 'Ghi chú': 'khách hủy, khoan gửi' }, 'khách hủy, khoan gửi'],
  ['kiotviet', { 'Ghi chú trạng thái giao hàng': 'khách không lấy nữa' }, 'khách không lấy nữa'],
  ['kiotviet', { 'Ghi chú hàng hóa': 'chờ hàng về' }, 'chờ hàng về'],
  ['kiotviet', { 'Mã trả hàng': 'TH000123' }, 'Mã trả hàng'],
  ['kiotviet', { 'Thời gian giao hàng': '20/12/2026' }, 'Thời gian giao hàng'],
  ['tiktok', { 'Seller Note': 'hết size S, khoan gửi' }, 'hết size S, khoan gửi'],
  ['tiktok', { 'Normal or Pre-order': 'Pre-order' }, 'Normal or Pre-order'],
  ['tiktok', { 'Normal or Pre-order': 'Đặt trước' }, 'Normal or Pre-order'],
  ['tiktok', { 'Order Refund Amount': '120000' }, 'Order Refund Amount'],
  ['tiktok', { 'Paid Time': '28/11/2026 09:00:00' }, 'Paid Time'],
  ['tiktok', { 'Delivery Option': 'Pick up' }, 'Pick up'],
  ['shopee', { 'Nhận xét từ Người mua': 'hủy đơn giúp mình' }, 'hủy đơn giúp mình'],
  ['shopee', { 'Phương thức giao hàng': 'Tự đến lấy' }, 'Tự đến lấy'],
  ['lazada', { 'Wallet Credits': '20000' }, 'Wallet Credits'],
  ['lazada', { 'Order Type': 'Presale' }, 'Order Type'],
];

it.each(cancelled)('of an export of %s, %o is asked about', async (name, cells, asked) => {
  expect((await read(name, cells)).questions).toEqual([['status', asked]]);
  const answered = await read(name, cells, { status: { [asked]: 'skip' } });
  expect([answered.questions, answered.left.length]).toEqual([[], 1]);
  expect(await read(name, cells, { status: { [asked]: 'ship' } })).toMatchObject({ questions: [], left: [] });
});

it.each([
  ['sapo', { 'Ngày xuất kho': '27/11/2026' }],
  ['sapo', { 'Mã gói hàng': 'FUN0001' }],
  ['kiotviet', { 'Mã đối soát': 'DS0001' }],
])('of an export of %s, %o says that a carrier has the order', async (name, cells) => {
  expect((await read(name, cells)).questions).toEqual([['tracked', '']]);
});

it.each([
  ['sapo', { 'Ngày hẹn giao': '29/11/2026', 'Ghi chú': 'Khách quen', Tag: 'VIP', 'Đối tác giao hàng': 'GHTK' }],
  ['kiotviet', { 'Mã trả hàng': '', 'Ghi chú': 'gọi trước khi giao', 'Đối tác giao hàng': 'Giao hàng nhanh' }],
  ['tiktok', { 'Normal or Pre-order': 'Normal', 'Order Refund Amount': '0', 'Checked Status': 'Unchecked' }],
  ['shopee', { 'Phương thức giao hàng': 'Đơn vị vận chuyển đến lấy hàng', 'Nhận xét từ Người mua': 'shop gói kỹ' }],
  ['lazada', { 'Wallet Credits': '20000', 'Payment Method': 'MIXEDCARD', 'Order Flag': 'NORMAL' }],
])('of an export of %s, %o says nothing against sending', async (name, cells) => {
  expect(await read(name, cells)).toMatchObject({ faults: [], questions: [], left: [] });
});

const kiotviet = (cells: object) => ['kiotviet', { 'Khách cần trả': '748000', ...cells }] as const;
const onCash = (name: string, column: string) => [name, { [column]: '' }] as const;
const sapo = (cells: object) => ['sapo', { 'Khách phải trả': '748000', ...cells }] as const;

it.each([
  [kiotviet({ 'Khách đã trả': '748000' }), 'does not fit: 748,000 is paid already, and 0 would be left'],
  [kiotviet({ 'Khách đã trả': '200.000' }), 'does not fit: 200,000 is paid already, and 548,000 would be left'],
  [kiotviet({ 'Khách đã trả': '200000', 'Khách cần trả': '' }), 'does not fit: 200,000 is paid already, and how much'],
  [kiotviet({ 'Còn cần thu (COD)': '' }), 'is blank, and 748,000 are not paid'],
  [
    onCash('tiktok', 'Order Amount'),
    'Order Amount: is blank, and Payment Method says "Cash on delivery": write the cash to collect, or 0',
  ],
  [onCash('shopee', 'Tổng số tiền người mua thanh toán'), 'thanh toán says "Thanh toán khi nhận hàng": write the'],
  [sapo({ 'Trạng thái thanh toán': 'Đã thanh toán' }), 'does not fit: all of it is paid already, and 0 would be left'],
  [
    sapo({ 'Trạng thái thanh toán': 'Thanh toán một phần' }),
    'does not fit: a part of it is paid already, and how much',
  ],
  [sapo({ 'Trạng thái thanh toán': 'Thanh toán một phần', 'Khách đã trả': '48000' }), '700,000 would be left'],
])('cash that is not what is left to pay is never collected: %o', async ([name, cells], message) => {
  const { faults } = await read(name, cells as Record<string, string>);
  expect(faults).toEqual([expect.stringContaining(message)]);
});

it.each([
  [kiotviet({ 'Khách đã trả': '200000', 'Còn cần thu (COD)': '548000' }), 548_000],
  [kiotviet({ 'Khách đã trả': '748000', 'Còn cần thu (COD)': '0' }), 0],
  [sapo({ 'Khách đã trả': '700000', 'Tiền thu hộ': '48000', 'Trạng thái thanh toán': 'Thanh toán một phần' }), 48_000],
  [sapo({ 'Trạng thái thanh toán': 'Thanh toán một phần', 'Tiền thu hộ': '48000' }), 48_000],
  [sapo({ 'Trạng thái thanh toán': 'Chưa thanh toán' }), 748_000],
])('cash that is what is left to pay is collected: %o', async ([name, cells], cash) => {
  expect(await read(name, cells as Record<string, string>)).toMatchObject({ cash, faults: [], questions: [] });
});
