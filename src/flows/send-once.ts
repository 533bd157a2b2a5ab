import { type Answer, call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { CallError, ServiceError } from '../client/errors.ts';
import { callSettled, RecordOverError, settleEarlier } from '../client/settle.ts';
import { isRefusedForGood } from '../client/settling.ts';
import type { Operation } from '../contract/operation.ts';
import { type DraftStore, isUnsettled, ownId, type ShipDraft } from './drafts.ts';
import { SentBeforeError } from './sent-before.ts';

/** What a create that is sent once answers: an order, itself or one level down. */
type OrderAnswer = Readonly<Record<string, unknown>>;

/** A create, and the operation that reads what it made. */
export interface OnceOperations<Create extends Operation = Operation> {
  readonly create: Create;
  readonly lookup: Operation;
}

/** What sending needs beside the draft. */
export interface OnceDesk<Create extends Operation = Operation> {
  readonly store: DraftStore;
  readonly operations: OnceOperations<Create>;
  readonly connection: Connection;
  /** When this run began, in milliseconds since 1970: what is answered after that was made for it as well. */
  readonly began: number;
  /** Whether the caller gave the order its external id: then it is that id's for all time, and not only for a day. */
  readonly named: boolean;
  /** How long to wait for another process that is at the same order. */
  readonly lockTimeoutMs: number;
  /** Whether an equal order that is there already under the caller's own external id is what was wanted. */
  readonly equalIsOurs?: boolean;
}

/** How a draft came to its answer: this run sent it; its answer was lost and it was settled; an earlier run was not told. */
export type How = 'now' | 'settled' | 'before' | 'together';

/** A draft that is sent, and what the service says of its order. */
export interface SentOnce<Create extends Operation = Operation> {
  readonly draft: ShipDraft;
  readonly answer: Answer<Create>;
  readonly how: How;
  /** To be called when stdout has taken the last byte of it. */
  readonly told: () => Promise<void>;
  /** Why the draft could not be kept up to date, where it could not: a next run settles it again. */
  readonly unkept?: string;
}

/** What is left to the caller. */
export interface OnceDeeds {
  /** What the order is sent as, ready to be saved as `sending`; `failed` is an earlier draft that was surely not applied. Throws where it is not to be sent. */
  readonly prepare: (failed: ShipDraft | undefined) => Promise<ShipDraft>;
  /** Whether the same order, which was sent and told before, is to be sent as another one, or told again. Throws where neither. */
  readonly afterAnswer: (answered: ShipDraft) => Promise<'another' | 'tell'>;
}

const DAY_MS = 24 * 3_600_000;

/** Whether an answered draft is what the same command may mean: told within a day. */
function isRecent({ answered_at }: ShipDraft, now: number): boolean {
  return now - Date.parse(answered_at ?? '') < DAY_MS;
}

function orderIn(answer: OrderAnswer): OrderAnswer {
  const { order } = answer;
  return typeof order === 'object' && order !== null ? (order as OrderAnswer) : answer;
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Saves what is known; what cannot be saved is told, and is not a failure: the order is made. */
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

/** Marks the draft as answered, unless another run has done more with it; never fails, for the order is made and told. */
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
    // The draft stays what it was: the next run tells the order once more, and sends nothing.
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
 * What a failure says about the draft: surely not applied, it failed, and what is wrong with it for good is forgotten where
 * nobody wants to go on with it; anything else may have happened, and it stays in `sending`.
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

/** An order that was sent earlier, as it was answered, or read where the answer was not kept. */
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

/** What an earlier run sent without learning what became of it. */
async function settled<Create extends Operation>(draft: ShipDraft, desk: OnceDesk<Create>): Promise<SentOnce<Create>> {
  const request = { ...draft.request, external_id: draft.external_id };
  try {
    const answer = await settleEarlier(desk.operations.create, request as never, desk.connection);
    return await finished(draft, answer, 'settled', desk);
  } catch (error) {
    // A parcel that came back was shipped: sending it once more is nobody's wish.
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
 * Sends an order, once, whatever became of earlier runs. Under the lock of what is the same order (`id`, its identity), which
 * no other process holds, the draft of that id is read again:
 * - `sending`: an earlier run did not learn what became of its request. It is looked up under its external id, and sent again
 *   only where nothing is found, the very same request under the same id;
 * - `sent`: an earlier run learnt it and told nobody: it is told;
 * - `answered` since this run began: it was made for both, and is told; `answered` within a day: `afterAnswer` judges;
 * - else `prepare` says what is sent. It lies on the disk as `sending`, whole, before the first byte goes out.
 * Throws what `call`, the deeds and the store throw; a draft whose outcome is unknown stays `sending`.
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

/** What is thrown where the same order was sent and told within a day, and nobody said that this is another one. */
export function sentBefore(draft: ShipDraft): SentBeforeError {
  const { external_id, order_id = '' } = draft;
  return new SentBeforeError({ order_id, external_id, answered_at: draft.answered_at ?? '' });
}
