import type { AnyRow, Mirror, MirrorSession } from '../mirror/store/mirror.ts';
import { paymentParcelSql, paymentSums } from '../mirror/store/payment-parcels.ts';
import { alsoSql, classSql, settledSql } from './classes.ts';
import { createReused, createSessions, inTime, KEYS, REUSED, type ReconcileSpan, SESSIONS } from './times-sql.ts';

/** The temporary table with a row for each parcel. */
export const PARCELS = 'reconcile_parcels';

/** The temporary table with the parcels that are listed, by their place in the list. */
const LISTED = 'reconcile_listed';

const keyColumns = [
  'shop_id',
  'parcel',
  'found',
  'shipping_code',
  'fulfillment_id',
  'first_session',
  'last_session',
  'carrier',
  'part',
  'from_day',
  'to_day',
];

/** Finds the shipment that is meant by what files call a parcel: its code, our id or both. A code that was used again is left. */
function keysSql({ dialect: { table } }: Mirror): string {
  const own = `from ${table('fulfillments')} as f where f.shop_id = s.shop_id and f.deleted_at is null`;
  return `
    insert into ${KEYS} (${ownColumns.join(', ')}, imported_at, ${paymentSums.join(', ')})
    with g as materialized (
      select s.*, coalesce(
        case when s.shipping_code <> '' and s.fulfillment_id <> ''
          then (select f.id ${own} and f.shipping_code = s.shipping_code and f.id = s.fulfillment_id) end,
        case when s.shipping_code <> '' then (select min(f.id) ${own} and f.shipping_code = s.shipping_code) end,
        case when s.fulfillment_id <> '' then (select f.id ${own} and f.id = s.fulfillment_id) end) as found
      from ${table('payment_parcels')} as s where s.shop_id = ?
    )
    select g.shop_id, coalesce(g.found, case when g.shipping_code = '' then '#' || g.fulfillment_id else '!' || g.shipping_code end),
      g.found, g.shipping_code, g.fulfillment_id, g.first_session, g.last_session, g.carrier, '', g.imported_at,
      ${paymentSums.map((name) => `g.${name}`).join(', ')}
    from g where g.shipping_code not in (select shipping_code from ${REUSED}) or g.found = g.fulfillment_id`;
}

/** Finds the shipment of each line whose code was used again: the one of that time, unless the line has our id as well. */
function reusedSql(mirror: Mirror): string {
  const { table } = mirror.dialect;
  return `
    insert into ${KEYS} (shop_id, parcel, found, shipping_code, fulfillment_id, part, from_day, to_day, ${paymentParcelSql.map(([name]) => name).join(', ')})
    select l.shop_id, r.id, r.id, l.shipping_code, l.fulfillment_id, '', r.from_day, r.to_day, ${paymentParcelSql.map(([, sql]) => sql).join(', ')}
    from ${REUSED} as r
    join ${table('payment_lines')} as l on l.shipping_code = r.shipping_code
    join ${table('payment_files')} as p on p.id = l.file_id and p.shop_id = l.shop_id
    where l.shop_id = ? and l.deleted_at is null and ${inTime(mirror, 'r')}
      and not exists (select 1 from ${table('fulfillments')} as f where f.id = l.fulfillment_id and f.shop_id = l.shop_id
        and f.shipping_code = l.shipping_code and f.deleted_at is null)
    group by l.shop_id, l.shipping_code, l.fulfillment_id, r.id, r.from_day, r.to_day`;
}

/** Those of a name that means one shipment at all times. */
const ownColumns = keyColumns.filter((name) => !name.endsWith('_day'));

const columns = [
  ['parcel', 'text'],
  ['known', 'integer'],
  ['shipping_code', 'text'],
  ['fulfillment_id', 'text'],
  ['carrier', 'text'],
  ['session', 'text'],
  ['state', 'text'],
  ['closed_at', 'time'],
  ['cod_amount', 'integer'],
  ['fee_quoted', 'integer'],
  ['due', 'integer'],
  ['overdue', 'integer'],
  ['amount', 'integer'],
  ['paid', 'integer'],
  ['difference', 'integer'],
  ['fee_charged', 'integer'],
  ['provisional', 'integer'],
  ['unexplained', 'integer'],
  ['doubled', 'integer'],
  ['late', 'integer'],
  ['left_out', 'text'],
  ['settled', 'integer'],
  ['class', 'text'],
  ['also_bits', 'integer'],
] as const;

const columnNames = columns.map(([name]) => name);
const baseNames = columnNames.slice(0, columnNames.indexOf('class'));

const oneSession =
  "case when first_session = last_session then first_session else first_session || ', ' || last_session end";

/**
 * A parcel that files call by several names has a row for each, which is one part of it, and one for all of them, which
 * has no name: they are few, so that the others need not be grouped.
 */
