import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, list, namePrefix, oneOf, text, time } from '../../contract/schema/scalars.ts';
import { requireOfShopAskedFor, shopAskedFor } from '../../settings/keys.ts';
import { DraftError } from '../errors.ts';
import { shopOfLedgerAccount } from '../identity.ts';
import { settleByWord, type Unsettled, unsettled, unsettledCalled } from '../intents/unsettled.ts';
import { ledgerOpener } from '../open.ts';
import type { LedgerStore } from '../store/intents.ts';
import { say } from '../texts.ts';

const shown = z.object({
  id: text('Its id'),
  state: oneOf(
    ['sending', 'unclear'],
    'sending: in flight, or its process was killed; unclear: its outcome is not known',
  ),
  resource: text('Kind of record'),
  name: z.nullable(text('Its external_id, or the record that it changes')),
  account: text('The service and the shop'),
  at: time('When it was last changed'),
});

const view = {
  columns: [
    { path: 'id' },
    { path: 'state', kind: 'state' as const },
    { path: 'resource' },
    { path: 'name' },
    { path: 'at', header: 'since', kind: 'time' as const },
  ],
  name: 'id',
  fields: ['account'],
};

const settled = shown.extend({ state: oneOf(['done', 'not_done'], 'the outcome that was recorded') });

async function inLedger<Result>(
  { openIfThere }: ReturnType<typeof ledgerOpener>,
  nothing: Result,
  work: (store: LedgerStore) => Promise<Result>,
): Promise<Result> {
  const store = await openIfThere();
  if (store === undefined) return nothing;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const listed = action({
  id: 'ledger.list',
  words: ['ledger', 'list'],
  summary: 'List the writes whose outcome is unknown',
  description:
    'A write is sending from before its first byte until its outcome is known, and unclear if the outcome was lost. Rows of batches are listed too; `batch resume` and `batch settle` settle those. With --shop, only those of that shop.',
  examples: ['shopctl ledger list', 'shopctl ledger list --state unclear --json'],
  effect: 'read',
  agents: 'read',
  needs: [],
  page: 'allowed',
  input: z.object({ state: z.optional(oneOf(['sending', 'unclear'], 'only those in this state')) }),
  output: list(shown, 'The writes, the oldest first'),
  view,
  async run({ state }, ports) {
    const asked = shopAskedFor(ports.settings);
    const all = await inLedger<Unsettled[]>(ledgerOpener(ports), [], (store) => unsettled(store, state));
    return all.filter(({ account }) => asked === undefined || shopOfLedgerAccount(account) === asked);
  },
});

const id = namePrefix('the id of the write, or the start of it');

function none(name: string): never {
  throw new DraftError('write_not_found', say().word.none({ id: name }));
}

/** The write with this id. Throws a DraftError if there is none, and a Refusal if it is of another shop than asked for. */
async function called(write: string, ports: Ports): Promise<Unsettled> {
  const found = await inLedger(ledgerOpener(ports), undefined, (store) => unsettledCalled(store, write));
  if (found === undefined) return none(write);
  requireOfShopAskedFor(say().word.write(found), shopOfLedgerAccount(found.account), ports.settings);
  return found;
}

const show = action({
  id: 'ledger.show',
  words: ['ledger', 'show'],
  summary: 'Show a write whose outcome is unknown',
  examples: ['shopctl ledger show 3f9a1c20b7'],
  effect: 'read',
  agents: 'read',
  needs: [],
  page: 'allowed',
  input: z.object({ write: id }),
  output: shown,
  view,
  positional: ['write'],
  run: ({ write }, ports) => called(write, ports),
});

/** Asks before a word is taken that nothing can check. */
async function confirmed(write: string, isDone: boolean, { person }: Ports): Promise<void> {
  const { isDone: done, wasNotDone, settling } = say().word;
  const message = isDone ? done({ id: write }) : wasNotDone({ id: write });
  await person.confirm({ what: settling({ id: write }), message });
}

const settle = action({
  id: 'ledger.settle',
  words: ['ledger', 'settle'],
  summary: 'Record the outcome of an unclear write',
  description:
    'Check at the service first. A write that was done counts as created; one that was not done can be sent again by the same command.',
  examples: ['shopctl ledger settle 3f9a1c20b7 --done', 'shopctl ledger settle 3f9a1c20b7 --not-done --yes'],
  effect: 'store',
  takesWord: true,
  undo: { whyNot: 'an outcome is recorded once' },
  confirm: 'yes',
  needs: [],
  page: 'allowed',
  input: z.object({
    write: id,
    done: z.optional(flag('it was done')),
    not_done: z.optional(flag('it was not done')),
  }),
  output: settled,
  view,
  positional: ['write'],
  async run({ write, done, not_done }, ports) {
    if ((done === true) === (not_done === true)) {
      throw new Refusal('settle_how', say().word.chooseOne, { kind: 'usage' });
    }
    await called(write, ports);
    ports.intend({ settle: write, as: done === true ? 'done' : 'not done' });
    await confirmed(write, done === true, ports);
    const isDone = done === true;
    const state: 'done' | 'not_done' = isDone ? 'done' : 'not_done';
    const found = await inLedger(ledgerOpener(ports), undefined, (store) =>
      settleByWord(store, write, isDone, ports.clock.now()),
    );
    return { ...(found ?? none(write)), state };
  },
});

/** What is unsettled in the ledger, and a person's word for it. */
export const actions = [listed, show, settle];
