/* Amounts that people's sheets have and orders have otherwise: discounts, the delivery fee that the buyer pays, deposits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderCells, orderHeader, orderSheet } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { noticeText } from '../support/stderr-lines.ts';

/** A plan of one order of two pieces at 450,000, with these cells in these columns. */
async function planned(
  cells: Readonly<Record<string, string>>,
  more: readonly Readonly<Record<string, string>>[] = [],
) {
  const world = await shopWorld();
  const own = Object.keys(cells).filter((name) => !orderHeader.includes(name));
  const header = [...orderHeader, ...own];
  const line = (given: Readonly<Record<string, string>>) =>
    [...orderCells(1), ...own.map(() => '')].map((cell, at) => given[header[at] ?? ''] ?? cell);
  writeFileSync(join(world.directory, 'o.csv'), orderSheet([cells, ...more].map(line), header));
  const { exit, stdout, stderr } = await world.run(['batch', 'plan', 'o.csv', '--json']);
  const plan = JSON.parse(stdout || 'null');
  return { exit, stderr, order: plan?.rows[0]?.payload, cash: plan?.rows[0]?.cash, read: plan?.read };
}

const cash = 'shipping.cod_amount';
const none = { [cash]: '', payment_method: 'cod' };

it.each([
  ['each piece', 'lines.piece_discount', 20_000],
  ['the line', 'lines.line_discount', 10_000],
  ['the order', 'order_discount', 10_000],
])('a discount of %s is taken off the order, and no price is changed', async (_, column, discount) => {
  const { order, exit, stderr } = await planned({ ...none, [column]: '10000' });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(order).toMatchObject({
    lines: [{ quantity: 2, retail_price: 450_000, payment_price: 450_000 }],
    order_discount: discount,
    total_discount: discount,
    total_amount: 900_000 - discount,
    shipping: { cod_amount: 900_000 - discount },
  });
  expect(order.lines[0]).not.toHaveProperty('line_discount');
});

it('discounts of the lines of one order are added up, with that of the order', async () => {
  const goods = { 'lines.product_name': 'Mũ', 'lines.quantity': '3', 'lines.retail_price': '100000' };
  const { order } = await planned({ ...none, 'lines.line_discount': '10000', order_discount: '5000' }, [
    { ...none, ...goods, 'lines.line_discount': '1000', order_discount: '5000' },
  ]);
  expect([order.order_discount, order.total_amount]).toEqual([16_000, 1_200_000 - 16_000]);
});

