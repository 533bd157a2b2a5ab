import { inRun, type Means } from '../../action/means.ts';
import type { Ports } from '../../action/ports.ts';
import { markForForm } from '../../ledger/open.ts';
import { newId } from '../../platform/process/new-id.ts';
import { screenOf } from '../model.ts';
import type { Served } from '../served.ts';
import { say } from '../texts.ts';
import type { ActionData, Catalogue, ScreenData } from '../wire.ts';
import { closedSet, dataOf, formOf, mayRun, reads, spokenForm } from './closed-set.ts';
import { type RunMeans, runOne } from './run-one.ts';
import { watching } from './watching.ts';

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
