import { type LocationTree, matchPlace } from '../../domain/places/places.ts';
import type { DraftAddress, OrderDraft } from '../../ledger/order-draft.ts';

/** The parts of a refusal that are used. */
export interface Refused {
  readonly message: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly fieldErrors?: readonly { readonly path: string }[];
}

/** The question that asks for a field of the request; the first matching pattern wins. */
const questionOfPath: readonly (readonly [RegExp, string])[] = [
  [/^(?:shipping|customer)_address\.(?:province|district|ward)$/, 'recipient.place'],
  [/^(?:shipping|customer)_address\.(full_name|phone|address1)$/, 'recipient.$1'],
  [/^(?:shipping|customer)_address\b/, 'recipient'],
  [/^(?:shipping\.)?pickup_address\.(?:province|district|ward)$/, 'pickup.place'],
  [/^(?:shipping\.)?pickup_address\.(full_name|phone|address1)$/, 'pickup.$1'],
  [/^(?:shipping\.)?pickup_address\b/, 'pickup'],
  [/^lines\[(\d+)\]\.(product_name|quantity|retail_price|payment_price)$/, 'lines[$1].$2'],
  [/^(?:lines|basket_value|total_items)\b/, 'lines'],
  [/^order_discount$/, 'fees.discount'],
  [/^(?:fee_lines|total_fee|total_discount|total_amount)\b/, 'fees'],
  [/^(?:shipping\.)?(?:gross_weight|chargeable_weight|length|width|height)$/, 'parcel'],
  [/^(?:shipping\.)?cod_amount$/, 'cod'],
  [/^(?:shipping\.)?include_insurance$/, 'insurance'],
  [/^(?:shipping\.)?try_on$/, 'try_on'],
  [/^(?:shipping\.)?shipping_note$/, 'note'],
  [/^(?:shipping\.)?(?:shipping_service_\w+|carrier|connection_id)$/, 'service'],
];

function questionOf(path: string): string | undefined {
  for (const [pattern, question] of questionOfPath) {
    const match = pattern.exec(path);
    if (match !== null) return question.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? '');
  }
  return undefined;
}

/** The fields that a refusal names: in its meta or field errors, else as words of its message. */
function pathsOf({ message, meta, fieldErrors }: Refused): string[] {
  const named = [...(fieldErrors ?? []).map(({ path }) => path), ...(meta?.field ? [meta.field] : [])];
  return named.length > 0 ? named : (message.match(/[a-z_]+(?:\[\d+\])?(?:\.[a-z_0-9]+)*/g) ?? []);
}

function isUnknownPlace(tree: LocationTree, address: DraftAddress | null | undefined): boolean {
  const { province, district, ward } = address ?? {};
  return matchPlace(tree, { province, district, ward }).kind !== 'found';
}

/**
 * The question, or step, whose answer a refusal is about: by the field that it names, else a place that our list does
 * not know. Undefined if nothing indicates it.
 */
export function refusedQuestion(refused: Refused, order: OrderDraft, tree: LocationTree): string | undefined {
  for (const path of pathsOf(refused)) {
    const question = questionOf(path);
    if (question !== undefined) return question;
  }
  if (isUnknownPlace(tree, order.shipping_address)) return 'recipient.place';
  return isUnknownPlace(tree, order.shipping?.pickup_address) ? 'pickup.place' : undefined;
}
