import type { Clock } from '../../../platform/process/clock.ts';
import { type AreaState, areaStatement } from '../../../workspace/mirror/store/areas.ts';
import type { Mirror } from '../../../workspace/mirror/store/mirror.ts';
import type { PageWriter, SeenPage, WrittenPage } from '../../../workspace/mirror/write/write-page.ts';
import type { ServiceClock } from './service-clock.ts';
import type { ServiceTime } from './service-time.ts';

/** What the copy of one area has done. */
export interface AreaSummary {
  readonly area: string;
  /** Records that the service returned. */
  read: number;
  created: number;
  updated: number;
  deleted: number;
  /** Calls to the service. */
  calls: number;
  /** The moment up to which the area is complete, in milliseconds since 1970 by the service's clock. */
  complete_until: number | null;
}

/** What happens during a sync, as it happens. */
export interface SyncEvents {
  /** Some records of an area were stored. */
  stored?(area: string, read: number): void;
  /** Versions of records that were not known: called within the transaction that stores them. */
  changed?(page: SeenPage, written: WrittenPage): Promise<void>;
}

/** What a sync works with: one shop of one mirror, and the service. */
export interface SyncContext {
  readonly mirror: Mirror;
  readonly writer: PageWriter;
  readonly time: ServiceTime;
  readonly service: ServiceClock;
  readonly shopId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly events: SyncEvents;
  /** Whether every record is read and written again, whatever is known. */
  readonly isFull: boolean;
}

/** A summary to count in. */
export const summaryOf = (area: string): AreaSummary => ({
  area,
  read: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  calls: 0,
  complete_until: null,
});

/** Stores a page with the state that its walk has then, in one transaction, and counts what it has changed. */
export async function storePage(
  context: SyncContext,
  summary: AreaSummary,
  page: SeenPage,
  state: AreaState | undefined,
): Promise<void> {
  context.signal.throwIfAborted();
  const { statements, written } = await context.mirror.read((session) => context.writer.plan(session, page));
  const position = state === undefined ? [] : [areaStatement(context.mirror, state, true)];
  await context.mirror.writeAll([...statements, ...position]);
  summary.read += page.records.length;
  summary.created += written.created.length;
  summary.updated += written.updated.length;
  summary.deleted += written.deleted.length;
  context.events.stored?.(summary.area, summary.read);
  await context.events.changed?.(page, written);
}
