import { sql } from 'kysely';
import { pieces } from '../../store/sql.ts';
import type { RowState, WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type EarlierRows, earlierRowsOf } from './earlier-rows.ts';
import { type RepeatedRows, repeatedRowsOf } from './repeated-rows.ts';
import { openStates, type RowWithRequest, theOpenOnes, type WholeRow, wholeRows, withContents } from './row.ts';
import { type RowWriter, rowWriterOf } from './write-rows.ts';

/** A row by its request: what it sends, whose it is, and where it is in the file. */
export type RequestOfRow = Pick<RowWithRequest, 'row' | 'cell' | 'named' | 'payload'>;

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
  /** The requests of all rows of a batch in these states, in order, page by page. */
  requests(query: RowsOfBatch): AsyncGenerator<RequestOfRow[], void, undefined>;
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

type Pages = Pick<RowReader, 'next' | 'pages' | 'each' | 'requests'>;

/** Pages of rows in order, the next of which is read while one is used. */
async function* pagesAhead<Row extends { readonly row: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  const ask = (after: number) => {
    const page = read(after);
    // Its failure is that of whoever waits for it.
    page.catch(() => {});
    return page;
  };
  let page = ask(0);
  try {
    for (let rows = await page; rows.length > 0; rows = await page) {
      page = ask(rows.at(-1)?.row ?? 0);
      yield rows;
    }
  } finally {
    await page.catch(() => {});
  }
}

/** The rows of a batch, some at a time. */
function pagesOf({ read }: Workspace): Pages {
  /** The condition for rows of a batch in these states, behind a row. */
  const behind = ({ batch, states }: RowsOfBatch, after: number) => {
    const isOpen = states?.every((state) => openStates.includes(state)) === true;
    return sql<boolean>`(r.batch = ${batch} and r.row > ${after}
      ${states === undefined ? sql`` : sql`and r.state in (${sql.join(states)})`} ${isOpen ? sql`and ${theOpenOnes}` : sql``})`;
  };
  const next: Pages['next'] = ({ after, limit, ...query }) =>
    read((database) => wholeRows(database).where(behind(query, after)).orderBy('r.row').limit(limit).execute());
  const pages: Pages['pages'] = (query) => pagesAhead((after) => next({ ...query, after, limit: ROWS_A_PAGE }));
  return {
    next,
    pages,
    async *each(query) {
      for await (const rows of pages(query)) yield* rows;
    },
    requests: (query) =>
      pagesAhead((after) =>
        read((database) =>
          withContents(database)
            .select(['r.row', 'r.cell', 'r.named', 'c.payload'])
            .where(behind(query, after))
            .orderBy('r.row')
            .limit(ROWS_A_PAGE)
            .execute(),
        ),
      ),
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
