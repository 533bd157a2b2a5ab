import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { changeType, entity } from '../../contract/enums.ts';
import { flag, id, int, list, oneOf, record, requiring, text } from '../../contract/schema/scalars.ts';
import { addDays, dayInZone, parseDuration, parseMoment, startOfDayInZone } from '../../domain/calendar.ts';
import { askedAt, readDay } from '../../domain/moment-text.ts';
import { openWorkspace } from '../../ledger/open.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { EventIds } from '../store/ids.ts';
import type { EventFilter } from '../store/list.ts';
import { eventAccount, eventRecord, eventView, nameOfTarget } from './event-account.ts';
import { say } from './texts.ts';

/** Default number of events shown to a person. */
const SHOWN = 100;
const PAGE = 500;
/** Polling interval of a tail for newly stored events. */
const LOOK_EVERY_MS = 250;
const TAIL = 10;

/** A workspace opened for one run, its event numbering, and the account whose events are meant. */
export interface OpenEvents {
  readonly workspace: Workspace;
  readonly ids: EventIds;
  readonly account: string;
}

/**
 * Opens the workspace in force for one run. Throws a WorkspaceError, and a Refusal if it is not known whose changes are
 * meant.
 */
export async function openEvents(ports: Ports): Promise<OpenEvents> {
  const workspace = await openWorkspace(ports);
  try {
    return { workspace, account: await eventAccount(ports, workspace), ids: await idsOf(workspace, ports) };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/** Runs a callback with the events of the workspace in force, and closes it. */
export async function withEvents<Result>(ports: Ports, work: (events: OpenEvents) => Promise<Result>): Promise<Result> {
  const events = await openEvents(ports);
  try {
    return await work(events);
  } finally {
    await events.workspace.close();
  }
}

/** Writes only if no numbering exists yet, so that read-only users can list events, too. */
async function idsOf({ read, write }: Workspace, { random }: Pick<Ports, 'random'>): Promise<EventIds> {
  const { eventIds, knownEventIds } = await import('../listen/index.ts');
  return (await read(knownEventIds)) ?? write((database) => eventIds(database, random));
}

/** A point in time given by a person: a time, a day, or how long ago. Throws a Refusal that names the field. */
export function momentOf(path: string, given: string, ports: Pick<Ports, 'clock' | 'settings' | 'report'>): string {
  const { now, timeZone, tell } = askedAt(ports);
  const ago = parseDuration(given);
  const isEnd = path === 'until';
  const day = ago === undefined ? readDay(given, dayInZone(now, timeZone), isEnd, tell) : undefined;
  const ofDay = day === undefined ? undefined : startOfDayInZone(isEnd ? addDays(day, 1) : day, timeZone);
  const moment = ofDay ?? (ago === undefined ? parseMoment(given) : now - ago);
  if (moment !== undefined) return new Date(moment).toISOString();
  const message = say().stored.moment;
  throw new Refusal('invalid_input', say().field({ field: path, what: message }), { fieldErrors: [{ path, message }] });
}

/** The number of a change from its id. Throws a Refusal if the id is not from this workspace. */
export function numberOf(given: string, ids: EventIds): number {
  const seq = ids.seqOf(given);
  if (seq !== undefined) return seq;
  const message = say().stored.elsewhere({ id: given });
  throw new Refusal('event_unknown', message, { kind: 'missing' });
}

const filters = {
  entity: oneOf(entity, 'only changes of this kind of record'),
  change_type: oneOf(changeType, 'only changes of this type'),
  record: text('only changes of this record; all of its history'),
  since: text('received at this time or later: a time, a day, or an age such as 2h'),
  until: text('received before this time; a day includes the whole day'),
};
const filterHints = {
  since: { placeholder: 'TIME', from: 'path' },
  until: { placeholder: 'TIME', from: 'path' },
  record: { placeholder: 'ID', from: 'path' },
} as const;

interface GivenFilter {
  readonly entity?: string | null | undefined;
  readonly change_type?: string | null | undefined;
  readonly record?: string | null | undefined;
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
}

function filterOf(given: GivenFilter, ports: Ports): Omit<EventFilter, 'account'> {
  return {
    shopId: shopAskedFor(ports.settings),
    entity: given.entity ?? undefined,
    changeType: given.change_type ?? undefined,
    recordId: given.record ?? undefined,
    since: typeof given.since === 'string' ? momentOf('since', given.since, ports) : undefined,
    until: typeof given.until === 'string' ? momentOf('until', given.until, ports) : undefined,
  };
}

/** `events list`. */
export const listEvents = action({
  id: 'events.list',
  words: ['events', 'list'],
  summary: 'List the changes that were received',
  description:
    'The newest come first, in every format. A table shows 100 of them, a machine format all, unless --limit says how many.',
  examples: [
    'shopctl events list --entity order --since 2h',
    'shopctl events list --record 1234567890123456789 -o jsonl',
  ],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: { about: 'record' },
  input: record({
    ...filters,
    target: text('only changes that concern this target, by its name or address'),
    state: oneOf(['waiting', 'accepted', 'dead'], 'only changes in this state at the target'),
    limit: int('how many of the newest', 'changes'),
    all: flag('all of them, even in a table'),
    newest_first: flag('newest first, the default; with --no-, in the order in which they were received'),
  }),
  atFirstSight: ({ limit, ...input }) => ({
    ...input,
    limit: limit ?? (input.all === true ? undefined : SHOWN),
  }),
  hints: { ...filterHints, target: { placeholder: 'NAME', from: 'path' }, limit: { isStyle: true } },
  output: list(eventRecord, 'The changes'),
  view: eventView,
  async *run(given, ports) {
    const { report, ui } = ports;
    if (typeof given.state === 'string' && typeof given.target !== 'string') {
      const message = say().stored.needsTarget;
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'state', message }] });
    }
    const asked = { ...filterOf(given, ports), state: given.state ?? undefined };
    const { eventRow, storedEvents, storedNumbers, withNumbersOfTime } = await import('../listen/index.ts');
    const { workspace, ids, account } = await openEvents(ports);
    try {
      const filter = await workspace.read(async (database) => {
        const target =
          typeof given.target === 'string' ? await nameOfTarget(database, account, given.target) : undefined;
        return withNumbersOfTime(database, { ...asked, account, target });
      });
      const most = given.limit ?? undefined;
      if (given.newest_first !== false) {
        let { before } = filter;
        let left = most ?? Number.POSITIVE_INFINITY;
        for (;;) {
          const page = await workspace.read((database) =>
            storedEvents(database, { ...filter, before }, { limit: Math.min(PAGE, left + 1), newestFirst: true }),
          );
          for (const event of page.slice(0, left)) yield eventRow(event, ids);
          if (page.length > left) {
            report.notice(say().stored.more({ most, advice: ui.advise('see_all_events') }));
          }
          left -= page.length;
          before = page.at(-1)?.seq;
          if (page.length < PAGE || left <= 0) return;
        }
      }
      let after: number | undefined;
      if (most !== undefined) {
        const newest = await workspace.read((database) =>
          storedEvents(database, filter, { limit: most, newestFirst: true }),
        );
        after = (newest.at(-1)?.seq ?? 1) - 1;
      }
      const first = await workspace.read((database) => storedNumbers(database, filter, 1));
      after ??= (first[0] ?? 1) - 1;
      for (;;) {
        const page = await workspace.read((database) => storedEvents(database, { ...filter, after }, { limit: PAGE }));
        for (const event of page) yield eventRow(event, ids);
        after = page.at(-1)?.seq;
        if (page.length < PAGE) return;
      }
    } finally {
      await workspace.close();
    }
  },
});

