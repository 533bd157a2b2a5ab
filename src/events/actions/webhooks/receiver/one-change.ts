import type { Ports } from '../../../../action/ports.ts';
import { call } from '../../../../client/call.ts';
import { listRecords } from '../../../../client/pages.ts';
import { Refusal } from '../../../../client/refusal.ts';
import { findOperation, loadOperation } from '../../../../contract/areas.ts';
import type { changeType, entity } from '../../../../contract/enums.ts';
import { kindOf } from '../../../../contract/kinds.ts';
import { fieldsIn, recordsIn } from '../../../../domain/json/value-at.ts';

type Entity = (typeof entity)[number];
type Fields = Readonly<Record<string, unknown>>;

const notFound = (kind: Entity, id: string | undefined) =>
  new Refusal('no_record', id === undefined ? `there is no ${kind} yet` : `there is no ${kind} ${id}`, {
    fieldErrors: [{ path: 'record', message: 'is the id of no such record' }],
  });

/** An order of the partner's shop, or its newest parcel: all that a partner can read. */
async function readByPartner(ports: Ports, kind: Entity, id: string | undefined): Promise<Fields> {
  if ((kind !== 'order' && kind !== 'fulfillment') || id === undefined) {
    const message = "a partner's key reads orders by their id, and nothing else";
    throw new Refusal('no_record', `${message}: give the id of an order`, {
      fieldErrors: [{ path: 'record', message: 'must be the id of an order' }],
    });
  }
  const answer = await call(await loadOperation('partner.Shipping/GetOrder'), { id }, ports.connection());
  const [parcel] = recordsIn(fieldsIn(answer).fulfillments);
  const found = kind === 'order' ? fieldsIn(fieldsIn(answer).order) : parcel;
  if (found === undefined) throw notFound(kind, id);
  return found;
}

/** The record of a kind by its id, or the newest one. Throws a Refusal if there is none, and a CallError. */
export async function recordFor(ports: Ports, kind: Entity, id: string | undefined): Promise<Fields> {
  if (ports.settings.as?.value !== 'shop') return readByPartner(ports, kind, id);
  const { list, get, per, pick } = kindOf(kind) ?? {};
  const connection = ports.connection();
  const reading = await findOperation((id === undefined ? list : (get ?? list)) ?? '');
  if (reading === undefined || per !== undefined) {
    throw new Refusal(
      'no_record',
      `a ${kind} cannot be looked up: ${get === undefined ? 'it has no id' : 'give its id'}`,
    );
  }
  if (reading.page === undefined) return fieldsIn(await call(reading, { id }, connection));
  const filter = id !== undefined && pick === 'id' ? { filter: { id: [id] } } : {};
  const sorting = 'paging' in reading.request.shape ? { paging: { sort: '-updated_at' } } : {};
  for await (const record of listRecords(reading, { ...filter, ...sorting }, connection)) {
    if (id === undefined || String(record.id) === id) return record;
  }
  throw notFound(kind, id);
}

/** What a callback shows of a record that was changed. */
const identifying = new Set(['id', 'shop_id', 'updated_at']);

/** A callback with one change, as the service would send it now (contract, "Change (event payload)"). */
export function callbackWith(
  kind: Entity,
  type: (typeof changeType)[number],
  record: Fields,
  { clock, randomBytes }: Pick<Ports, 'clock' | 'randomBytes'>,
): string {
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const known = Object.fromEntries(Object.entries(record).filter(([name]) => identifying.has(name)));
  const changed = type === 'create' ? record : known;
  const id = String((Buffer.from(randomBytes(8)).readBigUInt64BE() % 9n) * 10n ** 17n + 10n ** 18n);
  const change = { change_type: type, entity: kind, time, changed: { [kind]: changed }, latest: { [kind]: record } };
  return JSON.stringify({ id, changes: [change] });
}
