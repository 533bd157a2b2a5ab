import { CallError } from '../../../client/errors.ts';
import { RecordOverError } from '../../../client/settle/create-named.ts';
import { recordIn } from '../../../client/settle/found-record.ts';
import { isRefusedForGood } from '../../../client/settle/settle-lost.ts';
import { intentAt, markReported, putIntent, removeIntent } from '../../../workspace/ledger/intents.ts';
import { type Key, type KeyOutcome, settleKeys } from '../../../workspace/ledger/keys.ts';
import type { Sql } from '../../../workspace/sql/sql.ts';
import type { Writing, WritingContext } from '../writing.ts';
import { type Intent, restored, stored } from './intent.ts';

/** The intent that holds a key; undefined if a row of a batch does, or if it was forgotten. */
export async function holderOf({ store }: Pick<Writing, 'store'>, { holder }: Key): Promise<Intent | undefined> {
  const row = await store.read((sql) => intentAt(sql, holder));
  return row && row.body !== '{}' ? restored(row) : undefined;
}

/** Writes an intent and what became of its key, inside a transaction. */
export async function putOutcome(
  sql: Sql,
  { now: at, left }: Writing,
  intent: Intent,
  state?: KeyOutcome['state'],
): Promise<void> {
  const { account, resource, identity } = stored(intent, at);
  if (state !== undefined && identity !== null) {
    const place = { account, resource, identity, holder: intent.id };
    await settleKeys(sql, [{ ...place, state, recordId: intent.order_id, at }]);
  }
  // A draft of `ship` stays, so that it can be looked at and continued; a request that was given as it is does not.
  const isSpent = intent.state === 'failed' && intent.accepted === undefined && intent.order_id === undefined;
  if (isSpent) await removeIntent(sql, intent.id);
  else await putIntent(sql, stored({ ...intent, attempts: intent.attempts + left }, at));
}

/** Writes that an intent is done. A failure to write is returned as `unkept`, and is no error: the record exists. */
export async function putDone(
  writing: Writing,
  { failure: _, ...intent }: Intent,
  answer: unknown,
): Promise<{ readonly sent: Intent; readonly unkept?: string }> {
  const { id: order_id } = recordIn(answer) ?? {};
  const facts = typeof order_id === 'string' && order_id !== '' ? { order_id } : {};
  const small: Intent = { ...intent, state: 'done', ...facts };
  const sent = { ...small, answer };
  let reason: unknown;
  for (const version of [sent, small]) {
    try {
      await writing.store.write((sql) => putOutcome(sql, writing, version, 'done'));
      return { sent };
    } catch (error) {
      reason = error;
    }
  }
  return { sent, unkept: reason instanceof Error ? reason.message : String(reason) };
}

/**
 * Writes what a failure means: the key is given back where it proves that nothing was applied, and is unclear otherwise.
 * `earlier` is whether an earlier process may have sent it.
 */
export async function putFailed(writing: Writing, intent: Intent, error: unknown, earlier: boolean): Promise<void> {
  const isEnded = error instanceof RecordOverError;
  const known = error instanceof CallError ? error : undefined;
  const neverLeft = !earlier && writing.left === 0;
  const isProven = neverLeft || (known?.outcome === 'not_applied' && (!earlier || isRefusedForGood(known)));
  const failure = known && { code: known.code, message: known.message };
  const order_id = isEnded ? error.meta.id : intent.order_id;
  // Whoever continues one that has ended has decided to send it once more.
  const state = isEnded || isProven ? 'failed' : 'unclear';
  const settled: Intent = { ...intent, state, failure, ...(order_id === undefined ? {} : { order_id }) };
  const ofKey = isEnded ? 'undone' : isProven ? 'free' : 'unclear';
  // The failure itself is what has to be reported, whatever happens to its record.
  await writing.store.write((sql) => putOutcome(sql, writing, settled, ofKey)).catch(() => {});
}

/** Writes that stdout took the answer of an intent. If it fails, the next run reports it once more, and sends nothing. */
export async function putReported({ open, connection }: WritingContext, { id }: Intent): Promise<void> {
  const store = await open().catch(() => undefined);
  await store?.write((sql) => markReported(sql, id, connection.clock.now())).catch(() => {});
  await store?.close().catch(() => {});
}
