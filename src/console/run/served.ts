import type { Ports } from '../../actions/action/ports.ts';
import type { Served } from '../served.ts';
import type { Catalogue } from '../wire.ts';
import { closedSet, dataOf, reads } from './closed-set.ts';
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
  const allowed = () => withPorts(async (ports) => closedSet(await means.actions(), ports));
  const catalogueOf = async (ports: Ports): Promise<Catalogue> => {
    const { profileName, baseUrl, readOnly } = ports.settings;
    const actions = [...(await closedSet(await means.actions(), ports)).values()].map(dataOf);
    return {
      screens: screensOf(actions),
      actions,
      ...(profileName === undefined ? {} : { profile: profileName.value }),
      ...(baseUrl === undefined ? {} : { service: baseUrl.value }),
      readOnly: readOnly.value,
      version: means.version,
    };
  };
  const watch = watching({ means, allowed, ended });

  return {
    catalogue: async () => {
      try {
        return await withPorts(catalogueOf);
      } catch (thrown) {
        const end = await means.ending(thrown, undefined, undefined);
        if (end.kind === 'failed') return { error: end.error };
        throw thrown;
      }
    },
    async form(id) {
      const action = (await allowed()).get(id);
      return action === undefined ? undefined : formOf(action);
    },
    async run(id, request, left) {
      const set = await allowed();
      const action = set.get(id);
      if (action === undefined) return undefined;
      const isRead = reads(action) || request.look === true;
      // A write that was begun is brought to its end, whether the page waits for it or not.
      const ran = await runOne({ means, kept }, action, request, isRead ? AbortSignal.any([left, ended]) : ended);
      if (!isRead && ran.kind !== 'asks') watch.tell(action.needs, set);
      return ran;
    },
    watch: watch.add,
    receive: kept.receive,
    file: kept.take,
    end: kept.end,
  };
}
