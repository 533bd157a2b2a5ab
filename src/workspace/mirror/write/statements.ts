import type { MirrorColumn } from '../declared/columns.ts';
import { quoted } from '../schema/ensure.ts';
import type { MirrorDialect } from '../store/dialect.ts';
import type { AnyRow, MirrorSession, Statement } from '../store/mirror.ts';
import type { Stored } from './row-values.ts';

/** How many rows one statement takes: few sizes, so that few texts are prepared. */
const SIZES = [50, 10, 1] as const;

/** A column that rows are inserted into. */
type InsertedColumn = Pick<MirrorColumn, 'name' | 'type'>;

/** Inserts rows of a table, many per statement; each text is written once. */
export interface Inserter {
  /** Adds the statements for rows to a list. `values` are those of all rows, one row after another. */
  insert(into: Statement[], values: readonly Stored[]): void;
}

/**
 * An inserter for some columns of a table. With `key`, a row that is there already is replaced; `onConflict` says
 * otherwise what becomes of it.
 */
export function inserterFor(
  dialect: MirrorDialect,
  table: string,
  columns: readonly InsertedColumn[],
  { key, onConflict }: { readonly key?: readonly string[]; readonly onConflict?: string } = {},
): Inserter {
  const names = columns.map(({ name }) => quoted(name));
  const replaced = names.filter((name) => !(key ?? []).map(quoted).includes(name));
  const sets = replaced.map((name) => `${name} = excluded.${name}`).join(', ');
  const replacing = key === undefined ? '' : `on conflict (${key.map(quoted).join(', ')}) do update set ${sets}`;
  const into = `insert into ${dialect.table(table)} as t (${names.join(', ')})`;
  const end = onConflict ?? replacing;
  return dialect.takesLists ? ofLists(dialect, into, columns, end) : ofRows(into, columns.length, end);
}

/** Inserts many rows by a statement that has a list of values for each column: its text is read fast, however many they are. */
function ofLists({ types }: MirrorDialect, into: string, columns: readonly InsertedColumn[], end: string): Inserter {
  const lists = columns.map(({ type }) => `?::${types[type]}[]`).join(', ');
  const sql = `${into} select * from unnest(${lists}) ${end}`;
  const width = columns.length;
  return {
    insert(statements, values) {
      if (values.length === 0) return;
      const parameters: Stored[][] = columns.map(() => []);
      for (const [place, value] of values.entries()) parameters[place % width]?.push(value);
      statements.push({ sql, parameters });
    },
  };
}

/** Inserts rows by statements of a few sizes that have a parameter for each value. */
function ofRows(into: string, width: number, end: string): Inserter {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
  const texts = SIZES.map((size) => `${into} values ${Array.from({ length: size }, () => row).join(', ')} ${end}`);
  return {
    insert(statements, values) {
      let from = 0;
      for (const [place, size] of SIZES.entries()) {
        const many = size * width;
        for (; values.length - from >= many; from += many) {
          statements.push({ sql: texts[place] ?? '', parameters: values.slice(from, from + many) });
        }
      }
    },
  };
}

const LIST_SIZES = [100, 10, 1] as const;

/**
 * Statements for ids, some at a time: `sql` gets the list of parameters to write into an `in (…)`; what is left of the
 * last list repeats its last id.
 */
export function statementsForIds(
  ids: readonly string[],
  sql: (list: string) => string,
  before: readonly unknown[] = [],
): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < ids.length; ) {
    const left = ids.length - from;
    const size = LIST_SIZES.find((one) => one <= left || one === 1 || left > one / 2) ?? 1;
    const some = ids.slice(from, from + size);
    const last = some.at(-1) ?? '';
    while (some.length < size) some.push(last);
    statements.push({ sql: sql(some.map(() => '?').join(', ')), parameters: [...before, ...some] });
    from += size;
  }
  return statements;
}

/** Runs the statements for ids; returns the rows of all of them. */
export async function forIds(
  session: MirrorSession,
  ids: readonly string[],
  sql: (list: string) => string,
  before: readonly unknown[] = [],
): Promise<AnyRow[]> {
  const found: AnyRow[] = [];
  for (const statement of statementsForIds(ids, sql, before)) {
    for (const row of await session.run(statement.sql, statement.parameters)) found.push(row);
  }
  return found;
}
