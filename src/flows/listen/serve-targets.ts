import type { Clock } from '../../platform/clock.ts';
import type { EventIds } from '../../workspace/events/ids.ts';
import { type Target, targetsRevision } from '../../workspace/events/targets.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Forwarder, type Forwarding, type Hand, startForwarder } from './forward.ts';

/** What serving the targets needs. */
export interface Serving {
  readonly workspace: Pick<Workspace, 'read' | 'write'>;
  readonly ids: EventIds;
  readonly clock: Clock;
  readonly random: () => number;
  /** The way to a target. */
  readonly handFor: (target: Target) => Hand;
  /** Names of those that are served, whatever state they are in; absent, all that are active. */
  readonly only?: ReadonlySet<string>;
  readonly onFailure?: (target: Target, failure: Parameters<NonNullable<Forwarding['onFailure']>>[0]) => void;
  readonly onTrouble?: (error: unknown) => void;
}

/** Forwards to all active targets. */
export interface TargetService {
  /** Tells that something was kept. */
  wake(): void;
  /** Resolves once every target has taken or refused all there is. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** How soon a listener takes up what a command changed. */
const LOOK_EVERY_MS = 500;
const MOST_AT_ONCE = { url: 16, command: 4 } as const;

/** Forwards to every active target of a workspace, each at its own pace, and takes up what commands change of them. */
export async function serveTargets(serving: Serving): Promise<TargetService> {
  const { workspace, ids, clock, random, handFor, only, onFailure = () => {}, onTrouble = () => {} } = serving;
  const ending = new AbortController();
  let forwarders: Forwarder[] = [];
  let revision = '';

  const begin = async () => {
    revision = await workspace.read(targetsRevision);
    const all = await workspace.read((database) => database.selectFrom('event_targets').selectAll().execute());
    const targets = all.filter(({ name, state }) => (only === undefined ? state === 'active' : only.has(name)));
    forwarders = targets.map((target) =>
      startForwarder({
        workspace,
        target,
        ids,
        clock,
        random,
        hand: handFor(target),
        mostAtOnce: MOST_AT_ONCE[target.kind],
        onFailure: (failure) => onFailure(target, failure),
        onTrouble,
      }),
    );
  };
  const end = () => Promise.all(forwarders.map((forwarder) => forwarder.close()));

  const look = async () => {
    while (!ending.signal.aborted) {
      await clock.wait(LOOK_EVERY_MS, ending.signal).catch(() => {});
      if (ending.signal.aborted) return;
      try {
        if ((await workspace.read(targetsRevision)) === revision) continue;
        await end();
        await begin();
      } catch (error) {
        onTrouble(error);
      }
    }
  };

  await begin();
  const looking = look();
  return {
    wake() {
      for (const forwarder of forwarders) forwarder.wake();
    },
    settled: async () => void (await Promise.all(forwarders.map((forwarder) => forwarder.settled()))),
    async close() {
      ending.abort();
      await looking;
      await end();
    },
  };
}
