/** The names of a table's own fields, typed as it declares them; for literals, which have no others. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  Object.keys(table) as (keyof Table & string)[];

/** The fields of a table with their names, typed as it declares them; for literals, which have no others. */
export const entriesOf = <Name extends string, Value>(table: Readonly<Record<Name, Value>>): [Name, Value][] =>
  keysOf(table).map((name) => [name, table[name]]);
