import { type Clock, systemClock } from '../../platform/process/clock.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { standardLease, workerAt } from '../../store/leases.ts';
import type { Owner } from '../../store/owner.ts';
import { openPostgresWorkspace } from '../../store/postgres-workspace.ts';
import type { Restoring } from '../../store/restored.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { LedgerStore } from './intents.ts';
import { ledgerMeta } from './keys.ts';

/** The batch number of workers that are at no batch. */
const NO_BATCH = 0;

/** Makes this process an owner: a lease by the server's clock, prolonged until it is released. */
async function leaseAt(workspace: Workspace, clock: Clock): Promise<Owner> {
  const worker = workerAt(workspace, NO_BATCH, standardLease, clock);
  const granted = await workspace.write((database) => worker.renew(database));
  granted.committed();
  const over = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.wait(standardLease.heartbeatMs, over.signal);
      // A lease that cannot be prolonged ends by itself: `holds` says so before the next byte.
      await worker.beat().catch(() => {});
    }
  };
  beat().catch(() => {});
  return {
    id: granted.id,
    holds: () => worker.holds(granted.id),
    async release() {
      over.abort();
      await worker.end();
    },
  };
}

/** Opens the ledger in a PostgreSQL database. Throws a WorkspaceError. */
export async function openPostgresLedger(
  address: string,
  clock: Clock = systemClock,
  restoring: Restoring = {},
): Promise<LedgerStore> {
  const workspace = await openPostgresWorkspace(address, clock, restoring);
  const read: LedgerStore['read'] = (work) => workspace.read((database) => work(sqlOf(database, true)));
  let owner: Promise<Owner> | undefined;
  try {
    return {
      place: workspace.place,
      isShared: true,
      restored: workspace.restored,
      ...(await read(ledgerMeta)),
      read,
      write: (work) => workspace.write((database) => work(sqlOf(database, true))),
      own() {
        owner ??= workspace.beginEpoch().then(() => leaseAt(workspace, clock));
        return owner;
      },
      isAlive: workspace.isAlive,
      async close() {
        const own = await owner?.catch(() => undefined);
        await own
          ?.release()
          .then(workspace.beginEpoch)
          .catch(() => {});
        await workspace.close();
      },
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}
