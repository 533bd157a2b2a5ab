import type { FoundRecord } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { accountText } from '../../client/account.ts';
import { call } from '../../client/call.ts';
import { type Connection, readingToo } from '../../client/connection.ts';
import { ContractBrokenError, ServiceError } from '../../client/errors.ts';
import { listRecords } from '../../client/pages.ts';
import { Refusal } from '../../client/refusal.ts';
import { isOver, recordIn, textIn } from '../../client/settle/found-record.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { wordOfStatus } from '../../contract/schema/order-rules.ts';
import { isRecordId } from '../../contract/schema/scalars.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import type { Fields } from '../../domain/json/values.ts';
import { inCapitalsToo } from '../../domain/named-by.ts';
import { codeName, ledgerAccount, madeUnder } from '../../ledger/identity.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import { textOf } from '../../store/sql.ts';
import { accountOfWrite } from './create-once.ts';
import { say } from './texts.ts';

/** What a record is called by, in the order in which it is tried. */
const names = ['id', 'code', 'external_id', 'shipping_code'] as const;

/** A record that a text names, and by what. */
interface Named {
  readonly id: string;
  readonly by: readonly string[];
  readonly record: Fields;
}

/** What an operation says of a name; undefined if nothing has it. Throws a CallError: an answer without a record is none. */
async function readBy(lookup: Operation, request: Fields, connection: Connection): Promise<Fields | undefined> {
  try {
    const record = recordIn(await call(lookup, request, connection));
    if (textIn(record?.id) !== '') return record;
    throw new ContractBrokenError(lookup.id, 'id', say().named.withoutRecord, 200, 'not_applied');
  } catch (error) {
    // What cannot be such a name is the name of nothing.
    const isNone = error instanceof ServiceError && (error.code === 'not_found' || error.code === 'invalid_argument');
    if (isNone) return undefined;
    throw error;
  }
}

/** Each way in which a text can name a record of an operation, as a read of it. */
function waysOf({ byParcel }: Operation, lookup: Operation, text: string, connection: Connection) {
  const takes = (name: string) => Object.hasOwn(lookup.request.shape, name);
  const own = names
    .filter((name) => takes(name) && (name !== 'id' || isRecordId(text)))
    .map((name) => ({ by: say().named[name], read: () => readBy(lookup, { [name]: text }, connection) }));
  if (byParcel === undefined) return own;
  const ofParcel = async () => {
    const parcel = await readBy(await loadOperation(byParcel), { shipping_code: text }, connection);
    return parcel && readBy(lookup, { id: textIn(parcel.order_id) }, connection);
  };
  return [...own, { by: say().named.shipping_code, read: ofParcel }];
}

/** What this machine's workspace has made under a name or with a parcel code; ids of records. */
async function madeHere(operation: Operation, text: string, ports: Ports): Promise<readonly string[]> {
  const account = await accountOfWrite(operation, ports);
  const store = await ledgerOpener(ports).openIfThere();
  if (store === undefined) return [];
  const { makersNamed } = await import('../../ledger/store/keys.ts');
  const resource = resourceOf(operation);
  const own = ledgerAccount(account);
  try {
    return await store.read(async (sql) => {
      const made = [...(await makersNamed(sql, own, resource, [madeUnder(text)])).values()];
      const rows =
        resource === 'order'
          ? await sql(
              'select distinct r.id as id from batch_rows r join batches b on b.number = r.batch where r.shipping_code = ? and r.id is not null and b.account in (?, ?)',
              [text, accountText({ ...account, family: 'partner' }), accountText({ ...account, family: 'shop' })],
            )
          : [];
      return [...made.flatMap(({ recordId }) => recordId ?? []), ...rows.map((row) => textOf(row, 'id'))];
    });
  } finally {
    await store.close();
  }
}

/** So many of the latest records are looked through for an external_code. */
const MOST_LOOKED_THROUGH = 1000;

/**
 * The latest record of a list with that external_code, for a change the one that has not ended: the code is free again
 * after that. Undefined if none has it. Throws a CallError.
 */
