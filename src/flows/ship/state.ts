import { formatMoney } from '../../domain/money.ts';
import type { LocationTree } from '../../domain/places.ts';
import { computedWeight } from '../../domain/weight.ts';
import type { ComparedService } from '../quotes.ts';
import {
  type CompleteOrder,
  completeOrder,
  type DraftAddress,
  type DraftShipping,
  type OrderDraft,
  quoteRequestOf,
} from './order-draft.ts';
import type { ShopLists } from './shop-lists.ts';

/** The steps, in the order in which they are gone through. */
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

export const stepTitles: Readonly<Record<StepName, string>> = {
  pickup: 'Pickup',
  recipient: 'Recipient',
  lines: 'Lines',
  fees: 'Fees and discount',
  parcel: 'Parcel',
  cod: 'Cash on delivery',
  insurance: 'Insurance',
  try_on: 'Inspection',
  note: 'Note',
  service: 'Service',
  review: 'Review',
};

/** A service that was chosen, for one parcel: another parcel has another fee. */
export interface Chosen {
  readonly code: string;
  readonly fee: number;
  readonly quoteKey: string;
  /** Carrier and service as a person knows them; absent where only the code is known. */
  readonly name?: string | undefined;
}

/** Where the wizard stands: made of the order it began with and the answers since, and of nothing else. */
export interface ShipState {
  readonly order: OrderDraft;
  /** Whether everything is asked; an order that was given whole is asked for what it lacks. */
  readonly fromNothing: boolean;
  /** Ids of the questions that are answered. */
  readonly asked: ReadonlySet<string>;
  /** Steps that the person wants to go through again, and single questions by their ids. */
  readonly reopened: ReadonlySet<string>;
  /** A phone number that was typed where people are looked for, and needs a second look. */
  readonly typedPhone?: string | undefined;
  /** Places that are not in the list, and are typed name by name. */
  readonly typedPlaces: ReadonlySet<StepName>;
  /** The line that is being changed; -1 after one was taken out. */
  readonly line?: number | undefined;
  readonly chosen?: Chosen | undefined;
  readonly kept?: boolean;
  /** The customer of the shop that the parcel goes to, where one was chosen from its list. */
  readonly customerId?: string | undefined;
}

/** What has to be found out before the next question can be asked. */
export type Lookup =
  | { readonly kind: 'places' }
  | { readonly kind: 'customers' }
  | { readonly kind: 'products' }
  | { readonly kind: 'addresses'; readonly customerId: string };

/** What the questions have to know beside the state. */
export interface Facts {
  /** Addresses of earlier pickups, the latest first. */
  readonly pickups: readonly DraftAddress[];
  /** The place names; loaded when they are first needed. */
  readonly places?: LocationTree | undefined;
  /** What the shop keeps lists of, as far as it was looked up; absent where the key can list nothing. */
  readonly lists?: ShopLists | undefined;
  /** The offers for one parcel, those that are in time. */
  readonly offers?: { readonly quoteKey: string; readonly services: readonly ComparedService[] } | undefined;
}

/** One thing to ask. `take` gives the state after an answer that `check` accepts. */
export interface Question {
  readonly id: string;
  readonly step: StepName;
  readonly message: string;
  readonly kind: 'text' | 'choice' | 'live';
  readonly initial?: string | undefined;
  readonly choices?: readonly Choice[];
  /** What may be meant by what was typed so far. */
  readonly search?: (typed: string) => readonly Choice[];
  /** The request's field that the contract checks after this answer. */
  readonly path?: string;
  /** The answer that is meant where a list of answers goes on with another question. */
  readonly skippedAs?: string;
  readonly check: (answer: string) => true | string;
  /** What is unusual about an answer that `check` accepts: told once, and taken when it is given again. */
  readonly doubt?: (answer: string) => string | undefined;
  readonly take: (answer: string) => ShipState;
}

export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  /** Of a search: taken only by somebody who goes to it, never by Enter alone. */
  readonly lastResort?: boolean;
}

/** The state at the beginning. */
export function beginning(order: OrderDraft, fromNothing: boolean): ShipState {
  return { order, fromNothing, asked: new Set(), reopened: new Set(), typedPlaces: new Set() };
}

/** The state with a question answered, and the order as it is after it. */
export function answered(state: ShipState, id: string, order: OrderDraft, changes: Partial<ShipState> = {}): ShipState {
  return { ...state, ...changes, order, asked: new Set([...(changes.asked ?? state.asked), id]) };
}

/** Whether a question is to be asked: something is missing, or it or its step is gone through again, and it was not yet. */
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

/** The order with its sums; undefined where its numbers cannot be summed. */
export function summedOrder({ order }: ShipState): CompleteOrder | undefined {
  try {
    return completeOrder(order);
  } catch {
    return undefined;
  }
}

/** Stands for the parcel, route, value and cash that a quote is asked for. */
export function quoteKeyOf(order: CompleteOrder): string {
  return JSON.stringify(quoteRequestOf(order));
}

const money = (amount: number | null | undefined) =>
  typeof amount === 'number' && Number.isSafeInteger(amount) ? formatMoney(amount) : '?';

/** The sums of the order as far as it is known, on one line; nothing while there is no line to sum. */
export function summaryOf(state: ShipState): string {
  if ((state.order.lines ?? []).length === 0) return '';
  const order = summedOrder(state);
  if (order === undefined) return 'the amounts cannot be summed';
  // Before the first line says how many, there is nothing to sum.
  if (order.total_items === 0) return '';
  const { shipping } = order;
  const items = order.total_items === 1 ? '1 item' : `${money(order.total_items)} items`;
  const discount = order.total_discount === 0 ? '' : ` - ${money(order.total_discount)} off`;
  const fees = order.total_fee === 0 ? '' : ` + ${money(order.total_fee)} fees`;
  const weight = Math.max(shipping?.chargeable_weight ?? 0, computedWeight(shipping ?? {}));
  return [
    `${items} ${money(order.basket_value)}${discount}${fees} = ${money(order.total_amount)}`,
    ...(weight > 0 ? [`${money(weight)} g`] : []),
    ...(typeof shipping?.cod_amount === 'number' ? [`COD ${money(shipping.cod_amount)}`] : []),
  ].join('; ');
}
