import { hash } from 'node:crypto';
import { say } from '../../contract/texts.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { canonicalText } from '../../domain/canonical-text.ts';
import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import { type LocationTree, matchPlace } from '../../domain/places/places.ts';

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

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** A text in any notation: composition of accents, case and invisible characters do not matter, nor does spacing but between digits. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<!\p{N}) | (?!\p{N})/gu, '');
}

/** Texts that are compared as they are, but for blanks around them: another case may be another record. */
const EXACT = /(?:^|_)(?:id|code|sku)$/;

/** What two values of a field have in common exactly if they are equal: phones by their digits, texts in any notation. */
function formOf(name: string, value: unknown): string {
  if (typeof value !== 'string') return String(value);
  if (EXACT.test(name)) return value.normalize('NFC').trim();
  return (/(?:^|_)phone$/.test(name) && nationalDigits(value)) || folded(value);
}

const PLACES = ['province', 'district', 'ward'] as const;

// The rows of a file are sent from one place, and an order goes to its customer: most places are asked for again.
const matched = new WeakMap<LocationTree, Map<string, ReturnType<typeof matchPlace>>>();
const MATCHED_AT_MOST = 1_000;

function placeOf(record: Fields, tree: LocationTree): ReturnType<typeof matchPlace> {
  const names = PLACES.map((name) => textOf(record[name]));
  const key = JSON.stringify(names);
  const before = matched.get(tree);
  const places: NonNullable<typeof before> =
    before === undefined || before.size >= MATCHED_AT_MOST ? new Map() : before;
  matched.set(tree, places);
  const [province, district, ward] = names;
  const place = places.get(key) ?? matchPlace(tree, { province, district, ward });
  places.set(key, place);
  return place;
}

/** A record with its place in official names, if it has one that is known. */
function placed(record: Fields, tree: LocationTree): Fields {
  if (!PLACES.some((name) => name in record)) return record;
  const place = placeOf(record, tree);
  if (place.kind !== 'found') return record;
  return { ...record, province: place.province, district: place.district, ward: place.ward ?? record.ward };
}

/** Whether a value asks for nothing: a record without it is equal. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isBlank);
  return value === undefined || value === 0 || value === false || (typeof value === 'string' && value.trim() === '');
}

/**
 * The paths at which a record differs from the request that may have created it: every field that the record returns is
 * compared, except what a policy chose. A field that was not sent, or is not returned, is not compared; one that was sent
 * and comes back as null differs.
 */
export function differences(sent: Fields, found: Fields, tree: LocationTree, path = ''): string[] {
  const [asked, there] = [placed(sent, tree), placed(found, tree)];
  return Object.entries(sent).flatMap(([name, value]): string[] => {
    const other = found[name];
    const here = path === '' ? name : `${path}.${name}`;
    if (value === null || value === undefined || other === undefined || CHOSEN.has(name)) return [];
    if (other === null) return isBlank(value) ? [] : [here];
    if (Array.isArray(value)) {
      if (!Array.isArray(other)) return [];
      if (value.length !== other.length) return [here];
      return value.flatMap((item, index) => {
        const at = `${here}[${index}]`;
        if (isRecord(item) && isRecord(other[index])) return differences(item, other[index], tree, at);
        return formOf(name, item) === formOf(name, other[index]) ? [] : [at];
      });
    }
    if (isRecord(value)) return isRecord(other) ? differences(value, other, tree, here) : [];
    if (value === 0 && COMPUTED.has(name)) return [];
    // A place may be known on one side only: what was sent and returned as one text is equal.
    const isEqual =
      formOf(name, value) === formOf(name, other) || formOf(name, asked[name]) === formOf(name, there[name]);
    return isEqual ? [] : [here];
  });
}

/** A value of a record as a person reads it; undefined for a list, and for what is not there. */
function shownAt(record: Fields, path: string): string | undefined {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  const value = steps.reduce<unknown>((inner, step) => Object(inner)[step], record);
  if (typeof value === 'number' && Number.isInteger(value)) return formatMoney(value);
  if (value === undefined || value === null || value === '') return say().nothing;
  return typeof value === 'object' ? undefined : String(value);
}

/** Paths at which two records differ, each with the value that one has and that of the other. */
export function changesInWords(paths: readonly string[], one: Fields, other: Fields): string[] {
  return paths.map((path) => {
    const [from, to] = [shownAt(one, path), shownAt(other, path)];
    return from === undefined || to === undefined ? path : `${path} (${from} → ${to})`;
  });
}

/**
 * A request in the form in which it is compared, whoever wrote it: what a policy chooses and what asks for nothing is not
 * there. Equal requests have equal forms.
 */
export function comparable(value: unknown, tree: LocationTree, name = ''): unknown {
  if (CHOSEN.has(name) || isBlank(value)) return undefined;
  if (Array.isArray(value)) return value.map((item) => comparable(item, tree, name) ?? null);
  if (!isRecord(value)) return formOf(name, value);
  const fields = Object.entries(placed(value, tree)).map(([field, inner]) => [field, comparable(inner, tree, field)]);
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
}

/** The paths at which two requests in comparable form differ; what the service computes counts only where both have it. */
function unlike(one: unknown, other: unknown, path = ''): string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => unlike(item, other[index], `${path}[${index}]`));
  }
  if ([one, other].every((value) => value === undefined || isRecord(value))) {
    const [first, second] = [fieldsIn(one), fieldsIn(other)];
    return Object.keys({ ...first, ...second }).flatMap((name) => {
      const [mine, theirs] = [first[name], second[name]];
      if (COMPUTED.has(name) && (mine === undefined || theirs === undefined)) return [];
      return unlike(mine, theirs, path === '' ? name : `${path}.${name}`);
    });
  }
  return one === other ? [] : [path];
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
  return unlike(comparable(one, tree), comparable(other, tree)).filter((path) => path !== 'external_id');
}
