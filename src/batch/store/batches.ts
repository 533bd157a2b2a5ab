import { type Selectable, sql } from 'kysely';
import { forgetContents, forgetKeys, keepFirsts } from '../../ledger/store/forgotten.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import type { BatchState, BatchTable, RowState, WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';

/** A batch as stored. */
export type Batch = Selectable<BatchTable>;

/** The fields of a new batch, before any of its rows exist. */
export type NewBatch = Pick<Batch, 'id' | 'account' | 'do' | 'operation' | 'options' | 'max_total' | 'created_at'>;

/** How many rows are in a state and what they cost, by carrier. */
export interface Share {
  readonly state: RowState;
  readonly carrier: string | null;
  readonly rows: number;
  /** Sum of their fees; null if none of them has a fee. */
  readonly fees: number | null;
}

/** Why rows failed or were left out, how many of them, and where the first of them is in the file. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly rows: number;
  /** Of how many of them other work has made the record. */
  readonly made: number;
  /** How often the row of them was sent that was sent least often. */
  readonly attempts: number;
  /** Place and name of the first of them; blank if they are many reasons away. */
  readonly cell: string;
  readonly name: string;
}

/** The batches of a workspace. Each function is one read or one transaction; all throw a WorkspaceError. */
export interface Batches {
  /** Creates a batch in `planning`: it is not listed until it is opened. */
  create(batch: NewBatch): Promise<Batch>;
  /** Sets what is known about the batch once its file has been read. */
  describe(number: number, facts: { readonly content: string; readonly source: string }): Promise<void>;
  move(number: number, state: BatchState, at: string | null): Promise<void>;
  /** The batches in these states, newest first; of every account if none is given. */
  list(which: { readonly account?: string; readonly states?: readonly BatchState[] }): Promise<Batch[]>;
  /**
   * The batches whose name starts with this text, at most two: enough for a caller to see that the name is ambiguous.
   */
  named(beginning: string): Promise<Batch[]>;
  /** The opened batches with the same content, command and account, newest first. */
  same(batch: Pick<Batch, 'account' | 'operation' | 'do' | 'content'>): Promise<Batch[]>;
  shares(number: number): Promise<Share[]>;
  /** The reasons of rows that failed or were left out, the most frequent first. */
  reasons(number: number): Promise<Reason[]>;
  /** Removes a batch that has not been opened; one that has been since it was looked at stays. */
  remove(number: number): Promise<void>;
  /**
   * Removes a batch with its rows and their personal data, unless a worker is at it or the outcome of a row is unknown:
   * then nothing is removed, and the reason is returned. No row can be claimed meanwhile. Of its keys salted digests stay,
   * and for a day after the deed what equal content is recognised by; `now` is the service's, in milliseconds since 1970,
   * and `firstOf` the identity that the first record of a content has.
   */
  forget(number: number, firstOf: (content: string) => string): Promise<'forgotten' | 'worked at' | 'unclear'>;
  /** Removes what equal content was recognised by from what was forgotten and made more than a day ago. */
  forgetContents(now: { readonly at: number; readonly localAt: number }): Promise<void>;
}

/** The name of the lock of a batch, by whatever file or command it is reached. */
export function lockOf({ number }: { readonly number: number }): string {
  return `batch-${number}`;
}

/** The keys of a batch, and those of batches that former versions have forgotten. */
const OF_A_BATCH = "holder like ? or holder like 'batch %' and name is null";

/** Of how many reasons the first place is told. */
const MOST_PLACED = 20;

