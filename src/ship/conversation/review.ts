import { formatMoney } from '../../domain/amounts/money.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { CompleteOrder, DraftAddress, DraftLine } from '../../ledger/order-draft.ts';
import { addressLabel } from '../lists/address-label.ts';
import { movedDistrict } from './moved-place.ts';
import { type ShipState, summedOrder } from './state.ts';

/** The indentation of a review's text behind its labels. */
export const REVIEW_INDENT = 7;

const MOST_LINES = 8;

const tryOnWords: Readonly<Record<string, string>> = {
  none: 'the buyer may not open it before paying',
  open: 'the buyer may open it before paying',
  try: 'the buyer may try it before paying',
};

/** What a review shows besides the order. */
export interface ReviewFacts {
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
  return [`parcel ${formatMoney(gross ?? 0)} g${sides}, ${formatMoney(chargeable ?? 0)} g chargeable`];
}

function cashOf({ shipping, total_amount: total }: CompleteOrder): string[] {
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
export function reviewOf(state: ShipState, { shop, places }: ReviewFacts): string[] {
  const order = summedOrder(state);
  if (order === undefined) return [];
  const { shipping, shipping_address: to } = order;
  return [
    ...(shop === undefined ? [] : [`shop   ${shop}`]),
    ...addressOf('from', shipping?.pickup_address, places),
    ...addressOf('to', to, places),
    ...linesOf(order),
    ...parcelOf(order),
    ...cashOf(order),
    ...(shipping?.shipping_note ? [`note   ${shipping.shipping_note}`] : []),
  ];
}
