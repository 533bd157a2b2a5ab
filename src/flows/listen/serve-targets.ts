import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { EventIds } from '../../workspace/events/ids.ts';
import { claimTargets, EVENTS, isAnyUnserved, letGo, NO_BATCH, nameTargets } from '../../workspace/events/serving.ts';
import {
  lastEvent,
  type NamedTarget,
  type Target,
  takeUpTargets,
  targetsRevision,
} from '../../workspace/events/targets.ts';
import { type LeaseTimes, standardLease, workerAt } from '../../workspace/workers.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Forwarder, type Forwarding, startForwarder } from './forward.ts';
import type { Hand } from './hand.ts';

/** What serving targets needs. */
export interface Serving {
  readonly workspace: Workspace;
  /** Whose targets. */
  readonly account: string;
  readonly ids: EventIds;
  readonly clock: Clock;
  readonly random: () => number;
  /** The way to a target. */
  readonly handFor: (target: Target) => Hand;
  /** How long a listener that says nothing is waited for, where several share the workspace; absent, the standard. */
  readonly lease?: LeaseTimes | undefined;
  readonly onFailure?: (target: Target, failure: Parameters<NonNullable<Forwarding['onFailure']>>[0]) => void;
  readonly onTrouble?: (error: unknown) => void;
  /** Hears that something was kept by another listener. */
  readonly onNews?: () => void;
}

/** Forwards to targets, each at its own pace. */
export interface TargetService {
  /** Names of the targets that it hands on to now; others have the rest. */
  serves(): readonly string[];
  /** Tells that something was kept. */
  wake(): void;
  /** Resolves once every target that it serves has taken or refused all there is. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** How soon a listener takes up what a command changed, or another listener has kept or left. */
const LOOK_EVERY_MS = 500;
const MOST_AT_ONCE = { url: 16, command: 4 } as const;

/**
 * Forwards to the targets that a listener names, and takes up what commands change of them. Of several listeners one serves
 * a target at a time, under a lease; what it lets go of, or leaves when it dies, another one takes over.
 */
export function serveNamed(serving: Serving, named: readonly NamedTarget[]): Promise<TargetService> {
  const { account, workspace, clock } = serving;
  const names = named.map(({ name }) => name);
  return serve(serving, { account, names }, async (database, worker) => {
    await nameTargets(database, workspace, { account, names, worker });
    await takeUpTargets(database, account, named, new Date(clock.now()).toISOString());
  });
}

/** Forwards to targets of these names that nobody serves, whatever state they are in. */
export function serveTargets(serving: Serving, names: readonly string[]): Promise<TargetService> {
  return serve(serving, { account: serving.account, names, whateverState: true }, async () => {});
}

async function serve(
  serving: Serving,
  wish: Parameters<typeof isAnyUnserved>[2],
  begin: (database: Parameters<Parameters<Workspace['write']>[0]>[0], worker: string) => Promise<void>,
): Promise<TargetService> {
  const { workspace, account, ids, clock, random, handFor, lease = standardLease } = serving;
  const { onFailure = () => {}, onTrouble = () => {}, onNews = () => {} } = serving;
  const worker = workerAt(workspace, NO_BATCH, lease);
  const ending = new AbortController();
  const forwarders = new Map<string, Forwarder>();
  /** What is being ended: nothing new begins beside it. */
  let leaving: Promise<unknown> = Promise.resolve();
  /** The worker's name under the lease by which the forwarders' targets are its own. */
  let held = '';
  let revision = '';
  let seen = 0;

  /** Claims what it can, under a lease that is new or prolonged, and forwards to what it has not yet. */
  const claim = async (first: typeof begin) => {
    const taken = await workspace.write(async (database) => {
      await workspace.alone(database, EVENTS);
      const granted = await worker.renew(database);
      if (granted.id !== held) await first(database, granted.id);
      return {
        granted,
        targets: await claimTargets(database, workspace, { ...wish, worker: granted.id }),
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
        onFailure: (failure) => onFailure(target, failure),
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
      isAnyFree: workspace.serverTime !== undefined && (await isAnyUnserved(database, workspace, wish)),
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
      await wait(lease.heartbeatMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      if (worker.holds(held)) await worker.beat().catch(onTrouble);
    }
  };
  /** Whoever could not say in time that it is there lets go at once, whatever else it waits for. */
  const watching = async () => {
    while (workspace.serverTime !== undefined && !ending.signal.aborted) {
      await wait(lease.heartbeatMs / 8, undefined, { signal: ending.signal }).catch(() => {});
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
