import { formatMoney, readAmountText } from '../../domain/amounts/money.ts';
import { computedWeight } from '../../domain/amounts/weight.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import {
  type CompleteOrder,
  completeOrder,
  type DraftAddress,
  type DraftShipping,
  type OrderDraft,
} from '../../ledger/order-draft.ts';
import { quoteOfOrder } from '../quote-of-order.ts';
import type { ComparedService } from '../quotes.ts';
import type { ShopLists } from '../shop-lists.ts';
import { say } from '../texts.ts';

/** An amount as people type it; undefined for anything else, including a negative amount. */
export function readAmount(text: string): number | undefined {
  const reading = readAmountText(text);
  return reading.ok && reading.amount >= 0 ? reading.amount : undefined;
}

/** True if a text is an amount, otherwise the error message for the question. */
export function checkAmount(text: string): true | string {
  const reading = readAmountText(text);
  if (!reading.ok) return reading.message;
  return reading.amount >= 0 || say().amount.negative;
}

/** Less is no amount that a person means: who writes 430 beside 450,000 means thousands. */
const LEAST_MONEY = 1_000;

/** What is doubtful about an amount of money of less than a thousand: it may be in thousands. */
export const thousandsDoubt = (amount: number): string | undefined =>
  amount > 0 && amount < LEAST_MONEY ? say().amount.thousands({ amount, thousands: amount * 1_000 }) : undefined;

/** True if a text is a count of at least one, otherwise the error message. */
export function checkCount(text: string): true | string {
  const count = readAmount(text);
  if (count === undefined) return say().amount.count;
  return count > 0 || say().amount.least;
}

