import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import { POLL } from '../../store/event-tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { EventIds } from '../store/ids.ts';
import { type EventFilter, type StoredEvent, storedEvents } from '../store/list.ts';
import type { ChangeSignal } from './change-signal.ts';

/** A stored change as shown. */
export interface EventRow {
  readonly id: string;
  readonly received_at: string;
  readonly source: 'webhook' | 'poll';
  readonly entity: string;
  readonly change_type: string;
  readonly record_id: string;
  readonly shop_id: string | null;
  readonly time: string;
  readonly change: unknown;
}

/** A stored change as a row. */
export function eventRow({ seq, change, ...rest }: StoredEvent, ids: EventIds): EventRow {
  const { hook, received_at, entity, change_type, record_id, shop_id, time } = rest;
  const parsed = JSON.parse(change);
  return {
    id: ids.idOf(seq),
    received_at,
    source: hook === POLL ? 'poll' : 'webhook',
    entity,
    change_type,
    record_id,
    shop_id,
    time,
    change: parsed,
  };
}

/** When to stop following. */
export interface Ending {
  /** Ends when nothing has arrived for this long. */
  readonly idleMs?: number | undefined;
  /** Ends after this long in total. */
  readonly withinMs?: number | undefined;
}

const PAGE = 200;

/**
 * Stored changes as they arrive, after a given number. They are read from the workspace, so that a slow reader blocks
 * nothing. Ends when the signal is aborted or one of the time limits is reached.
 */
export async function* followEvents(
  workspace: Pick<Workspace, 'read'>,
  filter: EventFilter,
  {
    ids,
    changeSignal,
    clock,
    signal,
    ending,
  }: {
    readonly ids: EventIds;
    readonly changeSignal: ChangeSignal;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly ending: Ending;
  },
): AsyncGenerator<EventRow, void> {
  const { idleMs, withinMs } = ending;
  const end = withinMs === undefined ? Number.POSITIVE_INFINITY : elapsedOn(clock) + withinMs;
  let idleSince = elapsedOn(clock);
  let after = filter.after ?? 0;
  while (!signal.aborted) {
    const page = await workspace.read((database) => storedEvents(database, { ...filter, after }, { limit: PAGE }));
    for (const event of page) {
      after = event.seq;
      yield eventRow(event, ids);
      if (signal.aborted) return;
    }
    if (page.length > 0) idleSince = elapsedOn(clock);
    if (page.length === PAGE) continue;
    const until = Math.min(end, idleMs === undefined ? Number.POSITIVE_INFINITY : idleSince + idleMs);
    // Nothing listens to an abort that happened while the page was read.
    if (signal.aborted || elapsedOn(clock) >= until) return;
    const waiting = new AbortController();
    const onAbort = () => waiting.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    const aborted = new Promise<void>((resolve) =>
      waiting.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    const over =
      until === Number.POSITIVE_INFINITY
        ? aborted
        : clock.wait(until - elapsedOn(clock), waiting.signal).catch(() => {});
    await Promise.race([changeSignal.heard(), over]);
    signal.removeEventListener('abort', onAbort);
    waiting.abort();
  }
}
