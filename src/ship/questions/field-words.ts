import { foldedName } from '../../domain/places/place-name.ts';
import { type LocationTree, matchPlace, type PlaceText } from '../../domain/places/places.ts';
import { say, type shipTexts } from '../texts.ts';

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
  const changed = { sent: sent.district, answered: answered.district };
  const { ward } = answered;
  return typeof ward === 'string' ? say().address.changed({ ...changed, ward }) : say().address.changedPlace(changed);
}

type Asked = typeof shipTexts.asked;

/** What a person was asked for, by the path of its field in the request; the first matching pattern wins. */
const wordsOfPath: readonly (readonly [RegExp, (asked: Asked, part: string, further: string) => string])[] = [
  [/^(?:shipping|customer)_address$/, (asked) => asked.recipient],
  [/^(?:shipping|customer)_address\.(\w+)$/, (asked, part) => asked.recipientOf({ part: partOf(asked, part) })],
  [/^(?:shipping\.)?pickup_address$/, (asked) => asked.pickup],
  [/^(?:shipping\.)?pickup_address\.(\w+)$/, (asked, part) => asked.pickupOf({ part: partOf(asked, part) })],
  [
    /^lines\[(\d+)\]\.(product_name|quantity|retail_price|payment_price)$/,
    (asked, index, part) => asked.lineOf({ line: numberOf(index), part: partOf(asked, part) }),
  ],
  [/^lines\[(\d+)\]$/, (asked, index) => asked.line({ line: numberOf(index) })],
  [/^order_discount$/, (asked) => asked.discount],
  [/^fee_lines\b.*$/, (asked) => asked.fee],
  [/^total_(fee|discount|amount)$/, (asked, part) => asked.total({ part: partOf(asked, part) })],
  [/^total_items$/, (asked) => asked.totalItems],
  [/^basket_value$/, (asked) => asked.basket],
  [/^(?:shipping\.)?gross_weight$/, (asked) => asked.weight],
  [/^(?:shipping\.)?chargeable_weight$/, (asked) => asked.chargeable],
  [/^shipping\.(length|width|height)$/, (asked, part) => asked.parcelOf({ part: partOf(asked, part) })],
  [/^(?:shipping\.)?cod_amount$/, (asked) => asked.cash],
  [/^(?:shipping\.)?include_insurance$/, (asked) => asked.insurance],
  [/^(?:shipping\.)?try_on$/, (asked) => asked.tryOn],
  [/^(?:shipping\.)?shipping_note$/, (asked) => asked.note],
  [/^(?:shipping\.)?shipping_service_\w+$/, (asked) => asked.service],
];

const partOf = ({ parts }: Asked, part: string): string => parts[part] ?? part;

/** A person counts lines from 1. */
const numberOf = (index: string): number => Number(index) + 1;

function wordsOf(path: string): string {
  for (const [pattern, words] of wordsOfPath) {
    const [match, part = '', further = ''] = pattern.exec(path) ?? [];
    if (match !== undefined) return words(say().asked, part, further);
  }
  return path;
}

/** A text with the paths of request fields replaced by what the person was asked for. */
export function inWordsOfQuestions(text: string): string {
  return text.replaceAll(/(?<![\w.])[a-z]+(?:_[a-z0-9]+)*(?:\[\d+\])?(?:\.[a-z_0-9]+(?:\[\d+\])?)*/g, (path) =>
    /[._[]/.test(path) ? wordsOf(path) : path,
  );
}
