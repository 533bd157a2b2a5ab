import { foldedName } from '../../domain/places/place-name.ts';
import { type LocationTree, matchPlace, type PlaceText } from '../../domain/places/places.ts';

/** The notice about an address whose ward is in another district than the one written; otherwise undefined. */
export function movedDistrict(tree: LocationTree, { province, district, ward }: PlaceText): string | undefined {
  const found = matchPlace(tree, { province, district, ward });
  if (found.kind !== 'found' || found.movedFrom === undefined) return undefined;
  return `${found.ward} lies in ${found.district}, not in ${found.movedFrom}: it goes to ${found.district}`;
}

/** Whether two spellings name the same district, as far as the list knows. */
function isSameDistrict(tree: LocationTree, sent: PlaceText, answered: PlaceText): boolean {
  const names = [sent, answered].map(({ province, district }) => {
    const found = matchPlace(tree, { province, district });
    return foldedName(found.kind === 'found' ? found.district : (district ?? ''));
  });
  return names[0] === names[1];
}

/** The notice if the service answered an address with another district than the one sent; otherwise undefined. */
export function changedDistrict(
  tree: LocationTree,
  sent: PlaceText | null | undefined,
  answered: PlaceText | null | undefined,
): string | undefined {
  if (!sent?.district || !answered?.district || isSameDistrict(tree, sent, answered)) return undefined;
  return `the service changed ${sent.district} to ${answered.district}, where ${answered.ward ?? 'the place'} lies`;
}

/** What a person was asked for, by the path of its field in the request; the first matching pattern wins. */
const wordsOfPath: readonly (readonly [RegExp, string])[] = [
  [/^(?:shipping|customer)_address$/, 'the recipient'],
  [/^(?:shipping|customer)_address\.full_name$/, "the recipient's name"],
  [/^(?:shipping|customer)_address\.address1$/, "the recipient's street"],
  [/^(?:shipping|customer)_address\.(\w+)$/, "the recipient's $1"],
  [/^(?:shipping\.)?pickup_address$/, 'the pickup'],
  [/^(?:shipping\.)?pickup_address\.full_name$/, "the pickup's name"],
  [/^(?:shipping\.)?pickup_address\.address1$/, "the pickup's street"],
  [/^(?:shipping\.)?pickup_address\.(\w+)$/, "the pickup's $1"],
  [/^lines\[(\d+)\]\.product_name$/, "line $1's product name"],
  [/^lines\[(\d+)\]\.quantity$/, "line $1's quantity"],
  [/^lines\[(\d+)\]\.retail_price$/, "line $1's price before discount"],
  [/^lines\[(\d+)\]\.payment_price$/, "line $1's price after discount"],
  [/^lines\[(\d+)\]$/, 'line $1'],
  [/^order_discount$/, 'the discount'],
  [/^fee_lines\b.*$/, 'a fee'],
  [/^total_(fee|discount|amount)$/, 'the total $1'],
  [/^total_items$/, 'the number of items'],
  [/^basket_value$/, 'the value of the goods'],
  [/^(?:shipping\.)?gross_weight$/, "the parcel's weight"],
  [/^(?:shipping\.)?chargeable_weight$/, "the parcel's chargeable weight"],
  [/^shipping\.(length|width|height)$/, "the parcel's $1"],
  [/^(?:shipping\.)?cod_amount$/, 'the cash to collect'],
  [/^(?:shipping\.)?include_insurance$/, 'the insurance'],
  [/^(?:shipping\.)?try_on$/, 'what the buyer may do before paying'],
  [/^(?:shipping\.)?shipping_note$/, 'the note for the carrier'],
  [/^(?:shipping\.)?shipping_service_\w+$/, 'the service'],
];

function wordsOf(path: string): string {
  for (const [pattern, words] of wordsOfPath) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const [, part = ''] = match;
    // A person counts lines from 1.
    return words.replace('$1', /^\d+$/.test(part) ? String(Number(part) + 1) : part);
  }
  return path;
}

/** A text with the paths of request fields replaced by what the person was asked for. */
export function inWordsOfQuestions(text: string): string {
  return text.replaceAll(/(?<![\w.])[a-z]+(?:_[a-z0-9]+)*(?:\[\d+\])?(?:\.[a-z_0-9]+(?:\[\d+\])?)*/g, (path) =>
    /[._[]/.test(path) ? wordsOf(path) : path,
  );
}
