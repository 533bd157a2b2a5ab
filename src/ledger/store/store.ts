import type { Owner } from '../../store/owner.ts';
import type { SqlStore } from '../../store/sql/sql.ts';
import type { Key } from './keys.ts';

/**
 * The ledger of one user: the keys and intents of a workspace, without a query builder, so that a single command pays
 * for little more than its statements. All functions throw a WorkspaceError.
 */
export interface LedgerStore extends SqlStore {
  /** Its location, for a person: a file path, or a url without a password. */
  readonly place: string;
  /** The random id that the names of this ledger contain. */
  readonly id: string;
  /** Whether several machines share it: then transactions run beside each other. */
  readonly isShared: boolean;
  /** As of the workspace. */
  readonly restored?: number | undefined;
  /** Makes this process an owner, once: what it sends is its own as long as it lives. */
  own(): Promise<Owner>;
  /** Whether an owner lives. */
  isAlive(owner: string): Promise<boolean>;
  /** Ends the ownership of this process, and closes the ledger. */
  close(): Promise<void>;
}

/** Whether whoever holds a key is still at it, so that waiting makes sense. Throws a WorkspaceError. */
export async function isHolderAlive(
  { isAlive }: Pick<LedgerStore, 'isAlive'>,
  { state, owner }: Pick<Key, 'state' | 'owner'>,
): Promise<boolean> {
  return state === 'sending' && owner !== null && (await isAlive(owner));
}