/** A text as meant: what was pasted from a sheet or a page may hold tabs, no-break spaces and line ends. */
export function plainWords(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

export function checkText(text: string): true | string {
  return text.trim() !== '' || say().menu.required;
}

/** A parcel as typed: its weight in grams, and its sides in centimetres if known. */
interface ParcelText {
  readonly gross_weight: number;
  readonly length?: number;
  readonly width?: number;
  readonly height?: number;
}

const LARGEST = 1_000_000;

function gramsOf(number: string, unit: string | undefined): number | undefined {
  const weight = unit === 'kg' ? Number(number.replace(',', '.')) * 1000 : readAmount(number);
  return weight !== undefined && Number.isFinite(weight) ? Math.round(weight) : undefined;
}

/**
 * Reads `1200`, `1200 30x25x20`, `1.2kg 30 25 20`: the gross weight, then either no side or all three. Undefined while
 * it is incomplete.
 */
export function readParcelText(text: string): ParcelText | undefined {
  const match = /^\s*(\d[\d.,]*)\s*(kg|g)?(?:[\s,;]+(\d+)\s*[x*×\s]\s*(\d+)\s*[x*×\s]\s*(\d+)\s*(?:cm)?)?\s*$/i.exec(
    text,
  );
  const [, number = '', unit, ...sides] = match ?? [];
  const gross = match === null ? undefined : gramsOf(number, unit?.toLowerCase());
  if (gross === undefined || gross <= 0 || gross > LARGEST * 100) return undefined;
  if (sides[0] === undefined) return { gross_weight: gross };
  const [length = 0, width = 0, height = 0] = sides.map(Number);
  if ([length, width, height].some((side) => side <= 0 || side > LARGEST)) return undefined;
  return { gross_weight: gross, length, width, height };
}

/** The steps, in order. */
export const stepNames = [
  'pickup',
  'recipient',
  'lines',
  'fees',
  'parcel',
  'cod',
  'insurance',
  'try_on',
  'note',
  'service',
  'review',
] as const;

export type StepName = (typeof stepNames)[number];

/** The choice that changes a step. */
export const changeText = (step: StepName): string => say().menu.change({ step: say().steps[step] });

/** A chosen service, valid for one parcel: another parcel has another fee. */
export interface Chosen {
  readonly code: string;
  readonly fee: number;
  readonly quoteKey: string;
  /** The names of carrier and service; absent if only the code is known. */
  readonly name?: string | undefined;
}

/** The state of the wizard, derived only from the initial order and the answers since. */
export interface ShipState {
  readonly order: OrderDraft;
  /** Whether everything is asked; for an order given complete, only missing fields are asked. */
  readonly fromNothing: boolean;
  /** Ids of the answered questions. */
  readonly asked: ReadonlySet<string>;
  /** Steps that the person wants to repeat, and single questions by id. */
  readonly reopened: ReadonlySet<string>;
  /** A phone number typed into the customer search that needs a second look. */
  readonly typedPhone?: string | undefined;
  /** The phone numbers of a message that has several: those that are not the recipient's go into the note. */
  readonly phones?: readonly string[] | undefined;
  /** The places that a message may mean: the first choices where its place is asked for. */
  readonly meant?: readonly string[] | undefined;
  /** A street typed or pasted together with its place. */
  readonly typedStreet?: string | undefined;
  /** A message of the buyer that was pasted, and is shown before anything of it is used. */
  readonly pasted?: string | undefined;
  /** The words of that message that say that all or a part is paid. */
  readonly paid?: string | undefined;
  /** Whether that message says that the buyer pays no delivery. */
  readonly isFree?: boolean | undefined;
  /** The step that is asked before all others: the part of a message that was wrong. */
  readonly first?: StepName | undefined;
  /** Steps whose place is not in the list and is typed name by name. */
  readonly typedPlaces: ReadonlySet<StepName>;
  /** The line being changed; -1 after one was removed. */
  readonly line?: number | undefined;
  readonly chosen?: Chosen | undefined;
  readonly kept?: boolean;
  /** The customer that the parcel goes to, if chosen from the shop's list. */
  readonly customerId?: string | undefined;
}

/** What must be looked up before the next question. */
export type Lookup =
  | { readonly kind: 'places' }
  | { readonly kind: 'customers' }
  | { readonly kind: 'products' }
  | { readonly kind: 'addresses'; readonly customerId: string };

/** What the questions depend on besides the state. */
export interface Facts {
  /** Addresses of earlier pickups, latest first. */
  readonly pickups: readonly DraftAddress[];
  /** How the last order of the account was shipped: what is proposed where an order says nothing. */
  readonly last?: DraftShipping | undefined;
  /** Where the parcels of the last days went that went to a phone. */
  readonly sentTo?: { readonly phone: string; readonly addresses: readonly DraftAddress[] } | undefined;
  /** The place names; loaded when first needed. */
  readonly places?: LocationTree | undefined;
  /** The shop's lists as far as they were looked up; absent if the key cannot list anything. */
  readonly lists?: ShopLists | undefined;
  /** The offers for one parcel that are in time. */
  readonly offers?: { readonly quoteKey: string; readonly services: readonly ComparedService[] } | undefined;
}

/** One question. `take` returns the state after an answer that `check` accepts. */
export interface Question {
  readonly id: string;
  readonly step: StepName;
  readonly message: string;
  /** Lines to show above it. */
  readonly card?: readonly string[];
  readonly kind: 'text' | 'choice' | 'live';
  readonly initial?: string | undefined;
  readonly choices?: readonly Choice[];
  /** Whether several lines that are pasted are one answer, the message of a buyer. */
  readonly takesMessage?: boolean;
  /** Suggestions for what was typed so far. */
  readonly search?: (typed: string) => readonly Choice[];
  /** The choice of an answer that cannot be searched for by its own text. */
  readonly choiceOf?: (answer: string) => Choice | undefined;
  /** The request field that the contract checks after this answer. */
  readonly path?: string;
  /** The implied answer if a replayed list of answers continues with another question. */
  readonly skippedAs?: string;
  readonly check: (answer: string) => true | string;
  /** What is unusual about an answer that `check` accepts: reported once, and accepted when the answer is repeated. */
  readonly doubt?: (answer: string) => string | undefined;
  readonly take: (answer: string) => ShipState;
}

export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  /** For a search: only selected explicitly, never by Enter alone. */
  readonly lastResort?: boolean;
}

/** The initial state: what the order has from the one before is not asked again, but for a fee, which adds to the cash. */
export function beginning(order: OrderDraft, fromNothing: boolean): ShipState {
  const { fee_lines: fees } = order;
  const isFree = (type: string) => fees?.every((fee) => fee.type !== type || fee.amount === 0) === true;
  const asked = new Set([
    ...['shipping', 'other'].filter(isFree).map((type) => `fees.${type}`),
    ...(order.order_discount === undefined ? [] : ['fees.discount']),
    ...(order.shipping?.include_insurance === undefined ? [] : ['insurance']),
  ]);
  return { order, fromNothing, asked: fromNothing ? asked : new Set(), reopened: new Set(), typedPlaces: new Set() };
}

