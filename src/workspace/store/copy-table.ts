import { readFields } from '../../domain/json/values.ts';
import { numberOf, placeholders, type Sql, type SqlRow, type SqlValue } from '../../store/sql.ts';
import { type MovedTable, type Numbered, numberColumns } from './moved-tables.ts';

const ROWS_A_PAGE = 1_000;
/** SQLite allows 32,766 parameters a statement. */
const PARAMETERS = 30_000;

/** The highest number that each table has given. */
export type Numbers = Readonly<Record<Numbered, number>>;

/** How rows become those of the target. */
export interface Translation {
  /** The highest numbers of the target: those that come follow them. */
  readonly offsets: Numbers;
  /** The numbers in the target of what is there already, by their numbers in the source. */
  readonly same: Readonly<Partial<Record<Numbered, ReadonlyMap<number, number>>>>;
  /** The account of received changes there: in a file it is empty. */
  readonly accountOf: (account: string) => string;
}

function entriesOf(columns: typeof numberColumns): [Numbered, string][] {
  return Object.entries(columns).flatMap(([table, column]) => (isNumbered(table) ? [[table, column]] : []));
}

function isNumbered(table: string): table is Numbered {
  return Object.hasOwn(numberColumns, table);
}

/** The last number that a sequence has given, also to a row that is gone. */
const lastGiven = (table: string, column: string, isServer: boolean) =>
  isServer
    ? `select pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column}')::regclass)`
    : `select seq from sqlite_sequence where name = '${table}'`;

/** The highest numbers of a workspace; the rows that had them may be gone, as what targets have behind them. */
export async function numbersIn(sql: Sql, isServer: boolean): Promise<Numbers> {
  const last = { batches: 0, events: 0, cod_files: 0, event_gaps: 0 };
  for (const [table, column] of entriesOf(numberColumns)) {
    const [row] = await sql(`select coalesce(max(n), 0) as last from (
      select max(${column}) as n from ${table} union all ${lastGiven(table, column, isServer)}) as numbers`);
    last[table] = row === undefined ? 0 : numberOf(row, 'last');
  }
  return last;
}

/** New numbers of the target follow those that were copied. */
export async function advanceNumbers(to: Sql, offsets: Numbers, copied: Numbers, isServer: boolean): Promise<void> {
  for (const [table, column] of entriesOf(numberColumns)) {
    const last = offsets[table] + copied[table];
    if (last === 0) continue;
    if (isServer) await to(`select setval(pg_get_serial_sequence('${table}', '${column}'), ${last})`);
    else {
      await to('delete from sqlite_sequence where name = ?', [table]);
      await to('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last]);
    }
  }
}

/** The number in the target of a row of a numbered table. */
export const numberThere = (table: Numbered, number: number, { offsets, same }: Translation): number =>
  same[table]?.get(number) ?? number + offsets[table];

/** A row as it is in the target: with the numbers that its batch, file or change has there. */
function translated(row: SqlRow, table: MovedTable, translation: Translation): SqlValue[] {
  const { name, numbers = {}, positions = {}, holder, within } = table;
  const { offsets, accountOf } = translation;
  return Object.entries(row).map(([column, value]) => {
    if (typeof value === 'string' && column === 'account' && name.startsWith('event')) return accountOf(value);
    const of = numbers[column];
    if (of !== undefined) return numberThere(of, Number(value), translation);
    const upTo = positions[column];
    if (upTo !== undefined) return Number(value) + offsets[upTo];
    if (typeof value === 'string' && column === holder) {
      return value.replace(/^batch (\d+) /, (_, batch) => `batch ${Number(batch) + offsets.batches} `);
    }
    if (typeof value === 'string' && column === within?.column) return renumbered(value, within, offsets);
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  });
}

/** JSON with the number in it that a batch has in the target, if it names one. */
function renumbered(json: string, { name, of }: NonNullable<MovedTable['within']>, offsets: Numbers): string {
  const fields = readFields(json);
  const number = fields[name];
  return typeof number === 'number' ? JSON.stringify({ ...fields, [name]: number + offsets[of] }) : json;
}

/** Two ledgers that are joined may both have a key, or the mark of a slip: what to do about the target's own. */
function onConflict({ key, numbers, replaces }: MovedTable, columns: readonly string[]): string {
  if (replaces === undefined) return numbers === undefined ? 'on conflict do nothing' : '';
  const values = columns.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  return `on conflict (${key.join(', ')}) do update set ${values} where ${replaces}`;
}

/** Whether a row is one of something that is in the target already. */
function isThere(row: SqlRow, { key, numbers = {}, replaces }: MovedTable, { same }: Translation): boolean {
  const has = (column: string) => {
    const of = numbers[column];
    return of !== undefined && same[of]?.has(numberOf(row, column)) === true;
  };
  return replaces === undefined && key.some(has);
}

/** Copies a table, page by page; returns how many rows of it are in the target. */
export async function copyTable(from: Sql, to: Sql, table: MovedTable, translation: Translation): Promise<number> {
  const { name, key } = table;
  for (let at = 0; ; at += ROWS_A_PAGE) {
    const page = await from(`select * from ${name} order by ${key.join(', ')} limit ${ROWS_A_PAGE} offset ${at}`);
    const rows = page.filter((row) => !isThere(row, table, translation));
    const columns = Object.keys(page[0] ?? {});
    const most = Math.floor(PARAMETERS / Math.max(1, columns.length));
    for (let first = 0; first < rows.length; first += most) {
      const piece = rows.slice(first, first + most);
      await to(
        `insert into ${name} (${columns.map((column) => `"${column}"`).join(', ')})
          values ${placeholders(piece.length, columns.length)}
          ${onConflict(table, columns)}`,
        piece.flatMap((row) => translated(row, table, translation)),
      );
    }
    if (page.length < ROWS_A_PAGE) return at + page.length;
  }
}
