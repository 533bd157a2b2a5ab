import { formatMoney } from '../../domain/amounts/money.ts';
import { readOwn } from '../../domain/json/values.ts';
import type { DraftLine } from '../../ledger/order-draft.ts';
import { type ListedProduct, matching } from '../shop-lists.ts';
import { say } from '../texts.ts';
import { answered, type Choice, type Facts, type Lookup, type Question, type ShipState } from './conversation.ts';

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
  if (lists === undefined || asked.has(id) || asked.has(`lines[${index}].product_name`)) return undefined;
  if (!missing && changing !== index) return undefined;
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
