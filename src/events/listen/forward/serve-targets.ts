import { type Clock, systemClock } from '../../../platform/process/clock.ts';
import { type LeaseTimes, standardLease, workerAt } from '../../../store/leases.ts';
import type { Workspace } from '../../../store/workspace.ts';
import type { EventIds } from '../../store/ids.ts';
import {
  claimTargets,
  EVENTS,
  isAnyUnserved,
  letGo,
  NO_BATCH,
  nameTargets,
  type ServingRequest,
} from '../../store/serving.ts';
import { lastEvent, type NamedTarget, type Target, takeUpTargets, targetsRevision } from '../../store/targets.ts';
import { type Forwarder, type HandOutcome, startForwarder } from './forward.ts';
import { type Hand, MOST_AT_ONCE } from './queues.ts';

/** What serving targets depends on. */
export interface Serving {
  readonly workspace: Workspace;
  /** The account that owns the targets. */
  readonly account: string;
  readonly ids: EventIds;
  readonly clock: Clock;
  /** The clock that leases go by; the machine's if absent. */
  readonly leaseClock?: Clock;
  readonly random: () => number;
  /** How to deliver to a target. */
  readonly handFor: (target: Target) => Hand;
  /** How long a lease lasts without a heartbeat in a shared workspace; the default if absent. */
  readonly lease?: LeaseTimes | undefined;
  readonly onOutcome?: (target: Target, outcome: HandOutcome) => void;
  readonly onTrouble?: (error: unknown) => void;
  /** Called when another listener has stored something. */
  readonly onNews?: () => void;
}

/** Forwards to targets, each at its own pace. */
export interface TargetService {
  /** Names of the targets it serves now; other listeners have the rest. */
  serves(): readonly string[];
  /** Signals that something was stored. */
  wake(): void;
  /** Resolves once every served target has accepted or refused all there is. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** How often a listener checks for what a command changed, or another listener stored or released. */
const LOOK_EVERY_MS = 500;

/**
 * Forwards to the targets that a listener names, and picks up changes that commands make to them. Of several listeners
 * one serves a target at a time, under a lease; what it releases, or leaves when it dies, another one takes over.
 */
export function serveNamed(serving: Serving, named: readonly NamedTarget[]): Promise<TargetService> {
  const { account, workspace, clock } = serving;
  const names = named.map(({ name }) => name);
  return serve(serving, { account, names }, async (database, worker) => {
    await nameTargets(database, workspace, { account, names, worker });
    await takeUpTargets(database, account, named, new Date(clock.now()).toISOString());
  });
}

/** Forwards to targets of these names that no listener serves, whatever their state. */
export function serveTargets(serving: Serving, names: readonly string[]): Promise<TargetService> {
  return serve(serving, { account: serving.account, names, whateverState: true }, async () => {});
}

async function serve(
  serving: Serving,
  request: ServingRequest,
  begin: (database: Parameters<Parameters<Workspace['write']>[0]>[0], worker: string) => Promise<void>,
): Promise<TargetService> {
  const { workspace, account, ids, clock, random, handFor, lease = standardLease, leaseClock = systemClock } = serving;
  const { onOutcome = () => {}, onTrouble = () => {}, onNews = () => {} } = serving;
  const worker = workerAt(workspace, NO_BATCH, lease);
  const ending = new AbortController();
  const forwarders = new Map<string, Forwarder>();
  /** Forwarders being ended: nothing new starts meanwhile. */
  let leaving: Promise<unknown> = Promise.resolve();
  /** The worker id of the lease under which the forwarders hold their targets. */
  let held = '';
  let revision = '';
  let seen = 0;

  /** Claims what it can under a new or renewed lease, and starts forwarding to targets that are new. */
  const claim = async (first: typeof begin) => {
    const taken = await workspace.write(async (database) => {
      await workspace.alone(database, EVENTS);
      const granted = await worker.renew(database);
      if (granted.id !== held) await first(database, granted.id);
      return {
        granted,
        targets: await claimTargets(database, workspace, { ...request, worker: granted.id }),
        revision: await targetsRevision(database, account),
        last: await lastEvent(database),
      };
    });
    await leaving;
    taken.granted.committed();
    held = taken.granted.id;
    revision = taken.revision;
    seen = taken.last;
    for (const target of taken.targets) {
      if (forwarders.has(target.name)) continue;
      const forwarder = startForwarder({
        workspace,
        target,
        ids,
        clock,
        random,
        hand: handFor(target),
        holds: () => worker.holds(target.worker),
        mostAtOnce: MOST_AT_ONCE[target.kind],
        onOutcome: (outcome) => onOutcome(target, outcome),
        onTrouble,
      });
      forwarders.set(target.name, forwarder);
    }
  };
  const end = (how: 'close' | 'abandon') => {
    const all = [...forwarders.values()];
    forwarders.clear();
    leaving = Promise.all([leaving, ...all.map((forwarder) => forwarder[how]())]);
    return leaving;
  };

  const look = async () => {
    if (!worker.holds(held)) {
      await end('abandon');
      return claim(begin);
    }
    const now = await workspace.read(async (database) => ({
      revision: await targetsRevision(database, account),
      last: await lastEvent(database),
      isAnyFree: await isAnyUnserved(database, workspace, { ...request, own: held }),
    }));
    if (now.revision !== revision) await end('close');
    if (now.revision !== revision || now.isAnyFree) await claim(begin);
    if (now.last <= seen) return;
    seen = now.last;
    for (const forwarder of forwarders.values()) forwarder.wake();
    onNews();
  };
  const looking = async () => {
    while (!ending.signal.aborted) {
      await clock.wait(LOOK_EVERY_MS, ending.signal).catch(() => {});
      if (!ending.signal.aborted) await look().catch(onTrouble);
    }
  };
  const beating = async () => {
    while (workspace.serverTime !== undefined && !ending.signal.aborted) {
      await leaseClock.wait(lease.heartbeatMs, ending.signal).catch(() => {});
      if (ending.signal.aborted) return;
      if (worker.holds(held)) await worker.beat().catch(onTrouble);
    }
  };
  /** A listener that could not renew its lease in time releases its targets at once, whatever else it waits for. */
  const watching = async () => {
    while (workspace.serverTime !== undefined && !ending.signal.aborted) {
      await leaseClock.wait(lease.heartbeatMs / 8, ending.signal).catch(() => {});
      if (!ending.signal.aborted && forwarders.size > 0 && !worker.holds(held)) await end('abandon');
    }
  };

  await claim(begin);
  const loops = Promise.all([looking(), beating(), watching()]);
  return {
    serves: () => [...forwarders.keys()],
    wake() {
      for (const forwarder of forwarders.values()) forwarder.wake();
    },
    settled: async () => void (await Promise.all([...forwarders.values()].map((forwarder) => forwarder.settled()))),
    async close() {
      ending.abort();
      await loops;
      await end('close');
      await workspace.write((database) => letGo(database, held)).catch(onTrouble);
      await worker.end().catch(onTrouble);
    },
  };
}
