import type { Ports } from '../../action/ports.ts';
import type { Double } from '../../batch/store/doubles.ts';
import { loadOperation } from '../../contract/areas.ts';
import { openWorkspace, workspacePlace } from '../../ledger/open.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import { type Finding, failed, failedBy, fine, skipped, warning } from './finding.ts';

const MEBIBYTE = 1024 * 1024;
/** Room for a day of batches and changes. */
const LEAST_BYTES = 200 * MEBIBYTE;

/** Whether state can be written, and how much room there is for it. */
export async function checkDisk({ files, places, ui }: Ports): Promise<Finding> {
  if (!(await files.isWritable(places.state))) {
    const found = `nothing can be written in ${places.state}, where batches and drafts are stored`;
    return failed('disk', 'configuration', found, ui.advise('choose_state'));
  }
  const free = await files.freeBytes(places.state);
  if (free === undefined) return skipped('disk', 'this file system does not report it');
  const found = `${Math.floor(free / MEBIBYTE).toLocaleString('en')} MiB free`;
  return free < LEAST_BYTES ? warning('disk', found, ui.advise('free_space')) : fine('disk', found);
}

/** Which database driver the workspace uses, and why. */
export async function checkDriver(ports: Ports): Promise<Finding> {
  try {
    if (/^postgres/.test(workspacePlace(ports))) return fine('database', 'PostgreSQL, as the setting workspace says');
    const { sqliteDriver } = await import('../../store/open-workspace.ts');
    const { driver, node, unloaded, headers } = await sqliteDriver();
    const found = `SQLite, by ${driver}, on Node ${node}`;
    if (!unloaded) return fine('database', found);
    const cure = unloaded.fault === 'unbuilt' ? 'rebuild_sqlite' : 'install_sqlite';
    const hint = ports.ui.advise(cure, headers === undefined ? {} : { headers });
    return warning('database', `${found}, because ${unloaded.message}; that is slower`, hint);
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
  if (ports.problem !== undefined) return skipped(check, 'the settings cannot be used');
  try {
    const place = workspacePlace(ports);
    const { isLedgerThere } = await import('../../ledger/store/open-ledger.ts');
    if (!isLedgerThere(place)) return fine(check, `${place}, not used yet`);
    const workspace = await openWorkspace(ports);
    try {
      const { rowsMadeTwice } = await import('../../batch/store/doubles.ts');
      const doubles: Double[] = [];
      for (const row of await rowsMadeTwice(workspace)) if (await isDouble(row)) doubles.push(row);
      const [first] = doubles;
      if (first === undefined) return fine(check, workspace.place);
      const records = doubles.length === 1 ? '1 record was' : `${doubles.length} records were`;
      const found = `${records} created twice: ${first.name} is ${first.id} and ${first.other}`;
      return warning(check, found, 'cancel or delete the ones that you do not want');
    } finally {
      await workspace.close();
    }
  } catch (error) {
    return failedBy(check, error, ports);
  }
}
