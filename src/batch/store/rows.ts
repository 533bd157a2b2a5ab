import { pieces } from '../../store/sql.ts';
import type { RowState, WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type EarlierRows, earlierRowsOf } from './earlier-rows.ts';
import { type RepeatedRows, repeatedRowsOf } from './repeated-rows.ts';
import { openStates, type RowWithRequest, theOpenOnes, type WholeRow, wholeRows, withContents } from './row.ts';
import { type RowWriter, rowWriterOf } from './write-rows.ts';

/** What a quote of a row needs. */
export type RowToQuote = Pick<RowWithRequest, 'row' | 'payload'>;

/** Which rows of a batch are read; all of them where no state is given. */
export interface RowsOfBatch {
  readonly batch: number;
  readonly states?: readonly RowState[];
}

/** Reads the rows of one batch. Each function is one read; all throw a WorkspaceError. */
interface RowReader {
  /** The next rows of a batch in these states after a given row, in order, with their texts. */
  next(query: RowsOfBatch & { readonly after: number; readonly limit: number }): Promise<WholeRow[]>;
  /** All rows of a batch in these states, in order, page by page, or one by one. */
  pages(query: RowsOfBatch): AsyncGenerator<WholeRow[], void, undefined>;
  each(query: RowsOfBatch): AsyncGenerator<WholeRow, void, undefined>;
  /** The next planned rows of a batch after a given row, in order, with what a quote needs. */
  toQuote(batch: number, after: number, limit: number): Promise<RowToQuote[]>;
  /** One row with its texts. */
  one(batch: number, row: number): Promise<WholeRow | undefined>;
  /** The rows of all batches with this name, or whose record has this id, code or parcel code, with their texts, the newest first. */
  called(name: string): Promise<WholeRow[]>;
  /** The rows of a batch that one of these words means: its number, where it is in the file, or a name of its record. */
  meant(batch: number, words: readonly string[]): Promise<WholeRow[]>;
  /** How many rows of a batch were skipped for a reason, such as bad cells. */
  leftOut(batch: number): Promise<number>;
  /** Whether any row of the batch is in one of these states. */
  any(batch: number, states: readonly RowState[]): Promise<boolean>;
}

const ROWS_A_PAGE = 500;

/** Each is compared with six columns. */
const WORDS_A_READ = 1000;

type Pages = Pick<RowReader, 'next' | 'pages' | 'each'>;

/** The rows of a batch, some at a time. */
function pagesOf({ read }: Workspace): Pages {
  const next: Pages['next'] = ({ batch, states, after, limit }) =>
    read((database) =>
      wholeRows(database)
        .where('r.batch', '=', batch)
        .where('r.row', '>', after)
        .$if(states !== undefined, (query) => query.where('r.state', 'in', states ?? []))
        .$if(states?.every((state) => openStates.includes(state)) === true, (query) => query.where(theOpenOnes))
        .orderBy('r.row')
        .limit(limit)
        .execute(),
    );
  const pages: Pages['pages'] = async function* (query) {
    for (let after = 0; ; ) {
      const rows = await next({ ...query, after, limit: ROWS_A_PAGE });
      if (rows.length === 0) return;
      after = rows.at(-1)?.row ?? after;
      yield rows;
    }
  };
  return {
    next,
    pages,
    async *each(query) {
      for await (const rows of pages(query)) yield* rows;
    },
  };
}

/** The rows of a batch that one of these words means. */
async function meantRows(database: WorkspaceTables, batch: number, words: readonly string[]): Promise<WholeRow[]> {
  const found: WholeRow[] = [];
  for (const some of pieces(words, WORDS_A_READ)) {
    const numbers = some.filter((word) => /^[1-9]\d{0,8}$/.test(word)).map(Number);
    const query = wholeRows(database).where('r.batch', '=', batch);
    const meant = query.where((is) => {
      const called = (['cell', 'name', 'id', 'code', 'shipping_code'] as const).map((own) =>
        is(`r.${own}`, 'in', some),
      );
      return is.or(numbers.length === 0 ? called : [...called, is('r.row', 'in', numbers)]);
    });
    found.push(...(await meant.orderBy('r.row').execute()));
  }
  return found;
}

/** Reads the rows of a workspace's batches. */
function rowReaderOf(workspace: Workspace): RowReader {
  const { read } = workspace;
  return {
    ...pagesOf(workspace),
    toQuote: (batch, after, limit) =>
      read((database) =>
        withContents(database)
          .select(['r.row', 'c.payload'])
          .where('r.batch', '=', batch)
          .where('r.row', '>', after)
          .where('r.state', '=', 'planned')
          .where(theOpenOnes)
          .orderBy('r.row')
          .limit(limit)
          .execute(),
      ),
    one: (batch, row) =>
      read((database) => wholeRows(database).where('r.batch', '=', batch).where('r.row', '=', row).executeTakeFirst()),
    called: (name) =>
      read(async (database) => {
        const having = (...columns: readonly ('id' | 'name' | 'code' | 'shipping_code')[]) =>
          wholeRows(database)
            .where((is) => is.or(columns.map((own) => is(`r.${own}`, '=', name))))
            .orderBy('r.batch', 'desc')
            .orderBy('r.row')
            .execute();
        // Only the first two have an index.
        for (const columns of [['id'], ['name'], ['code', 'shipping_code']] as const) {
          const found = await having(...columns);
          if (found.length > 0) return found;
        }
        return [];
      }),
    meant: (batch, words) => read((database) => meantRows(database, batch, words)),
    leftOut: (batch) =>
      read(async (database) => {
        const { rows } = await database
          .selectFrom('batch_rows')
          .select((build) => build.fn.countAll().as('rows'))
          .where('batch', '=', batch)
          .where('state', '=', 'skipped')
          .where('error_code', 'is not', null)
          .executeTakeFirstOrThrow();
        return Number(rows);
      }),
    any: (batch, states) =>
      read(async (database) => {
        const row = await database
          .selectFrom('batch_rows')
          .select('row')
          .where('batch', '=', batch)
          .where('state', 'in', states)
          .limit(1)
          .executeTakeFirst();
        return row !== undefined;
      }),
  };
}

/** The rows of the batches of a workspace. */
export type Rows = RowReader & RowWriter & RepeatedRows & EarlierRows;

/** The rows of a workspace. */
export function rowsOf(workspace: Workspace): Rows {
  return {
    ...rowReaderOf(workspace),
    ...rowWriterOf(workspace),
    ...repeatedRowsOf(workspace),
    ...earlierRowsOf(workspace),
  };
}
