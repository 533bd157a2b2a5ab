import { type Fields, readFields } from '../../domain/json/values.ts';
import { isSameValue, lookUp } from '../../ledger/look-up.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import { workOff } from '../send/in-flight.ts';
import { Pace } from '../send/pace.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';

/** A field that an update changes. */
export interface Change {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** The changes of each row of an update, by row number. */
export type Changes = ReadonlyMap<number, readonly Change[]>;

const ROWS_AT_ONCE = 500;

/** What a request changes in its record. */
function changesIn(work: RowWork, payload: Fields, record: Fields): Change[] {
  return Object.entries(payload)
    .filter(([field, value]) => !work.targets.includes(field) && !isSameValue(value, record[field]))
    .map(([field, value]) => ({ field, old: record[field] ?? null, new: value }));
}

/** What a row changes in its record; undefined if the record is not there. Throws a CallError. */
async function changesOf(row: WholeRow, work: RowWork, { connection }: BatchContext): Promise<Change[] | undefined> {
  const payload = readFields(row.payload);
  const found = await lookUp(work, payload, connection);
  return found.state === 'none' ? undefined : changesIn(work, payload, found.record);
}

const oldValuesText = (changes: readonly Change[]) =>
  JSON.stringify(Object.fromEntries(changes.map(({ field, old }) => [field, old])));

/** What a record as found has before a request changes it, as it is stored; undefined if the request changes nothing. */
export function replacedBy(work: RowWork, payload: Fields, record: Fields): string | undefined {
  const changes = changesIn(work, payload, record);
  return changes.length === 0 ? undefined : oldValuesText(changes);
}

/**
 * Reads the records that the planned rows of an update change, stores the values that they replace, and skips the rows
 * that change nothing. A record that is not there stays for the service to refuse. Throws a CallError and a
 * WorkspaceError.
 */
export async function compareRows(context: BatchContext, batch: Batch, work: RowWork): Promise<Changes> {
  const all = new Map<number, readonly Change[]>();
  const pace = new Pace({ ...context, clock: context.connection.clock, random: context.connection.random });
  const stop = () => pace.leave();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    for (let after = 0; ; ) {
      const rows = await context.rows.next({ batch: batch.number, states: ['planned'], after, limit: ROWS_AT_ONCE });
      if (rows.length === 0) return all;
      after = rows.at(-1)?.row ?? after;
      const waiting = [...rows];
      const equal: number[] = [];
      await workOff(
        pace,
        async (room) => waiting.splice(0, room),
        async (row) => {
          const changes = await pace.through(() => changesOf(row, work, context));
          if (changes?.length === 0) equal.push(row.row);
          else if (changes !== undefined) all.set(row.row, changes);
          context.tell({ event: 'planning', done: row.row });
        },
      );
      context.signal.throwIfAborted();
      if (pace.failure !== undefined) throw pace.failure;
      await context.rows.skip(batch.number, equal);
      const changed = rows.flatMap(({ row }) => {
        const changes = all.get(row);
        return changes === undefined ? [] : [{ row, old_values: oldValuesText(changes) }];
      });
      await context.rows.remember(batch.number, changed);
    }
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}
