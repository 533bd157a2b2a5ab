import { type DraftStore, draftStore, type ShipDraft } from '../../flows/drafts.ts';
import { play } from '../../flows/ship/next-step.ts';
import { type CompleteOrder, completeOrder } from '../../flows/ship/order-draft.ts';
import { beginning } from '../../flows/ship/state.ts';
import type { Command, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';
import { canAsk } from '../interaction.ts';
import { UsageError } from '../usage-error.ts';

const view: View = {
  columns: [
    { path: 'id' },
    { path: 'state' },
    { path: 'recipient' },
    { path: 'total_amount', header: 'amount', kind: 'number' },
    { path: 'external_code', optional: true },
    { path: 'external_id' },
    { path: 'order_id' },
    { path: 'updated_at', header: 'updated', kind: 'time' },
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

function storeOf({ context, session }: Invocation): DraftStore {
  return draftStore(session.places.state, context.files, context.clock);
}

/** The order as far as it is known: what is sent, or what the answers make of what was given. */
async function orderSoFar(draft: ShipDraft): Promise<CompleteOrder | undefined> {
  if (draft.request !== undefined) return draft.request as CompleteOrder;
  try {
    const { locationTree } = await import('../../domain/place-data.ts');
    const facts = { pickups: [], places: locationTree };
    return completeOrder(play(beginning(draft.order, !draft.from_input), draft.answers, facts).order);
  } catch {
    return undefined;
  }
}

async function rowOf(draft: ShipDraft) {
  const order = await orderSoFar(draft);
  const { full_name: recipient = null } = order?.shipping_address ?? {};
  const { external_code = null } = order ?? draft.order;
  return { ...draft, recipient, external_code, total_amount: order?.total_amount ?? null };
}

async function list(invocation: Invocation): Promise<Result> {
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const store = storeOf(invocation);
  await store.prune();
  const drafts = await store.list(invocation.given.flags.all === true ? 'all' : 'unsent');
  const damaged = (await store.damaged()).map((id) => ({ id, state: 'damaged' }));
  return { document: { kind: 'list', rows: [...damaged, ...(await Promise.all(drafts.map(rowOf)))], view } };
}

async function show(invocation: Invocation): Promise<Result> {
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const draft = await storeOf(invocation).named(invocation.given.arguments[0] ?? '');
  return { document: { kind: 'record', value: await rowOf(draft), view } };
}

/** The draft of that name, also where it cannot be read. */
async function toRemove(store: DraftStore, name: string): Promise<{ id: string; state: string }> {
  const [damaged, another] = (await store.damaged()).filter((id) => id.startsWith(name.toLowerCase()));
  if (damaged !== undefined && another === undefined) return { id: damaged, state: 'damaged' };
  return store.named(name);
}

async function remove(invocation: Invocation): Promise<Result> {
  const { context, session, given } = invocation;
  const store = storeOf(invocation);
  const { id, state } = await toRemove(store, given.arguments[0] ?? '');
  if ((state === 'sending' || state === 'damaged') && session.globals.yes !== true) {
    const warning = `draft ${id} may have shipped, and without it nobody finds out`;
    if (!canAsk(context, session)) {
      const hint =
        state === 'damaged' ? 'look for its order at the service first' : `\`shopctl ship --resume ${id}\` settles it`;
      throw new UsageError(`${warning}: it needs --yes`, { hint });
    }
    const sure = await context.prompter.confirm({ message: `${warning}. Remove it?`, initial: false });
    if (!sure) throw new UsageError('not confirmed, nothing was removed');
  }
  const release = await store.lock(id, 0);
  try {
    await store.remove(id);
  } finally {
    release();
  }
  return { document: { kind: 'none' }, applied: true, notices: [`draft ${id} is removed`] };
}

const draft = { name: 'draft', description: 'the id of the draft, or how it begins', required: true } as const;

/** `shopctl ship drafts`: what was begun, and what became of it. */
export const draftCommands: readonly Command[] = [
  {
    words: ['drafts', 'list'],
    summary: 'List the drafts that are not done',
    description:
      'A draft is open, sending (it may have shipped: --resume finds out), sent (its answer was not printed yet), answered, failed, or damaged (it cannot be read: somebody has to look for its order).',
    flags: () => [
      { name: 'all', type: 'boolean', description: 'those too that are answered; they are kept for 30 days' },
    ],
    examples: ['shopctl ship drafts list', 'shopctl ship drafts list --all --json'],
    run: list,
  },
  {
    words: ['drafts', 'show'],
    summary: 'Show a draft',
    description: 'With --json it holds everything: the order, the answers (which `ship --answers` takes), the request.',
    arguments: [draft],
    examples: ['shopctl ship drafts show 3f9a1c20b7 --json'],
    run: show,
  },
  {
    words: ['drafts', 'remove'],
    summary: 'Remove a draft',
    description: 'One that may have shipped is removed with --yes only. The order itself is not touched.',
    arguments: [draft],
    examples: ['shopctl ship drafts remove 3f9a1c20b7'],
    run: remove,
  },
];
