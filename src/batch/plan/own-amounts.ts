import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';
import { totalOf } from './paid-part.ts';

const PIECE = 'piece_discount';
const LINE = 'line_discount';
const FEE = 'buyer_shipping_fee';
const DEPOSIT = 'deposit';
const CASH = 'shipping.cod_amount';

/** Whether the sheet of a row has a column for a field, also where it is blank. */
const hasColumn = (row: SourceRow, path: string) => row.hasColumn?.(path) ?? row.cellNames().includes(row.cellOf(path));

const money = (description: string): JsonSchema => ({ type: 'integer', unit: 'currency units', description });

const ofLines = {
  [PIECE]: money('Discount on each piece of the line, which is taken off the order'),
  [LINE]: money('Discount on the line, for all its pieces, which is taken off the order'),
};
const ofOrders = {
  [FEE]: money('Delivery fee that the buyer pays, which becomes a fee line'),
  [DEPOSIT]: money('What the buyer has paid already: the rest of the total is collected'),
};

/**
 * The schema of an order with amounts that people's sheets have and orders have otherwise: discounts of lines, the buyer's
 * delivery fee, and a deposit. Any other schema is returned unchanged.
 */
export function withOwnAmounts(schema: JsonSchema): JsonSchema {
  const { lines, order_discount, fee_lines, shipping } = schema.properties ?? {};
  if (!lines?.items || !order_discount || !fee_lines || !shipping) return schema;
  const items = { ...lines.items, properties: { ...lines.items.properties, ...ofLines } };
  return { ...schema, properties: { ...schema.properties, ...ofOrders, lines: { ...lines, items } } };
}

const amountOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The name of the fee that a buyer pays for the delivery, as the service's own sheets have it. */
const FEE_NAME = 'Phí giao hàng';

/** Replaces the amounts of one row by those of an order. */
class OwnAmounts {
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  readonly #row: SourceRow;

  constructor(row: SourceRow) {
    this.#row = row;
  }

  read(): Fields {
    const { [FEE]: fee, [DEPOSIT]: deposit, ...given } = this.#row.value;
    const discounted = this.#withDiscounts(given);
    const value = this.#isAmount(FEE, fee) ? this.#withFee(discounted, fee) : discounted;
    if (deposit === 0) this.#compareWhole(value);
    if (deposit === 0 || (deposit === undefined && hasColumn(this.#row, DEPOSIT) && !hasColumn(this.#row, CASH)))
      return this.#withoutDeposit(value);
    return this.#isAmount(DEPOSIT, deposit) ? this.#withDeposit(value, deposit) : value;
  }

  #isAmount(path: string, value: unknown): value is number {
    const amount = amountOf(value);
    if (amount < 0) this.#fault(path, value, say().cell.negative);
    return amount > 0;
  }

  #fault(path: string, value: unknown, message: string): void {
    this.faults.push({ cell: this.#row.cellOf(path), value: String(value), message, path });
  }

  /** Discounts of lines are taken off the order: a price of a piece would lose what does not divide. */
  #withDiscounts(value: Fields): Fields {
    if (!Array.isArray(value.lines)) return value;
    let sum = 0;
    const lines = value.lines.map((line: unknown, index) => {
      if (!isRecord(line)) return line;
      const { [PIECE]: piece, [LINE]: whole, ...rest } = line;
      for (const [name, given] of [[PIECE, piece] as const, [LINE, whole] as const]) {
        if (!this.#isAmount(`lines[${index}].${name}`, given)) continue;
        sum += this.#ofLine(
          rest,
          given * (name === PIECE ? amountOf(rest.quantity) : 1),
          `lines[${index}].${name}`,
          given,
        );
      }
      return rest;
    });
    return sum === 0 ? { ...value, lines } : { ...value, lines, order_discount: amountOf(value.order_discount) + sum };
  }

  /** What a discount takes off a line; nothing if its price after the discount says the same. */
  #ofLine({ quantity, retail_price, payment_price }: Fields, discount: number, path: string, given: number): number {
    const [pieces, retail] = [amountOf(quantity), amountOf(retail_price)];
    if (discount > pieces * retail) this.#fault(path, given, say().cell.overLine({ price: pieces * retail }));
    if (typeof payment_price !== 'number' || payment_price === retail) return discount;
    if (pieces * (retail - payment_price) === discount) return 0;
    this.#fault(path, given, say().cell.priceAfter({ price: payment_price }));
    return 0;
  }

  #withFee(value: Fields, amount: number): Fields {
    const lines = Array.isArray(value.fee_lines) ? value.fee_lines : [];
    if (lines.some((line) => fieldsIn(line).type === 'shipping')) {
      this.#fault(FEE, amount, say().cell.besideFee);
      return value;
    }
    return { ...value, fee_lines: [...lines, { type: 'shipping', name: FEE_NAME, amount }] };
  }

