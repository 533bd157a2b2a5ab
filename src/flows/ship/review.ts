import { formatMoney } from '../../domain/money.ts';
import { addressLabel } from './address-step.ts';
import type { DraftLine } from './order-draft.ts';
import { type ShipState, summedOrder } from './state.ts';

const MOST_LINES = 8;

const tryOnWords: Readonly<Record<string, string>> = {
  none: 'the buyer may not open it before paying',
  open: 'the buyer may open it before paying',
  try: 'the buyer may try it before paying',
};

const lineText = ({ quantity, product_name, payment_price }: DraftLine) =>
  `${quantity ?? '?'} x ${product_name ?? '?'} at ${formatMoney(payment_price ?? 0)}`;

/** Everything that is about to be sent, for a person to look over: a text a line. */
export function reviewOf(state: ShipState): string[] {
  const order = summedOrder(state);
  if (order === undefined) return [];
  const { lines, shipping, shipping_address: to } = order;
  const { pickup_address: from, gross_weight: gross, length, width, height, shipping_note: note } = shipping ?? {};
  const shown = (lines ?? []).slice(0, MOST_LINES);
  const more = (lines ?? []).length - shown.length;
  const sides = length && width && height ? `, ${length}x${width}x${height} cm` : '';
  const insured = shipping?.include_insurance === false ? 'not insured' : 'insured';
  return [
    `from   ${addressLabel(from ?? {})}`,
    `to     ${addressLabel(to ?? {})}`,
    ...shown.map((line, index) => `${index === 0 ? 'lines ' : '      '} ${lineText(line)}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
    `parcel ${formatMoney(gross ?? 0)} g${sides}, ${formatMoney(shipping?.chargeable_weight ?? 0)} g chargeable`,
    `cash   ${formatMoney(shipping?.cod_amount ?? 0)} to collect; ${insured}; ${tryOnWords[shipping?.try_on ?? ''] ?? ''}`,
    ...(note ? [`note   ${note}`] : []),
  ];
}
