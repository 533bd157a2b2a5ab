import type { Connection } from '../../client/connection.ts';
import { isGone } from '../../client/settle/found-record.ts';
import { verdictOn } from '../../client/settle/verdict.ts';
import { readFields } from '../../domain/json/value-at.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { lookUp, lookUpId } from '../../ledger/look-up.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { RowWithRequest } from '../store/row.ts';
import { failed, outcomeOf } from './row-outcome.ts';

/**
 * A row whose record was made by work that may not have shipped it, as it is at the service: it existed, or lacks its
 * shipment still. Nothing is sent. Throws a CallError.
 */
export async function madeBefore<Made extends RowWithRequest>(
  work: RowWork,
  row: Made,
  { tree, connection }: { readonly tree: LocationTree; readonly connection: Connection },
): Promise<Made> {
  const request = readFields(row.payload);
  const byId = row.id === null ? undefined : await lookUpId(work, row.id, connection);
  const seen = byId ?? (await lookUp(work, request, connection));
  const write = { operation: work.operation, request, derived: row.named === 0, mayHaveLeft: false };
  const found = verdictOn(write, seen.state === 'none' ? undefined : seen, tree);
  // A parcel that came back was shipped.
  const isBack = found.state === 'over' && !isGone(found.record);
  const outcome = isBack
    ? outcomeOf({ ...found, state: 'existed' }, row.name, false)
    : found.state === 'none' || found.state === 'over'
      ? failed('already_over', 'it was created before, and has since been cancelled, returned or deleted')
      : outcomeOf(found, row.name, false);
  return { ...row, error_code: null, error_message: null, ...outcome };
}