  /** The rest of the total is collected; cash in a column of its own stands, unless it is the whole total. */
  #withDeposit(value: Fields, deposit: number): Fields {
    const total = totalOf(value);
    const shipping = fieldsIn(value.shipping);
    if (total === undefined || !isRecord(value.shipping)) {
      const { depositNoTotal, depositNoParcel } = say().cell;
      this.#fault(DEPOSIT, deposit, total === undefined ? depositNoTotal : depositNoParcel);
      return value;
    }
    const rest = total - deposit;
    const said = say().cell;
    if (rest < 0) {
      this.#fault(DEPOSIT, deposit, said.overTotal({ total }));
      return value;
    }
    const { payment_method: method } = value;
    if (typeof method === 'string' && method !== 'cod' && method !== '' && shipping.cod_amount === undefined) {
      this.#fault(DEPOSIT, deposit, said.depositPaidBy({ method }));
      return value;
    }
    if (typeof shipping.cod_amount === 'number') {
      const { cod_amount: cash } = shipping;
      if (cash === total) this.#fault(DEPOSIT, deposit, said.depositWhole({ rest, total }));
      else if (cash !== rest) this.#warn(deposit, said.depositOther({ rest, total, cash }));
      return value;
    }
    this.notes.push({ ...this.#at(deposit), message: said.depositCollected({ rest, total }) });
    return { ...value, shipping: { ...shipping, cod_amount: rest } };
  }

  /** Of an order without a deposit beside others with one, the whole total is collected, unless it is paid otherwise. */
  #withoutDeposit(value: Fields): Fields {
    const total = totalOf(value);
    const { payment_method: method } = value;
    const isOtherwise = typeof method === 'string' && method !== 'cod' && method !== '';
    const shipping = fieldsIn(value.shipping);
    if (total === undefined || !isRecord(value.shipping) || isOtherwise || shipping.cod_amount !== undefined)
      return value;
    const { cell, path } = this.#at(0);
    const { [DEPOSIT]: deposit = '' } = this.#row.value;
    this.notes.push({ cell, path, value: String(deposit), message: say().cell.wholeCollected({ total }) });
    return { ...value, shipping: { ...shipping, cod_amount: total } };
  }

  /** Where nothing was paid before, the whole total is collected; more than that is told of any order. */
  #compareWhole(value: Fields): void {
    const total = totalOf(value);
    const { cod_amount: cash } = fieldsIn(value.shipping);
    if (total === undefined || typeof cash !== 'number' || cash >= total) return;
    this.#warn(0, say().cell.noDeposit({ total, cash }));
  }

  #at(deposit: number) {
    return { cell: this.#row.cellOf(DEPOSIT), value: String(deposit), path: DEPOSIT };
  }

  #warn(deposit: number, message: string): void {
    this.notes.push({ ...this.#at(deposit), message, code: 'deposit_differs' });
  }
}

const hasOwn = ({ lines, ...order }: Fields): boolean =>
  order[FEE] !== undefined ||
  order[DEPOSIT] !== undefined ||
  (Array.isArray(lines) &&
    lines.some((line) => fieldsIn(line)[PIECE] !== undefined || fieldsIn(line)[LINE] !== undefined));

/** What people call fees and discounts in a column of goods, as `normalForm` returns it. */
const NO_GOODS =
  /^(?:(?:tien|phi|cuoc|cuoc phi) )*(?:ship|shipping|van chuyen|giao hang|vc)(?: (?:hang|cod|khach tra|\d+k?))*$|^(?:phi|cuoc) (?:giao|goi hang|dong goi|thu ho|cod|khac|dich vu)$|^phu (?:thu|phi)$|^(?:giam gia|chiet khau|khuyen mai|ma giam gia)(?: (?:don hang|don|\d+k?))*$/;

/** The lines of an order that are fees or discounts, and would be sent as products. */
const noGoodsIn = ({ value: { lines }, cellOf }: SourceRow): readonly CellFault[] =>
  (Array.isArray(lines) ? lines : []).flatMap((line: unknown, at) => {
    const { product_name: name } = fieldsIn(line);
    if (typeof name !== 'string' || !NO_GOODS.test(normalForm(name))) return [];
    const path = `lines[${at}].product_name`;
    const message = say().cell.noGoods({ field: FEE });
    return [{ cell: cellOf(path), value: name, message, path }];
  });

/** A row whose amounts are those of an order, with the fees that stand among its goods as faults. */
export function withOrderAmounts(given: SourceRow): SourceRow {
  const wrong = noGoodsIn(given);
  const row = wrong.length === 0 ? given : { ...given, faults: [...given.faults, ...wrong] };
  const hasCash = (fieldsIn(row.value.shipping).cod_amount ?? '') !== '';
  if (row.collectsTotal === true && !hasCash) return withWholeTotal(withOwn(row));
  return hasOwn(row.value) || (!hasCash && hasColumn(row, DEPOSIT)) ? withOwn(row) : row;
}

/** A row whose blank cash is its total. */
function withWholeTotal(row: SourceRow): SourceRow {
  const total = totalOf(row.value);
  const shipping = fieldsIn(row.value.shipping);
  if (total === undefined || (shipping.cod_amount ?? '') !== '') return row;
  const note = { cell: row.cellOf(CASH), value: '', path: CASH, message: say().cell.blankCollected({ total }) };
  const value = { ...row.value, shipping: { ...shipping, cod_amount: total } };
  return { ...row, value, asRead: row.asRead ?? row.value, notes: [...row.notes, note] };
}

function withOwn(row: SourceRow): SourceRow {
  const amounts = new OwnAmounts(row);
  const value = amounts.read();
  return {
    ...row,
    value,
    asRead: row.asRead ?? row.value,
    faults: [...row.faults, ...amounts.faults],
    notes: [...row.notes, ...amounts.notes],
    ...(row.value[DEPOSIT] !== undefined && { isPaidInPart: true }),
  };
}
