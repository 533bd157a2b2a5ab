import { loadOperation } from '../contract/areas.ts';
import { readFields } from '../domain/json/value-at.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { requestDifferences, requestDigest } from '../ledger/client/compare.ts';
import { endsRecord, textIn } from '../ledger/client/found-record.ts';
import { equalOrder } from '../ledger/equal-order.ts';
import { contentIdentity, ledgerAccount, madeUnder, targetIdentity } from '../ledger/identity.ts';
import { resourceOf } from '../ledger/lookup.ts';
import { takeKeys, type Want } from '../ledger/store/keys.ts';
import { numberOf, type Sql, type SqlRow, textOf } from '../store/sql/sql.ts';
import type { BatchContext } from './batch-context.ts';
import { numbered } from './read/identity.ts';
import { sourceOf } from './read/stored-source.ts';
import { makesRecords, type RowWork } from './row-work.ts';
import type { Batch } from './store/batches.ts';
import { type RowRecord, type RowRule, wantOf } from './store/row-keys.ts';

const DAY_MS = 86_400_000;

/** The name that is derived from the content of a row, without its number. */
const unnumbered = (name: string) => name.replace(/^(shopctl-r1-[0-9a-f]{20})-\d+$/, '$1');

/** The digests of a request: as it is, and for an order without service and name. */
function digestsOf(isOrder: boolean, payload: string, tree: LocationTree): ReturnType<RowRule['digestsOf']> {
  const request = readFields(payload);
  return { request: requestDigest(request), ...(isOrder ? equalOrder(request, tree) : { equal: null }) };
}

/**
 * Takes the keys of planned rows of a workspace that was put back, at this moment: they are looked up before they are sent,
 * and nobody sends the same meanwhile.
 */
export async function holdRestored(sql: Sql, rows: readonly SqlRow[], now: number): Promise<void> {
  const { locationTree } = await import('../domain/places/place-data.ts');
  const wants: Want[] = [];
  for (const row of rows) {
    const operation = await loadOperation(textOf(row, 'operation'));
    const [origin, family, shop]: [string, string, string] = JSON.parse(textOf(row, 'acting'));
    const resource = resourceOf(operation);
    const isOrder = operation.effect === 'create' && resource === 'order';
    const rule = {
      account: ledgerAccount({ origin, shop }),
      resource,
      family,
      now: () => ({ at: now, localAt: now }),
      digestsOf: (payload: string) => digestsOf(isOrder, payload, locationTree),
    };
    const planned = {
      batch: numberOf(row, 'batch'),
      row: numberOf(row, 'row'),
      generation: numberOf(row, 'generation'),
      name: textOf(row, 'name'),
      named: numberOf(row, 'named') === 1 ? (1 as const) : (0 as const),
      identity: textOf(row, 'identity'),
      payload: textOf(row, 'payload'),
    };
    wants.push(wantOf(rule, planned, ''));
  }
  await takeKeys(sql, wants);
}

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
