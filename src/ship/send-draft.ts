import { call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { OutcomeUnknownError, RequestError } from '../client/errors.ts';
import type { CreateAndConfirmOrder, GetOrder, GetShippingServices } from '../contract/partner/shipping.ts';
import { checkRequest } from '../contract/schema/parse.ts';
import { canonicalText } from '../domain/canonical-text.ts';
import { nationalDigits } from '../domain/likeness.ts';
import { isDerivedName } from '../domain/named-by.ts';
import { foldedName } from '../domain/places/place-name.ts';
import { completed, equalOrder, recognisedOrder, type SentOrder, sentLike } from '../ledger/equal-order.ts';
import { DraftError, type LedgerRefusal } from '../ledger/errors.ts';
import { contentOf, formerContents, ledgerAccount } from '../ledger/identity.ts';
import type { Drafts } from '../ledger/intents/drafts.ts';
import {
  type AcceptedService,
  type Intent,
  type IntentTarget,
  isUnsettled,
  newIntent,
} from '../ledger/intents/intent.ts';
import { createOnce, type OnceContext, type SentOnce } from '../ledger/once.ts';
import type { CompleteOrder, OrderDraft } from '../ledger/order-draft.ts';
import { offeredServices } from './pick-quote.ts';
import { quotedForOrder, withService } from './quote-of-order.ts';
import { type ComparedService, compareQuotes } from './quotes.ts';
import { say } from './texts.ts';

/** A draft that is not stored yet; `now` in milliseconds since 1970. */
export function newDraft(now: number, target: IntentTarget, order: OrderDraft, from_input: boolean): Intent {
  return newIntent(target, { now, resource: 'order', order, from_input });
}

/** The draft that a run starts with, and the one of the same order that is already in the ledger. */
export interface Begun {
  readonly draft: Intent;
  readonly found: Intent | undefined;
}

function isOfAccount({ target }: Intent, here: IntentTarget): boolean {
  return ledgerAccount(target.account) === ledgerAccount(here.account);
}

/**
 * The draft of a given order, and a stored one of the same order, if there is one: its answers are continued, or what
 * became of it is found out. A derived name belongs to the draft that it was made for: an input file written by shopctl
 * contains it.
 */
export async function draftOfInput(
  now: number,
  drafts: Drafts,
  target: IntentTarget,
  order: OrderDraft,
): Promise<Begun> {
  const fresh = newDraft(now, target, order, true);
  const name = order.external_id ?? '';
  const { locationTree } = await import('../domain/places/place-data.ts');
  const equalTo = (one: OrderDraft) => equalOrder(one, locationTree).equal;
  const own = equalTo(order);
  const isSame = (other: Intent) =>
    name === ''
      ? (isUnsettled(other) || other.from_input) && equalTo(other.request ?? other.order) === own
      : other.external_id === name;
  const known = (await drafts.list(isDerivedName(name) ? 'all' : 'unfinished')).filter((one) =>
    isOfAccount(one, target),
  );
  const found = known.find(isSame);
  if (found === undefined) return { draft: fresh, found };
  const isFree = found.state === 'open' || found.state === 'failed';
  if (isFree) return { draft: { ...fresh, id: found.id, created_at: found.created_at }, found };
  if (isDerivedName(name)) return { draft: { ...fresh, identity: found.identity }, found };
  return { draft: fresh, found };
}

/** The operations of the current family; those of both families have the same request and answer here. */
export interface ShipOperations {
  readonly create: typeof CreateAndConfirmOrder;
  readonly lookup: typeof GetOrder;
  readonly quote: typeof GetShippingServices;
}

/** What shipping depends on besides the draft. */
export interface SendingContext extends Omit<OnceContext<typeof CreateAndConfirmOrder>, 'create' | 'account'> {
  readonly operations: ShipOperations;
  /** When this process began, in milliseconds since 1970. */
  readonly began: number;
  /** Whether another order is wanted though an equal one was sent within a day. */
  readonly again: boolean;
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
  readonly afterAnswer: (before: LedgerRefusal) => Promise<'another' | 'tell'>;
  readonly passUnclear: (message: string) => Promise<boolean>;
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
  { operations, connection, by }: Pick<SendingContext, 'operations' | 'connection' | 'by'>,
): Promise<ComparedService[]> {
  const answer = await quotedForOrder(order, (request) => call(operations.quote, request as never, connection));
  return compareQuotes(offeredServices(answer.services ?? [], by));
}

/** The same failure, with advice for a draft that may have shipped. */
function withResume(error: unknown, id: string): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  const { operation = '', message, cause, meta } = error;
  const advice = { name: 'find_out_by_draft', facts: { draft: meta.intent ?? id } } as const;
  return new OutcomeUnknownError(operation, message, { advice, cause, meta });
}

