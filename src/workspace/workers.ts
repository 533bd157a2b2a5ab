import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../platform/clock.ts';
import { stepsTaken } from './migrations.ts';
import type { WorkspaceTables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** How long a worker that says nothing is waited for, and how often it says something. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

export const standardLease: LeaseTimes = { leaseMs: 15_000, heartbeatMs: 5_000 };

/** A lease that a transaction has written: it is one once that is committed. */
export interface Granted {
  /** The worker's name under it. */
  readonly id: string;
  committed(): void;
}

/** One who works at the rows of a batch. What it claims stands under its lease, which goes by the server's clock. */
export interface Worker {
  /**
   * Whether rows that it claimed under a name are still its own, by the time that went by since the server granted the
   * lease. Nothing is sent without it; a lease that ran out is never taken up again.
   */
  holds(name: string | null | undefined): boolean;
  /**
   * Prolongs the lease within a transaction; one that ran out is never taken up again, but a new one begun. Throws a
   * WorkspaceError (`workspace_newer`) where a newer program has moved the schema.
   */
  renew(database: WorkspaceTables): Promise<Granted>;
  /** Says that it is there. Throws a WorkspaceError. */
  beat(): Promise<void>;
  /** Gives the lease back: what is still marked as sent by it is anybody's at once. Throws a WorkspaceError. */
  end(): Promise<void>;
}

/** Whether somebody is at the rows of a batch under a lease that has not run out; never where machines share nothing. */
export async function isWorkedAt({ read, serverTime }: Workspace, batch: number): Promise<boolean> {
  if (serverTime === undefined) return false;
  return read(async (database) => {
    const worker = await database
      .selectFrom('batch_workers')
      .select('id')
      .where('batch', '=', batch)
      .where('lease_until', '>', serverTime)
      .executeTakeFirst();
    return worker !== undefined;
  });
}

/** A worker of a workspace that one process holds at a time: whatever another one has marked is left behind. */
function onlyWorker(): Worker {
  const granted = { id: randomUUID(), committed: () => {} };
  const nothing = async () => {};
  return { holds: () => true, renew: async () => granted, beat: nothing, end: nothing };
}

/** A worker at a batch; on a workspace that machines share it has a lease. */
export function workerAt(
  { write, serverTime }: Workspace,
  batch: number,
  { leaseMs }: LeaseTimes = standardLease,
  clock: Clock = systemClock,
): Worker {
  if (serverTime === undefined) return onlyWorker();
  let id = '';
  let heldUntil = 0;
  const renew = async (database: WorkspaceTables): Promise<Granted> => {
    // Counted from before the server is asked: the worker believes in its lease for less long than the server does.
    const asked = clock.now();
    // A newer program may have moved the schema since this one opened it.
    await stepsTaken(database);
    const lease_until = sql<number>`${serverTime} + ${sql.lit(leaseMs)}`;
    const prolonged = await database
      .updateTable('batch_workers')
      .set({ lease_until })
      .where('id', '=', id)
      .where('lease_until', '>', serverTime)
      .executeTakeFirst();
    const own = prolonged.numUpdatedRows === 0n ? randomUUID() : id;
    if (own !== id) await database.insertInto('batch_workers').values({ id: own, batch, lease_until }).execute();
    return {
      id: own,
      committed() {
        id = own;
        heldUntil = asked + leaseMs;
      },
    };
  };
  return {
    holds(name) {
      if (name !== id) return false;
      if (clock.now() >= heldUntil) id = '';
      return name === id;
    },
    renew,
    async beat() {
      const granted = await write(renew);
      granted.committed();
    },
    end: () =>
      write(async (database) => {
        heldUntil = 0;
        await database.deleteFrom('batch_workers').where('id', '=', id).execute();
        // What others left that were killed a long time ago.
        if (serverTime === undefined) return;
        const longAgo = sql<number>`${serverTime} - 86400000`;
        await database.deleteFrom('batch_workers').where('lease_until', '<', longAgo).execute();
      }),
  };
}
