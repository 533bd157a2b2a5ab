import { type Answer as CallAnswer, call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError, ServiceError } from '../../client/errors.ts';
import { callSettled, RecordOverError, settleEarlier } from '../../client/settle.ts';
import { checkRequest } from '../../contract/parse.ts';
import type { CreateAndConfirmOrder, GetOrder, GetShippingServices } from '../../contract/partner/shipping.ts';
import { type AcceptedService, DraftError, type DraftStore, type ShipDraft } from '../drafts.ts';
import { type ComparedService, compareQuotes } from '../quotes.ts';
import { type CompleteOrder, quoteRequestOf, withService } from './order-draft.ts';
import { servicesInTime } from './pick-quote.ts';

/** The operations of the family in force; those of both families take and answer the same here. */
export interface ShipOperations {
  readonly create: typeof CreateAndConfirmOrder;
  readonly lookup: typeof GetOrder;
  readonly quote: typeof GetShippingServices;
}

/** What sending needs beside the draft. */
export interface SendingDesk {
  readonly store: DraftStore;
  readonly operations: ShipOperations;
  readonly connection: Connection;
  /** The moment by which it has to be delivered, in milliseconds since 1970. */
  readonly by?: number | undefined;
  /**
   * Agrees to one of the offers of this moment, or throws. It gets what was agreed to before, where something was; a
   * fee that is not the same any more is for it to judge.
   */
  readonly agree: (offers: readonly ComparedService[], before: AcceptedService | undefined) => Promise<ComparedService>;
  /** How long to wait for another process that is at the same draft. */
  readonly lockTimeoutMs: number;
}

export type ShipAnswer = CallAnswer<typeof CreateAndConfirmOrder>;

/** A draft that is shipped: how it came to it, and what the service says of it. */
export interface Shipped {
  readonly draft: ShipDraft;
  readonly answer: ShipAnswer;
  /** `now`: this run sent it; `settled`: its answer was lost, and it was found or sent again; `before`: an earlier run did. */
  readonly how: 'now' | 'settled' | 'before';
}

/** The offers for an order at this moment, those that are in time, side by side. */
export async function offersFor(
  order: CompleteOrder,
  { operations, connection, by }: Pick<SendingDesk, 'operations' | 'connection' | 'by'>,
): Promise<ComparedService[]> {
  const answer = await call(operations.quote, quoteRequestOf(order) as never, connection);
  return compareQuotes(servicesInTime(answer.services ?? [], by));
}

function failureOf(error: CallError): ShipDraft['failure'] {
  return { code: error.code, message: error.message };
}

/**
 * What a failure says about the draft: surely not applied, it failed and may be sent anew; anything else may have
 * happened, and it stays in `sending`, where the next run looks it up first.
 */
async function keepFailure(store: DraftStore, draft: ShipDraft, error: unknown): Promise<void> {
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return;
  await store.save({ ...draft, state: 'failed', failure: failureOf(error), order_id: undefined });
}

async function finish(store: DraftStore, draft: ShipDraft, answer: ShipAnswer): Promise<ShipDraft> {
  const { failure: _, ...rest } = draft;
  return store.save({ ...rest, state: 'sent', order_id: answer.order?.id ?? undefined });
}

/** An order that this draft shipped earlier, as it is now. */
async function readSent(draft: ShipDraft, { operations, connection }: SendingDesk): Promise<Shipped> {
  const { external_id, order_id: id } = draft;
  const answer = await call(operations.lookup, id ? { id } : { external_id }, connection);
  if (answer.order?.status === 'N') {
    const hint = `\`shopctl ship drafts remove ${draft.id}\` forgets it; then the same order can be sent again`;
    const meta = { order_id: answer.order.id ?? '', external_id };
    const msg = `draft ${draft.id} was sent before, and its order has been cancelled since`;
    throw new ServiceError(operations.create.id, {
      code: 'already_exists',
      msg,
      meta,
      status: 409,
      outcome: 'not_applied',
      hint,
    });
  }
  return { draft, answer, how: 'before' };
}

/** What an earlier run sent without learning what became of it. */
async function settleDraft(draft: ShipDraft, desk: SendingDesk): Promise<Shipped> {
  const { store, operations, connection } = desk;
  const request = { ...draft.request, external_id: draft.external_id };
  try {
    const answer = await settleEarlier(operations.create, request as never, connection);
    return { draft: await finish(store, draft, answer), answer, how: 'settled' };
  } catch (error) {
    // A parcel that came back was shipped: sending it once more is nobody's wish.
    if (error instanceof RecordOverError && error.meta.status !== 'N') {
      const sent = await store.save({ ...draft, state: 'sent', order_id: error.meta.id });
      return readSent(sent, desk);
    }
    await keepFailure(store, draft, error);
    throw error instanceof RecordOverError ? asOver(error, draft) : error;
  }
}

function asOver(error: RecordOverError, { id }: ShipDraft): ServiceError {
  const hint = `nothing was sent; \`shopctl ship --resume ${id}\` sends it anew, as a new order`;
  const { operation = '', code, message, meta, status, outcome } = error;
  return new ServiceError(operation, { code, msg: message, meta, status, outcome, hint });
}

async function sendNow(draft: ShipDraft, order: CompleteOrder, desk: SendingDesk): Promise<Shipped> {
  const { store, operations, connection } = desk;
  const service = await desk.agree(await offersFor(order, desk), draft.accepted);
  const request = withService(order, service, draft.external_id);
  // The request is checked before the draft says that it is being sent: a refusal of ours leaves it as it was.
  const checked = checkRequest(operations.create, request);
  const accepted = { code: service.code ?? '', fee: service.fee ?? 0 };
  const sending: ShipDraft = { ...draft, state: checked.ok ? 'sending' : draft.state, accepted, request };
  if (checked.ok) await store.save(sending);
  try {
    const { response, settled } = await callSettled(operations.create, request as never, connection);
    return { draft: await finish(store, sending, response), answer: response, how: settled ? 'settled' : 'now' };
  } catch (error) {
    if (checked.ok) await keepFailure(store, sending, error);
    throw error;
  }
}

/**
 * Ships a draft, once, whatever became of earlier attempts. Under a lock that no other process holds, it is read again:
 * - `sent`: nothing is sent; its order is read;
 * - `sending`: an earlier run did not learn what became of its request. It is looked up under the draft's external id, and
 *   sent again only where nothing is found, the very same request under the same id;
 * - `open` and `failed`: it is quoted at this moment, `agree` judges the fee, and the draft lies on the disk as `sending`,
 *   with its whole request, before the first byte goes out.
 * `order` is what is sent where it was not sent yet. Throws what `call`, `agree` and the store throw; a draft whose
 * outcome is unknown stays `sending`.
 */
export async function shipDraft(
  draft: ShipDraft,
  order: CompleteOrder | undefined,
  desk: SendingDesk,
): Promise<Shipped> {
  const release = await desk.store.lock(draft.id, desk.lockTimeoutMs);
  try {
    const found = await desk.store.find(draft.id);
    if (found?.state === 'sent') return await readSent(found, desk);
    if (found?.state === 'sending') return await settleDraft(found, desk);
    if (order === undefined)
      throw new DraftError('draft_unsettled', `draft ${draft.id} has nothing that could be sent`);
    return await sendNow({ ...draft, state: found?.state ?? 'open' }, order, desk);
  } finally {
    release();
  }
}
