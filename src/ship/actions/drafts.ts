import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, namePrefix, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { type Drafts, draftsIn } from '../../ledger/intents/drafts.ts';
import type { Intent } from '../../ledger/intents/intent.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import { completeOrder, type OrderDraft } from '../../ledger/order-draft.ts';
import { requireOfShopAskedFor, shopAskedFor } from '../../settings/keys.ts';
import { nameOfShop } from '../../settings/shop-names.ts';
import { beginning } from '../questions/conversation.ts';
import { play } from '../questions/next-step.ts';
import { lookAtMessage } from '../questions/pasted-message.ts';
import { say } from '../texts.ts';

const view: View = {
  columns: [
    { path: 'id' },
    { path: 'state', kind: 'state' },
    { path: 'shop', optional: true },
    { path: 'recipient' },
    { path: 'total_amount', header: 'amount', kind: 'number' },
    { path: 'cod_amount', header: 'cash', kind: 'number', optional: true },
    { path: 'updated_at', header: 'updated', kind: 'time' },
    { path: 'order_id', optional: true },
    { path: 'external_code', optional: true },
    { path: 'external_id', optional: true },
  ],
  name: 'id',
  fields: [
    'created_at',
    'target',
    'request',
    'order',
    'answers',
    'accepted',
    'failure',
    'failure.code',
    'failure.message',
  ],
};

function draftsOf(ports: Ports): Drafts {
  return draftsIn(ledgerOpener(ports), ports.clock);
}

/** The order so far: what was sent, or what results from the input and the answers, and from a message that was not agreed to yet. */
async function orderSoFar(draft: Intent): Promise<OrderDraft> {
  if (draft.request !== undefined) return draft.request;
  try {
    const { locationTree } = await import('../../domain/places/place-data.ts');
    const facts = { pickups: [], places: locationTree };
    const { order, pasted } = play(beginning(draft.order, !draft.from_input), draft.answers, facts);
    return pasted === undefined ? order : lookAtMessage(order, pasted, locationTree).order;
  } catch {
    return draft.order;
  }
}

/** What an order costs; null as long as a price of it is missing. */
function totalOf(order: OrderDraft): number | null {
  try {
    const isPriced = order.lines?.length && order.lines.every((line) => typeof line.payment_price === 'number');
    return isPriced ? completeOrder(order).total_amount : null;
  } catch {
    return null;
  }
}

/** Whether it is a draft of an order; the ledger has the intents of every command. */
function isOfShip({ resource }: Intent): boolean {
  return resource === 'order';
}

async function rowOf(draft: Intent) {
  const order = await orderSoFar(draft);
  const { full_name: recipient = null } = order.shipping_address ?? {};
  const { cod_amount = null } = order.shipping ?? {};
  const { external_code = null } = order;
  return { ...draft, recipient, external_code, total_amount: totalOf(order), cod_amount };
}

/** A draft for display; other fields may follow these. */
const shownDraft = z.looseObject({
  id: text('Its id'),
  state: text('open, sending, unclear, done, failed, or undone'),
  shop: z.optional(text('The shop: its name, otherwise its id')),
  recipient: z.optional(z.nullable(text('Recipient of the parcel'))),
  total_amount: z.optional(z.nullable(int('The total of the order, if known', 'currency units'))),
  cod_amount: z.optional(z.nullable(int('The cash that the carrier collects, if known', 'currency units'))),
  external_code: z.optional(z.nullable(text('The external code of the order'))),
  external_id: z.optional(text('The external_id that the order is sent with')),
  order_id: z.optional(text('The id of the order, if known')),
  updated_at: z.optional(time('When it was last changed')),
});

const name = namePrefix('the id of the draft, or the start of it');

/** The state of a draft in words. */
function stateText(state: string): string {
  const { open, sending, unclear, done, failed, undone } = say().drafts;
  const words: Readonly<Record<string, string>> = { open, sending, unclear, done, failed, undone };
  return words[state] ?? state;
}

