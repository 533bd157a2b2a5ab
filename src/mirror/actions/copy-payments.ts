import type { Ports } from '../../action/ports.ts';
import { openWorkspace, placeToOpen, workspacePlace } from '../../ledger/open.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import type { AtMirror } from './place.ts';

/** Copies the payments to the mirror, as far as they differ there. Throws a WorkspaceError. */
export async function payToMirror({ mirror, shopId }: AtMirror, ports: Ports): Promise<void> {
  const { copyPayments } = await import('../index.ts');
  // Creates it if it is missing.
  await (await openWorkspace(ports)).close();
  const place = await placeToOpen(workspacePlace(ports), ports);
  const at = new Date(ports.clock.now()).toISOString();
  await copyPayments(mirror, isPostgresAddress(place) ? undefined : place, { shopId, at });
}
