import { setOwn } from '../json/values.ts';
import { type Amount, AmountError, readAmount, toAmount } from './weight.ts';

/** The fields of an order line that the formulas use (contract, OrderLine); prices are integers in the one currency. */
export interface LineAmounts {
  quantity?: Amount;
  retail_price?: Amount;
  payment_price?: Amount;
}

/** The five sums of an order (contract, Order), integers in the one currency; total_items is a count. */
export interface Totals {
  total_fee: number;
  total_discount: number;
  basket_value: number;
  total_amount: number;
  total_items: number;
}

/** The fields of an order that the formulas use: the wire's spelling, everything optional and nullable. */
export type OrderAmounts = { [Name in keyof Totals]?: Amount } & {
  lines?: readonly LineAmounts[] | null | undefined;
  fee_lines?: readonly { amount?: Amount }[] | null | undefined;
  order_discount?: Amount;
};

/** The sums in the order in which the service checks them (decisions, section 7). */
export const totalNames = ['total_fee', 'total_discount', 'basket_value', 'total_amount', 'total_items'] as const;

/** A sum that differs from its formula; `given` is null if absent, `formula` is the arithmetic written out. */
export interface TotalMismatch {
  kind: 'total';
  field: keyof Totals;
  given: number | null;
  expected: number;
  formula: string;
}

/** One given sum compared with its formula: whether it matches the expected value. */
export interface TotalReview extends TotalMismatch {
  ok: boolean;
}

/** A line with a price above its price before discount; `field` is its path, `expected` the highest price allowed. */
export interface PriceAboveRetail {
  kind: 'payment_above_retail';
  field: string;
  given: number;
  expected: number;
  formula: string;
}

interface ReadLine {
  quantity: bigint;
  retail: bigint;
  payment: bigint;
}

interface ReadOrder {
  lines: ReadLine[];
  fees: bigint[];
  orderDiscount: bigint;
}

/**
 * The sums that the contract's formulas (Order) yield for `order`. An absent scalar counts as 0, as on the wire: a line
 * without payment_price is free for the buyer (`fillTotals` supplies the missing price). total_amount always uses
 * SUM(fee_lines), never a given total_fee. Throws AmountError naming the field.
 */
export function expectedTotals(order: OrderAmounts): Totals {
  return sums(readOrder(order));
}

/**
 * Compares each given sum with its formula, in the service's order. An absent sum counts as 0, but total_fee may be
 * absent when there are fee_lines (decisions, section 7). Throws AmountError if a number cannot be summed at all.
 */
export function reviewTotals(order: OrderAmounts): TotalReview[] {
  const read = readOrder(order);
  const expected = sums(read);
  return totalNames.map((field) => ({
    ...besideFormula(order, field, read, expected),
    ok: isRight(order, field, read, expected),
  }));
}

function isRight(order: OrderAmounts, field: keyof Totals, { fees }: ReadOrder, expected: Totals): boolean {
  const given = toAmount(readAmount(order[field], field), field);
  const isLeftOut = field === 'total_fee' && (order.total_fee ?? null) === null && fees.length > 0;
  return given === expected[field] || isLeftOut;
}

function besideFormula(order: OrderAmounts, field: keyof Totals, read: ReadOrder, expected: Totals): TotalMismatch {
  const formula = formulas[field](read, expected);
  return { kind: 'total', field, given: order[field] ?? null, expected: expected[field], formula };
}

/** What differs from the formulas: the wrong sums of `reviewTotals`, then prices. Throws AmountError like it. */
export function checkTotals(order: OrderAmounts): (TotalMismatch | PriceAboveRetail)[] {
  return judgeTotals(order).wrong;
}

/**
 * The findings of `checkTotals` and the sums of `expectedTotals`, computed in one pass. Throws AmountError like them.
 */
export function judgeTotals(order: OrderAmounts): { totals: Totals; wrong: (TotalMismatch | PriceAboveRetail)[] } {
  const read = readOrder(order);
  const totals = sums(read);
  // A formula is written out only if it is shown.
  const wrong: (TotalMismatch | PriceAboveRetail)[] = totalNames
    .filter((field) => !isRight(order, field, read, totals))
    .map((field) => besideFormula(order, field, read, totals));
  for (const [index, { payment, retail }] of read.lines.entries()) {
    if (payment <= retail) continue;
    const field = `lines[${index}].payment_price`;
    const formula = `payment_price ${payment} > retail_price ${retail}`;
    wrong.push({ kind: 'payment_above_retail', field, given: Number(payment), expected: Number(retail), formula });
  }
  return { totals, wrong };
}

/** Whether sums that are given are replaced as well. */
interface FillOptions {
  readonly overwrite?: boolean | undefined;
}

/**
 * Returns a copy of `order` with absent or null sums filled in, as one block after the fields they are computed from. A
 * line without payment_price first gets its retail_price (leaving it out means "no discount" to a person), unless the
 * given total_discount already counts that line, if it has items and a price, as free. A wrong sum is kept for `checkTotals` to report, or replaced
 * with `{overwrite: true}`. Throws AmountError like `expectedTotals`; `order` is never changed.
 */
