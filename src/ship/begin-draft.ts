import { equalOrder } from '../ledger/equal-order.ts';
import { isDerivedName, ledgerAccount } from '../ledger/identity.ts';
import type { Drafts } from '../ledger/intents/drafts.ts';
import { type Intent, type IntentTarget, isUnsettled, newIntent } from '../ledger/intents/intent.ts';
import type { OrderDraft } from '../ledger/order-draft.ts';

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
