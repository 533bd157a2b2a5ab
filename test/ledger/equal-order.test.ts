/* What makes two orders the same one: the notation of an order does not, everything that is sent does. */
import { describe, expect, it } from 'vitest';
import { requestDifferences } from '../../src/client/settle/compare.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { equalOrder } from '../../src/ledger/equal-order.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';

const { external_id: _, ...order } = shippedOrder;
const [line] = shippedOrder.lines;
const written = {
  ...order,
  order_note: 'Giao sau 17 giờ',
  fee_lines: [{ type: 'shipping', name: 'Giao hàng', amount: 30 }],
  total_amount: 830,
};
type Order = typeof written & Readonly<Record<string, unknown>>;

const replaced = (from: string, to: string): Order => JSON.parse(JSON.stringify(written).replaceAll(from, to));
const shipped = (changes: object): Order => ({ ...written, shipping: { ...written.shipping, ...changes } });
const addressed = (changes: object): Order => ({
  ...written,
  shipping_address: { ...written.shipping_address, ...changes },
});
const lined = (changes: object): Order => ({ ...written, lines: [{ ...line, ...changes }] as never });
const without = (...names: readonly string[]): Order =>
  Object.fromEntries(Object.entries(written).filter(([name]) => !names.includes(name))) as never;

const digest = (one: object) => equalOrder(one, locationTree).equal;

describe('an order in another notation is the same one', () => {
  it.each<[string, Order]>([
    ['decomposed accents', JSON.parse(JSON.stringify(written).normalize('NFD'))],
    ['a doubled blank', replaced('Nguyễn Thị Lan', ' Nguyễn  Thị Lan ')],
    ['a blank that does not break', replaced('Nguyễn Thị Lan', 'Nguyễn\u00a0Thị Lan')],
    ['an invisible character', replaced('Nguyễn', 'Nguyễn\u200b')],
    ['capitals', replaced('Nguyễn Thị Lan', 'NGUYỄN THỊ LAN')],
    ['the country code of a phone', replaced('0901234567', '+84901234567')],
    ['blanks in a phone', replaced('0901234567', '090 123-4567')],
    ['a place in official names', addressed(madeOrder.shipping_address)],
    ['a place that its ward determines', addressed({ district: undefined })],
    ['a note that is empty', { ...written, customer_note: '' }],
    ['a list that is empty', { ...written, promotions: [] }],
    ['what is 0, false or null', { ...written, order_discount: 0, is_gift: false, assignee: null }],
    ['sums that are left out', without('total_items', 'basket_value', 'total_discount', 'total_amount')],
    ['a customer who is the recipient', without('customer_address')],
    ['fields in another order', Object.fromEntries(Object.entries(written).reverse()) as never],
    ['another service', shipped({ shipping_service_code: 'S2', shipping_service_fee: 45, carrier: 'x' })],
    ['another name', { ...written, external_id: 'WEB-8' }],
  ])('%s', (_name, other) => {
    expect(digest(other)).toBe(digest(written));
  });
});

describe('an order that asks for something else is another one', () => {
  it.each<[string, Order]>([
    ['an amount', lined({ payment_price: 401 })],
    ['cash on delivery', shipped({ cod_amount: 5 })],
    ['a quantity', lined({ quantity: 3 })],
    ['one more line', { ...written, lines: [...written.lines, ...written.lines] }],
    ['one more free line', { ...written, lines: [...written.lines, { product_name: 'Quà' }] as never }],
    ['a weight', shipped({ gross_weight: 501 })],
    ['insurance', shipped({ include_insurance: true })],
    ['whether it may be tried on', shipped({ try_on: 'no' })],
    ['a number in an address', addressed({ address1: '125' })],
    ['a stroke in an address', addressed({ address1: '12/5' })],
    ['numbers that are apart in an address', addressed({ address1: '12 5' })],
    ['a ward', addressed({ ward: 'Nghĩa Đô' })],
    ['a place that nobody knows', addressed({ ward: 'Nowhere' })],
    ['a name', addressed({ full_name: 'Nguyễn Thị Lam' })],
    ['an accent in a name', addressed({ full_name: 'Nguyễn Thị Lân' })],
    ['a digit of a phone', addressed({ phone: '0901234568' })],
    ['a country', addressed({ phone: '+85901234567' })],
    ['a note', { ...written, order_note: 'Giao sau 18 giờ' }],
    ['a mark in a note', { ...written, order_note: 'Giao sau 17 giờ?' }],
    ['no note', without('order_note')],
    ['a code', { ...written, external_code: 'A-1' }],
    ['a product', lined({ product_name: 'Áo +' })],
    ['a variant', lined({ variant_id: '7' })],
    ['a fee', { ...written, fee_lines: [{ ...written.fee_lines[0], name: 'Gói quà' }] as never }],
  ])('%s', (_name, other) => {
    expect(digest(other)).not.toBe(digest(written));
    expect(requestDifferences(other, written, locationTree)).not.toEqual([]);
  });

  it.each([
    ['12/5', '125', '12 5', '12-5', '1 25'],
    ['Hoa', 'Hòa', 'Hóa', 'Họa'],
    ['-', '+', '−5'],
  ])('texts such as %s and %s', (...texts) => {
    expect(new Set(texts.map((address1) => digest(addressed({ address1 }))))).toHaveLength(texts.length);
  });

  it.each([['A-1', 'A1', 'a1', 'A 1']])('codes such as %s and %s', (...codes) => {
    expect(new Set(codes.map((external_code) => digest({ ...written, external_code })))).toHaveLength(codes.length);
  });
});

it('is told from another one by the same comparison as under a name', () => {
  const other = addressed({ phone: '+84 901 234 567', ...{ district: 'Quận Cầu Giấy', full_name: 'nguyễn thị lan' } });
  expect(requestDifferences({ ...other, promotions: [] }, written, locationTree)).toEqual([]);
  expect(requestDifferences(lined({ quantity: 3 }), written, locationTree)).toEqual(['lines[0].quantity']);
});