/** A name as long as any that is made: the request is checked before its own is known. */
const SAMPLE_NAME = 'shopctl-s1-00000000000000000000';

/** Whether a draft is an input as it was given, to which nothing was answered. */
export const isAsGiven = ({ from_input, answers }: Intent): boolean => from_input && answers.length === 0;

/**
 * What the order is recognised by: as it was given, if that was all of it, or as it was finished by questions. Many parcels
 * can begin with the same input.
 */
export function recognised(draft: Intent, decided: CompleteOrder | undefined): OrderDraft {
  const { from_input, order } = draft;
  if (decided === undefined) return order;
  const isWhole = from_input && canonicalText(completed(order)) === canonicalText(completed(decided));
  return isWhole ? order : { ...decided, external_id: order.external_id ?? null };
}

/**
 * Ships a draft exactly once, whatever happened to earlier runs (`createOnce`). It is quoted now, `agree` decides on the
 * fee, and the request is checked before the draft is marked as being sent: a refusal on our side leaves it as it was.
 * `decide` returns what to send if it was not sent yet.
 */
export async function shipDraft(
  draft: Intent,
  decide: () => Promise<DecidedOrder | undefined>,
  context: SendingContext,
): Promise<Shipped> {
  const { operations, began, again } = context;
  const early = isAsGiven(draft) ? undefined : await decide();
  const order = recognised(draft, early?.order);
  const prepare = async (connection: Connection): Promise<Intent> => {
    const decided = early ?? (await decide());
    if (decided === undefined) throw new DraftError('draft_unsettled', say().run.nothingToSend({ id: draft.id }));
    const service = await context.agree(await offersFor(decided.order, { ...context, connection }), decided.accepted);
    const request = withService(decided.order, service, order.external_id || SAMPLE_NAME);
    const checked = checkRequest(operations.create, request);
    if (!checked.ok) throw new RequestError(operations.create.id, checked.errors);
    return { ...draft, accepted: { code: service.code ?? '', fee: service.fee ?? 0 }, request };
  };
  const { external_id: _, ...content } = order;
  const { account } = draft.target;
  const wanted = {
    resource: draft.resource,
    external_id: order.external_id ?? '',
    external_code: order.external_code ?? '',
    asked: completed(order),
    content: contentOf(content),
    former: formerContents(content),
    equality: await recognisedOrder(order),
    identity: draft.identity,
    again,
    began,
  };
  const callbacks = { prepare, afterAnswer: context.afterAnswer, passUnclear: context.passUnclear };
  return createOnce({ ...context, account, create: operations.create }, wanted, callbacks).catch((error: unknown) => {
    throw withResume(error, draft.id);
  });
}

/** What goes to whom: phone and goods, whatever the parcel weighs and costs; undefined if either is missing. */
function likeness(order: OrderDraft): string | undefined {
  const { shipping_address, lines } = order;
  const phone = nationalDigits(shipping_address?.phone ?? '');
  if (phone === '' || (lines ?? []).length === 0) return undefined;
  const goods = (lines ?? []).map(({ product_name, variant_id, quantity }) =>
    canonicalText([variant_id, foldedName(product_name ?? ''), quantity]),
  );
  return canonicalText([phone, goods.sort()]);
}

/**
 * The last order of a day that may be the same parcel, and is not equal: an equal one is recognised when it is sent. First
 * that which took the same goods to the same phone, then one with the same cash or street. Undefined if there is none.
 */
export async function sentAlike(
  order: OrderDraft,
  sent: readonly SentOrder[],
): Promise<(SentOrder & { readonly isOfGoods: boolean }) | undefined> {
  const own = likeness(order);
  const { locationTree } = await import('../domain/places/place-data.ts');
  const { equal } = equalOrder(order, locationTree);
  const ofGoods = sent.find(
    ({ request }) =>
      own !== undefined && likeness(request) === own && equalOrder(request, locationTree).equal !== equal,
  );
  const found = ofGoods ?? sentLike(order, sent, locationTree);
  return found && { ...found, isOfGoods: found === ofGoods };
}