const grouping = [
  `insert into ${KEYS} (parcel, found, part, shipping_code, carrier, first_session, last_session, imported_at, ${paymentSums.join(', ')})
   select parcel, found, 'all', max(shipping_code), max(carrier), min(first_session), max(last_session), min(imported_at),
     ${paymentSums.map((name) => `sum(${name})`).join(', ')}
   from ${KEYS} where parcel in (select parcel from ${KEYS} group by parcel having count(*) > 1) group by parcel, found`,
  `update ${KEYS} set part = 'one' where part = '' and parcel in (select parcel from ${KEYS} where part = 'all')`,
];

/** SQL of whether a parcel has a line in a session. */
function ofSession(mirror: Mirror): string {
  const { table } = mirror.dialect;
  return `parcel in (select k.parcel from ${table('payment_lines')} as l cross join ${KEYS} as k join ${table('payment_files')} as p on p.id = l.file_id and p.shop_id = l.shop_id where k.shipping_code = l.shipping_code and k.fulfillment_id = l.fulfillment_id and l.deleted_at is null and ${inTime(mirror, 'k')} and l.session = ?)`;
}

/** Every parcel that has come to its end or has a line, and everything that its class depends on. */
function parcelsSql(mirror: Mirror, span: ReconcileSpan, parameters: unknown[]): string {
  const { name, table } = mirror.dialect;
  const moment = name === 'postgres' ? "(cast(? as timestamp) at time zone 'UTC')" : '?';
  const bound = (...values: readonly unknown[]) => void parameters.push(...values);
  const limits = [...span.overdueOf].map(([carrier, before]) => {
    bound(carrier, before);
    return `when f.carrier = ? then ${moment}`;
  });
  bound(span.overdueBefore, span.shopId);
  const overdue = `case when f.closed_at < case ${limits.join(' ')} when 1 = 1 then ${moment} end then 1 else 0 end`;
  const due = "case when f.shipping_state = 'delivered' then coalesce(f.actual_cod_amount, f.cod_amount, 0) else 0 end";
  // The first session that could have paid it.
  const leftOut = `case when f.shipping_state = 'delivered' and ${due} > 0 and coalesce(k.paid, 0) = 0 then (
    select s.session from ${SESSIONS} as s where s.carrier = f.carrier and f.closed_at < s.before order by s.before, s.session limit 1) end`;
  const cameBack = "f.shipping_state in ('returned', 'returning')";
  const conditions: string[] = [];
  const only = (condition: string, value: unknown) => {
    if (value === undefined) return;
    conditions.push(condition);
    bound(value);
  };
  only(`coalesce(closed_at, imported_at) >= ${moment}`, span.since);
  only(`coalesce(closed_at, imported_at) < ${moment}`, span.until);
  if (span.carrier !== undefined) {
    conditions.push(
      `(carrier = ? or (known = 0 and carrier is null and exists (select 1 ${ofSessions('c', 's.carrier = ?')})))`,
    );
    bound(span.carrier, span.carrier);
  }
  only(`(left_out is not null or ${ofSession(mirror)})`, span.session);
  return `
    insert into ${PARCELS} (${columnNames.join(', ')})
    select ${baseNames.join(', ')}, class, ${alsoSql}
    from (select b.*, ${classSql} as class from (
      select f.id as parcel, 1 as known, f.shipping_code, f.id as fulfillment_id, f.carrier,
        ${oneSession} as session, f.shipping_state as state, f.closed_at, f.cod_amount,
        f.shipping_service_fee as fee_quoted, ${due} as due, ${overdue} as overdue,
        coalesce(k.amount, 0) as amount, coalesce(k.paid, 0) as paid, coalesce(k.paid, 0) - ${due} as difference,
        case when k.fee_lines > 0 then case when ${cameBack} then k.return_fees else 0 end - k.fees end as fee_charged,
        coalesce(k.provisional, 0) as provisional, coalesce(k.unexplained, 0) as unexplained,
        coalesce(k.doubled, 0) as doubled, coalesce(k.late, 0) as late,
        ${leftOut} as left_out, case when f.platform_payment_status = 'P' then ${due} else 0 end as settled, k.imported_at,
        k.first_session, k.last_session
      from ${table('fulfillments')} as f left join ${KEYS} as k on k.parcel = f.id and k.found is not null and k.part <> 'one'
      where f.shop_id = ? and f.deleted_at is null
        and (k.parcel is not null or f.shipping_state in ('delivered', 'returned', 'returning', 'undeliverable'))
      union all
      select parcel, 0, shipping_code, null, coalesce(nullif(carrier, ''), ${onlyCarrier}), ${oneSession},
        null, null, null, null, 0, 0, amount, paid, paid, case when fee_lines > 0 then -fees end, provisional,
        coalesce(unexplained, 0), doubled, late,
        null, 0, imported_at, first_session, last_session
      from ${KEYS} as u where found is null and part <> 'one'
    ) as b) as c
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`;
}

