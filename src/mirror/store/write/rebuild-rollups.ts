import { freeMemory } from '../../../platform/process/free-memory.ts';
import { ROLLUP_ZONE, writeFact } from '../../service-clock.ts';
import type { Mirror, MirrorSession, Statement } from '../mirror.ts';
import { addOpenParcels, openParcels, rollupTables } from '../rollup-tables.ts';
import { contributionsOf } from './contributions.ts';
import { daysIn } from './days.ts';
import { RollupChanges, rollupWriter } from './rollups.ts';

const AT_ONCE = 200;
/** After how many reads the garbage of their records is collected, and from which size of the heap in bytes. */
const READS_BETWEEN = 32;
const MOST_WHILE_READING = 24 * 2 ** 20;

/** What rollups add up of a record, by area: to read the whole of it takes several times the memory. */
const summed: Readonly<Record<string, readonly string[]>> = {
  orders: [
    'created_at',
    'status',
    'total_items',
    'basket_value',
    'total_discount',
    'total_fee',
    'total_amount',
    'lines',
  ],
  fulfillments: [
    ...['created_at', 'closed_at', 'carrier', 'shipping_state', 'platform_payment_status', 'cod_amount'],
    ...['actual_cod_amount', 'basket_value', 'shipping_service_fee', 'actual_shipping_service_fee'],
  ],
};

/** Of an order, its shipping has the two. */
const OF_SHIPPING = ['carrier', 'cod_amount'] as const;

/** A record with nothing but what rollups add up. */
function recordFrom(names: readonly string[], json: unknown): Readonly<Record<string, unknown>> {
  const values: unknown = typeof json === 'string' ? JSON.parse(json) : json;
  if (!Array.isArray(values)) return {};
  const from = (some: readonly string[], first: number) =>
    Object.fromEntries(some.map((name, index) => [name, values[first + index]]));
  return { ...from(names, 0), shipping: from(OF_SHIPPING, names.length) };
}

/** The records that are not deleted, as far as rollups need them, some at a time, within a transaction. */
async function* aliveRecords(session: MirrorSession, mirror: Mirror, area: string) {
  const { table, jsonAt } = mirror.dialect;
  const names = summed[area] ?? [];
  const parts = jsonAt('j.json', [...names.map((name) => [name]), ...OF_SHIPPING.map((name) => ['shipping', name])]);
  let after = '';
  for (let reads = 1; ; reads += 1) {
    const rows = await session.run(
      `select j.id, j.shop_id, ${parts} as parts from ${table('records_json')} as j
join ${table('mirror_records')} as r on r.area = j.area and r.id = j.id and r.shop_id = j.shop_id
where j.area = ? and j.id > ? and r.gone = 0 order by j.id limit ${AT_ONCE}`,
      [area, after],
    );
    yield rows.map(({ shop_id, parts: json }) => ({ shopId: String(shop_id), record: recordFrom(names, json) }));
    if (reads % READS_BETWEEN === 0) freeMemory(MOST_WHILE_READING);
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = String(last.id);
  }
}

/** What the rollups should be, computed from the records. Throws the signal's reason once it is aborted. */
export async function computeRollups(
  session: MirrorSession,
  mirror: Mirror,
  timeZone: string,
  signal: AbortSignal,
): Promise<RollupChanges> {
  const dayOf = daysIn(timeZone);
  const changes = new RollupChanges();
  for (const area of ['orders', 'fulfillments']) {
    for await (const records of aliveRecords(session, mirror, area)) {
      signal.throwIfAborted();
      for (const { shopId, record } of records) changes.change(contributionsOf(area, record, shopId, dayOf), 1);
    }
  }
  return changes;
}

/**
 * Computes the rollups of all shops from the records, in one transaction. Throws a RangeError for an unknown zone, and the
 * signal's reason once it is aborted.
 */
export async function rebuildRollups(mirror: Mirror, timeZone: string, signal: AbortSignal): Promise<void> {
  await mirror.write(async (session) => {
    for (const { name } of [...rollupTables, openParcels])
      await session.run(`delete from ${mirror.dialect.table(name)}`);
    const statements: Statement[] = [];
    rollupWriter(mirror.dialect).write(statements, await computeRollups(session, mirror, timeZone, signal));
    for (const { sql, parameters } of statements) await session.run(sql, parameters);
    await session.run(addOpenParcels(mirror.dialect, '1 = 1'));
    await writeFact(session, ROLLUP_ZONE, timeZone);
  });
}