async function withCode(list: OperationId, code: string, isChange: boolean, connection: Connection) {
  const request = { paging: { sort: '-created_at' } };
  const extent = { limit: MOST_LOOKED_THROUGH };
  let latest: Fields | undefined;
  for await (const row of listRecords(await loadOperation(list), request, connection, extent)) {
    if (textIn(row.external_code) !== code) continue;
    if (!isChange || !isOver(row)) return row;
    latest ??= row;
  }
  return latest;
}

/** What shopctl has made under an external_code, where no list of the caller has its record. Throws a CallError. */
async function madeWithCode(operation: Operation, lookup: Operation, code: string, ports: Ports) {
  if (resourceOf(operation) !== 'order' || !Object.hasOwn(lookup.request.shape, 'external_id')) return undefined;
  const external_id = codeName(await accountOfWrite(operation, ports), code);
  return readBy(lookup, { external_id }, readingToo(ports.connection()));
}

/** A record in a few words: its name, state and amount. */
function inWords({ id, record }: Named): string {
  const called = ['code', 'full_name', 'name'].map((name) => textIn(record[name])).find((name) => name !== '') ?? id;
  const { status, total_amount: amount } = record;
  const facts = [...[wordOfStatus(status) ?? []].flat(), ...(typeof amount === 'number' ? [formatMoney(amount)] : [])];
  return facts.length === 0 ? called : `${called} (${facts.join(', ')})`;
}

/** The records of an operation that a text names, each by what it does. */
async function recordsNamed(
  operation: Operation,
  lookup: Operation,
  text: string,
  ports: Ports,
): Promise<ReadonlyMap<string, Named>> {
  // The reads are made in a dry run as well: they say what the request would be.
  const connection = readingToo(ports.connection());
  const found = new Map<string, Named>();
  const add = (record: Fields | undefined, by: string) => {
    const id = textIn(record?.id);
    if (record === undefined || id === '') return;
    found.set(id, { id, record, by: [...(found.get(id)?.by ?? []), by] });
  };
  for (const { by, read } of await waysOf(operation, lookup, text, connection)) {
    add(await read(), by);
    if (found.size > 0 && operation.effect === 'read') break;
  }
  if (found.size === 0) for (const id of await madeHere(operation, text, ports)) add({ id }, say().named.workspace);
  const { codesIn } = lookup;
  if (found.size === 0) {
    const isChange = operation.effect !== 'read';
    const record =
      codesIn === undefined
        ? await madeWithCode(operation, lookup, text, ports)
        : await withCode(codesIn, text, isChange, connection);
    add(record, say().named.external_code);
  }
  return found;
}

/**
 * The record of an operation that a text names: by its id, code, external_id or parcel code, or by what this machine has
 * made under it; a code that was typed in small letters is found as well. A read takes the first that is found; before a
 * change all are tried, and more than one record is refused.
 */
export async function findRecord(
  operation: Operation,
  lookup: Operation,
  text: string,
  ports: Ports,
): Promise<FoundRecord> {
  let found: ReadonlyMap<string, Named> = new Map();
  for (const typed of inCapitalsToo(text))
    if (found.size === 0) found = await recordsNamed(operation, lookup, typed, ports);
  const { codesIn } = lookup;
  const [first, ...others] = found.values();
  if (first === undefined) {
    const latest = codesIn === undefined ? undefined : MOST_LOOKED_THROUGH;
    const message = say().named.none({ text: JSON.stringify(text), latest });
    const list = codesIn === undefined ? undefined : (await loadOperation(codesIn)).command;
    const facts = list === undefined ? { text } : { text, list };
    throw new Refusal('name_unknown', message, { kind: 'missing', facts });
  }
  if (others.length > 0) {
    const records = [first, ...others].map((one) =>
      say().named.record({ called: inWords(one), id: one.id, by: one.by }),
    );
    const message = say().named.several({ text: JSON.stringify(text), count: records.length, records });
    throw new Refusal('name_shared', message, { facts: { ids: [first.id, ...others.map(({ id }) => id)] } });
  }
  return { id: first.id, by: first.by[0] ?? say().named.id };
}
