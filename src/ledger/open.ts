import { join } from 'node:path';
import type { Ports } from '../action/ports.ts';
import { Refusal } from '../client/refusal.ts';
import { workspaceAddress } from '../settings/setting.ts';
import { isPostgresAddress } from '../store/postgres-address.ts';
import type { Restoring } from '../store/restored.ts';
import type { Workspace } from '../store/workspace.ts';
import type { LedgerOpener } from './intents/drafts.ts';
import type { LedgerStore } from './store/intents.ts';
import { say } from './texts.ts';

type WorkspacePorts = Pick<Ports, 'places' | 'settings'>;

/**
 * The location of the workspace in force: from the setting, otherwise a file of the user in the state directory.
 * Throws a Refusal for a password saved in the settings.
 */
export function workspacePlace({ places, settings }: WorkspacePorts): string {
  if (settings.workspace !== undefined) {
    const { value, origin } = settings.workspace;
    const wrong = origin === 'environment' ? undefined : workspaceAddress.whyNotKept?.(value);
    if (wrong === undefined) return value;
    throw new Refusal('value_refused', say().refused.setting({ wrong }), { kind: 'configuration' });
  }
  return join(places.state, 'workspace.db');
}

/** Says that a workspace turned out to be a copy from an earlier time. */
export function sayRestored(
  { place, restored }: Pick<LedgerStore, 'place' | 'restored'>,
  report: Ports['report'],
): void {
  if (restored === undefined) return;
  report.say(say().sent.restored({ place, rows: restored }));
}

/** What opens the workspace in force has to know of this machine. */
export const ledgerOptions = ({ places, clock, waiting }: Pick<Ports, 'places' | 'clock' | 'waiting'>): Restoring => ({
  waiting,
  epochs: [places.config, places.cache],
  hold: async (sql, rows) => (await import('./planned-keys.ts')).holdRestored(sql, rows, clock.now()),
});

/** The place of a database that is opened: in a dry run a copy of the file; one on a server is opened itself. */
export async function placeToOpen(place: string, { scratch }: Pick<Ports, 'scratch'>): Promise<string> {
  if (scratch === undefined || isPostgresAddress(place)) return place;
  const { copyToLook } = await import('../store/backup-file.ts');
  return copyToLook(place, scratch());
}

/** Where the workspace is opened, and how; what is known of a copy's past concerns the workspace alone. */
export async function openedPlace(
  ports: WorkspacePorts & Pick<Ports, 'clock' | 'scratch' | 'waiting'>,
): Promise<{ readonly place: string; readonly options: Restoring; readonly isCopy: boolean }> {
  const [own, options] = [workspacePlace(ports), ledgerOptions(ports)];
  const place = await placeToOpen(own, ports);
  if (place === own || ports.scratch === undefined) return { place, options, isCopy: false };
  return { place, options: { ...options, epochs: [ports.scratch()] }, isCopy: true };
}

/** Opens the ledger in force, without what only batches and events need. */
export function ledgerOpener(
  ports: WorkspacePorts & Pick<Ports, 'report' | 'clock' | 'scratch' | 'waiting'>,
): LedgerOpener {
  const open = async (): Promise<LedgerStore> => {
    const { openLedger } = await import('./store/open-ledger.ts');
    const { place, options, isCopy } = await openedPlace(ports);
    const store = await openLedger(place, options);
    if (isCopy) return { ...store, place: workspacePlace(ports) };
    sayRestored(store, ports.report);
    return store;
  };
  return {
    open,
    async openIfThere() {
      const { isLedgerThere } = await import('./store/open-ledger.ts');
      return isLedgerThere(workspacePlace(ports)) ? open() : undefined;
    },
  };
}

/** What a form that makes something is given when it is opened: which report of the ledger in force was the latest. */
export async function markForForm(ports: Parameters<typeof ledgerOpener>[0]): Promise<string> {
  const { formMark } = await import('./known/form-mark.ts');
  return formMark(ledgerOpener(ports));
}

/** Opens the workspace in force, with what opens one where that is loaded already. Throws a WorkspaceError. */
export async function openWorkspace(
  ports: WorkspacePorts & Pick<Ports, 'report' | 'clock' | 'scratch' | 'waiting'>,
  open?: (place: string, options: Restoring) => Promise<Workspace>,
): Promise<Workspace> {
  const { place, options, isCopy } = await openedPlace(ports);
  const opened = await (open ?? (await import('../store/open-workspace.ts')).openWorkspace)(place, options);
  if (isCopy) return { ...opened, place: workspacePlace(ports) };
  sayRestored(opened, ports.report);
  return opened;
}
