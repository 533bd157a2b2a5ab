import { formatMoney } from '../../domain/amounts/money.ts';
import { readOwn } from '../../domain/json/values.ts';
import type { DraftLine } from '../../ledger/order-draft.ts';
import { type ListedProduct, matching } from '../shop-lists.ts';
import { say } from '../texts.ts';
import {
  answered,
  type Choice,
  checkAmount,
  checkCount,
  checkText,
  type Facts,
  type Lookup,
  plainWords,
  type Question,
  readAmount,
  type ShipState,
  thousandsDoubt,
  withoutStep,
} from './conversation.ts';
import { askingForRest, restOfCash } from './small-steps.ts';

const OTHER = 'other';
/** The product stays; its quantity and prices are proposed again. */
const KEEP = 'keep';
const MOST_SHOWN = 7;

const isOther = (answer: string) => answer === OTHER || answer.startsWith(`${OTHER} `);

function lineIn(answer: string): DraftLine | undefined {
  try {
    const line = readOwn<DraftLine | null>(answer);
    return typeof line?.product_name === 'string' && line.product_name !== '' ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The state with what a line sells: a product of the shop's list with its price, or any other by name. */
export function takeProduct(state: ShipState, index: number, answer: string): ShipState {
  const id = `lines[${index}].product`;
  const lines = state.order.lines ?? [];
  if (answer === KEEP) {
    return answered(state, id, state.order, { asked: new Set([...state.asked, `lines[${index}].product_name`]) });
  }
  const { product_id: _, variant_id: __, attributes: ___, ...line } = lines[index] ?? {};
  const typed = answer.slice(OTHER.length).trim();
  const chosen = isOther(answer) ? (typed === '' ? {} : { product_name: typed }) : (lineIn(answer) ?? {});
  const known = Object.keys(chosen).map((field) => `lines[${index}].${field}`);
  const asked = new Set([...state.asked, ...known]);
  // The discounted price of another product does not apply to this one.
  const { payment_price: ____, ...priceless } = line;
  const kept = chosen.retail_price === undefined ? line : priceless;
  return answered(state, id, { ...state.order, lines: lines.toSpliced(index, 1, { ...kept, ...chosen }) }, { asked });
}

function productLabel({ code, line }: ListedProduct): string {
  const price = typeof line.retail_price === 'number' ? ` – ${formatMoney(line.retail_price)}` : '';
  return `${[line.product_name, code].filter(Boolean).join(', ')}${price}`;
}

function somethingElse(typed: string): Choice {
  const text = typed.trim();
  const value = text === '' ? OTHER : `${OTHER} ${text}`;
  return { name: text === '' ? say().lines.somethingElse : say().lines.somethingCalled({ name: text }), value };
}

/** The present product of a line, first among the choices: Enter alone changes nothing. */
function presentChoice(line: DraftLine | undefined): Choice[] {
  return line?.product_name ? [{ name: say().menu.asItIs({ present: productLabel({ line }) }), value: KEEP }] : [];
}

/** Asks which product of the shop a line sells, if the shop has any; a lookup if they are not listed yet. */
export function nextOfProduct(state: ShipState, index: number, { lists }: Facts): Question | Lookup | undefined {
  const { order, asked, line: changing } = state;
  const id = `lines[${index}].product`;
  const missing = !order.lines?.[index]?.product_name;
  const name = `lines[${index}].product_name`;
  if (lists === undefined || asked.has(id) || asked.has(name)) return undefined;
  if (!missing && changing !== index && !state.reopened.has(name)) return undefined;
  const { products } = lists;
  if (products === undefined) return { kind: 'products' };
  if (products.length === 0) return undefined;
  const choiceOf = (product: ListedProduct) => ({ name: productLabel(product), value: JSON.stringify(product.line) });
  return {
    id,
    step: 'lines',
    kind: 'live',
    message: say().lines.ask({ line: index + 1, what: say().lines.product }),
    search: (typed) => [
      ...(typed.trim() === '' ? presentChoice(order.lines?.[index]) : []),
      ...matching(products, typed, productLabel).slice(0, MOST_SHOWN).map(choiceOf),
      somethingElse(typed),
    ],
    choiceOf: (answer) =>
      isOther(answer)
        ? somethingElse(answer.slice(OTHER.length))
        : products.map(choiceOf).find(({ value }) => value === answer),
    skippedAs: OTHER,
    check: (answer) => answer === KEEP || isOther(answer) || lineIn(answer) !== undefined || say().lines.noProduct,
    take: (answer) => takeProduct(state, index, answer),
  };
}

const fields = ['product_name', 'quantity', 'retail_price', 'payment_price'] as const;
type LineField = (typeof fields)[number];

const linesOf = ({ order }: ShipState): readonly DraftLine[] => order.lines ?? [];

function checkLine(line: DraftLine, field: LineField, answer: string): true | string {
  if (field === 'product_name') return checkText(answer);
  if (field === 'quantity') return checkCount(answer);
  const amount = checkAmount(answer);
  if (amount !== true) return amount;
  const value = readAmount(answer) ?? 0;
  const { retail_price: retail } = line;
  if (field === 'payment_price' && typeof retail === 'number' && value > retail) {
    return say().lines.aboveRetail({ retail });
  }
  return true;
}

const isPrice = (field: LineField) => field === 'retail_price' || field === 'payment_price';

function proposalFor(line: DraftLine, field: LineField): string | undefined {
  const value = line[field] ?? (field === 'payment_price' ? line.retail_price : field === 'quantity' ? 1 : undefined);
  return value === undefined || value === null ? undefined : String(value);
}

/** The price that makes the only line and the fees of an order the cash to collect, which was given before it. */
function priceOfCash(state: ShipState, { quantity }: DraftLine): string | undefined {
  const { shipping, fee_lines, order_discount } = state.order;
  if (linesOf(state).length !== 1 || !quantity || !shipping?.cod_amount || state.paid !== undefined) return undefined;
  // Whether the buyer pays the fees of the last order as well is not known as long as they are asked for.
  if ((fee_lines ?? []).some(({ type, amount }) => amount !== 0 && !state.asked.has(`fees.${type}`))) return undefined;
  const fees = (fee_lines ?? []).reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const price = (shipping.cod_amount - fees + (order_discount ?? 0)) / quantity;
  return Number.isSafeInteger(price) && price > 0 ? String(price) : undefined;
}

/** The state with a price before discount as the one after it, where the cash of a message leaves no discount, or is nothing. */
function undiscounted(state: ShipState, index: number): ShipState | undefined {
  const line = linesOf(state)[index];
  const cash = state.order.shipping?.cod_amount;
  if (typeof line?.payment_price === 'number' || typeof cash !== 'number') return undefined;
  const lines = linesOf(state).toSpliced(index, 1, { ...line, payment_price: line?.retail_price ?? null });
  const priced = answered(state, `lines[${index}].payment_price`, { ...state.order, lines });
  return (restOfCash(priced) ?? -1) >= 0 || (cash === 0 && state.paid !== undefined) ? priced : undefined;
}

function lineQuestion(state: ShipState, index: number, field: LineField): Question {
  const line = linesOf(state)[index] ?? {};
  const id = `lines[${index}].${field}`;
  return {
    id,
    step: 'lines',
    kind: 'text',
    message: say().lines.ask({ line: index + 1, what: say().lines[field] }),
    initial: proposalFor(line, field) ?? (field === 'retail_price' ? priceOfCash(state, line) : undefined),
    path: id,
    check: (answer) => checkLine(line, field, answer),
    ...(isPrice(field) && { doubt: (answer: string) => thousandsDoubt(readAmount(answer) ?? 0) }),
    take: (answer) => {
      const value = field === 'product_name' ? plainWords(answer) : readAmount(answer);
      // A different name means a different product than the one from the shop's list.
      const { product_id: _, variant_id: __, attributes: ___, ...nameless } = line;
      const kept = field === 'product_name' && value !== line.product_name ? nameless : line;
      const changed: DraftLine = { ...kept, [field]: value };
      // A price after discount above the price before it is not valid: it is asked again.
      const { payment_price: payment, retail_price: retail, ...rest } = changed;
      const stale = field === 'retail_price' && typeof payment === 'number' && payment > (retail ?? 0);
      const lines = linesOf(state).toSpliced(index, 1, stale ? { ...rest, retail_price: retail ?? null } : changed);
      const after = answered(state, id, { ...state.order, lines });
      const priced = field === 'retail_price' ? (undiscounted(after, index) ?? after) : after;
      return isPrice(field) ? askingForRest(priced) : priced;
    },
  };
}

/** A line of an order as a person reads it. */
export function lineLabel({ quantity, product_name, payment_price }: DraftLine): string {
  return say().lines.label({
    quantity: String(quantity ?? '?'),
    product: product_name ?? '?',
    price: typeof payment_price === 'number' ? formatMoney(payment_price) : '?',
  });
}

function choicesFor(lines: readonly DraftLine[]): Choice[] {
  return [
    { name: say().lines.done, value: 'done' },
    { name: say().lines.add, value: 'add' },
    ...lines.map((line, index) => ({
      name: say().lines.change({ line: lineLabel(line) }),
      value: `change ${index + 1}`,
    })),
    ...(lines.length > 1
      ? lines.map((line, index) => ({
          name: say().lines.remove({ line: lineLabel(line) }),
          value: `remove ${index + 1}`,
        }))
      : []),
  ];
}

/** The state with a line added, reopened, or removed. */
function withLines(state: ShipState, answer: string): ShipState {
  const lines = linesOf(state);
  if (answer === 'done') return answered(state, 'lines.what', state.order, { line: undefined });
  const [what, number] = answer.split(' ');
  const index = Number(number) - 1;
  if (what === 'add') return { ...state, line: lines.length, order: { ...state.order, lines: [...lines, {}] } };
  if (what === 'change') return { ...state, line: index, asked: withoutStep(state.asked, `lines[${index}]`) };
  const asked = new Set([...state.asked].filter((id) => !id.startsWith('lines[')));
  // The remaining lines are complete, so they are not asked about again.
  return { ...state, line: -1, asked, order: { ...state.order, lines: lines.toSpliced(index, 1) } };
}

function whatQuestion(state: ShipState): Question {
  const choices = choicesFor(linesOf(state));
  return {
    id: 'lines.what',
    step: 'lines',
    kind: 'choice',
    message: say().lines.more,
    choices,
    check: (answer) => choices.some(({ value }) => value === answer) || say().menu.noChoice,
    take: (answer) => withLines(state, answer),
  };
}

/** The next question about the goods: each missing field of each line, then whether there are more lines. */
export function nextOfLines(state: ShipState, facts: Facts): Question | Lookup | undefined {
  const lines = linesOf(state);
  const count = Math.max(1, lines.length);
  for (let index = 0; index < count; index += 1) {
    const product = nextOfProduct(state, index, facts);
    if (product !== undefined) return product;
    for (const field of fields) {
      const id = `lines[${index}].${field}`;
      const missing = (lines[index]?.[field] ?? null) === null;
      const again = (state.line === index || state.reopened.has(id)) && !state.asked.has(id);
      if (missing || again) return lineQuestion(state, index, field);
    }
  }
  const touched = state.line !== undefined || [...state.asked].some((id) => id.startsWith('lines['));
  const wanted = touched || state.reopened.has('lines');
  return wanted && !state.asked.has('lines.what') ? whatQuestion(state) : undefined;
}
