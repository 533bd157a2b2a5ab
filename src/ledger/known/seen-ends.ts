import { isGone } from '../../client/settle/found-record.ts';
import { type Fields, fieldsIn, readFields } from '../../domain/json/values.ts';
import { isDerivedName } from '../../domain/named-by.ts';
import type { Sql } from '../../store/sql.ts';
import { ledgerAccount } from '../identity.ts';
import { setEnded } from '../store/undone.ts';

/** What the ledger calls the kinds of records that creates make, by their names in changes and in the mirror. */
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['order', 'order'],
  ['product', 'Product'],
  ['variant', 'Variant'],
  ['customer', 'Customer'],
  ['customer_address', 'CustomerAddress'],
  ['customer_group', 'CustomerGroup'],
  ['product_collection', 'ProductCollection'],
  ['shipnow_fulfillment', 'Shipnow'],
]);

/** The service whose records are seen, and the shop where a record does not say it. */
export interface SeenAt {
  readonly origin: string;
  readonly shop: string | undefined;
}

/** A change that was received. */
interface SeenChange {
  readonly entity: string;
  readonly changeType: string;
  readonly recordId: string;
  readonly shopId: string | null;
  /** ISO 8601. */
  readonly time: string;
  /** The change as JSON text. */
  readonly text: string;
}

/** Records that were read together. */
interface SeenPage {
  readonly area: { readonly entity: string };
  readonly shopId: string;
  /** The service's time when they were read, in milliseconds since 1970. */
  readonly seen: number;
  readonly source: string;
  readonly records: readonly Fields[];
  /** Ids of records that were deleted, besides those that say so themselves. */
  readonly gone?: readonly string[];
}

const idIn = ({ id }: Fields) => (typeof id === 'string' ? [id] : []);

/** The names of a record that shopctl has derived. */
const derivedIn = ({ external_id }: Fields) =>
  typeof external_id === 'string' && isDerivedName(external_id) ? [external_id] : [];

const recordOf = ({ entity, text }: SeenChange) => fieldsIn(fieldsIn(readFields(text).latest)[entity]);

/**
 * Marks as undone what has made records that changes tell to have ended, inside the transaction that stores the changes:
 * then their sheets make them again.
 */
export async function undoneByChanges(sql: Sql, { origin, shop }: SeenAt, changes: readonly SeenChange[]) {
  for (const change of changes) {
    const own = change.shopId ?? shop;
    const resource = RESOURCES.get(change.entity);
    if (own === undefined || resource === undefined) continue;
    const record = recordOf(change);
    if (change.changeType !== 'delete' && !isGone(record)) continue;
    const place = { account: ledgerAccount({ origin, shop: own }), resource, at: Date.parse(change.time) };
    await setEnded(sql, place, { ids: [change.recordId], names: derivedIn(record) });
  }
}

/** The ids of records of a page that have ended, by what the service or a webhook says; others may be missing for any reason. */
export function endedOnPage({ records, gone = [], source }: SeenPage): string[] {
  return [...records.filter(isGone).flatMap(idIn), ...(source === 'webhook' ? gone : [])];
}

/** Marks as undone what has made records of a page that have ended. `write` runs its work in one transaction. */
export async function undoneByPage(
  write: (work: (sql: Sql) => Promise<void>) => Promise<void>,
  origin: string,
  page: SeenPage,
): Promise<void> {
  const resource = RESOURCES.get(page.area.entity);
  const ids = endedOnPage(page);
  if (resource === undefined || ids.length === 0) return;
  const place = { account: ledgerAccount({ origin, shop: page.shopId }), resource, at: page.seen };
  const names = page.records.filter(isGone).flatMap(derivedIn);
  await write((sql) => setEnded(sql, place, { ids, names }));
}
