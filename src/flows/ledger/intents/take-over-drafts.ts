import { join } from 'node:path';
import { fieldsIn, isRecord } from '../../../domain/json/value-at.ts';
import type { Files } from '../../../platform/files/files.ts';
import { newId } from '../../../platform/process/new-id.ts';
import { type IntentState, intentAt, putIntent } from '../../../workspace/ledger/intents.ts';
import { settleKeys, takeKeys } from '../../../workspace/ledger/keys.ts';
import type { LedgerStore } from '../../../workspace/ledger/store.ts';
import type { Sql } from '../../../workspace/sql/sql.ts';
import { recognisedOrder } from '../equal-order.ts';
import { DraftError } from '../errors.ts';
import { codeIdentity, contentIdentity, contentOf, ledgerAccount, nameIdentity } from '../identity.ts';
import { type Intent, isIntentBody, restored, stored } from './intent.ts';

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
    return { ...body, id, state, resource: 'order', identity: null, attempts: 1, updated_at: at, ...told };
  } catch {
    return undefined;
  }
}

/** Takes the key of a former draft: the given name's, or the first number of its content that nobody has. */
async function keyFor(sql: Sql, intent: Intent): Promise<string | undefined> {
  const at = Date.parse(intent.updated_at) || 0;
  const { target, state, id, resource, order, request, order_id, external_id: name } = intent;
  const { external_id, ...content } = order;
  const given = external_id ? nameIdentity(external_id) : content.external_code && codeIdentity(content.external_code);
  const account = ledgerAccount(target.account);
  for (let number = 1; ; number += 1) {
    const identity = given || contentIdentity(contentOf(content), number);
    const place = { account, resource, identity, holder: id };
    const { equal } = await recognisedOrder(request ?? order);
    const want = {
      ...place,
      family: target.account.family,
      derived: !given,
      name,
      equal,
      request: null,
      owner: '',
      at,
      localAt: at,
    };
    if ((await takeKeys(sql, [want])).size > 0) {
      await settleKeys(sql, [
        { ...place, state: state === 'done' ? 'done' : 'unclear', owner: '', recordId: order_id, at, localAt: at },
      ]);
      return identity;
    }
    // Of old doubles under one given name or code one has the key.
    if (given) return undefined;
  }
}

/** Writes a former draft into the ledger with its key. */
async function takeOne(store: LedgerStore, intent: Intent): Promise<void> {
  await store.write(async (sql) => {
    const known = await intentAt(sql, intent.id);
    // A crash left it in both directories, or before its file was marked.
    if (known !== undefined && restored(known).external_id === intent.external_id) return;
    // An answered draft has the id of the next one with its content.
    const own = known === undefined ? intent : { ...intent, id: newId().slice(0, 10) };
    const isSent = own.state === 'unclear' || own.state === 'done';
    const identity = isSent ? ((await keyFor(sql, own)) ?? null) : null;
    await putIntent(sql, stored({ ...own, identity }, Date.parse(own.updated_at) || 0));
  });
}

/** What a file of a draft that is in a ledger says: an older shopctl refuses it. */
const TAKEN_OVER = 3;

/** How long to wait for an older shopctl that sends the draft. */
const WAIT_MS = 120_000;

/** What the taking over of drafts depends on. */
export interface TakingDrafts {
  readonly store: LedgerStore;
  readonly files: Files;
  /** How long to wait for an older shopctl that sends a draft, in milliseconds. */
  readonly waitMs?: number;
}

/** One file, under the lock that an older shopctl takes to send or to change it. */
async function takeFile({ store, files, waitMs = WAIT_MS }: TakingDrafts, path: string, lock: string): Promise<void> {
  const release = await files.lock(lock, waitMs).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'LockError') throw error;
    throw new DraftError('draft_busy', `an older shopctl is using ${path}: nothing was sent now`);
  });
  try {
    const text = await files.read(path);
    const intent = intentOfFile(text);
    if (intent === undefined) return;
    await takeOne(store, intent);
    const marked = { ...fieldsIn(JSON.parse(text)), version: TAKEN_OVER, taken_over_by: store.place };
    await files.write(path, `${JSON.stringify(marked, undefined, 2)}\n`);
  } finally {
    release();
  }
}

/**
 * Takes the drafts of former versions, which had a file each below a state directory, into a new ledger: what may have
 * been sent is found out before the same order is sent again. The files stay, marked so that an older shopctl refuses
 * them. Repeated after a crash, it goes on where it was. Throws a DraftError (`draft_busy`) while an older shopctl
 * sends one.
 */
export async function takeOverDrafts(taking: TakingDrafts, states: readonly string[]): Promise<void> {
  for (const state of new Set(states)) {
    const directory = join(state, 'drafts');
    for (const place of [directory, join(directory, 'sent')]) {
      const names = (await taking.files.list(place)).filter((name) => /^[0-9a-f]{10}\.json$/.test(name));
      for (const name of names) {
        await takeFile(taking, join(place, name), join(directory, name.replace(/json$/, 'lock')));
      }
    }
  }
}
