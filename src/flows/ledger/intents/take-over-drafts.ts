import { join } from 'node:path';
import { isRecord } from '../../../domain/json/value-at.ts';
import type { Files } from '../../../platform/files/files.ts';
import { type IntentState, putIntent } from '../../../workspace/ledger/intents.ts';
import { settleKeys, takeKeys } from '../../../workspace/ledger/keys.ts';
import type { LedgerStore } from '../../../workspace/ledger/store.ts';
import { equalOrder } from '../equal-order.ts';
import { contentIdentity, contentOf, ledgerAccount, nameIdentity } from '../identity.ts';
import { type Intent, isIntentBody, stored } from './intent.ts';

/** What the states of former drafts are called in the ledger. */
const states: Readonly<Record<string, IntentState>> = {
  open: 'open',
  sending: 'unclear',
  sent: 'done',
  answered: 'done',
  failed: 'failed',
};

/** A draft as former versions wrote it to a file of its own; undefined if it cannot be read. */
function intentOfFile(text: string): Intent | undefined {
  try {
    const draft: unknown = JSON.parse(text);
    if (!isRecord(draft) || draft.version !== 2) return undefined;
    const body: unknown = { ...draft, version: 1 };
    const state = states[String(draft.state)];
    if (state === undefined || !isIntentBody(body)) return undefined;
    const at = String(draft.answered_at ?? draft.updated_at);
    const told = draft.state === 'answered' ? { reported_at: at } : {};
    const id = String(draft.id);
    return { ...body, id, state, resource: 'order', identity: identityOf(body), attempts: 1, updated_at: at, ...told };
  } catch {
    return undefined;
  }
}

function identityOf({ order }: Pick<Intent, 'order'>): string {
  const { external_id, ...content } = order;
  return external_id ? nameIdentity(external_id) : contentIdentity(contentOf(content), 1);
}

/** Writes a former draft into the ledger with its key, unless it is there already. */
async function takeOne(store: LedgerStore, intent: Intent, owner: string): Promise<void> {
  const at = Date.parse(intent.updated_at) || 0;
  const { target, state, id, resource, order } = intent;
  const isSent = state === 'unclear' || state === 'done';
  await store.write(async (sql) => {
    if (isSent) {
      const place = { account: ledgerAccount(target.account), resource, identity: intent.identity ?? '', holder: id };
      const named = Boolean(order.external_id);
      const equal = equalOrder(intent.request ?? order);
      const want = { ...place, family: target.account.family, derived: !named, name: intent.external_id, equal };
      // Of old doubles one keeps the key.
      if ((await takeKeys(sql, [{ ...want, request: null, owner, at }])).size > 0) {
        await settleKeys(sql, [{ ...place, state, recordId: intent.order_id, at }]);
      }
    }
    await putIntent(sql, stored(isSent ? intent : { ...intent, identity: null }, at));
  });
}

/**
 * Takes the drafts of former versions, which had a file each, into a new ledger: what may have been sent is found out
 * before the same order is sent again. The files stay as they are. Repeated after a crash, it changes nothing.
 */
export async function takeOverDrafts(store: LedgerStore, stateDirectory: string, files: Files): Promise<void> {
  const directory = join(stateDirectory, 'drafts');
  for (const place of [directory, join(directory, 'sent')]) {
    const names = (await files.list(place)).filter((name) => /^[0-9a-f]{10}\.json$/.test(name));
    for (const name of names) {
      const intent = intentOfFile(await files.read(join(place, name)));
      if (intent !== undefined) await takeOne(store, intent, '');
    }
  }
}
