import type { Clock } from '../../platform/process/clock.ts';
import type { Sql } from '../../store/sql.ts';
import { DraftError } from '../errors.ts';
import { forgetKeys } from '../store/forgotten.ts';
import {
  intentAt,
  intentsIn,
  intentsNamed,
  isHolderAlive,
  type LedgerStore,
  putIntent,
  removeIntent,
  type StoredIntent,
} from '../store/intents.ts';
import { type Key, keysAt, settleKeys } from '../store/keys.ts';
import { say } from '../texts.ts';
import { type Intent, restored, stored } from './intent.ts';

/** The intents of single commands in a ledger, among them the drafts of the wizard. All throw a WorkspaceError. */
export interface Drafts {
  find(id: string): Promise<Intent | undefined>;
  /** The only one whose id starts with this text; throws a DraftError if there is none or more than one. */
  named(beginning: string): Promise<Intent>;
  /** Those that are not finished, or all of them; the latest first. */
  list(which: 'unfinished' | 'all'): Promise<Intent[]>;
  /**
   * Writes one that is still being made, and returns it with its time. Throws a DraftError if another process has sent
   * it meanwhile.
   */
  keep(draft: Intent): Promise<Intent>;
  /**
   * Removes it with its key: nobody can find out any more what became of it. Throws a DraftError if another process is
   * sending it, or has changed it since it was read.
   */
  remove(intent: Intent): Promise<void>;
}

/** Opens the ledger for one piece of work; `undefined` where there is none yet and nothing is to be written. */
export interface LedgerOpener {
  open(): Promise<LedgerStore>;
  openIfThere(): Promise<LedgerStore | undefined>;
}

const busy = (id: string, state: string) => new DraftError('draft_busy', say().drafts.busy({ id, state }));

/** The key that an intent holds, if it does. */
async function keyOf(sql: Sql, intent: Intent): Promise<Key | undefined> {
  const { account, id, resource, identity } = stored(intent, 0);
  const key = identity === null ? undefined : (await keysAt(sql, account, resource, [identity])).get(identity);
  return key?.holder === id ? key : undefined;
}

/** Removes an intent with its key, as both were read. */
async function removeAsRead(sql: Sql, intent: Intent, key: Key | undefined, at: number): Promise<void> {
  const { id } = intent;
  const state = (await intentAt(sql, id))?.state;
  if (state !== undefined && state !== intent.state) throw busy(id, state);
  await settleKeys(sql, key === undefined ? [] : [{ ...key, state: 'free', at, localAt: at }]);
  // A process has taken it over since.
  const now = await keyOf(sql, intent);
  if (now?.state === 'sending' && now.owner !== key?.owner) throw busy(id, 'sending');
  await removeIntent(sql, id);
  await forgetKeys(sql, { where: 'holder = ?', values: [id] });
}

/** The intents of single commands in a ledger, which is open only while it is used. */
export function draftsIn(opener: LedgerOpener, clock: Clock): Drafts {
  const using = async <Result>(
    store: LedgerStore | undefined,
    nothing: Result,
    work: (store: LedgerStore) => Promise<Result>,
  ): Promise<Result> => {
    if (store === undefined) return nothing;
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const reading = async <Result>(nothing: Result, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
    using(await opener.openIfThere(), nothing, (store) => store.read(work));
  const writing = async <Result>(nothing: Result, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
    using(await opener.open(), nothing, (store) => store.write(work));
  return {
    find: (id) =>
      reading<Intent | undefined>(undefined, async (sql) => {
        const row = await intentAt(sql, id);
        return row && restored(row);
      }),
    async named(beginning) {
      if (beginning === '') throw new DraftError('draft_not_found', say().drafts.noId);
      const [found, another] = await reading<StoredIntent[]>([], (sql) => intentsNamed(sql, beginning.toLowerCase()));
      if (found !== undefined && another === undefined) return restored(found);
      if (found === undefined) throw new DraftError('draft_not_found', say().drafts.none({ id: beginning }));
      throw new DraftError('draft_ambiguous', say().drafts.several({ id: beginning }));
    },
    async list(which) {
      const rows = await reading<StoredIntent[]>([], (sql) => intentsIn(sql, which));
      const intents = rows.filter(({ body }) => body !== '{}').map(restored);
      return which === 'all' ? intents : intents.filter(({ state }) => state !== 'undone');
    },
    keep: (draft) =>
      writing(draft, async (sql) => {
        const state = (await intentAt(sql, draft.id))?.state ?? 'open';
        if (state !== 'open' && state !== 'failed') {
          throw busy(draft.id, state);
        }
        const now = clock.now();
        await putIntent(sql, stored(draft, now));
        return { ...draft, updated_at: new Date(now).toISOString() };
      }),
    async remove(intent) {
      const key = await using(await opener.open(), undefined, async (store) => {
        const held = await store.read((sql) => keyOf(sql, intent));
        if (held !== undefined && (await isHolderAlive(store, held))) throw busy(intent.id, 'sending');
        return held;
      });
      await writing(undefined, (sql) => removeAsRead(sql, intent, key, clock.now()));
    },
  };
}
