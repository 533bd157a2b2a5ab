import { closeGaps } from '../events/store/listeners.ts';
import type { StoredChange } from '../events/store/store-changes.ts';
import type { EventSource } from './apply-events.ts';
import { tellNews } from './report-news.ts';
import { readFact, writeFact } from './service-clock.ts';
import { areaStates } from './store/area-states.ts';
import { lockOf, type Mirror } from './store/mirror.ts';
import { newsFact, type SyncSetup, syncAreas } from './sync.ts';

/** What a poll needs besides a sync. */
export interface PollSetup extends Omit<SyncSetup, 'isFull' | 'areas' | 'events'> {
  readonly source: EventSource;
  readonly entities: readonly string[];
  readonly webhookSince: number | undefined;
}

/** Whether a shop was ever copied into a mirror. */
export async function wasSynced(mirror: Mirror, shopId: string): Promise<boolean> {
  return (await areaStates(mirror, shopId)).some(({ complete_until }) => complete_until !== null);
}

/**
 * Syncs, and stores as changes what no webhook has delivered. The first poll of a shop begins with the present: what it
 * finds is no change. Throws a CallError or a WorkspaceError.
 */
export async function poll(setup: PollSetup): Promise<readonly StoredChange[]> {
  const { mirror, shopId, signal, clock, source, entities, webhookSince } = setup;
  const release = await mirror.hold(lockOf(mirror), { signal });
  const began = new Date(clock.now()).toISOString();
  try {
    const first = await mirror.read((session) => readFact(session, newsFact(shopId)));
    for await (const _ of syncAreas({ ...setup, isFull: false })) signal.throwIfAborted();
    if (first === undefined) {
      await mirror.write((session) => writeFact(session, newsFact(shopId), began));
      return [];
    }
    const { reported, waiting } = await tellNews({
      ...source,
      mirror,
      shopId,
      entities,
      webhookSince,
      now: clock.now(),
    });
    const fact = `poll began ${shopId}`;
    // What waited at the poll before is told now.
    const before = await mirror.read((session) => readFact(session, fact));
    const foundUntil = waiting === 0 ? began : (before ?? '');
    const closing = { foundSince: first, foundUntil, at: new Date(clock.now()).toISOString() };
    await source.workspace.write((database) => closeGaps(database, source.account, closing));
    await mirror.write((session) => writeFact(session, fact, began));
    return reported;
  } finally {
    release();
  }
}
