import { existsSync } from 'node:fs';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import type { Ports } from '../../action/ports.ts';
import { flagsOf, serviceActions } from '../../action/service.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, record, text, time } from '../../contract/schema/scalars.ts';
import { eventAccount } from '../../events/actions/event-account.ts';
import { openWorkspace, workspacePlace } from '../../ledger/open.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import type { EventSource } from '../apply-events.ts';
import { holdNow, lockOf, type Mirror } from '../store/mirror.ts';
import type { SyncSetup } from '../sync.ts';
import type { AreaSummary } from '../sync-context.ts';
import { say } from '../texts.ts';
import { payToMirror } from './copy-payments.ts';
import { type AtMirror, atMirror, mirroredAccount, requireOwnKey, rollupZone } from './place.ts';

const DEFAULT_EVERY = '5m';

const input = record({
  area: list(text('an area'), 'only this area, by the name of its table; repeats; all when absent'),
  full: flag('read every record again, and compute the rollups from the records'),
  watch: flag('keep syncing until Ctrl-C'),
  every: text(`how long to wait between two syncs; ${DEFAULT_EVERY} when absent`),
});

const row = z.object({
  area: text('Name of the area, and of its table'),
  read: int('Records that the service returned', 'records'),
  created: int('Records that are new in the mirror', 'records'),
  updated: int('Records that had changed', 'records'),
  deleted: int('Records that were deleted', 'records'),
  calls: int('Calls to the service', 'calls'),
  complete_until: z.nullable(time("The moment up to which it is complete, by the service's clock")),
});

/** Refuses names of areas that do not exist. Throws a Refusal. */
export async function checkAreas(names: readonly string[]): Promise<void> {
  const { mirrorAreas } = await import('../index.ts');
  const known = mirrorAreas.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const message = say().oneOf({ names: known });
  throw new Refusal('invalid_input', say().field({ field: 'area', what: message }), {
    fieldErrors: [{ path: 'area', message }],
  });
}

const rowOf = ({ complete_until, ...rest }: AreaSummary): z.output<typeof row> => ({
  ...rest,
  complete_until: complete_until === null ? null : new Date(complete_until).toISOString().replace('.000Z', 'Z'),
});

/** `mirror sync`. */
export const sync = action({
  id: 'mirror.sync',
  words: ['mirror', 'sync'],
  summary: 'Copy the shop into its mirror: everything the first time, then what changed',
  description:
    'Every page is stored at once: a sync that is interrupted continues where it stopped. Deleted records stay in the mirror, with the moment at which the deletion was noticed.',
  examples: [
    'shopctl mirror sync',
    'shopctl mirror sync --area orders --area fulfillments',
    'shopctl mirror sync --watch',
  ],
  effect: 'store',
  undo: 'mirror forget',
  needs: ['key'],
  input,
  hints: {
    area: { placeholder: 'NAME', from: 'path' },
    every: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  },
  output: list(row, 'What was done, an area each'),
  live: ({ watch }) => watch === true,
  async *run(given, ports) {
    const areas = given.area ?? [];
    await checkAreas(areas);
    if (given.every !== undefined && given.watch !== true) {
      const message = say().sync.watchOnly;
      throw new Refusal('invalid_input', say().field({ field: 'every', what: message }), {
        fieldErrors: [{ path: 'every', message }],
      });
    }
    const everyMs = Math.max(1_000, millisecondsOf('every', given.every ?? DEFAULT_EVERY));
    for (;;) {
      yield* await syncAreasOf(ports, { areas, isFull: given.full === true, isWatching: given.watch === true });
      if (given.watch !== true) return;
      await ports.clock.wait(everyMs, ports.signal).catch(() => {});
      if (ports.signal.aborted) return;
    }
  },
});

/** Syncs some areas once, all when none is named; returns what was done, an area each. Throws as `mirror sync` does. */
export async function syncAreasOf(
  ports: Ports,
  {
    areas,
    isFull = false,
    isWatching = false,
  }: Partial<Pick<SyncSetup, 'isFull'>> & { readonly areas: readonly string[]; readonly isWatching?: boolean },
) {
  const { family } = await mirroredAccount(ports);
  if (family === 'partner') await requireReach(areas, ports);
  ports.intend({ sync: areas.length === 0 ? 'all areas' : areas, full: isFull });
  const work = async (at: AtMirror) => {
    const synced = await withEvents(ports, async (source) => {
      const made = family === 'partner' ? await madeHere(ports, source) : undefined;
      return syncOnce(at, ports, { areas, isFull, isWatching, source, made });
    });
    if (hasWorkspace(ports)) await payToMirror(at, ports);
    return synced;
  };
  const rows = await atMirror(ports, work, { worksLong: true });
  if (family === 'partner') tellReach(rows, ports);
  return rows;
}