export function fillTotals<Order extends OrderAmounts>(order: Order, options?: FillOptions): Order & Totals;
export function fillTotals(order: OrderAmounts, options: FillOptions = {}): object {
  const asOnTheWire = expectedTotals(order);
  const agreed = (order.total_discount ?? 0) === asOnTheWire.total_discount;
  const lines = order.lines?.map((line) => {
    // A line without items, or without a price, counts the same either way.
    const isSettled = agreed && line.quantity !== 0 && line.retail_price !== 0;
    return isSettled ? line : withPaymentPrice(line);
  });
  const totals = agreed ? asOnTheWire : expectedTotals({ ...order, lines });
  const filled = (field: keyof Totals) => (options.overwrite ? totals[field] : (order[field] ?? totals[field]));

  const names = Object.keys(order);
  const lastSource = names.findLastIndex((name) => isTotal(name) || sources.has(name));
  const complete: Record<string, unknown> = {};
  const supply = () => {
    for (const field of presentationOrder) if (!Object.hasOwn(order, field)) complete[field] = filled(field);
  };
  Object.entries(order).forEach(([name, value], index) => {
    if (name === 'lines') complete.lines = lines;
    else setOwn(complete, name, isTotal(name) ? filled(name) : value);
    if (index === lastSource) supply();
  });
  if (lastSource < 0) supply();
  return complete;
}

const presentationOrder = ['total_items', 'basket_value', 'total_discount', 'total_fee', 'total_amount'] as const;
const sources = new Set(['lines', 'fee_lines', 'order_discount']);
const totalFields: ReadonlySet<string> = new Set(totalNames);

function isTotal(key: string): key is keyof Totals {
  return totalFields.has(key);
}

function withPaymentPrice(line: LineAmounts): LineAmounts {
  const { retail_price: retail, payment_price: payment } = line;
  if ((payment ?? null) !== null || (retail ?? null) === null) return line;
  if (Object.hasOwn(line, 'payment_price')) return { ...line, payment_price: retail };
  const priced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(line)) {
    setOwn(priced, name, value);
    if (name === 'retail_price') priced.payment_price = retail;
  }
  return priced;
}

function readOrder(order: OrderAmounts): ReadOrder {
  return {
    lines: list(order.lines, 'lines').map((line, index) => ({
      quantity: readAmount(line.quantity, `lines[${index}].quantity`),
      retail: readAmount(line.retail_price, `lines[${index}].retail_price`),
      payment: readAmount(line.payment_price, `lines[${index}].payment_price`),
    })),
    fees: list(order.fee_lines, 'fee_lines').map((fee, index) => readAmount(fee.amount, `fee_lines[${index}].amount`)),
    orderDiscount: readAmount(order.order_discount, 'order_discount'),
  };
}

/** Orders may come from a file that was not checked against a schema, so shapes are checked here too. */
function list<Item extends object>(items: readonly Item[] | null | undefined, field: string): readonly Item[] {
  if (items === undefined || items === null) return [];
  if (!Array.isArray(items)) throw new AmountError(field, 'not_a_list');
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) throw new AmountError(`${field}[${index}]`, 'not_an_object');
  }
  return items;
}

function sums({ lines, fees, orderDiscount }: ReadOrder): Totals {
  const basket = sum(lines.map(({ quantity, retail }) => quantity * retail));
  const discount = sum(lines.map(({ quantity, retail, payment }) => quantity * (retail - payment))) + orderDiscount;
  const fee = sum(fees);
  return {
    total_fee: toAmount(fee, 'total_fee'),
    total_discount: toAmount(discount, 'total_discount'),
    basket_value: toAmount(basket, 'basket_value'),
    total_amount: toAmount(basket - discount + fee, 'total_amount'),
    total_items: toAmount(sum(lines.map(({ quantity }) => quantity)), 'total_items'),
  };
}

function sum(terms: bigint[]): bigint {
  return terms.reduce((total, term) => total + term, 0n);
}

const formulas: Record<keyof Totals, (order: ReadOrder, totals: Totals) => string> = {
  total_fee: ({ fees }) => plus(fees.map(signed)),
  total_discount: ({ lines, orderDiscount }) =>
    plus([
      ...lines.map(({ quantity, retail, payment }) => `${signed(quantity)} * (${signed(retail)} - ${signed(payment)})`),
      signed(orderDiscount),
    ]),
  basket_value: ({ lines }) => plus(lines.map(({ quantity, retail }) => `${signed(quantity)} * ${signed(retail)}`)),
  total_amount: (_, { basket_value, total_discount, total_fee }) =>
    `${signed(basket_value)} - ${signed(total_discount)} + ${signed(total_fee)}`,
  total_items: ({ lines }) => plus(lines.map(({ quantity }) => signed(quantity))),
};

function plus(terms: string[]): string {
  return terms.length > 0 ? terms.join(' + ') : '0';
}

function signed(amount: bigint | number): string {
  return amount < 0 ? `(${amount})` : `${amount}`;
}
