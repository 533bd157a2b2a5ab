import { requestDigest } from '../client/settle/compare.ts';
import { loadOperation } from '../contract/areas.ts';
import { readFields } from '../domain/json/values.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { numberOf, type Sql, type SqlRow, textOf } from '../store/sql.ts';
import { equalOrder } from './equal-order.ts';
import { ledgerAccount } from './identity.ts';
import { resourceOf } from './read-operations.ts';
import { type Equality, type Moment, takeKeys, type Want } from './store/keys.ts';
import { holderOf } from './store/undone.ts';

/** The digests of a row's request: as it is, and for an order without service and name. */
export type Digests = Equality & { readonly request: string };

/** What the keys of rows have in common. */
export interface KeyRule {
  /** The account without its family. */
  readonly account: string;
  readonly resource: string;
  readonly family: string;
  /** This moment. */
  now(): Moment;
  /** Of a request as JSON text. */
  digestsOf(payload: string): Digests;
}

/** A row of a batch, as far as its key depends on it. */
interface KeyedRow {
  readonly batch: number;
  readonly row: number;
  readonly generation: number;
  readonly identity: string;
  readonly name: string;
  /** 1 where the user gave the name, 0 where it was derived. */
  readonly named: 0 | 1;
  readonly payload?: string;
}

/** The key that a row needs. */
export function wantOf(rule: KeyRule, row: KeyedRow, owner: string): Want {
  const { account, resource, family } = rule;
  const { name, identity, payload } = row;
  const digests = payload === undefined ? { request: null, equal: null } : rule.digestsOf(payload);
  const place = { account, resource, identity, holder: holderOf(row) };
  return { ...place, family, derived: row.named === 0, name, ...digests, owner, ...rule.now() };
}

/** The digests of a request: as it is, and for an order without service and name. */
export function digestsOf(isOrder: boolean, payload: string, tree: LocationTree): Digests {
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