/** SQL of the sessions of a parcel `row` that meet a condition on `s`. */
const ofSessions = (row: string, condition = '1 = 1') =>
  `from ${SESSIONS} as s where s.session in (${row}.first_session, ${row}.last_session) and ${condition}`;

/** The carrier of the sessions of an unknown parcel, if they have only one. */
const onlyCarrier = `(select case when count(distinct s.carrier) = 1 then min(s.carrier) end ${ofSessions('u')})`;

const byCode = '(shipping_code, fulfillment_id, parcel)';

/**
 * Makes the temporary tables of a reconciliation in the transaction of `session`. Returns the parcels that sessions have left
 * out, which are in them, except for what the platform has settled.
 */
export async function createParcels(
  session: MirrorSession,
  mirror: Mirror,
  span: ReconcileSpan,
): Promise<readonly AnyRow[]> {
  const { types } = mirror.dialect;
  const keys = keyColumns.map((name) => `${name} ${types.text}`).join(', ');
  const added = paymentSums.map((name) => `${name} ${types.integer}`).join(', ');
  await session.run(`create temporary table ${KEYS} (${keys}, imported_at ${types.time}, ${added})`);
  const isReused = await createReused(session, mirror, span);
  await session.run(keysSql(mirror), [span.shopId]);
  if (isReused) await session.run(reusedSql(mirror), [span.shopId]);
  await session.run(`create index reconcile_keys_parcel on ${KEYS} (parcel)`);
  for (const sql of grouping) await session.run(sql);
  await createSessions(session, mirror, span);
  // What looks for the lines of a session finds their parcels by it.
  if (span.session !== undefined) await session.run(`create index reconcile_keys_code on ${KEYS} ${byCode}`);
  await session.run(
    `create temporary table ${PARCELS} (${columns.map(([name, type]) => `${name} ${types[type]}`).join(', ')})`,
  );
  const parameters: unknown[] = [];
  await session.run(parcelsSql(mirror, span, parameters), parameters);
  return session.run(
    `select * from ${PARCELS} where left_out is not null and not ${settledSql(false)}
     order by carrier, left_out, shipping_code, parcel`,
  );
}

/** Takes the parcels out that a session has left out: they are none of it. */
export async function dropLeftOut(session: MirrorSession, mirror: Mirror, span: ReconcileSpan): Promise<void> {
  if (span.session === undefined) return;
  const others = `left_out is not null and not (${ofSession(mirror)})`;
  await session.run(`delete from ${PARCELS} where ${others}`, [span.session]);
}

/** Makes the temporary table of those that are listed: `where` is a condition on `p`, a parcel. */
export async function createListed(session: MirrorSession, where: string): Promise<void> {
  await session.run(`drop table if exists ${LISTED}`);
  await session.run(
    `create temporary table ${LISTED} as select row_number() over (
       order by coalesce(p.carrier, ''), coalesce(p.session, ''), p.shipping_code, p.parcel) as place, p.*
     from ${PARCELS} as p where ${where}`,
  );
  await session.run(`create index reconcile_listed_place on ${LISTED} (place)`);
}

/** The parcels that are listed from one place up to another, in their order. */
export const listedParcels = (session: MirrorSession, { dialect }: Mirror, places: readonly [number, number]) => {
  const { table } = dialect;
  return session.run(
    `select p.*, coalesce(nullif(o.external_code, ''), nullif(o.external_id, ''), o.code) as "order",
       a.full_name as recipient, a.phone
     from ${LISTED} as p
     left join ${table('fulfillments')} as f on f.id = p.fulfillment_id
     left join ${table('orders')} as o on o.id = f.order_id and o.shop_id = f.shop_id
     left join ${table('fulfillment_addresses')} as a on a.fulfillment_id = f.id and a.kind = 'shipping' and a.shop_id = f.shop_id
     where p.place >= ? and p.place < ? order by p.place`,
    places,
  );
};

/** The lines of those parcels. SQLite takes tables in the order of a cross join. */
export const listedLines = (session: MirrorSession, mirror: Mirror, places: readonly [number, number]) => {
  const { table } = mirror.dialect;
  return session.run(
    `select o.place, p.name, l.cell, l.kind, l.amount, l.session, l.repeats
     from ${LISTED} as o
     cross join ${KEYS} as k
     cross join ${table('payment_lines')} as l
     join ${table('payment_files')} as p on p.id = l.file_id and p.shop_id = l.shop_id
     where o.place >= ? and o.place < ? and k.parcel = o.parcel and ${inTime(mirror, 'k')} and l.shop_id = k.shop_id
       and l.shipping_code = k.shipping_code and l.fulfillment_id = k.fulfillment_id and l.deleted_at is null
     order by o.place, p.imported_at, l.file_id, l.line`,
    places,
  );
};

/** Drops all of them. */
export async function dropParcels(session: MirrorSession): Promise<void> {
  for (const name of [LISTED, PARCELS, SESSIONS, KEYS, REUSED]) await session.run(`drop table if exists ${name}`);
}
