import { CallError } from '../../client/errors.ts';
import { RecordOverError } from '../../client/settle/create-named.ts';
import { recordIn } from '../../client/settle/found-record.ts';
import { isRefusedForGood } from '../../client/settle/settle-lost.ts';
import { englishOf } from '../../domain/language.ts';
import type { Sql } from '../../store/sql.ts';
import { intentAt, markReported, putIntent, removeIntent } from '../store/intents.ts';
import { type Key, type KeyOutcome, keysAt, settleKeys, takeKeys, type Want } from '../store/keys.ts';
import type { Writing, WritingContext } from '../writing.ts';
import { type Intent, restored, stored } from './intent.ts';

/** The intent that holds a key; undefined if a row of a batch does, or if it was forgotten. */
export async function holderOf({ store }: Pick<Writing, 'store'>, { holder }: Key): Promise<Intent | undefined> {
  const row = await store.read((sql) => intentAt(sql, holder));
  return row && row.body !== '{}' ? restored(row) : undefined;
}

/**
 * Writes an intent and what became of its key, inside a transaction. Returns whether the key is still its own: if it is
 * not, nothing is written but that it was made.
 */
export async function putOutcome(
  sql: Sql,
  { time: { moment }, left, owner }: Writing,
  intent: Intent,
  state?: KeyOutcome['state'],
): Promise<boolean> {
  const { account, resource, identity } = stored(intent, moment.at);
  const place = identity === null ? undefined : { account, resource, identity, holder: intent.id };
  const settled = state && place ? [{ ...place, state, owner, recordId: intent.order_id, ...moment }] : [];
  const others = await settleKeys(sql, settled);
  if (others.length > 0 && state !== 'done') return false;
  // A draft of `ship` stays, so that it can be looked at and continued; a request that was given as it is does not.
  const isSpent = intent.state === 'failed' && intent.accepted === undefined && intent.order_id === undefined;
  if (isSpent) await removeIntent(sql, intent.id);
  else await putIntent(sql, stored({ ...intent, attempts: intent.attempts + left }, moment.at));
  return others.length === 0;
}

/** What a write took: its key, without who sends it. */
export type Taken = Omit<Want, 'owner'>;

/** Writes that an intent is done, inside a transaction. Returns the key if another write has it meanwhile. */
async function putMade(sql: Sql, writing: Writing, intent: Intent, taken: Taken): Promise<Key | undefined> {
  if (await putOutcome(sql, writing, intent, 'done')) return undefined;
  // You said that it was not created while its answer was on its way: its key was given back.
  const { owner, time } = writing;
  if ((await takeKeys(sql, [{ ...taken, owner, ...time.moment }])).size === 0) {
    return (await keysAt(sql, taken.account, taken.resource, [taken.identity])).get(taken.identity);
  }
  await putOutcome(sql, writing, intent, 'done');
  return undefined;
}

/** How an intent that is done was written. */
export interface Put {
  readonly sent: Intent;
  /** Why it could not be written, if so. */
  readonly unkept?: string;
  /** The key of an equal write that was sent beside it, if there is one: there may be two records. */
  readonly beside?: Key | undefined;
}

/** Writes that an intent is done. A failure to write is returned as `unkept`, and is no error: the record exists. */
export async function putDone(
  writing: Writing,
  { failure: _, ...intent }: Intent,
  answer: unknown,
  taken: Taken,
): Promise<Put> {
  const { id: order_id } = recordIn(answer) ?? {};
  const facts = typeof order_id === 'string' && order_id !== '' ? { order_id } : {};
  const small: Intent = { ...intent, state: 'done', ...facts };
  const sent = { ...small, answer };
  let reason: unknown;
  for (const version of [sent, small]) {
    try {
      return { sent, beside: await writing.store.write((sql) => putMade(sql, writing, version, taken)) };
    } catch (error) {
      reason = error;
    }
  }
  return { sent, unkept: reason instanceof Error ? reason.message : String(reason) };
}

/** A failure of a write, whether an earlier process may have sent it, and the key that it took. */
interface Failed {
  readonly error: unknown;
  readonly earlier: boolean;
  readonly taken: Taken;
}

/** Writes what a failure means: the key is given back where it proves that nothing was applied, and is unclear otherwise. */
export async function putFailed(writing: Writing, intent: Intent, { error, earlier, taken }: Failed): Promise<void> {
  const isEnded = error instanceof RecordOverError;
  const known = error instanceof CallError ? error : undefined;
  const neverLeft = !earlier && writing.left === 0;
  const isProven = neverLeft || (known?.outcome === 'not_applied' && (!earlier || isRefusedForGood(known)));
  const failure = known && { code: known.code, message: englishOf(known.message) };
  const order_id = isEnded ? error.meta.id : intent.order_id;
  // Whoever continues one that has ended has decided to send it once more.
  const state = isEnded || isProven ? 'failed' : 'unclear';
  const settled: Intent = { ...intent, state, failure, ...(order_id === undefined ? {} : { order_id }) };
  const ofKey = isEnded ? 'undone' : isProven ? 'free' : 'unclear';
  const put = async (sql: Sql) => {
    // Whoever has taken it over may still be sending it: a failure here tells nothing of that.
    if (await putOutcome(sql, writing, settled, ofKey)) return;
    const isLeft = ofKey === 'unclear' && (await isFreeByWord(sql, writing, taken));
    if (isLeft) await putOutcome(sql, writing, settled, ofKey);
  };
  // The failure itself is what has to be reported, whatever happens to its record.
  await writing.store.write(put).catch(() => {});
}

/**
 * Whether you said that a write was not done while its answer was on its way, which was lost then: nobody knows after all,
 * so it takes its key once more, unless an equal one was sent meanwhile.
 */
async function isFreeByWord(sql: Sql, { owner, time }: Writing, taken: Taken): Promise<boolean> {
  const said = await intentAt(sql, taken.holder);
  if (said?.state !== 'failed' || said.reported_at === null) return false;
  return (await takeKeys(sql, [{ ...taken, owner, ...time.moment }])).size > 0;
}

/** Writes that stdout took the answer of an intent. If it fails, the next run reports it once more, and sends nothing. */
export async function putReported({ open, connection }: WritingContext, { id }: Intent): Promise<void> {
  const store = await open().catch(() => undefined);
  await store?.write((sql) => markReported(sql, id, connection.clock.now())).catch(() => {});
  await store?.close().catch(() => {});
}
