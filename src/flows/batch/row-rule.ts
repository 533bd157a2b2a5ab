import { requestDifferences, requestDigest } from '../../client/settle/compare.ts';
import { readFields } from '../../domain/json/value-at.ts';
import type { Batch } from '../../workspace/batches/batches.ts';
import type { RowRule } from '../../workspace/batches/row-keys.ts';
import { equalOrder } from '../ledger/equal-order.ts';
import { contentIdentity, ledgerAccount, madeUnder } from '../ledger/identity.ts';
import { endsRecord } from '../ledger/lookup.ts';
import type { BatchContext } from './batch-context.ts';
import { numbered } from './read/identity.ts';
import { sourceOf } from './read/stored-source.ts';
import type { RowWork } from './row-work.ts';

const DAY_MS = 86_400_000;

/** The name that is derived from the content of a row, without its number. */
const unnumbered = (name: string) => name.replace(/^(shopctl-r1-[0-9a-f]{20})-\d+$/, '$1');

/** How the ledger guards the rows of a batch. */
export function rowRuleOf({ account, time, tree }: BatchContext, batch: Batch, work: RowWork): RowRule {
  const { operation, resource, lookup, shippers } = work;
  // A relationship is there or not: it can be made again as soon as it is not on its way.
  const creates = operation.effect === 'create' && lookup?.by !== 'list';
  const isOrder = creates && resource === 'order';
  const said = sourceOf(batch).equals;
  return {
    account: ledgerAccount(account),
    resource,
    family: account.family,
    creates,
    ends: endsRecord(operation),
    undoes: work.undoes !== undefined,
    ...(shippers === undefined ? {} : { shippers }),
    equals: isOrder && said !== 'again' ? { within: DAY_MS, by: said === undefined ? 'any' : 'commands' } : undefined,
    now: () => time.now(),
    hasPassed: (milliseconds, since) => time.hasPassed(milliseconds, since),
    digestsOf(payload) {
      const request = readFields(payload);
      return { request: requestDigest(request), equal: isOrder ? equalOrder(request) : null };
    },
    endedName(payload) {
      const { id, external_id } = readFields(payload);
      return id || typeof external_id !== 'string' || external_id === '' ? undefined : madeUnder(external_id);
    },
    differences: (one, other) => requestDifferences(readFields(one), readFields(other), tree),
    renumbered(row, number) {
      const name = numbered(unnumbered(row.name), number);
      const payload = readFields(row.payload);
      const named = payload.external_id === row.name ? JSON.stringify({ ...payload, external_id: name }) : row.payload;
      return { ...row, name, identity: contentIdentity(row.content, number), payload: named };
    },
  };
}
