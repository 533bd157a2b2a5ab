import { type Answer, call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError, ServiceError } from '../../client/errors.ts';
import { callSettled, RecordOverError, settleEarlier } from '../../client/settle/settle.ts';
import { isRefusedForGood } from '../../client/settle/settling.ts';
import type { Operation } from '../../contract/operation.ts';
import { type DraftStore, isUnsettled, ownId, type ShipDraft } from './drafts.ts';
import { SentBeforeError } from './sent-before.ts';

/** The answer of a create that is sent once: an order, at the top level or one level down. */
type OrderAnswer = Readonly<Record<string, unknown>>;

/** A create, and the operation that reads the created record. */
export interface OnceOperations<Create extends Operation = Operation> {
  readonly create: Create;
  readonly lookup: Operation;
}

/** What sending depends on besides the draft. */
export interface OnceDesk<Create extends Operation = Operation> {
  readonly store: DraftStore;
  readonly operations: OnceOperations<Create>;
  readonly connection: Connection;
  /** When this run began, in milliseconds since 1970: a draft answered after that was made for this run as well. */
  readonly began: number;
  /** Whether the caller gave the order its external id: then the id identifies it forever, not only for a day. */
  readonly named: boolean;
  /** How long to wait for another process that holds the lock of the same order. */
  readonly lockTimeoutMs: number;
  /** Whether an existing equal order under the caller's own external id counts as success. */
  readonly equalIsOurs?: boolean;
}

/**
 * How a draft got its answer: sent by this run; settled after the answer was lost, or was not reported; sent and
 * reported by an earlier run; or sent by a concurrent run.
 */
export type How = 'now' | 'settled' | 'before' | 'together';

/** A draft that was sent, and the service's answer about its order. */
export interface SentOnce<Create extends Operation = Operation> {
  readonly draft: ShipDraft;
  readonly answer: Answer<Create>;
  readonly how: How;
  /** To be called when stdout has taken the last byte of the answer. */
  readonly told: () => Promise<void>;
  /** Why the draft could not be updated, if so: the next run settles it again. */
  readonly unkept?: string;
}

/** Decisions left to the caller. */
export interface OnceDeeds {
  /**
   * Returns the draft to send, ready to be saved as `sending`; `failed` is an earlier draft that certainly was not
   * applied. Throws if it must not be sent.
   */
  readonly prepare: (failed: ShipDraft | undefined) => Promise<ShipDraft>;
  /**
   * For the same order, already sent and reported: whether to send it as another one, or to report it again. Throws to
   * do neither.
   */
  readonly afterAnswer: (answered: ShipDraft) => Promise<'another' | 'tell'>;
}

const DAY_MS = 24 * 3_600_000;

/** Whether an answered draft is recent enough, within a day, to be what the same command means. */
function isRecent({ answered_at }: ShipDraft, now: number): boolean {
  return now - Date.parse(answered_at ?? '') < DAY_MS;
}

