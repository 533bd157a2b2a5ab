import { hash } from 'node:crypto';
import { canonicalText } from '../../domain/canonical-text.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import { type LocationTree, matchPlace } from '../../domain/places/places.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the policy of a run chooses, not the file: two runs may choose differently for the same order. */
export const CHOSEN: ReadonlySet<string> = new Set([
  'carrier',
  'connection_id',
  'shipping_service_code',
  'shipping_service_name',
  'shipping_service_fee',
]);

/** Fields that the service computes if they are sent as 0. */
const COMPUTED = new Set(['chargeable_weight', 'total_fee']);

/** Only letters and digits, so that spacing, case and composition of accents do not matter. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** A phone number in any notation: digits only, with 0 in place of the country code 84. */
function phone(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^84(?=\d{9}$)/, '0');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const placeIn = ({ province, district, ward }: Fields) => ({
  province: textOf(province),
  district: textOf(district),
  ward: textOf(ward),
});

function isSamePlace(sent: Fields, found: Fields, tree: LocationTree): boolean {
  const [one, other] = [matchPlace(tree, placeIn(sent)), matchPlace(tree, placeIn(found))];
  if (one.kind !== 'found' || other.kind !== 'found') return false;
  return one.province === other.province && one.district === other.district && one.ward === other.ward;
}

/** Whether a value asks for nothing: a record without it is equal. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isBlank);
  return value === undefined || value === 0 || value === false || (typeof value === 'string' && value.trim() === '');
}

const PLACES = ['province', 'district', 'ward'];

/**
 * The paths at which a record differs from the request that may have created it: every field that the record returns is
 * compared, except what a policy chose. A field that was not sent, or is not returned, is not compared; one that was sent
 * and comes back as null differs.
 */
export function differences(sent: Fields, found: Fields, tree: LocationTree, path = ''): string[] {
  const samePlace = PLACES.some((name) => name in sent && name in found) && isSamePlace(sent, found, tree);
  return Object.entries(sent).flatMap(([name, value]): string[] => {
    const other = found[name];
    const here = path === '' ? name : `${path}.${name}`;
    if (value === null || value === undefined || other === undefined || CHOSEN.has(name)) return [];
    if (other === null) return isBlank(value) ? [] : [here];
    if (PLACES.includes(name) && samePlace) return [];
    if (Array.isArray(value)) {
      if (!Array.isArray(other)) return [];
      if (value.length !== other.length) return [here];
      return value.flatMap((item, index) => {
        const at = `${here}[${index}]`;
        if (isRecord(item) && isRecord(other[index])) return differences(item, other[index], tree, at);
        return item === other[index] ? [] : [at];
      });
    }
    if (isRecord(value)) return isRecord(other) ? differences(value, other, tree, here) : [];
    if (typeof value === 'string' && typeof other === 'string') {
      const form = /(?:^|_)phone$/.test(name) ? phone : folded;
      // A punctuation mark that normalises to nothing still counts: "-" is not "+".
      return form(value) === form(other) && (form(value) !== '' || value === other) ? [] : [here];
    }
    if (value === 0 && COMPUTED.has(name)) return [];
    return String(value) === String(other) ? [] : [here];
  });
}

/** The paths at which a request has values, except what a policy chose. */
function leaves(value: unknown, path: string, into: Set<string>): Set<string> {
  if (typeof value !== 'object' || value === null) return value === null || value === undefined ? into : into.add(path);
  for (const [name, inner] of Object.entries(value)) {
    if (!CHOSEN.has(name)) leaves(inner, path === '' ? name : `${path}.${name}`, into);
  }
  return into;
}

/** A request without what a policy chose, and without its name. */
function content(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(content);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !CHOSEN.has(name) && name !== 'external_id');
  return Object.fromEntries(fields.map(([name, inner]) => [name, content(inner)]));
}

/** A digest of what a request asks for: equal for requests that differ only in their name or in what a policy chose. */
export function requestDigest(request: unknown): string {
  return hash('sha256', canonicalText(content(request)), 'hex').slice(0, 32);
}

/** The paths at which two requests differ, except their names and what a policy chose. */
export function requestDifferences(one: Fields, other: Fields, tree: LocationTree): string[] {
  const [first, second] = [leaves(one, '', new Set()), leaves(other, '', new Set())];
  const ofOne = [...first, ...second].filter((path) => first.has(path) !== second.has(path) && path !== 'external_id');
  return [...differences(one, other, tree).filter((path) => path !== 'external_id'), ...ofOne];
}
