import { fieldsOf, operations, type RecordName } from './tables.ts';
import { type Fields, type Making, recordOf } from './values.ts';

const START = Date.parse('2026-03-01T00:00:00Z');

/** A way in which a service may answer that its interface allows, or that programs have to live with. */
export interface Mood {
  /** A record of everything, in that mood. */
  readonly bend: (record: Fields) => Fields;
  /** What a reader is to print of a bent record, where that is not the record as it came. */
  readonly read?: (record: Fields) => Fields;
  /** How many records a list has. */
  readonly count?: number;
}

type Change = (value: unknown, name: string) => unknown;

/** Every scalar of a value, changed; containers keep their form. */
function changed(value: unknown, change: Change, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, change, name));
  if (typeof value !== 'object' || value === null) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, changed(inner, change, field)]));
}

const each = (change: Change) => (record: Fields) => changed(record, change) as Fields;
const isId = (value: unknown): value is string => typeof value === 'string' && /^\d{19}$/.test(value);
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Every object of a value, made anew of its fields. */
function rebuilt(value: unknown, make: (fields: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => rebuilt(item, make));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(make(Object.entries(value).map(([name, inner]) => [name, rebuilt(inner, make)])));
}

/** A map of text has no fields of its own. */
const isMap = (fields: readonly [string, unknown][]) => fields.length === 1 && fields[0]?.[0] === 'key';

const same = (record: Fields) => record;

/** A null behind the texts of every list of texts, and as the value in every map of text. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    const areTexts = value.length > 0 && value.every((item) => typeof item === 'string');
    return areTexts ? [...value, null] : value.map(withNulls);
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([name, inner]) => [name, isMap(fields) ? null : withNulls(inner)]));
}

/** The moods of the second service. */
export const moods: Readonly<Record<string, Mood>> = {
  'everything set': { bend: same },
  nulls: {
    bend: (record) => Object.fromEntries(Object.keys(record).map((name) => [name, name === 'id' ? record.id : null])),
  },
  'nulls within': {
    bend: (record) =>
      rebuilt(record, (fields) =>
        isMap(fields)
          ? fields
          : fields.map(([name, value]) => [name, name === 'id' || typeof value === 'object' ? value : null]),
      ) as Fields,
  },
  'nulls among texts': { bend: (record) => withNulls(record) as Fields },
  empty: {
    bend: each((value) =>
      isId(value) || isTime(value) ? value : typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false,
    ),
  },
  'unknown fields and values': {
    bend: (record) =>
      rebuilt(
        each((value, name) =>
          typeof value === 'string' && /status$|^type$|gender|state$/.test(name) ? 'of tomorrow' : value,
        )(record),
        (fields) =>
          isMap(fields) ? fields : [['unknown_first', { deep: [1, null] }], ...fields, ['unknown_last', 'text']],
      ) as Fields,
  },
  'ids as numbers': {
    bend: each((value) => (isId(value) ? `number ${value}` : value)),
    read: each((value) => (typeof value === 'string' ? value.replace(/^number /, '') : value)),
  },
  'other field orders': { bend: (record) => rebuilt(record, (fields) => [...fields].reverse()) as Fields },
  'times with fractions and offsets': {
    bend: each((value) => (isTime(value) ? value.replace('Z', '.123456+07:00') : value)),
  },
  'pages of 20': { bend: same, count: 45 },
};

/** The size of a page in the mood of pages. */
export const PAGE = 20;

/** What an operation answers, before a mood. */
export function plainRecords(
  operation: string,
  count: number,
): { readonly record: RecordName; readonly list: string | undefined; readonly records: Fields[] } {
  const { record, list } = operations[operation] ?? { record: 'Empty' as const, list: undefined };
  const making: Making = { turn: 0, start: START };
  return { record, list, records: Array.from({ length: count }, () => recordOf(record, '', making)) };
}

/** The text of an answer; an id that is meant as a number is written as one. */
export const textOf = (answer: unknown) => JSON.stringify(answer).replace(/"number (\d+)"/g, '$1');

/** Whether the interface says what an operation answers. */
export const isDescribed = (operation: string) =>
  operations[operation] !== undefined && fieldsOf(operations[operation].record) !== undefined;