/** `events show`. */
export const showEvent = action({
  id: 'events.show',
  words: ['events', 'show'],
  summary: 'Show a received change in full',
  examples: ['shopctl events show 1234567890123456789'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: 'allowed',
  input: requiring({ id: id('id of the change') }, {}),
  positional: ['id'],
  hints: { id: { offers: 'ids events' } },
  output: eventRecord,
  view: { ...eventView, columns: [...eventView.columns, { path: 'change' }] },
  format: 'json',
  run: (given, ports) =>
    withEvents(ports, async ({ workspace, ids, account }) => {
      const { eventRow, storedEvents } = await import('../listen/index.ts');
      const seq = numberOf(given.id, ids);
      const [found] = await workspace.read((database) =>
        storedEvents(database, { account, seqs: [seq], shopId: shopAskedFor(ports.settings) }, { limit: 1 }),
      );
      if (found === undefined) throw new NoSuchEventError(given.id);
      return eventRow(found, ids);
    }),
});

/** Thrown if a change does not exist, or no longer does. */
export class NoSuchEventError extends Error {
  readonly kind = 'service';
  readonly code = 'not_found';

  constructor(wanted: string) {
    super(say().stored.unknown({ id: wanted }));
    this.name = 'NoSuchEventError';
  }
}

/** `events tail`. */
export const tailEvents = action({
  id: 'events.tail',
  words: ['events', 'tail'],
  summary: 'Show the latest changes, then each new one as it comes',
  description: 'Runs until Ctrl-C. A listener must be running for changes to arrive.',
  examples: ['shopctl events tail --entity order'],
  effect: 'read',
  needs: ['workspace'],
  input: record({
    entity: filters.entity,
    record: filters.record,
    last: int(`how many earlier changes to show first; ${TAIL} when absent`, 'changes'),
  }),
  hints: { record: filterHints.record, last: { isStyle: true } },
  output: list(eventRecord, 'The changes as they come'),
  view: { ...eventView, columns: eventView.columns.filter(({ path }) => path !== 'id') },
  live: true,
  async *run(given, ports) {
    const { clock, signal, intend } = ports;
    intend({ tail: given.entity ?? 'all' });
    const { createChangeSignal, followEvents, storedEvents, lastEvent } = await import('../listen/index.ts');
    const asked = filterOf(given, ports);
    const { workspace, ids, account } = await openEvents(ports);
    const filter = { ...asked, account };
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      const last = given.last ?? TAIL;
      const before = await workspace.read((database) =>
        storedEvents(database, filter, { limit: Math.max(1, last), newestFirst: true }),
      );
      const newest = await workspace.read(lastEvent);
      const after = last === 0 || before.length === 0 ? newest : (before.at(-1)?.seq ?? 1) - 1;
      const changeSignal = createChangeSignal();
      const looking = (async () => {
        while (!ending.signal.aborted) {
          await clock.wait(LOOK_EVERY_MS, ending.signal).catch(() => {});
          changeSignal.ring();
        }
      })();
      yield* followEvents(
        workspace,
        { ...filter, after },
        { ids, changeSignal, clock, signal: ending.signal, ending: {} },
      );
      end();
      await looking;
    } finally {
      signal.removeEventListener('abort', end);
      end();
      await workspace.close();
    }
  },
});
