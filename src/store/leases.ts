import { type RawBuilder, sql } from 'kysely';
import { type Clock, elapsedOn, systemClock } from '../platform/process/clock.ts';
import { newId } from '../platform/process/new-id.ts';
import { migrations, stepNames, stepsTaken } from './migrations.ts';
import type { Owner } from './owner.ts';
import type { WorkspaceTables } from './tables.ts';
import type { ExpectedQuery, Workspace } from './workspace.ts';

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

/** A lease as statements prolong it that are handed over at once. */
export interface Prolonged extends Granted {
  readonly statements: (database: WorkspaceTables) => readonly ExpectedQuery[];
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
  /**
   * The same for statements that are handed over at once, which change nothing if the lease has expired or a newer program
   * has migrated the schema. Undefined if there is no lease to prolong.
   */
  prolong(): Promise<Prolonged | undefined>;
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
  const renew = async () => {
    if (own === undefined) throw new TypeError('a workspace knows its workers by leases or by owners');
    owner ??= own();
    return { id: (await owner).id, committed: () => {} };
  };
  return {
    holds: () => true,
    renew,
    prolong: async () => ({ ...(await renew()), statements: () => [] }),
    beat: async () => {},
    async end() {
      const ended = owner;
      owner = undefined;
      await (await ended)?.release();
    },
  };
}

/** Prolongs a lease that has not expired, and returns its id. */
function prolonging(database: WorkspaceTables, id: string, serverTime: RawBuilder<number>, leaseMs: number) {
  return database
    .updateTable('batch_workers')
    .set({ lease_until: sql<number>`${serverTime} + ${sql.lit(leaseMs)}` })
    .where('id', '=', id)
    .where('lease_until', '>', serverTime)
    .returning('id');
}

async function giveBack(database: WorkspaceTables, id: string, serverTime: RawBuilder<number>): Promise<void> {
  await database.deleteFrom('batch_workers').where('id', '=', id).execute();
  // Leftovers of workers that were killed long ago.
  const longAgo = sql<number>`${serverTime} - 86400000`;
  await database.deleteFrom('batch_workers').where('lease_until', '<', longAgo).execute();
}

/** A worker on a batch; in a shared workspace it has a lease. */
export function workerAt(
  { own, write, serverTime, place }: Workspace,
  batch: number,
  { leaseMs }: LeaseTimes = standardLease,
  clock: Clock = systemClock,
): Worker {
  if (serverTime === undefined) return onlyWorker(own);
  let id = '';
  /** By both clocks: the one may be set back, the other stops while the machine sleeps. */
  let heldUntil = { now: 0, elapsed: 0 };
  const lease_until = sql<number>`${serverTime} + ${sql.lit(leaseMs)}`;
  /** Asked for now: counted from before the request, so that the lease expires here earlier than on the server. */
  const asking = () => {
    const asked = { id, now: clock.now(), elapsed: elapsedOn(clock) };
    const granted = (now: string): Granted => ({
      id: now,
      committed() {
        // Given up meanwhile: rows that were left under it are free for nobody as long as it lasts.
        if (now === asked.id && now !== id) return;
        id = now;
        heldUntil = { now: asked.now + leaseMs, elapsed: asked.elapsed + leaseMs };
      },
    });
    return { own: asked.id, granted };
  };
  const renew = async (database: WorkspaceTables): Promise<Granted> => {
    const { own, granted } = asking();
    // A newer program may have migrated the schema since this one opened it.
    await stepsTaken(database, place);
    const prolonged = await prolonging(database, own, serverTime, leaseMs).executeTakeFirst();
    const now = prolonged?.id ?? newId();
    if (now !== own) await database.insertInto('batch_workers').values({ id: now, batch, lease_until }).execute();
    return granted(now);
  };
  return {
    holds(name) {
      if (name !== id) return false;
      if (clock.now() >= heldUntil.now || elapsedOn(clock) >= heldUntil.elapsed) id = '';
      return name === id;
    },
    renew,
    async prolong() {
      if (id === '') return undefined;
      const { own, granted } = asking();
      const statements = (database: WorkspaceTables) => [
        { query: stepNames(database).compile(), expected: migrations.length },
        { query: prolonging(database, own, serverTime, leaseMs).compile(), expected: 1 },
      ];
      return { ...granted(own), statements };
    },
    async beat() {
      const granted = await write(renew);
      granted.committed();
    },
    end() {
      heldUntil = { now: 0, elapsed: 0 };
      return write((database) => giveBack(database, id, serverTime));
    },
  };
}