it.each([
  [{ 'lines.piece_discount': '450001' }, 'is more than the price of the line, 900,000'],
  [{ 'lines.line_discount': '-5000' }, 'must not be negative'],
  [{ 'lines.line_discount': '10000', 'lines.payment_price': '400000' }, 'does not fit the price after it, 400,000'],
  [{ deposit: '200000', payment_method: 'bank' }, 'is a deposit of an order that is paid by bank: write the cash'],
  [{ deposit: '900001' }, 'is more than the total of the order, 900,000'],
  [
    { deposit: '100000', [cash]: '900000' },
    'is a deposit, and the whole total is to be collected: 800,000 of 900,000 are left',
  ],
])('%j is invalid', async (cells, message) => {
  const { exit, stderr } = await planned({ ...none, ...cells });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('a discount beside the price after it that says the same is taken once', async () => {
  const { order } = await planned({ ...none, 'lines.piece_discount': '50000', 'lines.payment_price': '400000' });
  expect([order.total_discount, order.total_amount]).toEqual([100_000, 800_000]);
});

it('the delivery fee that the buyer pays is a fee line, once an order', async () => {
  const goods = { 'lines.product_name': 'Mũ', 'lines.quantity': '1', 'lines.retail_price': '100000' };
  const fee = { ...none, buyer_shipping_fee: '30000' };
  const { order } = await planned(fee, [{ ...fee, ...goods }]);
  expect(order).toMatchObject({
    fee_lines: [{ type: 'shipping', name: 'Phí giao hàng', amount: 30_000 }],
    total_fee: 30_000,
    total_amount: 1_030_000,
    shipping: { cod_amount: 1_030_000 },
  });
});

it('after a deposit the rest of the total is collected, with its fee and discount, and that is told', async () => {
  const more = { buyer_shipping_fee: '30000', order_discount: '50000' };
  const { order, read } = await planned({ [cash]: '', ...more, deposit: '200000' });
  expect([order.total_amount, order.shipping.cod_amount]).toEqual([880_000, 680_000]);
  expect(read.readings).toEqual([
    {
      cell: 'line 2, column deposit',
      value: '200000',
      message: 'is a deposit: 680,000 of 880,000 are left, which is collected',
    },
  ]);
  expect((await planned({ [cash]: '', deposit: '900000' })).order.shipping.cod_amount).toBe(0);
});

it('cash of its own stands beside a deposit, with a warning where it is not the rest', async () => {
  const fitting = await planned({ [cash]: '700000', deposit: '200000' });
  expect([fitting.cash, fitting.read.warnings]).toEqual([700_000, []]);
  const other = await planned({ [cash]: '730000', deposit: '200000' });
  expect([other.cash, other.read.warnings.map(({ code }: { code: string }) => code)]).toEqual([
    730_000,
    ['deposit_differs'],
  ]);
  // A deposit of 0 is one that was written: the whole total is due.
  const whole = await planned({ [cash]: '900000', deposit: '0' });
  expect([whole.cash, whole.read.warnings]).toEqual([900_000, []]);
  const less = await planned({ [cash]: '800000', deposit: '0' });
  expect([less.cash, less.read.warnings]).toMatchObject([
    800_000,
    [
      {
        code: 'deposit_differs',
        cell: 'line 2, column deposit',
        message: 'is the deposit, so that 900,000 are left, and 800,000 is collected',
      },
    ],
  ]);
  // Without one, nothing says why less is collected.
  expect((await planned({ [cash]: '800000' })).read.warnings).toMatchObject([{ code: 'cash_below_total' }]);
});

const foreign = [
  'Mã đơn,Người nhận,SĐT,Địa chỉ cụ thể,Tỉnh,Quận,Phường,Sản phẩm,SL,Đơn giá,Giảm giá,Phí ship khách trả,Tiền cọc,KL',
  'M-1,Lan,0901234561,12 ngõ 5,Hà Nội,Cầu Giấy,Dịch Vọng,Áo thun,2,450000,10000,30000,200000,500',
  '',
].join('\n');

it.each([
  ['a discount of each piece', 710_000],
  ['a discount of the line, for all its pieces', 720_000],
  ['a discount of the whole order', 720_000],
  ['leave it out', 730_000],
])('batch map asks what a discount is of, and knows fees and deposits: %s', async (answer, left) => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), foreign);
  const pickup = ['Kho Liên Chiểu', '0905123456', { typed: 'hoa khanh nam lien chieu da nang' }, 'Lô 7'];
  const mapped = await world.run(['batch', 'map', 'san.csv', '--save', 'san'], {
    terminal: true,
    answers: [answer, ...pickup, 'none', 'no'],
  });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
  const { stdout } = await world.run(['batch', 'plan', 'san.csv', '--json']);
  expect(JSON.parse(stdout).rows).toMatchObject([{ cash: left }]);
});

it.each(['Phí ship', 'ship', 'Tiền ship 30k', 'Phụ thu', 'Giảm giá'])(
  'a line of goods that is "%s" is no product, and makes its order invalid',
  async (name) => {
    const line = { 'lines.product_name': name, 'lines.retail_price': '30000', 'lines.quantity': '1' };
    const { exit, stderr } = await planned({ [cash]: '900000' }, [line]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is a fee or a discount, and no goods')]);
    const goods = await planned({ [cash]: '' }, [{ ...line, 'lines.product_name': `Áo ${name}` }]);
    expect([goods.exit, goods.order.lines.length]).toEqual([0, 2]);
  },
);

it('says where nobody can be asked that a discount is left out', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), foreign);
  const refused = await world.run(['batch', 'map', 'san.csv', '--save', 'san', '--json']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--ignore-columns')]);
  const { stdout, stderr } = await world.run(['batch', 'map', 'san.csv', '--ignore-columns', '--json']);
  expect(noticeText(stderr)).toContain(
    'column "Giảm giá" is left out: map it to lines.piece_discount, lines.line_discount or',
  );
  const fields = JSON.parse(stdout).columns.map(({ field }: { field: string | null }) => field);
  expect(fields.slice(-4)).toEqual([null, 'buyer_shipping_fee', 'deposit', 'shipping.gross_weight']);
});

it('each plan says which column with amounts its mapping leaves out', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), foreign);
  await world.run(['batch', 'map', 'san.csv', '--save', 'san', '--ignore-columns', '--json']);
  for (const words of [[], [], ['--map', 'san']]) {
    const { stdout } = await world.run(['batch', 'plan', 'san.csv', ...words, '--json']);
    const { warnings } = JSON.parse(stdout).read;
    expect(warnings.filter(({ code }: { code: string }) => code === 'column_left_out')).toMatchObject([
      { message: 'column "Giảm giá" is left out by the mapping: its amounts count nowhere' },
    ]);
  }
});
