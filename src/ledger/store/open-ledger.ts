import { existsSync } from 'node:fs';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import type { Restoring } from '../../store/restored.ts';
import type { LedgerStore } from './intents.ts';

/** Opens the ledger at a file path, created if missing, or a `postgres://` url. Throws a WorkspaceError. */
export async function openLedger(place: string, options: Restoring = {}): Promise<LedgerStore> {
  if (isPostgresAddress(place))
    return (await import('./postgres-ledger.ts')).openPostgresLedger(place, undefined, options);
  return (await import('./sqlite-ledger.ts')).openSqliteLedger(place, options);
}

/** Whether a ledger is at a place; a database always counts as one. */
export function isLedgerThere(place: string): boolean {
  return isPostgresAddress(place) || existsSync(place);
}
