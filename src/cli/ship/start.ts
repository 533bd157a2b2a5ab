import { DraftError, type DraftStore, type DraftTarget, draftId, type ShipDraft } from '../../flows/drafts.ts';
import { newExternalId } from '../../flows/external-id.ts';
import { completeOrder, type OrderDraft } from '../../flows/ship/order-draft.ts';
import type { Context } from '../context.ts';
import { judging } from '../order-file.ts';

const ofService = new Set([
  'carrier',
  'connection_id',
  'shipping_service_code',
  'shipping_service_name',
  'shipping_service_fee',
]);

/** An order as text that is the same for the same order: fields sorted, nulls left out, without its service and name. */
function canonical(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field, inner]) => inner !== null && inner !== undefined && !(name === 'shipping' && ofService.has(field)))
    .filter(([field]) => name !== '' || field !== 'external_id')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([field, inner]) => [field, canonical(inner, field)]);
}

/** Whether a draft is about this order: what it sends, or was given, comes to the same request. */
export function isSameOrder(order: OrderDraft, draft: ShipDraft): boolean {
  const complete = judging(order.external_id, () => completeOrder(order));
  const other = draft.request ?? completeOrder(draft.order);
  return JSON.stringify(canonical(complete)) === JSON.stringify(canonical(other));
}

/** A draft that nobody has seen yet. */
export function newDraft(context: Context, target: DraftTarget, order: OrderDraft, from_input: boolean): ShipDraft {
  const external_id = order.external_id || newExternalId(context.clock, context.randomBytes);
  const now = new Date(context.clock.now()).toISOString();
  return {
    version: 1,
    id: draftId(external_id, target),
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

/** A draft of the same order that a killed run has left in the middle of sending; one that is being sent is none. */
async function abandoned(store: DraftStore, target: DraftTarget, order: OrderDraft): Promise<ShipDraft | undefined> {
  for (const draft of await store.list('unsent')) {
    const isHere = JSON.stringify(draft.target) === JSON.stringify(target);
    if (draft.state !== 'sending' || !isHere || !isSameOrder(order, draft)) continue;
    try {
      (await store.lock(draft.id, 0))();
    } catch (error) {
      if (error instanceof DraftError) continue;
      throw error;
    }
    // Another process may have finished it between the two looks.
    const now = await store.find(draft.id);
    if (now?.state === 'sending') return now;
  }
  return undefined;
}

/**
 * The draft of a given order. An external id names one draft in every run: the same order goes on with it, so that the
 * same command can be run again whatever became of the first; another order under that id is refused while it may have
 * shipped. Without an external id, an unsettled draft of the very same order is settled before a new one is made.
 */
export async function draftOfInput(
  context: Context,
  store: DraftStore,
  target: DraftTarget,
  order: OrderDraft,
): Promise<ShipDraft> {
  const fresh = newDraft(context, target, order, true);
  if (!order.external_id) return (await abandoned(store, target, order)) ?? fresh;
  const found = await store.find(fresh.id);
  if (found === undefined) return fresh;
  if (isSameOrder(order, found)) return found;
  if (found.state === 'open' || found.state === 'failed') {
    return { ...fresh, state: found.state, created_at: found.created_at };
  }
  throw new DraftError(
    'draft_unsettled',
    `external_id ${order.external_id} is the one of draft ${found.id}, which is ${found.state} with another order in it`,
    `see \`shopctl ship drafts show ${found.id}\``,
  );
}
