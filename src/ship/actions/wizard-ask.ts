import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { movedDistrict } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { CompleteOrder, DraftAddress } from '../../ledger/order-draft.ts';
import {
  type Choice,
  type Question,
  type ShipState,
  summaryOf,
  summedOrder,
  totalOf,
} from '../questions/conversation.ts';
import { lineLabel } from '../questions/lines-step.ts';
import { addressLabel } from '../shop-lists.ts';
import { say } from '../texts.ts';

/** How wide the labels of a review are. */
const LABEL_WIDTH = 7;

const MOST_LINES = 8;

/** What a review shows besides the order. */
interface ReviewFacts {
  /** The name of the shop that it is shipped for. */
  readonly shop?: string | undefined;
  readonly places?: LocationTree | undefined;
}

/** A line of a review: its label, empty if it belongs to the one before, and its text. */
type ReviewLine = readonly [label: string, text: string];

function linesOf({ lines }: CompleteOrder): ReviewLine[] {
  const shown = (lines ?? []).slice(0, MOST_LINES);
  const more = (lines ?? []).length - shown.length;
  return [
    ...shown.map((line, index): ReviewLine => [index === 0 ? say().review.lines : '', lineLabel(line)]),
    ...(more > 0 ? [['', say().review.more({ count: more })] as const] : []),
  ];
}

function parcelOf({ shipping }: CompleteOrder): ReviewLine[] {
  const { gross_weight: gross, length, width, height, chargeable_weight: chargeable } = shipping ?? {};
  if (!gross && !chargeable) return [];
  const sides = length && width && height ? `${length}x${width}x${height} cm` : undefined;
  const grams = (weight: number | null | undefined) => (weight ? `${formatMoney(weight)} g` : '? g');
  return [[say().review.parcel, say().review.weight({ gross: grams(gross), sides, chargeable: grams(chargeable) })]];
}

/** What the buyer may do, as far as it is known. */
function tryOnWords(tryOn: string | null | undefined): string[] {
  const { none, open, try: tried } = say().review;
  return tryOn === 'none' ? [none] : tryOn === 'open' ? [open] : tryOn === 'try' ? [tried] : [];
}

/** What is collected; that it is more than the total only where that is known. */
function cashOf({ shipping }: CompleteOrder, total = Number.POSITIVE_INFINITY): ReviewLine[] {
  const { cod_amount: cash, include_insurance: insured, try_on } = shipping ?? {};
  if (typeof cash !== 'number') return [];
  const words = [insured === false ? say().review.notInsured : say().review.insured, ...tryOnWords(try_on)];
  const collected = say().review.toCollect({ cash, words });
  if (cash <= total) return [[say().review.cash, collected]];
  const over = say().review.aboveTotal({ more: cash - total, total });
  return [
    [say().review.cash, collected],
    ['', over],
  ];
}

function addressOf(
  label: string,
  address: DraftAddress | null | undefined,
  places: LocationTree | undefined,
): ReviewLine[] {
  const text = addressLabel(address ?? {});
  if (text === '') return [];
  const moved = places === undefined ? undefined : movedDistrict(places, address ?? {});
  return [[label, text], ...(moved === undefined ? [] : [['', moved] as const])];
}

/** Everything about to be sent, as far as it is known, for a person to check. */
function reviewOf(state: ShipState, { shop, places }: ReviewFacts): ReviewLine[] {
  const order = summedOrder(state);
  if (order === undefined) return [];
  const { shipping, shipping_address: to } = order;
  return [
    ...(shop === undefined ? [] : [[say().review.shop, shop] as const]),
    ...addressOf(say().review.from, shipping?.pickup_address, places),
    ...addressOf(say().review.to, to, places),
    ...linesOf(order),
    ...parcelOf(order),
    ...cashOf(order, totalOf(state)),
    ...(shipping?.shipping_note ? [[say().review.note, shipping.shipping_note] as const] : []),
  ];
}

/** As the only answer it goes back one question; it is also the value of the choice that does so. */
export const BACK = '<';

const back = (): Choice => ({ name: say().menu.goBack, value: BACK });

/** Prints the order about to be sent, as far as it is known. */
export async function tellReview({ person }: Ports, state: ShipState, facts: ReviewFacts): Promise<void> {
  const lines = reviewOf(state, facts);
  const hang = Math.max(LABEL_WIDTH, ...lines.map(([label]) => label.length + 1));
  for (const [label, text] of lines) await person.tell(`${label.padEnd(hang)}${text}`, { hang });
}

/** Validates a typed answer, leaving `BACK` to the caller. */
function answerTo(check: (answer: string) => true | string) {
  return z.string().superRefine((answer, context) => {
    const verdict = answer === BACK || check(answer);
    if (verdict !== true) context.addIssue(verdict || say().menu.required);
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
    ...(kind === 'choice' ? { choices: [...choices, back()] } : {}),
    ...(kind === 'live' ? { search: (typed: string) => (typed.trim() === BACK ? [back()] : search(typed)) } : {}),
    ...(doubt === undefined ? {} : { doubt: (answer) => (answer === BACK ? undefined : doubt(answer)) }),
  });
}
