import { isSameAccount } from '../../client/account.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { DraftError, type DraftStore, type DraftTarget, ownId, type ShipDraft } from './drafts.ts';
import { isMadeExternalId, newExternalId } from './external-id.ts';
import type { OrderDraft } from './order-draft.ts';
import { orderIdentity, orderText } from './order-identity.ts';

/** What a new draft is made from. */
interface Making {
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** A draft that is not stored yet; a draft of a complete order has the order's identity from the start. */
export function newDraft(
  { clock, randomBytes }: Making,
  target: DraftTarget,
  order: OrderDraft,
  from_input: boolean,
): ShipDraft {
  const external_id = order.external_id || newExternalId(clock, randomBytes);
  const now = new Date(clock.now()).toISOString();
  return {
    version: 2,
    id: from_input ? orderIdentity(target.operation, target.account, order) : ownId(external_id),
    state: 'open',
    external_id,
    target,
    created_at: now,
    updated_at: now,
    from_input,
    order,
    answers: [],
  };
}

/** The draft that a run starts with, and the one of the same order that is already on disk. */
export interface Begun {
  readonly draft: ShipDraft;
  readonly found: ShipDraft | undefined;
}

/**
 * The draft that a generated external id belongs to: an input file written by shopctl contains it, and its order is
 * that of a draft filled by questions, which has another identity.
 */
async function ofMadeName(
  store: DraftStore,
  target: DraftTarget,
  { external_id }: OrderDraft,
): Promise<ShipDraft | undefined> {
  if (!isMadeExternalId(external_id ?? '')) return undefined;
  const drafts = await store.list('all');
  return drafts.find(
    (draft) =>
      draft.external_id === external_id &&
      draft.target.operation === target.operation &&
      isSameAccount(draft.target.account, target.account),
  );
}

/**
 * The draft of a given order, and any stored draft of the same order. An external id identifies one draft in every run:
 * a different order under that id is refused while the first one may have been sent.
 */
export async function draftOfInput(
  making: Making,
  store: DraftStore,
  target: DraftTarget,
  order: OrderDraft,
): Promise<Begun> {
  const fresh = newDraft(making, target, order, true);
  const found = (await store.find(fresh.id)) ?? (await ofMadeName(store, target, order));
  if (found === undefined) return { draft: fresh, found };
  if (found.id !== fresh.id) return { draft: { ...fresh, id: found.id }, found };
  if (orderText(order) === orderText(found.order)) return { draft: fresh, found };
  if (found.state === 'open' || found.state === 'failed') {
    return { draft: { ...fresh, state: found.state, created_at: found.created_at }, found: undefined };
  }
  throw new DraftError(
    'draft_unsettled',
    `external_id ${order.external_id ?? fresh.external_id} belongs to draft ${found.id}, which is ${found.state} with another order in it`,
    { draft: found.id },
  );
}
