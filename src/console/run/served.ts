import type { Ports } from '../../actions/action/ports.ts';
import { screenOf } from '../model.ts';
import type { Served } from '../served.ts';
import type { Catalogue, FirstRun, Ran, RunRequest } from '../wire.ts';
import { closedSet, dataOf, mayRun, reads } from './closed-set.ts';
import { formOf } from './form.ts';
import { type RunMeans, runOne } from './run-one.ts';
import { screensOf } from './screens.ts';
import { silent, watching } from './watching.ts';

/** Serves the actions of the command line's profile, and the files of its pages; `ended` is aborted when the console closes. */
export function serveActions({ means, kept }: RunMeans, ended: AbortSignal): Served {
  const withPorts = async <Value>(work: (ports: Ports) => Promise<Value>): Promise<Value> => {
    const opened = await means.open({ isLook: true, agreed: [], signal: ended, report: silent });
    try {
      return await work(opened.ports);
    } finally {
      await opened.end();
    }
  };
  const actionOf = async (id: string) => (await means.actions()).find((action) => action.id === id);
  const catalogueOf = async (ports: Ports): Promise<Catalogue> => {
    const { profileName, baseUrl, readOnly } = ports.settings;
    const actions = (await closedSet(await means.actions(), ports)).map(dataOf);
    return {
      screens: screensOf(actions),
      actions,
      ...(profileName === undefined ? {} : { profile: profileName.value }),
      ...(baseUrl === undefined ? {} : { service: baseUrl.value }),
      readOnly: readOnly.value,
      version: means.version,
    };
  };
  const watch = watching({
    means,
    allowed: () => withPorts(async (ports) => closedSet(await means.actions(), ports)),
    ended,
  });

  const run = async (id: string, request: RunRequest, left: AbortSignal): Promise<Ran | undefined> => {
    const action = await actionOf(id);
    if (action === undefined) return undefined;
    const isRead = reads(action) || request.look === true;
    // A write that was begun is brought to its end, whether the page waits for it or not.
    const ran = await runOne({ means, kept }, action, request, isRead ? AbortSignal.any([left, ended]) : ended);
    if (!isRead && ran !== undefined && ran.kind !== 'asks') watch.tell(action.needs, await means.actions());
    return ran;
  };

  /** The table of a screen; undefined if it has none. */
  const firstRun = async (catalogue: Catalogue, at: string, left: AbortSignal): Promise<FirstRun | undefined> => {
    const found = catalogue.screens.find(({ group }) => at === `/${encodeURIComponent(group)}`);
    const [list] = found === undefined ? [] : screenOf(catalogue, found.group).lists;
    const action = list && (await actionOf(list.id));
    if (action === undefined) return undefined;
    const request = { input: {}, columns: [] };
    const ran = await run(action.id, request, left);
    return ran === undefined ? undefined : { id: action.id, request, form: formOf(action), ran };
  };

  return {
    catalogue: async (at, left) => {
      try {
        const catalogue = await withPorts(catalogueOf);
        const first = await firstRun(catalogue, at, left);
        return first === undefined ? catalogue : { ...catalogue, first };
      } catch (thrown) {
        const end = await means.ending(thrown, undefined, undefined);
        if (end.kind === 'failed') return { error: end.error };
        throw thrown;
      }
    },
    async form(id) {
      const action = await actionOf(id);
      const isAllowed = action !== undefined && (await withPorts((ports) => mayRun(action, ports)));
      return isAllowed ? formOf(action) : undefined;
    },
    run,
    watch: watch.add,
    receive: kept.receive,
    file: kept.take,
    end: kept.end,
  };
}
