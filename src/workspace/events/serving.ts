import { sql } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import type { Target } from './targets.ts';

/** The name of the exclusive lock for transactions that number, take up, claim or delete stored changes. */
export const EVENTS = 'events';

/** The batch number in a listener's lease: none. */
export const NO_BATCH = 0;

type Shared = Pick<Workspace, 'serverTime'>;

/** Which targets, and of which account. */
export interface Wish {
  readonly account: string;
  readonly names: readonly string[];
  /** Also resting and paused ones: for a command that a person gave. */
  readonly whateverState?: boolean;
}

/** Whether the worker named in a column is alive; where only one process can hold the workspace, no other one is. */
function isLiving(column: string, { serverTime }: Shared) {
  return serverTime === undefined
    ? sql<boolean>`1 = 0`
    : sql<boolean>`exists (select 1 from batch_workers as w where w.id = ${sql.ref(column)} and w.lease_until > ${serverTime})`;
}

function unserved(database: WorkspaceTables, shared: Shared, { account, names, whateverState = false }: Wish) {
  return database
    .selectFrom('event_targets')
    .selectAll()
    .where('account', '=', account)
    .where('name', 'in', names.length === 0 ? [''] : [...names])
    .$if(!whateverState, (query) => query.where('state', '=', 'active'))
    .where(({ not }) => not(isLiving('event_targets.worker', shared)));
}

/** Whether there is a target that no living worker serves. */
export async function isAnyUnserved(database: WorkspaceTables, shared: Shared, wish: Wish): Promise<boolean> {
  return (await unserved(database, shared, wish).limit(1).execute()).length > 0;
}

/**
 * Claims the targets that no living worker serves, in addition to this worker's own; returns what it serves now. The
 * transaction must hold the exclusive right to write (`EVENTS`), and must have renewed the worker's lease.
 */
export async function claimTargets(
  database: WorkspaceTables,
  shared: Shared,
  wish: Wish & { readonly worker: string },
): Promise<Target[]> {
  const { account, worker } = wish;
  const free = (await unserved(database, shared, wish).execute()).map(({ name }) => name);
  if (free.length > 0) {
    await database
      .updateTable('event_targets')
      .set({ worker })
      .where('account', '=', account)
      .where('name', 'in', free)
      .execute();
  }
  return database
    .selectFrom('event_targets')
    .selectAll()
    .where('account', '=', account)
    .where('worker', '=', worker)
    .$if(wish.whateverState !== true, (query) => query.where('state', '=', 'active'))
    .orderBy('name')
    .execute();
}

/**
 * Records that a listener names these targets, and removes listeners that are gone; a named target does not rest. The
 * transaction must have renewed the worker's lease.
 */
export async function nameTargets(
  database: WorkspaceTables,
  shared: Shared,
  { account, names, worker }: Wish & { readonly worker: string },
): Promise<void> {
  await database
    .deleteFrom('event_namings')
    .where((of) => of.or([of('worker', '=', worker), of.not(isLiving('event_namings.worker', shared))]))
    .execute();
  if (names.length === 0) return;
  await database
    .insertInto('event_namings')
    .values(names.map((target) => ({ worker, account, target })))
    .execute();
  await database
    .updateTable('event_targets')
    .set({ state: 'active' })
    .where('account', '=', account)
    .where('name', 'in', names)
    .where('state', '=', 'resting')
    .execute();
}

/** Releases every target of a worker: another worker claims them at its next check. */
export async function letGo(database: WorkspaceTables, worker: string): Promise<void> {
  await database.updateTable('event_targets').set({ worker: null }).where('worker', '=', worker).execute();
  await database.deleteFrom('event_namings').where('worker', '=', worker).execute();
}