/** Whether there is a workspace already. */
function hasWorkspace(ports: Ports): boolean {
  const place = workspacePlace(ports);
  return isPostgresAddress(place) || existsSync(place);
}

/** Runs some work with the workspace's changes, if there is a workspace already. */
async function withEvents<Result>(ports: Ports, work: (source: EventSource | undefined) => Promise<Result>) {
  if (!hasWorkspace(ports)) return work(undefined);
  const workspace = await openWorkspace(ports);
  try {
    return await work({ workspace, account: await eventAccount(ports, workspace) });
  } finally {
    await workspace.close();
  }
}

/** Refuses areas that a partner's key does not reach. Throws a Refusal. */
async function requireReach(areas: readonly string[], ports: Ports): Promise<void> {
  const { partnerAreas } = await import('../index.ts');
  if (areas.some((area) => !partnerAreas.includes(area))) requireOwnKey(ports);
}

/** The ids of the orders that were made here, by single commands, drafts and batches. */
async function madeHere(ports: Ports, source: EventSource | undefined): Promise<readonly string[]> {
  if (source === undefined) return [];
  const [{ recordsMade }, { storeOf }, { ledgerAccount }, { accountKnown }, dialled] = await Promise.all([
    import('../../ledger/store/keys.ts'),
    import('../../store/kysely-sql.ts'),
    import('../../ledger/identity.ts'),
    import('../../ledger/known/service.ts'),
    mirroredAccount(ports),
  ]);
  const store = storeOf(source.workspace);
  const account = ledgerAccount(await accountKnown(store, dialled, ports.connection()));
  return store.read((sql) => recordsMade(sql, account, 'order'));
}

/** Says what a partner's key does not reach. */
function tellReach(rows: readonly z.output<typeof row>[], { report }: Ports): void {
  const read = rows.find(({ area }) => area === 'orders')?.read ?? 0;
  report.notice(say().sync.reach({ read }));
}

/** One sync, with the mirror held against others. */
async function syncOnce(
  { mirror, shopId }: AtMirror,
  ports: Ports,
  { isWatching, ...asked }: Pick<SyncSetup, 'areas' | 'isFull' | 'source' | 'made'> & { readonly isWatching: boolean },
) {
  const { syncAreas } = await import('../index.ts');
  const { clock, signal, progress } = ports;
  const work = async () => {
    const rows: z.output<typeof row>[] = [];
    const setup = {
      mirror,
      connection: ports.connection(),
      shopId,
      clock,
      signal,
      ...asked,
      timeZone: rollupZone(ports),
      events: { stored: (area: string, read: number) => progress.came(read, undefined, area) },
    };
    await progress.during(async () => {
      for await (const summary of syncAreas(setup)) rows.push(rowOf(summary));
    });
    return rows;
  };
  return heldMirror(mirror, work, isWatching ? () => holdPatiently(mirror, ports) : holdNow);
}

/** Takes the lock of a mirror, and waits for whoever has it: for work that goes on and on. */
const holdPatiently = (mirror: Mirror, { signal, report }: Pick<Ports, 'signal' | 'report'>) =>
  mirror.hold(lockOf(mirror), {
    signal,
    onWait: () => report.say(say().sync.waiting),
  });

/** Does some work while no other process changes the mirror. Throws a WorkspaceError if one does, unless it is waited for. */
export async function heldMirror<Result>(
  mirror: Mirror,
  work: () => Promise<Result>,
  hold: (mirror: Mirror) => Promise<() => void> = holdNow,
): Promise<Result> {
  const release = await hold(mirror);
  try {
    return await work();
  } finally {
    release();
  }
}

/** The sync as a user service. */
export const { install, uninstall } = serviceActions({
  group: 'mirror',
  called: 'mirror',
  summary: 'Write systemd user units that sync the mirror again and again',
  description:
    'A timer starts `mirror sync` with the current profile. Keys stay where they are saved: keys from the environment are not written to the unit.',
  examples: ['shopctl mirror install', 'shopctl mirror install --every 1h --area orders'],
  input: record({
    area: input.shape.area,
    every: text(`how long to wait between two syncs; ${DEFAULT_EVERY} when absent`),
    name: text("name of the units; the profile's when absent"),
  }),
  hints: {
    area: { placeholder: 'NAME', from: 'path' },
    every: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  },
  pause: DEFAULT_EVERY,
  words: ({ area }) => ['mirror', 'sync', ...flagsOf({ area })],
});
