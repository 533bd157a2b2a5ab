import type { Action, News } from '../../action/action.ts';
import type { Need } from '../../action/declared.ts';
import { inRun, type Means } from '../../action/means.ts';
import type { Ports } from '../../action/ports.ts';
import { workspacePlace } from '../../ledger/open.ts';
import { stampOf } from '../../platform/sqlite/file-system.ts';
import type { Changed } from '../wire.ts';
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
