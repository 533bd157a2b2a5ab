import type { Clock } from '../platform/process/clock.ts';
import { isTaken } from '../platform/process/error-code.ts';
import type { ServiceClock } from './service-clock.ts';
import type { ServiceTime } from './service-time.ts';
import { type AreaState, areaStatement } from './store/area-states.ts';
import type { Mirror } from './store/mirror.ts';
import type { PageWriter, PlannedPage, SeenPage } from './store/write/write-page.ts';

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
  /** A page is about to be stored: called before each time. */
  seen?(page: SeenPage): Promise<void>;
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

/** A page, and the state that its walk has once it is stored. */
interface WalkedPage {
  readonly page: SeenPage;
  readonly state?: AreaState | undefined;
}

/** A page with the statements that write it. */
interface ReadyPage extends WalkedPage {
  readonly planned: PlannedPage;
}

/** Writes pages, each with the state that its walk has then, in one transaction, and counts what they have changed. */
async function writePlanned(
  { mirror, events }: SyncContext,
  summary: AreaSummary,
  pages: readonly ReadyPage[],
): Promise<void> {
  const position = (state: AreaState | undefined) => (state === undefined ? [] : [areaStatement(mirror, state, true)]);
  for (const { page } of pages) await events.seen?.(page);
  await mirror.writeAll(pages.flatMap(({ planned, state }) => [...planned.statements, ...position(state)]));
  for (const { page, planned } of pages) {
    const { written } = planned;
    summary.read += page.records.length;
    summary.created += written.created.length;
    summary.updated += written.updated.length;
    summary.deleted += written.deleted.length;
    events.stored?.(summary.area, summary.read);
  }
}

/** Stores a page. */
export async function storePage(context: SyncContext, summary: AreaSummary, walked: WalkedPage): Promise<void> {
  const { mirror, writer, signal } = context;
  signal.throwIfAborted();
  const planned = await mirror.read((session) => writer.plan(session, walked.page));
  await writePlanned(context, summary, [{ ...walked, planned }]);
}

/** How many pages wait for those before them to be stored; each takes some megabytes. */
const MOST_WAITING = 2;

/** Pages of which the mirror probably has no record: they are prepared without a look at it, while others are stored. */
export interface NewPages {
  /** Adds a page; waits as long as too many wait. Rejects with the error of one before, which then is the end of all. */
  add(walked: WalkedPage): Promise<void>;
  /** Waits until all are stored. */
  end(): Promise<void>;
}

/**
 * Stores pages in order; those that were prepared while others were stored share a transaction. A record that is there
 * after all makes them pages like others.
 */
export function newPages(context: SyncContext, summary: AreaSummary): NewPages {
  const waiting: ReadyPage[] = [];
  let storing: Promise<void> | undefined;
  const store = async (pages: readonly ReadyPage[]) => {
    try {
      await writePlanned(context, summary, pages);
    } catch (error) {
      if (!isTaken(error)) throw error;
      for (const page of pages) await storePage(context, summary, page);
    }
  };
  let group = Promise.resolve();
  const storeAll = async () => {
    while (waiting.length > 0) {
      group = store(waiting.splice(0));
      await group;
    }
    storing = undefined;
  };
  return {
    async add(walked) {
      context.signal.throwIfAborted();
      waiting.push({ ...walked, planned: context.writer.planNew(walked.page) });
      if (storing === undefined) {
        storing = storeAll();
        // Its error is that of a later page, or of the end.
        storing.catch(() => {});
      } else if (waiting.length >= MOST_WAITING) await group;
    },
    async end() {
      await storing;
    },
  };
}
