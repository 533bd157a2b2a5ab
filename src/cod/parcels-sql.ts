import type { AnyRow, Mirror, MirrorSession } from '../mirror/store/mirror.ts';
import { createKeys, dropKeys, inTime, KEYS } from '../mirror/store/payment-parcels.ts';
import { alsoSql, classSql, settledSql } from './classes.ts';
import { createSessions, type ReconcileSpan, SESSIONS } from './times-sql.ts';

/** The temporary table with a row for each parcel. */
export const PARCELS = 'reconcile_parcels';

/** The temporary table with the parcels that are listed, by their place in the list. */
const LISTED = 'reconcile_listed';

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
  await createKeys(session, mirror, span);
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
  for (const name of [LISTED, PARCELS, SESSIONS]) await session.run(`drop table if exists ${name}`);
  await dropKeys(session);
}
