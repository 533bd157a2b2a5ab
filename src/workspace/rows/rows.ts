import { sql } from 'kysely';
import { KeptSql } from '../sql/kept-sql.ts';
import { listedRow, listedValues } from '../sql/listed-values.ts';
import type { RowState, WorkspaceTables } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import { outcomeColumns, type Row, type RowWithRequest, type WholeRow } from './row.ts';

/** What a quote of a row needs. */
export type RowToQuote = Pick<RowWithRequest, 'row' | 'payload'>;

/** The service chosen for a row, with the request that contains it. */
export type ChosenService = Pick<WholeRow, 'row' | 'payload' | 'carrier' | 'fee'>;

/** A row of another batch of the account with the same name or content as one of this batch. */
export type EarlierRow = WholeRow & {
  /** The id of its batch. */
  readonly of: string;
};

/** SQLite allows 32,766 parameters per statement, PostgreSQL 65,535. */
const ROWS_A_STATEMENT = 500;
const NAMES_A_STATEMENT = 2_000;

/** States in which a row was sent, or may have been. */
export const sentStates = ['sending', 'done', 'existed', 'unclear'] as const satisfies readonly RowState[];

/** States of rows that a run still has to handle. */
export const openStates = ['sending', 'planned'] as const satisfies readonly RowState[];

/** The condition exactly as in the index of open rows: otherwise SQLite does not use that index. */
export const theOpenOnes = sql<boolean>`r.state in ('planned', 'sending')`;

/** The condition exactly as in the index of contents. */
const unnamed = sql<boolean>`named = 0`;

function isOpen(states: readonly RowState[] | undefined): boolean {
  return states?.every((state) => (openStates as readonly RowState[]).includes(state)) === true;
}

/** The rows of the batches of a workspace. */
export interface Rows {
  /** Adds rows with their texts, all or none. */
  add(rows: readonly WholeRow[]): Promise<void>;
  /** Overwrites existing rows, with their texts. */
  replace(rows: readonly WholeRow[]): Promise<void>;
  /** Writes the chosen service of existing rows, each with its request. */
  choose(batch: number, rows: readonly ChosenService[]): Promise<void>;
  /** The next rows of a batch in these states after a given row, in order, with their texts. */
  next(query: {
    readonly batch: number;
    readonly states?: readonly RowState[];
    readonly after: number;
    readonly limit: number;
  }): Promise<WholeRow[]>;
  /** The next planned rows of a batch after a given row, in order, with what a quote needs. */
  toQuote(batch: number, after: number, limit: number): Promise<RowToQuote[]>;
  /** One row with its texts. */
  one(batch: number, row: number): Promise<WholeRow | undefined>;
  /** The rows of the account's opened batches of these operations that were sent under one of these names. */
  ofNames(account: string, operations: readonly string[], names: readonly string[]): Promise<EarlierRow[]>;
  /** The same by content, of rows without a name of their own; also rows that were undone. */
  ofContents(account: string, operations: readonly string[], contents: readonly string[]): Promise<EarlierRow[]>;
  /** Which of these recipients already received something from an opened batch of that account. */
  knownRecipients(account: string, recipients: readonly string[]): Promise<Set<string>>;
  /** How many rows without a name of their own that are already stored in a batch have each of these contents. */
  contentsIn(batch: number, contents: readonly string[]): Promise<Map<string, number>>;
  /** The rows of a batch that have the name, or the goods, of an earlier one, in order; at most `most` of them. */
  repeated(batch: number, by: 'name' | 'goods', most: number): Promise<RepeatedRow[]>;
  /** Groups of rows with the same phone and lines; at most `most` groups. */
  possibleDoubles(batch: number, most: number): Promise<(readonly string[])[]>;
  /**
   * Marks the rows of a batch that another batch has undone as not made, and also the rows that were identified with
   * them.
   */
  markUndone(account: string, batch: number, by: number): Promise<void>;
  /** How many rows of a batch were skipped for a reason, such as bad cells. */
  leftOut(batch: number): Promise<number>;
  /** Whether any row of the batch is in one of these states. */
  any(batch: number, states: readonly RowState[]): Promise<boolean>;
}

function pieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A row that repeats an earlier one of its batch. */
export interface RepeatedRow {
  readonly row: number;
  /** 1 if its name was given in the file. */
  readonly named: 0 | 1;
  readonly name: string;
  /** Where it begins, and where the earlier one does. */
  readonly cell: string;
  readonly first: string;
  readonly payload: string;
}

