import type { Action, News } from '../../action/action.ts';
import type { Need } from '../../action/declared.ts';
import { inRun, type Means } from '../../action/means.ts';
import type { Ports } from '../../action/ports.ts';
import { markForForm, workspacePlace } from '../../ledger/open.ts';
import { newId } from '../../platform/process/new-id.ts';
import { stampOf } from '../../platform/sqlite/file-system.ts';
import { screenOf } from '../model.ts';
import type { Served } from '../served.ts';
import { say } from '../texts.ts';
import type { ActionData, Catalogue, Changed, ScreenData } from '../wire.ts';
import { closedSet, dataOf, formOf, mayRun, reads, spokenForm } from './closed-set.ts';
import { type RunMeans, runOne } from './run-one.ts';
import { isRows } from './shown.ts';

/** Changes are told together at most this often. */
const TOGETHER_MS = 500;
/** After so many further times it is told once more: what follows from a write, such as a delivery, comes a little later. */
const ECHO_AFTER = 4;
/** How often the workspace and a list that goes on are looked at. */
const LOOK_MS = 1000;
/** After so many times without a listener the watching ends: who goes from one screen to another finds it going on. */
const LEFT_AFTER = 20;
/** How long a source that failed rests. */
const REST_MS = 5000;

type ClosedSet = readonly Action[];
type Hear = (change: Changed) => void;

interface Sources {
  readonly means: Means;
  readonly allowed: () => Promise<ClosedSet>;
  readonly ended: AbortSignal;
}

/** The groups with an action that needs one of these. */
const groupsNeeding = (needs: readonly Need[], set: ClosedSet) =>
  set.filter((action) => action.needs.some((need) => needs.includes(need))).map(({ words }) => words[0]);

const newsIn = ({ page }: Action): News | undefined => (typeof page === 'object' ? page.news : undefined);

/**
 * Follows a list that goes on, one row at a time: while a batch runs, each of its rows would cost the service as much as
 * the call that it is about. What comes during the rest is told by the echo.
 */
async function follow(action: Action, news: News, ports: Ports, changed: () => void): Promise<void> {
  while (!ports.signal.aborted) {
    const rows = await action.run({ ...news.input }, ports);
    if (!isRows(rows)) return;
    for await (const _ of rows) {
      changed();
      break;
    }
    await ports.clock.wait(LOOK_MS, ports.signal);
  }
}

/** Keeps a source going until the signal; one that fails is tried again. */
async function keep(means: Means, work: (ports: Ports) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await inRun(means, { signal }, async ({ ports }) => {
      await work(ports).catch(() => {});
      await ports.clock.wait(REST_MS, signal).catch(() => {});
    });
}

/** Looks at the file of the workspace until the signal; one on a server is taken to change all the time. */
async function lookAtWorkspace(ports: Ports, changed: () => void): Promise<void> {
  let last: string | undefined;
  while (!ports.signal.aborted) {
    const place = workspacePlace(ports);
    const stamp = /^postgres(?:ql)?:/.test(place) ? String(ports.clock.now()) : await stampOf(place);
    if (last !== undefined && stamp !== last) changed();
    last = stamp;
    await ports.clock.wait(LOOK_MS, ports.signal);
  }
}

/** The groups whose time has come to be told once more; the others are a step nearer to it. */
function dueEchoes(echoes: Map<string, number>): readonly string[] {
  const due = [...echoes].flatMap(([group, left]) => (left === 0 ? [group] : []));
  for (const [group, left] of echoes) {
    if (left === 0) echoes.delete(group);
    else echoes.set(group, left - 1);
  }
  return due;
}

/** Watches for changes as long as anybody listens. */
export function watching({ means, allowed, ended }: Sources) {
  const hearing = new Set<Hear>();
  const touched = new Set<string>();
  const echoes = new Map<string, number>();
  let cursor = 0;
  let idle: AbortController | undefined;

  const flush = () => {
    const groups = [...new Set([...touched, ...dueEchoes(echoes)])];
    if (groups.length === 0) return;
    cursor += 1;
    const change = { groups, cursor };
    for (const group of touched) echoes.set(group, ECHO_AFTER);
    touched.clear();
    for (const hear of hearing) hear(change);
  };
  const touch = (needs: readonly Need[], set: ClosedSet) => {
    for (const group of groupsNeeding(needs, set)) touched.add(group);
  };

  const telling = async ({ clock, signal }: Ports) => {
    for (let left = 0; left < LEFT_AFTER; left = hearing.size === 0 ? left + 1 : 0) {
      await clock.wait(TOGETHER_MS, signal);
      flush();
    }
    idle?.abort();
    idle = undefined;
  };
  const begin = async (signal: AbortSignal) => {
    const set = await allowed();
    const followed = set.flatMap((action) => {
      const news = newsIn(action);
      const changed = () => touch(news?.of ?? [], set);
      return news === undefined ? [] : [(ports: Ports) => follow(action, news, ports, changed)];
    });
    const looking = (ports: Ports) => lookAtWorkspace(ports, () => touch(['workspace'], set));
    await Promise.all([...followed, telling, looking].map((work) => keep(means, work, signal)));
  };

  return {
    /** Tells that the records which such actions show may differ. */
    tell: touch,
    /** Calls back with each change until the returned function is called; the first begins the watching. */
    add(hear: Hear) {
      hearing.add(hear);
      if (idle === undefined) {
        idle = new AbortController();
        begin(AbortSignal.any([idle.signal, ended])).catch(() => {
          idle = undefined;
        });
      }
      return () => void hearing.delete(hear);
    },
  };
}

