/** The names of a table's own fields, typed as it declares them; for literals, which have no others. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  Object.keys(table) as (keyof Table & string)[];

/** The fields of a table with their names, typed as it declares them; for literals, which have no others. */
export const entriesOf = <Name extends string, Value>(table: Readonly<Record<Name, Value>>): [Name, Value][] =>
  keysOf(table).map((name) => [name, table[name]]);

/** A table of these entries, typed by their names. */
export const tableFrom = <Name extends string, Value>(entries: Iterable<readonly [Name, Value]>) =>
  Object.fromEntries(entries) as Record<Name, Value>;

/** The entry at an index that the list certainly has; throws a RangeError if it has not. */
export function entryAt<Item>(list: readonly Item[], index: number): Item {
  for (const item of list.slice(index, index + 1)) return item;
  throw new RangeError(`a list of ${list.length} has no entry ${index}`);
}

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/**
 * Milliseconds of a duration like `30s`, `15m`, `44h1m` or `2d`, with units from days down to seconds; undefined for
 * any other text.
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?=\d)(?:(?<d>\d{1,6})d)?(?:(?<h>\d{1,7})h)?(?:(?<m>\d{1,9})m)?(?:(?<s>\d{1,10})s)?$/.exec(
    text.trim(),
  );
  if (parts?.groups === undefined) return undefined;
  const { groups } = parts;
  const units = keysOf(UNITS);
  return units.reduce((sum, unit) => sum + Number(groups[unit] ?? 0) * UNITS[unit], 0);
}

const AGES = [
  ['day', UNITS.d],
  ['hour', UNITS.h],
  ['minute', UNITS.m],
] as const;

/** How long ago something was, in its largest unit: less than a minute ago, 1 hour ago, 3 days ago. */
export function agoText(milliseconds: number): string {
  for (const [unit, length] of AGES) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'less than a minute ago';
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * Milliseconds since 1970 of `2026-02-01T08:00:00Z`, of a time with an offset, or of a day in UTC; undefined for any
 * other text.
 */
export function parseMoment(text: string): number | undefined {
  const [moment, day] = MOMENT.exec(text.trim().toUpperCase()) ?? [];
  if (moment === undefined || day === undefined) return undefined;
  const dayStart = Date.parse(day);
  // Date would accept 30 February as a day in March.
  if (Number.isNaN(dayStart) || new Date(dayStart).toISOString().slice(0, 10) !== day) return undefined;
  const milliseconds = Date.parse(moment);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
