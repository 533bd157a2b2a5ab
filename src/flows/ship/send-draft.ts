import { call } from '../../client/call.ts';
import { OutcomeUnknownError, RequestError } from '../../client/errors.ts';
import type { CreateAndConfirmOrder, GetOrder, GetShippingServices } from '../../contract/partner/shipping.ts';
import { checkRequest } from '../../contract/schema/parse.ts';
import { type AcceptedService, DraftError, type ShipDraft } from './drafts.ts';
import { servicesInTime } from './offers/pick-quote.ts';
import { type ComparedService, compareQuotes } from './offers/quotes.ts';
import { type CompleteOrder, quoteRequestOf, withService } from './order-draft.ts';
import { orderIdentity } from './order-identity.ts';
import { type OnceDesk, type OnceOperations, type SentOnce, sendOnce } from './send-once.ts';

/** The operations of the current family; those of both families have the same request and answer here. */
export interface ShipOperations extends OnceOperations<typeof CreateAndConfirmOrder> {
  readonly lookup: typeof GetOrder;
  readonly quote: typeof GetShippingServices;
}

/** What shipping depends on besides the draft. */
export interface SendingDesk extends OnceDesk<typeof CreateAndConfirmOrder> {
  readonly operations: ShipOperations;
  /** The latest delivery time, in milliseconds since 1970. */
  readonly by?: number | undefined;
  /**
   * Agrees to one of the current offers, or throws. It gets what was agreed to before, if anything; if the fee has
   * changed since, it decides.
   */
  readonly agree: (offers: readonly ComparedService[], before: AcceptedService | undefined) => Promise<ComparedService>;
  /**
   * For the same order, sent and reported within a day: whether to send it as another one, or to report it again;
   * throws to do neither.
   */
  readonly afterAnswer: (answered: ShipDraft) => Promise<'another' | 'tell'>;
}

export type Shipped = SentOnce<typeof CreateAndConfirmOrder>;

/** An order that is decided on, and the agreed service if there is one. */
export interface DecidedOrder {
  readonly order: CompleteOrder;
  readonly accepted: AcceptedService | undefined;
}

/** The current offers for an order that are in time, compared. */
export async function offersFor(
  order: CompleteOrder,
  { operations, connection, by }: Pick<SendingDesk, 'operations' | 'connection' | 'by'>,
): Promise<ComparedService[]> {
  const answer = await call(operations.quote, quoteRequestOf(order) as never, connection);
  return compareQuotes(servicesInTime(answer.services ?? [], by));
}

/** The identity under which a draft is sent: of the order as given, or as built by questions. */
function identityOf(draft: ShipDraft, decided: CompleteOrder | undefined): string {
  const { from_input, order, target } = draft;
  if (from_input || decided === undefined) return draft.id;
  return orderIdentity(target.operation, target.account, order.external_id ? order : { ...decided, external_id: null });
}

/** The same failure, with advice for a draft that may have shipped. */
function withResume(error: unknown, id: string): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  const { operation = '', message, cause, meta } = error;
  const advice = { name: 'find_out_by_draft', facts: { draft: id } } as const;
  return new OutcomeUnknownError(operation, message, { advice, cause, meta });
}

/**
 * Ships a draft exactly once, whatever happened to earlier runs (`sendOnce`). It is quoted now, `agree` decides on the
 * fee, and the request is checked before the draft is marked as being sent: a refusal on our side leaves it as it was.
 * `decide` returns what to send if it was not sent yet.
 */
export async function shipDraft(
  draft: ShipDraft,
  decide: () => Promise<DecidedOrder | undefined>,
  desk: SendingDesk,
): Promise<Shipped> {
  const { operations, store } = desk;
  const early = draft.from_input ? undefined : await decide();
  const id = identityOf(draft, early?.order);
  const prepare = async (failed: ShipDraft | undefined): Promise<ShipDraft> => {
    const decided = early ?? (await decide());
    if (decided === undefined) throw new DraftError('draft_unsettled', `draft ${draft.id} has nothing to send`);
    const service = await desk.agree(await offersFor(decided.order, desk), decided.accepted);
    const external_id = failed?.external_id ?? draft.external_id;
    const request = withService(decided.order, service, external_id);
    const checked = checkRequest(operations.create, request);
    if (!checked.ok) throw new RequestError(operations.create.id, checked.errors);
    const accepted = { code: service.code ?? '', fee: service.fee ?? 0 };
    const former = id === draft.id ? draft.former : draft.id;
    return { ...draft, id, former, external_id, state: 'sending', accepted, request, failure: undefined };
  };
  const shipped = await sendOnce(id, desk, { prepare, afterAnswer: desk.afterAnswer }).catch((error: unknown) => {
    throw withResume(error, id);
  });
  // Until now a person's answers were stored under an id of their own.
  if (id !== draft.id) await store.remove(draft.id).catch(() => {});
  return shipped;
}