/** The number of drafts in each state, and how to continue the latest unfinished one. */
function tellSummary(drafts: readonly { readonly id: string; readonly state: string }[], { report, ui }: Ports): void {
  const states = [...new Set(drafts.map(({ state }) => state))];
  const counts = states.map((state) =>
    say().drafts.count({ count: drafts.filter((draft) => draft.state === state).length, state: stateText(state) }),
  );
  report.notice(counts.length === 0 ? say().drafts.none : counts.join(', '));
  const latest = drafts.find(({ state }) => ['open', 'failed', 'sending', 'unclear'].includes(state));
  if (latest !== undefined) report.notice(ui.advise('resume_draft', { draft: latest.id }));
}

const listDrafts = action({
  id: 'ship.drafts.list',
  words: ['ship', 'drafts', 'list'],
  summary: 'List the drafts that are not finished',
  description:
    'A draft is open, sending, unclear (it may have shipped; --resume checks), done, failed, or undone (its order was cancelled).',
  examples: ['shopctl ship drafts list', 'shopctl ship drafts list --all --json'],
  effect: 'read',
  agents: 'read',
  needs: [],
  input: z.object({ all: z.optional(flag('also those that are done')) }),
  output: list(shownDraft, 'The drafts, the latest first'),
  view,
  async run({ all }, ports) {
    const asked = shopAskedFor(ports.settings);
    const known = await draftsOf(ports).list(all === true ? 'all' : 'unfinished');
    const drafts = known.filter(isOfShip).filter(({ target }) => asked === undefined || target.account.shop === asked);
    tellSummary(drafts, ports);
    const shopOf = ({ target }: Intent) =>
      nameOfShop(ports.settings.profile, target.account.shop) ?? target.account.shop;
    return Promise.all(drafts.map(async (draft) => ({ ...(await rowOf(draft)), shop: shopOf(draft) })));
  },
});

/** The draft with this id. Throws a DraftError if there is none, and a Refusal if it is of another shop than asked for. */
async function called(draft: string, ports: Ports): Promise<Intent> {
  const found = await draftsOf(ports).named(draft);
  requireOfShopAskedFor(say().drafts.called({ id: found.id }), found.target.account.shop, ports.settings);
  return found;
}

const showDraft = action({
  id: 'ship.drafts.show',
  words: ['ship', 'drafts', 'show'],
  summary: 'Show a draft',
  description:
    'With --json it contains everything: the order, the answers (as `ship --answers` takes them) and the request.',
  examples: ['shopctl ship drafts show 3f9a1c20b7 --json'],
  effect: 'read',
  agents: 'read',
  needs: [],
  input: z.object({ draft: name }),
  output: shownDraft,
  view,
  positional: ['draft'],
  async run({ draft }, ports) {
    return rowOf(await called(draft, ports));
  },
});

/**
 * A draft that may have shipped is removed only if explicitly agreed to: without it the outcome can no longer be
 * determined.
 */
async function confirmRemoving({ person }: Ports, draft: string, state: string): Promise<void> {
  if (!['sending', 'unclear'].includes(state) || person.hasAgreed) return;
  if (!person.isThere)
    throw new Refusal('draft_in_doubt', say().drafts.inDoubt({ id: draft }), { facts: { draft, state } });
  const sure = await person.ask({
    name: 'remove',
    message: say().drafts.removeInDoubt({ id: draft }),
    schema: z.boolean(),
    initial: false,
  });
  if (!sure) throw new Refusal('not_confirmed', say().drafts.notConfirmed);
}

const removeDraft = action({
  id: 'ship.drafts.remove',
  words: ['ship', 'drafts', 'remove'],
  summary: 'Remove a draft',
  description: 'A draft that may have shipped is removed only with --yes. The order itself is not changed.',
  examples: ['shopctl ship drafts remove 3f9a1c20b7'],
  effect: 'remove',
  undo: { whyNot: 'what is removed is gone' },
  confirm: 'yes',
  needs: [],
  input: z.object({ draft: name }),
  output: silence,
  positional: ['draft'],
  async run({ draft }, ports) {
    const drafts = draftsOf(ports);
    const found = await called(draft, ports);
    const { id, state } = found;
    ports.intend({ remove: `draft ${id}`, state });
    await confirmRemoving(ports, id, state);
    await drafts.remove(found);
    ports.report.notice(say().drafts.removed({ id }));
    return undefined;
  },
});

/** The drafts of `ship`, and their outcome. */
export const draftActions = [listDrafts, showDraft, removeDraft];
