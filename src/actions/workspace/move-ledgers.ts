import { existsSync } from 'node:fs';
import * as z from 'zod';
import { int, text } from '../../contract/schema/scalars.ts';
import type { StoredLedger } from '../../platform/settings/settings.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Ports } from '../action/ports.ts';
import { identityOf, isSameLedger } from './own-ledger.ts';

/** A ledger that was moved, and how much of it. */
export const movedLedger = z.object({
  from: text('Where it was'),
  to: text('Where it is now'),
  writes: int('Writes that the ledger knows', 'records'),
  batches: int('Batches', 'records'),
  events: int('Received changes', 'records'),
});

/** The ledgers that the settings remember and that are not in this workspace. */
async function elsewhere(here: StoredLedger, { store }: Ports): Promise<StoredLedger[]> {
  const known = Object.values((await store.read()).ledgers ?? {}).filter((one) => !isSameLedger(one, here));
  return [...new Map(known.map((one) => [`${one.id} ${one.place}`, one])).values()];
}

/** Remembers for every account of a ledger where it is now. */
async function follow(from: StoredLedger, to: StoredLedger, { store }: Ports): Promise<void> {
  await store.update((settings) => {
    const ledgers = Object.entries(settings.ledgers ?? {});
    const isOfIt = ({ id, place }: StoredLedger) => id === from.id && place === from.place;
    return { ...settings, ledgers: Object.fromEntries(ledgers.map(([key, one]) => [key, isOfIt(one) ? to : one])) };
  });
}

/** Whether there is anything left to move; a database is asked when it is opened. */
const isThere = (from: StoredLedger, to: string) =>
  from.place !== to && (from.place.includes('://') || existsSync(from.place));

function questionAbout(from: StoredLedger, place: string): string {
  if (isThere(from, place))
    return `Move the ledger in ${from.place} to ${place}? The old workspace is refused from then on.`;
  const gone = from.place === place ? `${place} was replaced.` : `${from.place} does not exist any more.`;
  return `${gone} Use ${place} from now on? It does not know what was sent before: that can be sent twice.`;
}

/** Moves every ledger of the settings' accounts into a workspace. Throws a WorkspaceError. */
export async function moveLedgers(workspace: Workspace, ports: Ports): Promise<z.output<typeof movedLedger>[]> {
  const { person, report, clock } = ports;
  const moved: z.output<typeof movedLedger>[] = [];
  const sources = await elsewhere(await identityOf(workspace), ports);
  ports.intend({ move: sources.map(({ place }) => place), to: workspace.place });
  for (const from of sources) {
    await person.confirm({ what: `moving ${from.place}`, message: questionAbout(from, workspace.place) });
    if (isThere(from, workspace.place)) {
      const { moveWorkspace } = await import('../../workspace/move/move.ts');
      const { rows, left } = await moveWorkspace(from, workspace, clock);
      const { ledger_keys: writes = 0, batches = 0, events = 0 } = rows;
      moved.push({ from: from.place, to: workspace.place, writes, batches, events });
      for (const what of left)
        report.notice(`${workspace.place} has ${what} of its own: those of ${from.place} stay there`);
    }
    await follow(from, await identityOf(workspace), ports);
  }
  if (sources.length === 0) report.notice(`nothing to move: your accounts use ${workspace.place} already`);
  return moved;
}