/**
 * What the next order of a person has in common with the last one: pickup, insurance and inspection, and which fees are
 * asked for; what another buyer paid of them is nothing to propose.
 */
export function nextOrderAfter({ fee_lines, shipping }: OrderDraft): OrderDraft {
  const { pickup_address, include_insurance, try_on } = shipping ?? {};
  return {
    fee_lines: (fee_lines ?? []).map((fee) => ({ ...fee, amount: fee.amount ? null : 0 })),
    order_discount: 0,
    shipping: {
      ...(pickup_address && { pickup_address }),
      ...(typeof include_insurance === 'boolean' && { include_insurance }),
      ...(try_on && { try_on }),
    },
  };
}

/** The state with a question answered, and the resulting order. */
export function answered(state: ShipState, id: string, order: OrderDraft, changes: Partial<ShipState> = {}): ShipState {
  return { ...state, ...changes, order, asked: new Set([...(changes.asked ?? state.asked), id]) };
}

/** Whether to ask a question: something is missing, or it or its step was reopened and is not answered yet. */
export function isDue(state: ShipState, step: StepName, id: string, missing: boolean): boolean {
  return !state.asked.has(id) && (missing || state.reopened.has(step) || state.reopened.has(id));
}

/** The ids without those of a step: its own and all below it. */
export function withoutStep(asked: ReadonlySet<string>, step: string): ReadonlySet<string> {
  return new Set([...asked].filter((id) => id !== step && !id.startsWith(`${step}.`) && !id.startsWith(`${step}[`)));
}

export function withShipping(order: OrderDraft, changes: DraftShipping): OrderDraft {
  return { ...order, shipping: { ...order.shipping, ...changes } };
}

/** The order with its sums; undefined if its numbers cannot be summed. */
export function summedOrder({ order }: ShipState): CompleteOrder | undefined {
  try {
    return completeOrder(order);
  } catch {
    return undefined;
  }
}

/** Whether all lines of an order have such a price. */
const isPriced = ({ order: { lines = [] } }: ShipState, price: 'payment_price' | 'retail_price') =>
  lines !== null && lines.length > 0 && lines.every((line) => typeof line[price] === 'number');

/** What an order costs; undefined while a price is missing. */
export const totalOf = (state: ShipState): number | undefined =>
  isPriced(state, 'payment_price') ? summedOrder(state)?.total_amount : undefined;

/** What its goods are worth; undefined while a price is missing. */
export const basketOf = (state: ShipState): number | undefined =>
  isPriced(state, 'retail_price') ? summedOrder(state)?.basket_value : undefined;

/** Identifies the parcel, route, value and cash that a quote is for. */
export function quoteKeyOf(order: CompleteOrder): string {
  return JSON.stringify(quoteOfOrder(order));
}

const money = (amount: number | null | undefined) =>
  typeof amount === 'number' && Number.isSafeInteger(amount) ? formatMoney(amount) : '?';

/** The sums of the order so far, on one line, as far as its prices are known; empty while there is no line to sum. */
export function summaryOf(state: ShipState): string {
  if ((state.order.lines ?? []).length === 0) return '';
  const order = summedOrder(state);
  if (order === undefined) return say().amount.unsummable;
  // There is nothing to sum before the first line has a quantity.
  if (order.total_items === 0) return '';
  const { shipping } = order;
  const items = order.total_items;
  const weight = Math.max(shipping?.chargeable_weight ?? 0, computedWeight(shipping ?? {}));
  return [
    // A line without a discount costs what it cost before.
    isPriced(state, 'retail_price')
      ? say().sums.priced({
          items,
          basket: money(order.basket_value),
          discount: order.total_discount === 0 ? undefined : money(order.total_discount),
          fees: order.total_fee === 0 ? undefined : money(order.total_fee),
          total: money(order.total_amount),
        })
      : say().sums.unpriced({ items }),
    ...(weight > 0 ? [`${money(weight)} g`] : []),
    ...(typeof shipping?.cod_amount === 'number' ? [say().sums.cash({ cash: money(shipping.cod_amount) })] : []),
  ].join('; ');
}