function orderIn(answer: OrderAnswer): OrderAnswer {
  const { order } = answer;
  return typeof order === 'object' && order !== null ? (order as OrderAnswer) : answer;
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Saves what is known; a failure to save is reported in the result and is not an error: the order exists. */
async function kept(store: DraftStore, draft: ShipDraft): Promise<string | undefined> {
  const { answer: _, ...small } = draft;
  let reason: unknown;
  for (const version of [draft, small]) {
    try {
      await store.save(version);
      return undefined;
    } catch (error) {
      reason = error;
    }
  }
  return reason instanceof Error ? reason.message : String(reason);
}

/**
 * Marks the draft as answered, unless another run has changed it since; never fails, because the order exists and was
 * reported.
 */
async function markTold(draft: ShipDraft, { store, connection, lockTimeoutMs }: OnceDesk): Promise<void> {
  try {
    const release = await store.lock(draft.id, Math.min(lockTimeoutMs, 5_000));
    try {
      const now = await store.find(draft.id);
      if (now !== undefined && (now.external_id !== draft.external_id || !isUnsettled(now))) return;
      const earlier = await store.answered(draft.id);
      if (earlier !== undefined && earlier.external_id !== draft.external_id) {
        await store.save({ ...earlier, id: ownId(earlier.external_id) });
      }
      const answered_at = new Date(connection.clock.now()).toISOString();
      await kept(store, { ...draft, state: 'answered', answered_at });
    } finally {
      release();
    }
  } catch {
    // The draft stays as it was: the next run reports the order once more, and sends nothing.
  }
}

async function finished<Create extends Operation>(
  draft: ShipDraft,
  answer: Answer<Create>,
  how: How,
  desk: OnceDesk<Create>,
): Promise<SentOnce<Create>> {
  const { failure: _, ...rest } = draft;
  const order_id = textIn(orderIn(answer as OrderAnswer).id);
  const sent: ShipDraft = { ...rest, state: 'sent', answer, ...(order_id === undefined ? {} : { order_id }) };
  const unkept = await kept(desk.store, sent);
  return { draft: sent, answer, how, told: () => markTold(sent, desk), ...(unkept === undefined ? {} : { unkept }) };
}

/**
 * What a failure means for the draft: if the request certainly was not applied, the draft fails, or is
 * deleted if it was sent raw and can never succeed; otherwise it may have been applied, and the draft stays `sending`.
 */
async function keepFailure({ store }: OnceDesk, draft: ShipDraft, error: unknown): Promise<void> {
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return;
  const failure = { code: error.code, message: error.message };
  const failed: ShipDraft = { ...draft, state: 'failed', failure, order_id: undefined };
  if (draft.raw === true && isRefusedForGood(error)) await store.remove(draft.id).catch(() => {});
  else await kept(store, failed);
}

/** The order of a draft as it is now. */
async function readOrder<Create extends Operation>(draft: ShipDraft, { operations, connection }: OnceDesk<Create>) {
  const { external_id, order_id: id } = draft;
  const answer: OrderAnswer = await call(operations.lookup, id ? { id } : { external_id }, connection);
  const order = orderIn(answer);
  const answersOrderAlone = Object.hasOwn(operations.create.response.shape, 'external_id');
  return { order, answer: (answersOrderAlone ? order : answer) as Answer<Create> };
}

/** An order that was sent earlier, as answered then, or read again if the answer was not stored. */
async function tellAgain<Create extends Operation>(
  draft: ShipDraft,
  how: How,
  desk: OnceDesk<Create>,
): Promise<SentOnce<Create>> {
  const told = () => markTold(draft, desk);
  if (draft.answer !== undefined && how !== 'before')
    return { draft, answer: draft.answer as Answer<Create>, how, told };
  const { order, answer } = await readOrder(draft, desk);
  if (order.status === 'N') throw cancelledSince(draft, order, desk.operations.create);
  return { draft, answer, how, told };
}

function cancelledSince({ id, external_id }: ShipDraft, order: OrderAnswer, create: Operation): ServiceError {
  return new ServiceError(create.id, {
    code: 'already_exists',
    msg: `draft ${id} was sent before, and its order has been cancelled since`,
    meta: { order_id: textIn(order.id) ?? '', external_id },
    status: 409,
    outcome: 'not_applied',
    advice: { name: 'forget_draft', facts: { draft: id } },
  });
}

function asOver(error: RecordOverError, { id }: ShipDraft): ServiceError {
  const advice = { name: 'send_draft_anew', facts: { draft: id } } as const;
  const { operation = '', code, message, meta, status, outcome } = error;
  return new ServiceError(operation, { code, msg: message, meta, status, outcome, advice });
}

/** Determines the outcome of a request that an earlier run sent. */
async function settled<Create extends Operation>(draft: ShipDraft, desk: OnceDesk<Create>): Promise<SentOnce<Create>> {
  const request = { ...draft.request, external_id: draft.external_id };
  try {
    const answer = await settleEarlier(desk.operations.create, request as never, desk.connection);
    return await finished(draft, answer, 'settled', desk);
  } catch (error) {
    // A parcel that came back had been shipped: nobody wants it sent once more.
    if (error instanceof RecordOverError && error.meta.status !== 'N') {
      const sent: ShipDraft = { ...draft, state: 'sent', order_id: error.meta.id };
      await kept(desk.store, sent);
      return await tellAgain(sent, 'before', desk);
    }
    await keepFailure(desk, draft, error);
    throw error instanceof RecordOverError ? asOver(error, draft) : error;
  }
}

async function sendNow<Create extends Operation>(
  sending: ShipDraft,
  desk: OnceDesk<Create>,
): Promise<SentOnce<Create>> {
  const { operations, connection, equalIsOurs = false } = desk;
  await desk.store.save(sending);
  const request = { ...sending.request, external_id: sending.external_id };
  try {
    const { response, settled } = await callSettled(operations.create, request as never, connection, {
      ownName: !desk.named,
      equalIsOurs,
    });
    return await finished(sending, response, settled ? 'settled' : 'now', desk);
  } catch (error) {
    await keepFailure(desk, sending, error);
    throw error;
  }
}

/**
 * Sends an order once, whatever happened to earlier runs. While holding the lock of the same order (`id`, its
 * identity), which no other process can hold, it reads the draft of that id again:
 * - `sending`: an earlier run did not learn the outcome. The order is looked up by its external id, and only if nothing
 *   is found, the identical request is sent again under the same id;
 * - `sent`: an earlier run learned the outcome but did not report it: it is reported;
 * - `answered` since this run began: it was made for both runs, and is reported; `answered` within a day: `afterAnswer`
 *   decides;
 * - otherwise `prepare` returns what to send. It is on disk as `sending`, complete, before the first byte is sent.
 * Throws what `call`, the caller's functions and the store throw; a draft with an unknown outcome stays `sending`.
 */
export async function sendOnce<Create extends Operation>(
  id: string,
  desk: OnceDesk<Create>,
  { prepare, afterAnswer }: OnceDeeds,
): Promise<SentOnce<Create>> {
  const { store, connection } = desk;
  const release = await store.lock(id, desk.lockTimeoutMs);
  try {
    const found = await store.find(id);
    if (found?.state === 'sending') return await settled(found, desk);
    if (found?.state === 'sent') return await tellAgain(found, 'settled', desk);
    const answered = await store.answered(id);
    if (answered !== undefined) {
      if (Date.parse(answered.answered_at ?? '') >= desk.began) return await tellAgain(answered, 'together', desk);
      if ((desk.named || isRecent(answered, connection.clock.now())) && (await afterAnswer(answered)) === 'tell') {
        return await tellAgain(answered, 'before', desk);
      }
    }
    const sending = await prepare(found?.state === 'failed' ? found : undefined);
    return await sendNow(sending, desk);
  } finally {
    release();
  }
}

/** Thrown if the same order was sent and reported within a day, and nobody said that this is another one. */
export function sentBefore(draft: ShipDraft): SentBeforeError {
  const { external_id, order_id = '' } = draft;
  return new SentBeforeError({ order_id, external_id, answered_at: draft.answered_at ?? '' });
}
