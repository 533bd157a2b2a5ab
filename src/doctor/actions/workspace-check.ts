import type { Ports } from '../../action/ports.ts';
import type { Double } from '../../batch/store/doubles.ts';
import { loadOperation } from '../../contract/areas.ts';
import { openWorkspace, workspacePlace } from '../../ledger/open.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import { type Finding, failedBy, fine, skipped, warning } from './finding.ts';

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
