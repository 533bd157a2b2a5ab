import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Target } from './targets.ts';

/** The name of the exclusive lock for transactions that number, take up, claim or delete stored changes. */
export const EVENTS = 'events';

/** The batch number in a listener's lease: none. */
export const NO_BATCH = 0;

type Shared = Pick<Workspace, 'isAlive'>;

/** Which targets, and of which account. */
export interface ServingRequest {
  readonly account: string;
  readonly names: readonly string[];
  /** Also resting and paused ones: for a command that a person gave. */
  readonly whateverState?: boolean;
}

/** Those of these workers that live: by the locks of their processes, or by their leases. */
async function livingOf({ isAlive }: Shared, ids: readonly string[]): Promise<string[]> {
  const living: string[] = [];
  for (const id of new Set(ids)) if (await isAlive(id)) living.push(id);
  return living;
}

async function unserved(
  database: WorkspaceTables,
  shared: Shared,
  { account, names, whateverState = false }: ServingRequest,
  own: string,
): Promise<string[]> {
  const targets = await database
    .selectFrom('event_targets')
    .select(['name', 'worker'])
    .where('account', '=', account)
    .where('name', 'in', names.length === 0 ? [''] : [...names])
    .$if(!whateverState, (query) => query.where('state', '=', 'active'))
    .execute();
  const others = targets.flatMap(({ worker }) => (worker === null || worker === own ? [] : [worker]));
  const living = new Set([own, ...(await livingOf(shared, others))]);
  return targets.filter(({ worker }) => worker === null || !living.has(worker)).map(({ name }) => name);
}

/** Whether there is a target that no living worker serves; `own` is the asking one, which lives. */
export async function isAnyUnserved(
  database: WorkspaceTables,
  shared: Shared,
  request: ServingRequest & { readonly own: string },
): Promise<boolean> {
  return (await unserved(database, shared, request, request.own)).length > 0;
}

/**
 * Claims the targets that no living worker serves, in addition to this worker's own; returns what it serves now. The
 * transaction must hold the exclusive right to write (`EVENTS`), and must have renewed the worker's lease.
 */
export async function claimTargets(
  database: WorkspaceTables,
  shared: Shared,
  request: ServingRequest & { readonly worker: string },
): Promise<Target[]> {
  const { account, worker } = request;
  const free = await unserved(database, shared, request, worker);
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
    .$if(request.whateverState !== true, (query) => query.where('state', '=', 'active'))
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
  { account, names, worker }: ServingRequest & { readonly worker: string },
): Promise<void> {
  const naming = await database.selectFrom('event_namings').select('worker').distinct().execute();
  const others = naming.flatMap((of) => (of.worker === worker ? [] : [of.worker]));
  const living = await livingOf(shared, others);
  await database
    .deleteFrom('event_namings')
    .where('worker', 'not in', ['', ...living])
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
