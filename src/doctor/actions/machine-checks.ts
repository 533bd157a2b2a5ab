import type { Ports } from '../../action/ports.ts';
import type { Double } from '../../batch/store/doubles.ts';
import { loadOperation } from '../../contract/areas.ts';
import { openWorkspace, workspacePlace } from '../../ledger/open.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import { type Finding, failed, failedBy, fine, skipped, warning } from './finding.ts';
import { say } from './texts.ts';

const MEBIBYTE = 1024 * 1024;
/** Room for a day of batches and changes. */
const LEAST_BYTES = 200 * MEBIBYTE;

/** Whether state can be written, and how much room there is for it. */
export async function checkDisk({ files, places, ui }: Ports): Promise<Finding> {
  if (!(await files.isWritable(places.state))) {
    const found = say().disk.unwritable({ place: places.state });
    return failed('disk', 'configuration', found, ui.advise('choose_state'));
  }
  const free = await files.freeBytes(places.state);
  if (free === undefined) return skipped('disk', say().disk.unknown);
  const found = say().disk.free({ mebibytes: Math.floor(free / MEBIBYTE) });
  return free < LEAST_BYTES ? warning('disk', found, ui.advise('free_space')) : fine('disk', found);
}

/** Which database driver the workspace uses, and why. */
export async function checkDriver(ports: Ports): Promise<Finding> {
  try {
    if (/^postgres/.test(workspacePlace(ports))) return fine('database', say().database.server);
    const { sqliteDriver } = await import('../../store/open-workspace.ts');
    const { driver, node, unloaded, headers } = await sqliteDriver();
    const found = say().database.driver({ driver, node });
    if (!unloaded) return fine('database', found);
    const cure = unloaded.fault === 'unbuilt' ? 'rebuild_sqlite' : 'install_sqlite';
    const hint = ports.ui.advise(cure, headers === undefined ? {} : { headers });
    return warning('database', say().database.slower({ found, why: unloaded.message }), hint);
  } catch (error) {
    return failedBy('database', error, ports);
  }
}

async function isDouble({ operation, account, resource, key_account }: Double): Promise<boolean> {
  const [origin, , shop] = JSON.parse(account);
  return key_account === JSON.stringify([origin, shop]) && resource === resourceOf(await loadOperation(operation));
}

/** Where batches, drafts and changes are, and whether records of joined ledgers are there twice. */
export async function checkWorkspace(ports: Ports): Promise<Finding> {
  const check = 'workspace';
  if (ports.problem !== undefined) return skipped(check, say().settingsUnusable);
  try {
    const place = workspacePlace(ports);
    const { isLedgerThere } = await import('../../ledger/store/open-ledger.ts');
    if (!isLedgerThere(place)) return fine(check, say().workspace.unused({ place }));
    const workspace = await openWorkspace(ports);
    try {
      const { rowsMadeTwice } = await import('../../batch/store/doubles.ts');
      const doubles: Double[] = [];
      for (const row of await rowsMadeTwice(workspace)) if (await isDouble(row)) doubles.push(row);
      const [first] = doubles;
      if (first === undefined) return fine(check, workspace.place);
      const { name, id: one, other } = first;
      const found = say().workspace.twice({ count: doubles.length, name, one, other });
      return warning(check, found, say().workspace.chooseOne);
    } finally {
      await workspace.close();
    }
  } catch (error) {
    return failedBy(check, error, ports);
  }
}
