import { existsSync, realpathSync } from 'node:fs';
import type { Ports } from '../../action/ports.ts';
import type { Account } from '../../client/account.ts';
import { type Settings, SettingsError, type StoredLedger } from '../../platform/settings/settings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { ledgerAccount } from '../identity.ts';
import { ledgerOpener } from '../open.ts';
import type { LedgerStore } from '../store/intents.ts';
import { say } from '../texts.ts';

type LedgerPorts = Parameters<typeof ledgerOpener>[0] & Pick<Ports, 'store'>;

/** The ledger in a workspace, as the settings remember it. */
export async function identityOf(workspace: Workspace): Promise<StoredLedger> {
  const [{ sqlOf }, { ledgerId }] = await Promise.all([
    import('../../store/kysely-sql.ts'),
    import('../store/keys.ts'),
  ]);
  const isServer = workspace.serverTime !== undefined;
  return { id: await workspace.read((database) => ledgerId(sqlOf(database, isServer))), place: workspace.place };
}

const isOnServer = (place: string) => place.includes('://');

/**
 * Whether two ledgers are one: the same, whatever its file or its database is called, or one whose file was moved here; a
 * copy of it is another, and so is a file beside the database that it was moved to.
 */
export function isSameLedger(known: StoredLedger, { id, place }: StoredLedger): boolean {
  if (known.id !== id) return false;
  if (isOnServer(known.place)) return isOnServer(place);
  if (known.place === place || !existsSync(known.place)) return true;
  return !isOnServer(place) && realpathSync(known.place) === realpathSync(place);
}

/**
 * An account belongs to the ledger that its first write went through: what another one has sent is not known here. Throws
 * a WorkspaceError (`workspace_elsewhere`) for another one. Settings that cannot be written remember nothing.
 */
export async function requireOwnLedger(
  { store }: Pick<Ports, 'store'>,
  account: Pick<Account, 'origin' | 'shop'>,
  { id, place }: StoredLedger,
): Promise<void> {
  const key = ledgerAccount(account);
  const known = ({ ledgers }: Settings) => ledgers?.[key];
  const own = { id, place };
  let held = known(await store.read());
  if (held === undefined || (held.place !== place && isSameLedger(held, own))) {
    const remember = (settings: Settings): Settings => {
      const other = known(settings);
      if (other !== undefined && !isSameLedger(other, own)) return settings;
      return { ...settings, ledgers: { ...settings.ledgers, [key]: own } };
    };
    held = known(await store.update(remember).catch(unlessReadOnly));
  }
  if (held === undefined || isSameLedger(held, own)) return;
  const message =
    held.place === place ? say().refused.replaced({ place }) : say().refused.elsewhere({ held: held.place, place });
  throw new WorkspaceError('workspace_elsewhere', message);
}

function unlessReadOnly(error: unknown): Settings {
  if (error instanceof SettingsError) return { version: 1, profiles: {} };
  throw error;
}

/** Opens the ledger in force for the writes of an account. Throws a WorkspaceError, also if it belongs to another one. */
export async function ownLedger(ports: LedgerPorts, account: Pick<Account, 'origin' | 'shop'>): Promise<LedgerStore> {
  const store = await ledgerOpener(ports).open();
  try {
    await requireOwnLedger(ports, account, store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
