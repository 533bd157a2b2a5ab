import { quoted } from '../ensure-tables.ts';
import type { AnyRow, MirrorDialect, MirrorSession, Statement } from '../mirror.ts';
import type { Stored } from './contributions.ts';

/** How many rows one statement takes: few sizes, so that few texts are prepared. */
const SIZES = [50, 10, 1] as const;

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
  columns: readonly string[],
  { key, onConflict }: { readonly key?: readonly string[]; readonly onConflict?: string } = {},
): Inserter {
  const names = columns.map(quoted).join(', ');
  const replaced = columns.filter((name) => !(key ?? []).includes(name));
  const sets = replaced.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  const replacing = key === undefined ? '' : ` on conflict (${key.map(quoted).join(', ')}) do update set ${sets}`;
  const end = onConflict ?? replacing;
  const row = `(${columns.map(() => '?').join(', ')})`;
  const texts = new Map<number, string>();
  const textFor = (size: number) => {
    const known = texts.get(size);
    if (known !== undefined) return known;
    const rows = Array.from({ length: size }, () => row).join(', ');
    const made = `insert into ${dialect.table(table)} as t (${names}) values ${rows}${end === '' ? '' : ` ${end}`}`;
    texts.set(size, made);
    return made;
  };
  return {
    insert(into, values) {
      let from = 0;
      for (const size of SIZES) {
        const many = size * columns.length;
        for (; values.length - from >= many; from += many) {
          into.push({ sql: textFor(size), parameters: values.slice(from, from + many) });
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
