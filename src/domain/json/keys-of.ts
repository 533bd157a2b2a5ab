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