/** Rows and their texts, as `r` and `c`. */
function withContents(database: WorkspaceTables) {
  return database
    .selectFrom('batch_rows as r')
    .innerJoin('batch_contents as c', (join) => join.onRef('c.batch', '=', 'r.batch').onRef('c.row', '=', 'r.row'));
}

/** Rows with their texts, as `r` and `c`. */
function wholeRows(database: WorkspaceTables) {
  return withContents(database).selectAll('r').select(['c.cells', 'c.payload']);
}

/** Rows with their requests, as `r` and `c`. */
export function rowsWithRequests(database: WorkspaceTables) {
  return withContents(database).selectAll('r').select('c.payload');
}

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
  ...outcomeColumns,
] as const satisfies readonly (keyof Row)[];

const contentColumns = ['batch', 'row', 'cells', 'payload'] as const satisfies readonly (keyof WholeRow)[];

/** The rows of a workspace. Each function is one read or one transaction; all throw a WorkspaceError. */
export function rowsOf({ read, write, writeAll }: Workspace): Rows {
  const kept = new KeptSql();
  /** Inserts these columns of the rows. */
  const insert = <Column extends keyof WholeRow>(
    database: WorkspaceTables,
    table: 'batch_rows' | 'batch_contents',
    columns: readonly Column[],
    rows: readonly WholeRow[],
  ) => {
    const values: unknown[] = [];
    for (const row of rows) for (const column of columns) values.push(row[column]);
    return kept.compiled(`insert ${rows.length} ${table}`, values, () => {
      const picked = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
      return database.insertInto(table).values(picked as never);
    });
  };
  const earlier =
    (column: 'name' | 'content') =>
    (account: string, operations: readonly string[], values: readonly string[]): Promise<EarlierRow[]> =>
      read(async (database) => {
        const found: EarlierRow[] = [];
        for (const piece of pieces(values, NAMES_A_STATEMENT)) {
          const rows = await database
            .selectFrom('batch_rows as r')
            // A cross join is made in this order: SQLite would begin with all rows of the account.
            .crossJoin('batches as b')
            .crossJoin('batch_contents as c')
            .whereRef('b.number', '=', 'r.batch')
            .whereRef('c.batch', '=', 'r.batch')
            .whereRef('c.row', '=', 'r.row')
            .selectAll('r')
            .select(['c.cells', 'c.payload', 'b.id as of'])
            .where(`r.${column}`, 'in', piece)
            .$if(column === 'content', (query) => query.where(unnamed))
            .where('r.state', 'in', column === 'content' ? [...sentStates, 'undone' as const] : sentStates)
            .where('b.account', '=', account)
            .where('b.operation', 'in', operations)
            .where('b.state', '!=', 'planning')
            .orderBy('r.batch')
            .orderBy('r.row')
            .execute();
          found.push(...rows);
        }
        return found;
      });
  return {
    add: (rows) =>
      writeAll((database) =>
        pieces(rows, ROWS_A_STATEMENT).flatMap((piece) => [
          insert(database, 'batch_rows', rowColumns, piece),
          insert(database, 'batch_contents', contentColumns, piece),
        ]),
      ),
    replace: (rows) =>
      write(async (database) => {
        for (const { batch, row, ...rest } of rows) {
          const { cells, payload, ...facts } = rest;
          const at = { batch, row };
          await database
            .updateTable('batch_rows')
            .set(facts)
            .where((build) => build.and(at))
            .execute();
          await database
            .updateTable('batch_contents')
            .set({ cells, payload })
            .where((build) => build.and(at))
            .execute();
        }
      }),
    choose: (batch, rows) =>
      writeAll((database) =>
        pieces(rows, ROWS_A_STATEMENT).flatMap((piece) => {
          const facts = piece.map(({ row, carrier, fee }) => [row, carrier, fee]);
          const texts = piece.map(({ row, payload }) => [row, payload]);
          return [
            kept.compiled(`facts ${piece.length}`, [...facts.flat(), batch], () =>
              database
                .updateTable('batch_rows')
                .from(listedValues(facts))
                .set({ carrier: sql.ref('listed.column2'), fee: sql`cast(listed.column3 as bigint)` })
                .where('batch', '=', batch)
                .where('row', '=', listedRow),
            ),
            kept.compiled(`texts ${piece.length}`, [...texts.flat(), batch], () =>
              database
                .updateTable('batch_contents')
                .from(listedValues(texts))
                .set({ payload: sql.ref('listed.column2') })
                .where('batch', '=', batch)
                .where('row', '=', listedRow),
            ),
          ];
        }),
      ),
    next: ({ batch, states, after, limit }) =>
      read((database) =>
        wholeRows(database)
          .where('r.batch', '=', batch)
          .where('r.row', '>', after)
          .$if(states !== undefined, (query) => query.where('r.state', 'in', states ?? []))
          .$if(isOpen(states), (query) => query.where(theOpenOnes))
          .orderBy('r.row')
          .limit(limit)
          .execute(),
      ),
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
    ofNames: earlier('name'),
    ofContents: earlier('content'),
    knownRecipients: (account, recipients) =>
      read(async (database) => {
        const known = new Set<string>();
        for (const piece of pieces(recipients, NAMES_A_STATEMENT)) {
          const rows = await database
            .selectFrom('batch_rows as r')
            .crossJoin('batches as b')
            .whereRef('b.number', '=', 'r.batch')
            .select('r.recipient')
            .distinct()
            .where('r.recipient', 'in', piece)
            .where('r.state', 'in', sentStates)
            .where('b.account', '=', account)
            .where('b.state', '!=', 'planning')
            .execute();
          for (const { recipient } of rows) if (recipient !== null) known.add(recipient);
        }
        return known;
      }),
    contentsIn: (batch, contents) =>
      read(async (database) => {
        const counts = new Map<string, number>();
        for (const piece of pieces(contents, NAMES_A_STATEMENT)) {
          const rows = await database
            .selectFrom('batch_rows')
            .select((build) => ['content', build.fn.countAll().as('rows')])
            .where('content', 'in', piece)
            .where(unnamed)
            .where('batch', '=', batch)
            .groupBy('content')
            .execute();
          for (const { content, rows: count } of rows) counts.set(content, Number(count));
        }
        return counts;
      }),
    repeated: (batch, by, most) =>
      read((database) =>
        withContents(database)
          .innerJoin(
            (inner) =>
              inner
                .selectFrom('batch_rows')
                .where('batch', '=', batch)
                .where(by, 'is not', null)
                .groupBy(by)
                .having((build) => build.fn.countAll(), '>', 1)
                .select([`${by} as same`, (build) => build.fn.min('row').as('first_row')])
                .as('d'),
            (join) => join.onRef('d.same', '=', `r.${by}`),
          )
          .innerJoin('batch_rows as f', (join) => join.on('f.batch', '=', batch).onRef('f.row', '=', 'd.first_row'))
          .where('r.batch', '=', batch)
          .whereRef('r.row', '>', 'd.first_row')
          .orderBy('r.row')
          .limit(most)
          .select(['r.row', 'r.named', 'r.name', 'r.cell', 'c.payload', 'f.cell as first'])
          .execute(),
      ),
    possibleDoubles: (batch, most) =>
      read(async (database) => {
        const goods = await database
          .selectFrom('batch_rows')
          .select('goods')
          .where('batch', '=', batch)
          .where('goods', 'is not', null)
          .groupBy('goods')
          .having((build) => build.fn.countAll(), '>', 1)
          .limit(most)
          .execute();
        const doubles: string[][] = [];
        for (const { goods: same } of goods) {
          const rows = await database
            .selectFrom('batch_rows')
            .select('cell')
            .where('batch', '=', batch)
            .where('goods', '=', same)
            .orderBy('row')
            .limit(5)
            .execute();
          doubles.push(rows.map(({ cell }) => cell));
        }
        return doubles;
      }),
    markUndone: (account, batch, by) =>
      write(async (database) => {
        const gone = database
          .selectFrom('batch_rows')
          .select('row')
          .where('batch', '=', by)
          .where('state', 'in', ['done', 'existed']);
        const undone = { state: 'undone' as const };
        await database
          .updateTable('batch_rows as later')
          .set(undone)
          .where('later.state', '=', 'existed')
          .where('later.batch', 'in', (own) =>
            own.selectFrom('batches').select('number').where('account', '=', account),
          )
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('batch_rows as made')
                .select('made.row')
                .where('made.batch', '=', batch)
                .where('made.row', 'in', gone)
                .whereRef('made.name', '=', 'later.name')
                .whereRef('made.id', '=', 'later.id'),
            ),
          )
          .where('later.batch', '!=', by)
          .execute();
        const taken = await database
          .updateTable('batch_rows')
          .set(undone)
          .where('batch', '=', batch)
          .where('state', '=', 'done')
          .where('row', 'in', gone)
          .returning('fee')
          .execute();
        // What was spent on them can be spent again.
        const back = taken.reduce((sum, { fee }) => sum + Number(fee ?? 0), 0);
        if (back === 0) return;
        await database
          .updateTable('batches')
          .set((build) => ({ reserved: build('reserved', '-', back) }))
          .where('number', '=', batch)
          .execute();
      }),
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