/** The batches of a workspace. */
export function batchesOf({ read, write, serverTime, wipe }: Workspace): Batches {
  return {
    create: (batch) =>
      write(async (database) => {
        const values = {
          ...batch,
          state: 'planning' as const,
          content: '',
          source: '{}',
          reserved: 0,
          finished_at: null,
        };
        return database.insertInto('batches').values(values).returningAll().executeTakeFirstOrThrow();
      }),
    describe: (number, facts) =>
      write(async (database) => {
        await database.updateTable('batches').set(facts).where('number', '=', number).execute();
      }),
    move: (number, state, finished_at) =>
      write(async (database) => {
        await database.updateTable('batches').set({ state, finished_at }).where('number', '=', number).execute();
      }),
    list: ({ account, states = ['open', 'finished'] }) =>
      read((database) =>
        database
          .selectFrom('batches')
          .selectAll()
          .where('state', 'in', states)
          .$if(account !== undefined, (query) => query.where('account', '=', account ?? ''))
          .orderBy('number', 'desc')
          .execute(),
      ),
    named: (beginning) =>
      read((database) =>
        database
          .selectFrom('batches')
          .selectAll()
          .where('state', '!=', 'planning')
          // Not LIKE: a name may contain % or _.
          .where('id', '>=', beginning)
          .where('id', '<', `${beginning}\u{10FFFF}`)
          // The whole name comes before those that it is the beginning of.
          .orderBy('id')
          .limit(2)
          .execute(),
      ),
    same: ({ account, operation, do: words, content }) =>
      read((database) =>
        database
          .selectFrom('batches')
          .selectAll()
          .where('account', '=', account)
          .where('content', '=', content)
          .where('operation', '=', operation)
          .where('do', '=', words)
          .where('state', '!=', 'planning')
          .orderBy('number', 'desc')
          .execute(),
      ),
    shares: (number) =>
      read(async (database) => {
        const rows = await database
          .selectFrom('batch_rows')
          .select((build) => ['state', 'carrier', build.fn.countAll().as('rows'), build.fn.sum('fee').as('fees')])
          .where('batch', '=', number)
          .groupBy(['state', 'carrier'])
          .execute();
        return rows.map(({ state, carrier, rows, fees }) => ({
          state,
          carrier,
          rows: Number(rows),
          fees: fees === null ? null : Number(fees),
        }));
      }),
    reasons: (number) =>
      read(async (database) => {
        const groups = await database
          .selectFrom('batch_rows')
          .select((build) => [
            'error_code',
            'error_message',
            build.fn.countAll().as('rows'),
            build.fn.count('made_by').as('made'),
            build.fn.min('row').as('first'),
            build.fn.min('attempts').as('attempts'),
          ])
          .where('batch', '=', number)
          .where('state', 'in', ['failed', 'skipped'])
          .where('error_message', 'is not', null)
          .groupBy(['error_code', 'error_message'])
          .orderBy('rows', 'desc')
          .orderBy('first')
          .execute();
        const first = groups.slice(0, MOST_PLACED).map((group) => Number(group.first));
        const placed = await database
          .selectFrom('batch_rows')
          .select(['row', 'cell', 'name'])
          .where('batch', '=', number)
          .where('row', 'in', first.length === 0 ? [0] : first)
          .execute();
        const placeOf = new Map(placed.map(({ row, cell, name }) => [row, { cell, name }]));
        return groups.map(({ error_code, error_message, rows, made, first, attempts }) => ({
          code: error_code ?? '',
          message: error_message ?? '',
          rows: Number(rows),
          made: Number(made),
          attempts: Number(attempts),
          ...(placeOf.get(Number(first)) ?? { cell: '', name: '' }),
        }));
      }),
    remove: (number) =>
      write(async (database) => {
        const planning = database.deleteFrom('batches').where('number', '=', number).where('state', '=', 'planning');
        const gone = await planning.returning('number').executeTakeFirst();
        if (gone !== undefined) await removed(database, number);
      }),
    async forget(number, firstOf) {
      const end = await write(async (database) => {
        if (serverTime !== undefined) {
          const all = sql`select count(*) from (select 1 from batch_rows where batch = ${number} for update) as r`;
          await all.execute(database);
          const living = database.selectFrom('batch_workers').select('id').where('batch', '=', number);
          if ((await living.where('lease_until', '>', serverTime).limit(1).execute()).length > 0) return 'worked at';
        }
        const rowsOf = database.selectFrom('batch_rows').where('batch', '=', number);
        if ((await rowsOf.select('row').where('state', 'in', ['unclear', 'sending']).limit(1).execute()).length > 0)
          return 'unclear';
        // The keys stay: what was sent is not sent again for being forgotten, and neither is an equal order within a day.
        const run = sqlOf(database, serverTime !== undefined);
        const own = { where: OF_A_BATCH, values: [`batch ${number} %`] };
        const unnamed = await rowsOf.select(['identity', 'content']).where('named', '=', 0).execute();
        await keepFirsts(run, own, new Map(unnamed.map(({ identity, content }) => [identity, firstOf(content)])));
        await forgetKeys(run, own);
        await removed(database, number);
        return 'forgotten';
      });
      await wipe?.();
      return end;
    },
    forgetContents: (now) => write((database) => forgetContents(sqlOf(database, serverTime !== undefined), now)),
  };
}

/** Removes a batch with its rows and their texts. */
export async function removed(database: WorkspaceTables, number: number): Promise<void> {
  await database.deleteFrom('batch_contents').where('batch', '=', number).execute();
  await database.deleteFrom('batch_rows').where('batch', '=', number).execute();
  await database.deleteFrom('batches').where('number', '=', number).execute();
}
