import { sql } from 'kysely';
import { CachedSql, listedRow, listedValues, pieces } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { outcomeColumns, type Row, type WholeRow } from './row.ts';

/** The service chosen for a row, with the request that contains it. */
export type ChosenService = Pick<WholeRow, 'row' | 'payload' | 'carrier' | 'fee'>;

/** Writes rows while they are planned. Each function is one transaction; all throw a WorkspaceError. */
export interface RowWriter {
  /** Adds rows with their texts, all or none. */
  add(rows: readonly WholeRow[]): Promise<void>;
  /** Overwrites existing rows, with their texts. */
  replace(rows: readonly WholeRow[]): Promise<void>;
  /** Writes the chosen service of existing rows, each with its request. */
  choose(batch: number, rows: readonly ChosenService[]): Promise<void>;
  /** Marks rows as skipped, as long as they are planned. */
  skip(batch: number, rows: readonly number[]): Promise<void>;
  /** Writes what the records of rows have before they are changed, as long as they are planned. */
  remember(batch: number, rows: readonly Pick<WholeRow, 'row' | 'old_values'>[]): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

/** The columns of a new row; the worker is not set. */
const rowColumns = [
  'batch',
  'row',
  'cell',
  'name',
  'named',
  'content',
  'recipient',
  'goods',
  'pick',
  'identity',
  'generation',
  ...outcomeColumns,
] as const satisfies readonly (keyof Row)[];

const contentColumns = [
  'batch',
  'row',
  'cells',
  'payload',
  'old_values',
] as const satisfies readonly (keyof WholeRow)[];

/** Writes one row with its texts over the one that is there, inside a transaction. */
export async function replaceRow(
  database: WorkspaceTables,
  { batch, row, cells, payload, old_values, ...facts }: WholeRow,
) {
  const at = { batch, row };
  await database
    .updateTable('batch_rows')
    .set(facts)
    .where((build) => build.and(at))
    .execute();
  await database
    .updateTable('batch_contents')
    .set({ cells, payload, old_values })
    .where((build) => build.and(at))
    .execute();
}

/** Where rows are written, and the statements that were compiled before. */
interface Writing {
  readonly kept: CachedSql;
  readonly database: WorkspaceTables;
}

/** Inserts these columns of the rows. */
function insertion<Column extends keyof WholeRow>(
  { kept, database }: Writing,
  table: 'batch_rows' | 'batch_contents',
  columns: readonly Column[],
  rows: readonly WholeRow[],
) {
  const values: unknown[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column]);
  return kept.compiled(`insert ${rows.length} ${table}`, values, () => {
    const picked = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    return database.insertInto(table).values(picked as never);
  });
}

/** Whether the row of a text is planned still: another worker may have sent it since its record was read. */
const isPlanned = sql<boolean>`exists (select 1 from batch_rows planned where planned.batch = batch_contents.batch
  and planned.row = batch_contents.row and planned.state = 'planned')`;

/** Writes one text of existing rows. */
function textUpdate<Column extends 'payload' | 'old_values'>(
  { kept, database }: Writing,
  batch: number,
  column: Column,
  rows: readonly Pick<WholeRow, 'row' | Column>[],
) {
  const texts = rows.map((row) => [row.row, row[column]]);
  return kept.compiled(`${column} ${rows.length}`, [...texts.flat(), batch], () => {
    const update = database
      .updateTable('batch_contents')
      .from(listedValues(texts))
      .set(column, sql.ref('listed.column2'))
      .where('batch', '=', batch)
      .where('row', '=', listedRow);
    return column === 'old_values' ? update.where(isPlanned) : update;
  });
}

/** Writes to the rows of a workspace. */
export function rowWriterOf({ write, writeAll }: Workspace): RowWriter {
  const kept = new CachedSql();
  return {
    add: (rows) =>
      writeAll((database) =>
        pieces(rows, ROWS_A_STATEMENT).flatMap((piece) => [
          insertion({ kept, database }, 'batch_rows', rowColumns, piece),
          insertion({ kept, database }, 'batch_contents', contentColumns, piece),
        ]),
      ),
    replace: (rows) =>
      write(async (database) => {
        for (const row of rows) await replaceRow(database, row);
      }),
    choose: (batch, rows) =>
      writeAll((database) =>
        pieces(rows, ROWS_A_STATEMENT).flatMap((piece) => {
          const facts = piece.map(({ row, carrier, fee }) => [row, carrier, fee]);
          return [
            kept.compiled(`facts ${piece.length}`, [...facts.flat(), batch], () =>
              database
                .updateTable('batch_rows')
                .from(listedValues(facts))
                .set({ carrier: sql.ref('listed.column2'), fee: sql`cast(listed.column3 as bigint)` })
                .where('batch', '=', batch)
                .where('row', '=', listedRow),
            ),
            textUpdate({ kept, database }, batch, 'payload', piece),
          ];
        }),
      ),
    skip: (batch, rows) =>
      write(async (database) => {
        for (const piece of pieces(rows, ROWS_A_STATEMENT)) {
          const planned = database.updateTable('batch_rows').where('batch', '=', batch).where('state', '=', 'planned');
          await planned.set({ state: 'skipped' }).where('row', 'in', piece).execute();
        }
      }),
    remember: (batch, rows) =>
      writeAll((database) =>
        pieces(rows, ROWS_A_STATEMENT).map((piece) => textUpdate({ kept, database }, batch, 'old_values', piece)),
      ),
  };
}
