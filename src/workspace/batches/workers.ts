import { sql } from 'kysely';
import { type Clock, elapsedOn, systemClock } from '../../platform/process/clock.ts';
import { newId } from '../../platform/process/new-id.ts';
import type { Owner } from '../ledger/owner.ts';
import { stepsTaken } from '../migrations.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { Workspace } from '../workspace.ts';

/** How long a lease lasts without a heartbeat, and how often the heartbeat is. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

export const standardLease: LeaseTimes = { leaseMs: 15_000, heartbeatMs: 5_000 };

/** A lease as written by a transaction; valid once that is committed. */
export interface Granted {
  /** The worker's id under it. */
  readonly id: string;
  committed(): void;
}

/** A worker on the rows of a batch. Its claims are valid under its lease, which follows the server's clock. */
export interface Worker {
  /**
   * Whether rows claimed under a worker id are still its own, by the time elapsed since the server granted the lease.
   * Nothing is sent without it; an expired lease is never resumed.
   */
  holds(name: string | null | undefined): boolean;
  /**
   * Renews the lease within a transaction; an expired one is not resumed: a new one begins. Throws a WorkspaceError
   * (`workspace_newer`) if a newer program has migrated the schema.
   */
  renew(database: WorkspaceTables): Promise<Granted>;
  /** Sends a heartbeat. Throws a WorkspaceError. */
  beat(): Promise<void>;
  /**
   * Gives the lease back: what it still has marked as `sending` is free for others at once. Throws a WorkspaceError.
   */
  end(): Promise<void>;
}

/** Whether a worker with an unexpired lease is at the rows of a batch; always false where machines share nothing. */
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

/**
 * The worker of a workspace in a file, where one process works on a batch at a time: whatever another one marked is
 * left over. Its id is that of an owner, which lives as long as its process.
 */
function onlyWorker(own: Workspace['own']): Worker {
  let owner: Promise<Owner> | undefined;
  return {
    holds: () => true,
    async renew() {
      if (own === undefined) throw new TypeError('a workspace knows its workers by leases or by owners');
      owner ??= own();
      return { id: (await owner).id, committed: () => {} };
    },
    beat: async () => {},
    async end() {
      const ended = owner;
      owner = undefined;
      await (await ended)?.release();
    },
  };
}

/** A worker on a batch; in a shared workspace it has a lease. */
export function workerAt(
  { own, write, serverTime }: Workspace,
  batch: number,
  { leaseMs }: LeaseTimes = standardLease,
  clock: Clock = systemClock,
): Worker {
  if (serverTime === undefined) return onlyWorker(own);
  let id = '';
  /** By both clocks: the one may be set back, the other stops while the machine sleeps. */
  let heldUntil = { now: 0, elapsed: 0 };
  const renew = async (database: WorkspaceTables): Promise<Granted> => {
    // Counted from before the request: the worker considers its lease expired earlier than the server does.
    const asked = { now: clock.now(), elapsed: elapsedOn(clock) };
    // A newer program may have migrated the schema since this one opened it.
    await stepsTaken(database);
    const lease_until = sql<number>`${serverTime} + ${sql.lit(leaseMs)}`;
    const prolonged = await database
      .updateTable('batch_workers')
      .set({ lease_until })
      .where('id', '=', id)
      .where('lease_until', '>', serverTime)
      .executeTakeFirst();
    const now = prolonged.numUpdatedRows === 0n ? newId() : id;
    if (now !== id) await database.insertInto('batch_workers').values({ id: now, batch, lease_until }).execute();
    return {
      id: now,
      committed() {
        id = now;
        heldUntil = { now: asked.now + leaseMs, elapsed: asked.elapsed + leaseMs };
      },
    };
  };
  return {
    holds(name) {
      if (name !== id) return false;
      if (clock.now() >= heldUntil.now || elapsedOn(clock) >= heldUntil.elapsed) id = '';
      return name === id;
    },
    renew,
    async beat() {
      const granted = await write(renew);
      granted.committed();
    },
    end: () =>
      write(async (database) => {
        heldUntil = { now: 0, elapsed: 0 };
        await database.deleteFrom('batch_workers').where('id', '=', id).execute();
        // Leftovers of workers that were killed long ago.
        if (serverTime === undefined) return;
        const longAgo = sql<number>`${serverTime} - 86400000`;
        await database.deleteFrom('batch_workers').where('lease_until', '<', longAgo).execute();
      }),
  };
}