/** The screens of the navigation in their order, by the group of commands that each shows. */
const main: readonly string[] = [
  'day',
  'orders',
  'fulfillments',
  'customers',
  'products',
  'variants',
  'inventory',
  'batch',
  'events',
  'report',
  'cod',
  'sandbox',
];

/** A screen for each group that has an action: those of the navigation first, then the others by name. */
function screensOf(actions: readonly ActionData[]): readonly ScreenData[] {
  const groups = new Set(actions.map(({ group }) => group));
  const others = [...groups].filter((group) => !main.includes(group)).sort();
  return [...main.filter((group) => groups.has(group)), ...others].map((group) => ({
    group,
    title: say().screen(group),
    isMain: main.includes(group),
  }));
}

/** Results that no page has acknowledged; older ones are told once more when the same is sent again. */
const KEPT_AT_MOST = 1_000;

/** Receipts by which pages say that they have shown a result. */
function receipts() {
  const waiting = new Map<string, () => Promise<void>>();
  return {
    receiptFor(whenReported: () => Promise<void>): string {
      const receipt = newId();
      waiting.set(receipt, whenReported);
      const [oldest] = waiting.keys();
      if (waiting.size > KEPT_AT_MOST && oldest !== undefined) waiting.delete(oldest);
      return receipt;
    },
    async reported(receipt: string): Promise<void> {
      const whenReported = waiting.get(receipt);
      waiting.delete(receipt);
      await whenReported?.();
    },
  };
}

/** Everything that may be run with these ports. */
async function catalogueOf(means: Means, ports: Ports): Promise<Catalogue> {
  const { profileName, baseUrl, readOnly } = ports.settings;
  const actions = (await closedSet(await means.actions(), ports)).map(dataOf);
  return {
    screens: screensOf(actions),
    actions,
    ...(profileName === undefined ? {} : { profile: profileName.value }),
    ...(baseUrl === undefined ? {} : { service: baseUrl.value }),
    readOnly: readOnly.value !== false,
    version: means.version,
    timeZone: ports.timeZone(),
  };
}

/** The action of the table that a screen at an address begins with; undefined if it has none. */
function firstList(catalogue: Catalogue, at: string): string | undefined {
  const found = catalogue.screens.find(({ group }) => at === `/${encodeURIComponent(group)}`);
  return found === undefined ? undefined : screenOf(catalogue, found.group).lists[0]?.id;
}

/** What works with the ports of a run of its own. */
const lendingPorts =
  (means: Means, signal: AbortSignal) =>
  <Value>(work: (ports: Ports) => Promise<Value>, isLook = true): Promise<Value> =>
    inRun(means, { isLook, signal }, ({ ports }) => work(ports));

/** Serves the actions of the command line's profile, and the files of its pages; `ended` is aborted when the console closes. */
export function serveActions({ means, kept }: Pick<RunMeans, 'means' | 'kept'>, ended: AbortSignal): Served {
  const { receiptFor, reported } = receipts();
  const withPorts = lendingPorts(means, ended);
  const actionOf = async (id: string) => (await means.actions()).find((action) => action.id === id);
  // A copy of the ledger, as a look makes it, would cost more than the form.
  const mark = () => withPorts(markForForm, false);
  const watch = watching({
    means,
    allowed: () => withPorts(async (ports) => closedSet(await means.actions(), ports)),
    ended,
  });

  const run: Served['run'] = async (id, request, left, early) => {
    const action = await actionOf(id);
    if (action === undefined) return undefined;
    const isRead = reads(action) || request.look === true;
    // A write that was begun is brought to its end, whether the page waits for it or not.
    const signal = isRead ? AbortSignal.any([left, ended]) : ended;
    const ran = await runOne({ means, kept, early, receiptFor }, action, request, signal);
    if (!isRead && ran !== undefined && ran.kind !== 'asks') watch.tell(action.needs, await means.actions());
    return ran;
  };

  return {
    catalogue: async (at, left) => {
      try {
        const catalogue = await withPorts((ports) => catalogueOf(means, ports));
        const id = firstList(catalogue, at);
        const action = id === undefined ? undefined : await actionOf(id);
        if (action === undefined) return catalogue;
        const request = { input: {}, columns: [] };
        const ran = await run(action.id, request, left);
        return ran === undefined
          ? catalogue
          : { ...catalogue, first: { id: action.id, request, form: spokenForm(formOf(action)), ran } };
      } catch (thrown) {
        const end = await means.ending(thrown, undefined, undefined);
        if (end.kind === 'failed') return { error: end.error };
        throw thrown;
      }
    },
    async form(id) {
      const action = await actionOf(id);
      if (action === undefined) return undefined;
      if (!(await withPorts((ports) => mayRun(action, ports)))) return undefined;
      return { ...spokenForm(formOf(action)), ...(dataOf(action).creates ? { opened: await mark() } : {}) };
    },
    run,
    async reported(receipt) {
      await reported(receipt);
      return { opened: await mark() };
    },
    watch: watch.add,
    receive: kept.receive,
    file: kept.take,
    end: kept.end,
  };
}
