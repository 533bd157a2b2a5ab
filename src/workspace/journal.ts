import { sql } from 'kysely';
import { withoutTexts } from './row-facts.ts';
import type { Row, WholeRow } from './rows.ts';
import type { Workspace } from './workspace.ts';

/** A row that is about to be sent: once `intend` resolves it is on disk as `sending`, with its whole request. */
export interface Intent {
  readonly row: WholeRow;
  /** Whether its request is another one than what is kept: a service was chosen anew. */
  readonly rewritten: boolean;
  /** What `max_total` has to leave room for; 0 where its fee was reserved before. */
  readonly reserve: number;
}

/** What became of a row. `release` is what it had reserved and did not spend. */
export interface Outcome {
  readonly row: Row;
  readonly release: number;
}

/**
 * What was sent and what became of it. Intents are on disk before `intend` resolves, and so is every outcome that was
 * told before: rows share commits. An outcome that is told and lost in a crash costs a look-up, never a double.
 */
export interface Journal {
  /**
   * Marks rows as `sending`. Answers those for which `max_total` leaves room; the others stay as they are. Rejects with a
   * WorkspaceError where it cannot be written: then nothing may be sent.
   */
  intend(intents: readonly Intent[]): Promise<Intent[]>;
  /** Tells an outcome, to be written with the next commit. */
  tell(outcome: Outcome): void;
  /** How many outcomes wait for a commit. */
  readonly waiting: number;
  /** Writes the outcomes that wait. */
  flush(): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

/** Every column but the key, as the row that could not be inserted had it. */
const rowColumns = [
  'state',
  'attempts',
  'id',
  'code',
  'shipping_code',
  'carrier',
  'fee',
  'error_code',
  'error_message',
] as const satisfies readonly (keyof Row)[];

/** The journal of one batch. */
export function journalOf({ write }: Workspace, batch: number): Journal {
  let outcomes: Outcome[] = [];

  async function commit(intents: readonly Intent[], told: readonly Outcome[]): Promise<Intent[]> {
    return write(async (database) => {
      const released = told.reduce((sum, { release }) => sum + release, 0);
      if (released !== 0) {
        await database
          .updateTable('batches')
          .set((build) => ({ reserved: build('reserved', '-', released) }))
          .where('number', '=', batch)
          .execute();
      }
      const granted: Intent[] = [];
      for (const intent of intents) {
        if (intent.reserve === 0 || (await reserve(intent.reserve))) granted.push(intent);
      }
      async function reserve(fee: number): Promise<boolean> {
        const { numUpdatedRows } = await database
          .updateTable('batches')
          .set((build) => ({ reserved: build('reserved', '+', fee) }))
          .where('number', '=', batch)
          .where((build) =>
            build.or([
              build('max_total', 'is', null),
              build(build('reserved', '+', fee), '<=', build.ref('max_total')),
            ]),
          )
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }
      const rows = [
        ...told.map(({ row }) => withoutTexts(row)),
        ...granted.map(({ row }) => ({ ...withoutTexts(row), state: 'sending' as const, attempts: row.attempts + 1 })),
      ];
      // The last word about a row stands, where a commit has two of them.
      const last = [...new Map(rows.map((row) => [row.row, row])).values()];
      for (let at = 0; at < last.length; at += ROWS_A_STATEMENT) {
        await database
          .insertInto('batch_rows')
          .values(last.slice(at, at + ROWS_A_STATEMENT))
          .onConflict((conflict) =>
            conflict
              .columns(['batch', 'row'])
              .doUpdateSet(Object.fromEntries(rowColumns.map((name) => [name, sql.ref(`excluded.${name}`)]))),
          )
          .execute();
      }
      for (const { row } of granted.filter(({ rewritten }) => rewritten)) {
        await database
          .updateTable('batch_contents')
          .set({ payload: row.payload })
          .where('batch', '=', batch)
          .where('row', '=', row.row)
          .execute();
      }
      return granted;
    });
  }

  async function take(intents: readonly Intent[]): Promise<Intent[]> {
    const told = outcomes;
    outcomes = [];
    try {
      return await commit(intents, told);
    } catch (error) {
      outcomes = [...told, ...outcomes];
      throw error;
    }
  }

  return {
    intend: take,
    tell: (outcome) => void outcomes.push(outcome),
    get waiting() {
      return outcomes.length;
    },
    async flush() {
      if (outcomes.length > 0) await take([]);
    },
  };
}
