import { paymentSums } from '../../workspace/mirror/schema/payment-parcels.ts';
import type { Mirror, MirrorSession } from '../../workspace/mirror/store/mirror.ts';
import { alsoSql, classSql } from './classes.ts';

/** Which parcels are reconciled. Moments are like 2026-11-21T17:00:00, in UTC and without a zone. */
export interface ReconcileSpan {
  readonly shopId: string;
  /** Parcels count by when they were closed, others by the import of their first line. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly carrier?: string | undefined;
  /** Only parcels with a line in this session. */
  readonly session?: string | undefined;
  /** Parcels that were closed before this moment should be paid by now. */
  readonly overdueBefore: string;
  /** The same for single carriers. */
  readonly overdueOf: ReadonlyMap<string, string>;
}

/** The temporary table with a row for each parcel. */
export const PARCELS = 'reconcile_parcels';

/** The temporary table with a row for each way in which files name a parcel. */
const KEYS = 'reconcile_keys';

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
];

/** Finds the shipment that is meant by what files call a parcel: its code, our id or both. */
function keysSql({ dialect: { table } }: Mirror): string {
  const own = `from ${table('fulfillments')} as f where f.shop_id = s.shop_id and f.deleted_at is null`;
  return `
    insert into ${KEYS} (${keyColumns.join(', ')}, imported_at, ${paymentSums.join(', ')})
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
    from g`;
}

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
  ['doubled', 'integer'],
  ['late', 'integer'],
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

/** Every parcel that has come to its end or has a line, and everything that its class depends on. */
function parcelsSql({ dialect: { name, table } }: Mirror, span: ReconcileSpan, parameters: unknown[]): string {
  const moment = name === 'postgres' ? "(cast(? as timestamp) at time zone 'UTC')" : '?';
  const bound = (...values: readonly unknown[]) => void parameters.push(...values);
  const limits = [...span.overdueOf].map(([carrier, before]) => {
    bound(carrier, before);
    return `when f.carrier = ? then ${moment}`;
  });
  bound(span.overdueBefore, span.shopId);
  const overdue = `case when f.closed_at < case ${limits.join(' ')} when 1 = 1 then ${moment} end then 1 else 0 end`;
  const due = "case when f.shipping_state = 'delivered' then coalesce(f.actual_cod_amount, f.cod_amount, 0) else 0 end";
  const cameBack = "f.shipping_state in ('returned', 'returning')";
  const conditions: string[] = [];
  const only = (condition: string, value: unknown) => {
    if (value === undefined) return;
    conditions.push(condition);
    bound(value);
  };
  only(`coalesce(closed_at, imported_at) >= ${moment}`, span.since);
  only(`coalesce(closed_at, imported_at) < ${moment}`, span.until);
  only('carrier = ?', span.carrier);
  only(
    `parcel in (select k.parcel from ${table('payment_lines')} as l cross join ${KEYS} as k where k.shipping_code = l.shipping_code and k.fulfillment_id = l.fulfillment_id and l.deleted_at is null and l.session = ?)`,
    span.session,
  );
  return `
    insert into ${PARCELS} (${columnNames.join(', ')})
    select ${baseNames.join(', ')}, class, ${alsoSql}
    from (select b.*, ${classSql} as class from (
      select f.id as parcel, 1 as known, f.shipping_code, f.id as fulfillment_id, f.carrier,
        ${oneSession} as session, f.shipping_state as state, f.closed_at, f.cod_amount,
        f.shipping_service_fee as fee_quoted, ${due} as due, ${overdue} as overdue,
        coalesce(k.amount, 0) as amount, coalesce(k.paid, 0) as paid, coalesce(k.paid, 0) - ${due} as difference,
        case when k.fee_lines > 0 then case when ${cameBack} then k.return_fees else 0 end - k.fees end as fee_charged,
        coalesce(k.provisional, 0) as provisional, coalesce(k.doubled, 0) as doubled, coalesce(k.late, 0) as late,
        k.imported_at
      from ${table('fulfillments')} as f left join ${KEYS} as k on k.parcel = f.id and k.found is not null and k.part <> 'one'
      where f.shop_id = ? and f.deleted_at is null
        and (k.parcel is not null or f.shipping_state in ('delivered', 'returned', 'returning', 'undeliverable'))
      union all
      select parcel, 0, shipping_code, null, nullif(carrier, ''), ${oneSession}, null, null, null, null, 0, 0,
        amount, paid, paid, case when fee_lines > 0 then -fees end, provisional, doubled, late, imported_at
      from ${KEYS} where found is null and part <> 'one'
    ) as b) as c
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`;
}

const byCode = '(shipping_code, fulfillment_id, parcel)';

/** Makes the temporary tables of a reconciliation in the transaction of `session`. */
export async function createParcels(session: MirrorSession, mirror: Mirror, span: ReconcileSpan): Promise<void> {
  const { types } = mirror.dialect;
  const keys = keyColumns.map((name) => `${name} ${types.text}`).join(', ');
  const added = paymentSums.map((name) => `${name} ${types.integer}`).join(', ');
  await session.run(`create temporary table ${KEYS} (${keys}, imported_at ${types.time}, ${added})`);
  await session.run(keysSql(mirror), [span.shopId]);
  await session.run(`create index reconcile_keys_parcel on ${KEYS} (parcel)`);
  for (const sql of grouping) await session.run(sql);
  // What looks for the lines of a session finds their parcels by it.
  if (span.session !== undefined) await session.run(`create index reconcile_keys_code on ${KEYS} ${byCode}`);
  await session.run(
    `create temporary table ${PARCELS} (${columns.map(([name, type]) => `${name} ${types[type]}`).join(', ')})`,
  );
  const parameters: unknown[] = [];
  await session.run(parcelsSql(mirror, span, parameters), parameters);
}

/** Makes the temporary table of those that are listed: `where` is a condition on `p`, a parcel. */
export async function createListed(session: MirrorSession, where: string): Promise<void> {
  await session.run(
    `create temporary table ${LISTED} as select row_number() over (
       order by coalesce(p.carrier, ''), coalesce(p.session, ''), p.shipping_code, p.parcel) as place, p.*
     from ${PARCELS} as p where ${where}`,
  );
  await session.run(`create index reconcile_listed_place on ${LISTED} (place)`);
}

/** The parcels that are listed from one place up to another, in their order. */
export const listedParcels = (session: MirrorSession, places: readonly [number, number]) =>
  session.run(`select * from ${LISTED} where place >= ? and place < ? order by place`, places);

/** The lines of those parcels. SQLite takes tables in the order of a cross join. */
export const listedLines = (
  session: MirrorSession,
  { dialect: { table } }: Mirror,
  places: readonly [number, number],
) =>
  session.run(
    `select p.place, f.name, l.cell, l.kind, l.amount, l.session, l.repeats
     from ${LISTED} as p
     cross join ${KEYS} as k
     cross join ${table('payment_lines')} as l
     join ${table('payment_files')} as f on f.id = l.file_id and f.shop_id = l.shop_id
     where p.place >= ? and p.place < ? and k.parcel = p.parcel and l.shop_id = k.shop_id
       and l.shipping_code = k.shipping_code and l.fulfillment_id = k.fulfillment_id and l.deleted_at is null
     order by p.place, f.imported_at, l.file_id, l.line`,
    places,
  );

/** Drops all of them. */
export async function dropParcels(session: MirrorSession): Promise<void> {
  for (const name of [LISTED, PARCELS, KEYS]) await session.run(`drop table if exists ${name}`);
}
