import { requestDifferences } from '../client/settle/compare.ts';
import { endsRecord, textIn } from '../client/settle/found-record.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { readFields } from '../domain/json/values.ts';
import { contentIdentity, ledgerAccount, madeUnder, targetIdentity } from '../ledger/identity.ts';
import { digestsOf } from '../ledger/planned-keys.ts';
import type { RowWork } from '../ledger/work.ts';
import type { BatchContext } from './batch-context.ts';
import { numbered } from './plan/row-identity.ts';
import { makesRecords } from './row-work.ts';
import type { Batch } from './store/batches.ts';
import type { RowRecord, RowRule } from './store/row-keys.ts';
import { sourceOf } from './stored-source.ts';

/** The name that is derived from the content of a row, without its number. */
const unnumbered = (name: string) => name.replace(/^(shopctl-r\d+-[0-9a-f]{20})-\d+$/, '$1');

/** How equal orders of other work meet the rows of a batch. */
function equalsOf(said: 'again' | 'continue' | undefined): RowRule['equals'] {
  if (said === 'again') return { by: 'any' };
  return { within: DAY_MS, by: said === undefined ? 'any' : 'commands' };
}

/** How the ledger guards the rows of a batch; `records` as of the rule. */
export function rowRuleOf(
  { account, time, tree }: BatchContext,
  batch: Batch,
  work: RowWork,
  records?: ReadonlyMap<number, RowRecord>,
): RowRule {
  const { operation, resource, shippers } = work;
  // A relationship is there or not: it can be made again as soon as it is not on its way.
  const creates = makesRecords(work);
  const isOrder = creates && resource === 'order';
  return {
    account: ledgerAccount(account),
    resource,
    family: account.family,
    creates,
    ends: endsRecord(operation),
    undoes: work.undoes !== undefined,
    ...(shippers === undefined ? {} : { shippers }),
    equals: isOrder ? equalsOf(sourceOf(batch).equals) : undefined,
    now: () => time.moment,
    hasPassed: (milliseconds, since) => time.hasPassed(milliseconds, since),
    digestsOf: (payload) => digestsOf(isOrder, payload, tree),
    ...(records === undefined ? {} : { records }),
    changesOf: (id) => targetIdentity('id', id),
    endedRecord(payload) {
      const request = readFields(payload);
      const [id, external_id] = [textIn(request[operation.positional ?? 'id']), textIn(request.external_id)];
      if (id !== '') return { id };
      return external_id === '' ? {} : { name: madeUnder(external_id) };
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
