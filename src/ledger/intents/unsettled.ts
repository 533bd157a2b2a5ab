import { endsRecord } from '../../client/settle/found-record.ts';
import { loadOperation } from '../../contract/areas.ts';
import { allNamedBy } from '../../domain/named-by.ts';
import { DraftError } from '../errors.ts';
import { intentAt, isHolderAlive, type LedgerStore, markReported, putIntent } from '../store/intents.ts';
import { type Key, makersOf, openKeys, settleKeys, takeOverKey } from '../store/keys.ts';
import { setUndone } from '../store/undone.ts';
import { say } from '../texts.ts';

/** A write whose outcome is not known. */
export interface Unsettled {
  /** What a person calls it by: the id of an intent or a change, or `batch-<number>-<row>`. */
  readonly id: string;
  readonly state: 'sending' | 'unclear';
  readonly resource: string;
  readonly name: string | null;
  readonly account: string;
  readonly at: string;
}

/** What you call the write by that has a key. */
export function idOf({ holder }: Pick<Key, 'holder'>): string {
  const [kind, ...rest] = holder.split(' ');
  return kind === 'batch' ? `batch-${rest.slice(0, 2).join('-')}` : (rest.at(-1) ?? holder);
}

function shown(key: Key): Unsettled {
  const { state, resource, name, account, at } = key;
  const known = state === 'sending' ? 'sending' : 'unclear';
  return { id: idOf(key), state: known, resource, name, account, at: new Date(at).toISOString() };
}

/** The writes of a ledger whose outcome is not known, oldest first. */
export async function unsettled(store: LedgerStore, state?: 'sending' | 'unclear'): Promise<Unsettled[]> {
  return (await store.read((sql) => openKeys(sql, state))).map(shown);
}

async function keyCalled(store: LedgerStore, id: string): Promise<Key> {
  const found = allNamedBy(id, await store.read((sql) => openKeys(sql)), idOf);
  const [key] = found;
  if (key !== undefined && found.length === 1) return key;
  if (key === undefined) throw new DraftError('write_not_found', say().word.none({ id }));
  throw new DraftError('write_ambiguous', say().word.several({ id }));
}

/** One of them. Throws a DraftError if there is none, or more than one. */
export async function unsettledCalled(store: LedgerStore, id: string): Promise<Unsettled> {
  return shown(await keyCalled(store, id));
}

/** The id of the record that a change has ended, if it is done; a change's key is called by the id of its record. */
async function endedBy({ holder, name }: Key): Promise<string | undefined> {
  const [kind, operation = ''] = holder.split(' ');
  const [, id] = /^id (.+)$/.exec(name ?? '') ?? [];
  return kind === 'change' && endsRecord(await loadOperation(operation)) ? id : undefined;
}

/** The owner of a key while a person's word is written. */
const BY_WORD = 'word';

/**
 * Settles a write by a person's word. Throws a DraftError if its sender lives, or if it is a row of a batch, which
 * `batch settle` settles.
 */
export async function settleByWord(store: LedgerStore, id: string, isDone: boolean, at: number): Promise<Unsettled> {
  const key = await keyCalled(store, id);
  if (key.holder.startsWith('batch ')) throw new DraftError('draft_elsewhere', say().word.ofBatch({ id }), { row: id });
  if (await isHolderAlive(store, key)) {
    throw new DraftError('draft_busy', say().word.beingSent({ id }));
  }
  const isChange = key.holder.startsWith('change ');
  const ended = isDone ? await endedBy(key) : undefined;
  const isSettled = await store.write(async (sql) => {
    // The same command, run again, may have found out by now, or be sending it: the word was for what was before.
    const now = { at, localAt: at };
    if (!(await takeOverKey(sql, key, BY_WORD, now))) return false;
    await settleKeys(sql, [{ ...key, owner: BY_WORD, state: isDone && !isChange ? 'done' : 'free', ...now }]);
    if (ended !== undefined) {
      const made = await makersOf(sql, key.account, key.resource, ended);
      const holders = made.map((maker) => maker.holder);
      await setUndone(sql, { account: key.account, resource: key.resource, at }, holders, made);
    }
    const intent = await intentAt(sql, key.holder);
    if (intent !== undefined) {
      await putIntent(sql, { ...intent, state: isDone ? 'done' : 'failed', updated_at: at });
      await markReported(sql, intent.id, at);
    }
    return true;
  });
  if (isSettled) return shown(key);
  await keyCalled(store, id);
  throw new DraftError('draft_busy', say().word.meanwhile({ id }));
}
