import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { CompleteOrder, DraftAddress, DraftLine } from '../../ledger/order-draft.ts';
import {
  type Choice,
  type Question,
  type ShipState,
  summaryOf,
  summedOrder,
  totalOf,
} from '../questions/conversation.ts';
import { movedDistrict } from '../questions/field-words.ts';
import { addressLabel } from '../shop-lists.ts';

/** The indentation of a review's text behind its labels. */
const REVIEW_INDENT = 7;

const MOST_LINES = 8;

const tryOnWords: Readonly<Record<string, string>> = {
  none: 'the buyer may not open it before paying',
  open: 'the buyer may open it before paying',
  try: 'the buyer may try it before paying',
};

/** What a review shows besides the order. */
interface ReviewFacts {
  /** The name of the shop that it is shipped for. */
  readonly shop?: string | undefined;
  readonly places?: LocationTree | undefined;
}

const lineText = ({ quantity, product_name, payment_price }: DraftLine) =>
  `${quantity ?? '?'} x ${product_name ?? '?'} at ${typeof payment_price === 'number' ? formatMoney(payment_price) : '?'}`;

function linesOf({ lines }: CompleteOrder): string[] {
  const shown = (lines ?? []).slice(0, MOST_LINES);
  const more = (lines ?? []).length - shown.length;
  return [
    ...shown.map((line, index) => `${index === 0 ? 'lines ' : '      '} ${lineText(line)}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
  ];
}

function parcelOf({ shipping }: CompleteOrder): string[] {
  const { gross_weight: gross, length, width, height, chargeable_weight: chargeable } = shipping ?? {};
  if (!gross && !chargeable) return [];
  const sides = length && width && height ? `, ${length}x${width}x${height} cm` : '';
  const grams = (weight: number | null | undefined) => (weight ? `${formatMoney(weight)} g` : '? g');
  return [`parcel ${grams(gross)}${sides}, ${grams(chargeable)} chargeable`];
}

/** What is collected; that it is more than the total only where that is known. */
function cashOf({ shipping }: CompleteOrder, total = Number.POSITIVE_INFINITY): string[] {
  const { cod_amount: cash, include_insurance: insured, try_on } = shipping ?? {};
  if (typeof cash !== 'number') return [];
  const words = [insured === false ? 'not insured' : 'insured', tryOnWords[try_on ?? '']].filter(Boolean).join('; ');
  const over =
    cash > total ? [`       WARNING: ${formatMoney(cash - total)} more than the total of ${formatMoney(total)}`] : [];
  return [`cash   ${formatMoney(cash)} to collect; ${words}`, ...over];
}

function addressOf(
  label: string,
  address: DraftAddress | null | undefined,
  places: LocationTree | undefined,
): string[] {
  const text = addressLabel(address ?? {});
  if (text === '') return [];
  const moved = places === undefined ? undefined : movedDistrict(places, address ?? {});
  return [`${label.padEnd(6)} ${text}`, ...(moved === undefined ? [] : [`       ${moved}`])];
}

/** Everything about to be sent, as far as it is known, for a person to check: one text per line. */
function reviewOf(state: ShipState, { shop, places }: ReviewFacts): string[] {
  const order = summedOrder(state);
  if (order === undefined) return [];
  const { shipping, shipping_address: to } = order;
  return [
    ...(shop === undefined ? [] : [`shop   ${shop}`]),
    ...addressOf('from', shipping?.pickup_address, places),
    ...addressOf('to', to, places),
    ...linesOf(order),
    ...parcelOf(order),
    ...cashOf(order, totalOf(state)),
    ...(shipping?.shipping_note ? [`note   ${shipping.shipping_note}`] : []),
  ];
}

/** As the only answer it goes back one question; it is also the value of the choice that does so. */
export const BACK = '<';

const back = { name: '< go back', value: BACK };

/** Prints the order about to be sent, as far as it is known. */
export async function tellReview({ person }: Ports, state: ShipState, facts: ReviewFacts): Promise<void> {
  for (const line of reviewOf(state, facts)) await person.tell(line, { hang: REVIEW_INDENT });
}

/** Validates a typed answer, leaving `BACK` to the caller. */
function answerTo(check: (answer: string) => true | string) {
  return z.string().superRefine((answer, context) => {
    const verdict = answer === BACK || check(answer);
    if (verdict !== true) context.addIssue(verdict || 'is required');
  });
}

/** What was answered before, first among the choices as long as nothing is typed: Enter alone changes nothing. */
function searchOf({ initial, search, choiceOf }: Question): (typed: string) => readonly Choice[] {
  const found = (typed: string) => search?.(typed) ?? [];
  if (initial === undefined) return found;
  const before = choiceOf?.(initial) ?? found(initial).find(({ value }) => value === initial);
  if (before === undefined) return found;
  return (typed) =>
    typed.trim() === '' ? [before, ...found(typed).filter(({ value }) => value !== before.value)] : found(typed);
}

/** Asks a person one question, with the sums above it; returns `BACK` if they want to go back. */
export async function askPerson(
  ports: Ports,
  question: Question,
  state: ShipState,
  check: (answer: string) => true | string,
  reviewFacts: ReviewFacts,
): Promise<string> {
  const { person } = ports;
  const { id, step, message, card = [], kind, initial, choices = [], doubt, takesMessage } = question;
  const search = searchOf(question);
  if (step === 'review') await tellReview(ports, state, reviewFacts);
  for (const line of card) await person.tell(line);
  const sums = summaryOf(state);
  if (sums !== '') await person.tell(sums, { isAside: true });
  return person.ask({
    name: id,
    message,
    schema: answerTo(check),
    ...(initial === undefined ? {} : { initial }),
    ...(takesMessage === undefined ? {} : { takesMessage }),
    ...(kind === 'choice' ? { choices: [...choices, back] } : {}),
    ...(kind === 'live' ? { search: (typed: string) => (typed.trim() === BACK ? [back] : search(typed)) } : {}),
    ...(doubt === undefined ? {} : { doubt: (answer) => (answer === BACK ? undefined : doubt(answer)) }),
  });
}
