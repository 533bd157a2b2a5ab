import { EVENTS } from '../store/serving.ts';
import { replayTo, type TargetStanding, targetStandings } from '../store/targets.ts';
import { type HandMeans, openHands } from './forward/hands.ts';
import { type Serving, serveTargets } from './forward/serve-targets.ts';

/** What forwarding stored changes again depends on. */
export interface Replaying
  extends HandMeans,
    Pick<Serving, 'workspace' | 'account' | 'ids' | 'clock' | 'random' | 'onOutcome'> {
  /** How long this run may forward by itself, in milliseconds. */
  readonly waitMs: number;
}

/** How one target stands after a replay. */
export interface Replayed {
  readonly target: string;
  /** How many changes were queued for it again. */
  readonly changes: number;
  /** How many changes it has not accepted yet. */
  readonly left: number;
  /** How many failed for good. */
  readonly dead: number;
  /** Whether this run forwarded to it; otherwise a running listener does. */
  readonly isOurs: boolean;
}

/**
 * Forwards stored changes to targets again, in their order. A running listener does it; where there is none, this run does,
 * for at most `waitMs`, and leaves the rest to the next listener. Throws a WorkspaceError.
 */
export async function replayChanges(
  replaying: Replaying,
  targets: readonly TargetStanding[],
  seqs: readonly number[],
): Promise<Replayed[]> {
  const { workspace, account } = replaying;
  const counts = new Map<string, number>();
  await workspace.write(async (database) => {
    await workspace.alone(database, EVENTS);
    for (const target of targets) counts.set(target.name, await replayTo(database, target, seqs));
  });
  const served = await forwardWithoutListener(
    replaying,
    targets.map(({ name }) => name),
  );
  const after = await workspace.read((database) => targetStandings(database, account));
  return targets.map(({ name }) => {
    const now = after.find((standing) => standing.name === name);
    const { backlog: left = 0, dead = 0 } = now ?? {};
    return { target: name, changes: counts.get(name) ?? 0, left, dead, isOurs: served.includes(name) };
  });
}

/** Forwards in this run to targets that no listener serves; returns the names of the targets that it served. */
async function forwardWithoutListener(replaying: Replaying, names: readonly string[]): Promise<readonly string[]> {
  const { clock, waitMs } = replaying;
  const hands = openHands(replaying);
  const service = await serveTargets({ ...replaying, handFor: hands.handFor }, names);
  const served = service.serves();
  const waiting = new AbortController();
  await Promise.race([service.settled(), clock.wait(waitMs, waiting.signal).catch(() => {})]);
  waiting.abort();
  await service.close();
  await hands.close();
  return served;
}
