import type { Mirror, MirrorDialect, MirrorSession } from './mirror.ts';
import type { DerivedTable, TableColumn } from './own-tables.ts';
import type { DayOf } from './write/days.ts';

const FEES = "'delivery', 'return', 'redelivery', 'insurance', 'address_change', 'discount', 'other'";

const sumWhere = (condition: string, value = 'l.amount') =>
  `sum(case when ${condition} and l.repeats is null then ${value} else 0 end)`;

/** What the lines `l` of a parcel are added up to, and the sums as SQL. */
const figures: readonly (readonly [column: Omit<TableColumn, 'type'>, sql: string])[] = [
  [{ name: 'amount', description: 'Sum of the lines that count', unit: 'currency units' }, sumWhere('1 = 1')],
  [{ name: 'paid', description: 'Cash on delivery', unit: 'currency units' }, sumWhere("l.kind = 'cod'")],
  [{ name: 'fees', description: 'Fees, below zero', unit: 'currency units' }, sumWhere(`l.kind in (${FEES})`)],
  [{ name: 'return_fees', description: 'Those of returns', unit: 'currency units' }, sumWhere("l.kind = 'return'")],
  [{ name: 'fee_lines', description: 'Lines with fees', unit: 'lines' }, sumWhere(`l.kind in (${FEES})`, '1')],
  [
    {
      name: 'provisional',
      description: 'Provisional charges that were not given back, below zero',
      unit: 'currency units',
    },
    sumWhere("l.kind in ('provisional', 'provisional_back')"),
  ],
  [
    {
      name: 'unexplained',
      description: 'By how much net amounts are more than their rows give',
      unit: 'currency units',
    },
    sumWhere("l.kind = 'unexplained'"),
  ],
  [
    { name: 'doubled', description: 'Lines with an amount that repeat another one', unit: 'lines' },
    'sum(case when l.repeats is not null and l.amount <> 0 then 1 else 0 end)',
  ],
  [{ name: 'late', description: 'Lines that came after their session was closed', unit: 'lines' }, 'sum(l.late)'],
];

/** The names of the sums of a parcel's lines. */
export const paymentSums: readonly string[] = figures.map(([{ name }]) => name);

const KEY = ['shop_id', 'shipping_code', 'fulfillment_id'] as const;

/** What files say of a parcel besides sums: the first or last of its lines, as SQL. */
const bounds: readonly (readonly [column: TableColumn, sql: string, isFirst: boolean])[] = [
  [{ name: 'first_session', type: 'text', description: 'First of its sessions by name' }, 'min(l.session)', true],
  [{ name: 'last_session', type: 'text', description: 'Last of its sessions by name' }, 'max(l.session)', false],
  [{ name: 'carrier', type: 'text', description: 'The carrier; empty if nothing tells' }, 'max(p.carrier)', false],
  [{ name: 'imported_at', type: 'time', description: 'When its first line was imported' }, 'min(p.imported_at)', true],
];

/** What the lines `l` of a parcel, with their files `p`, come to, as SQL: its bounds, then its sums. */
export const paymentParcelSql: readonly (readonly [name: string, sql: string])[] = [
  ...bounds.map(([{ name }, sql]) => [name, sql] as const),
  ...figures.map(([{ name }, sql]) => [name, sql] as const),
];

/** The rollup of payment lines, updated in the transaction that copies them. */
export const paymentParcels: DerivedTable = {
  name: 'payment_parcels',
  description: 'Sums of the payment lines by what files call a parcel: its code, the id of the shipment, or both.',
  key: KEY,
  columns: [
    { name: 'shop_id', type: 'text', description: 'Id of the shop' },
    { name: 'shipping_code', type: 'text', description: "The carrier's code of the parcel; may be empty" },
    { name: 'fulfillment_id', type: 'text', description: 'Our id of the shipment, as files have it; may be empty' },
    ...bounds.map(([column]) => column),
    ...figures.map(([column]) => ({ ...column, type: 'integer' as const })),
  ],
};

/**
 * The statement that adds the payment lines that meet a condition on `l` to the rollup. Those of one file are looked up
 * before they are grouped: SQLite would rather walk the lines of all files in the order of their parcels.
 */
export function addPaymentParcels({ table }: MirrorDialect, where: string, ofFile?: 'of one file'): string {
  const lines = table('payment_lines');
  const few = ofFile === undefined ? '' : `with few as materialized (select l.* from ${lines} as l where ${where})\n`;
  const values = [...KEY.map((name) => `l.${name}`), ...paymentParcelSql.map(([, sql]) => sql)];
  const sets = [
    ...bounds.map(([{ name }, , isFirst]) => {
      const wins = `excluded.${name} ${isFirst ? '<' : '>'} t.${name}`;
      return `${name} = case when ${wins} then excluded.${name} else t.${name} end`;
    }),
    // A mirror that is older than a sum has nothing in it.
    ...paymentSums.map((name) => `${name} = coalesce(t.${name}, 0) + excluded.${name}`),
  ];
  return `insert into ${table(paymentParcels.name)} as t (${paymentParcels.columns.map(({ name }) => name).join(', ')})
${few}select ${values.join(', ')}
from ${few === '' ? lines : 'few'} as l
join ${table('payment_files')} as p on p.id = l.file_id and p.shop_id = l.shop_id
where l.deleted_at is null and (l.shipping_code <> '' or l.fulfillment_id <> '') and ${few === '' ? where : '1 = 1'}
group by l.shop_id, l.shipping_code, l.fulfillment_id
on conflict (${KEY.join(', ')}) do update set ${sets.join(', ')}`;
}

/** Whose payment lines are matched with shipments. */
export interface PaymentNames {
  readonly shopId: string;
  /** The day of a moment where the shop is. */
  readonly dayOf: DayOf;
}

/** The temporary table with a row for each way in which files name a parcel. */
export const KEYS = 'reconcile_keys';

/** The temporary table with the shipments of a code that a carrier has used again, and the days that are theirs. */
const REUSED = 'reconcile_reused';

/** SQL of whether a line `l` of a file `p` belongs to the days of a row, from `from_day` up to `to_day`. */
export function inTime({ dialect }: Mirror, row: string): string {
  const imported =
    dialect.name === 'postgres'
      ? "to_char(p.imported_at at time zone 'UTC', 'YYYY-MM-DD')"
      : 'substr(p.imported_at, 1, 10)';
  const day = `coalesce(l.day, ${imported})`;
  return `(${row}.from_day is null or ${day} >= ${row}.from_day) and (${row}.to_day is null or ${day} < ${row}.to_day)`;
}

/** Makes the table of codes that mean several shipments: each has the days from its own up to the next one's. */
async function createReused(session: MirrorSession, mirror: Mirror, { shopId, dayOf }: PaymentNames): Promise<boolean> {
  const { table, types } = mirror.dialect;
  const names = ['shipping_code', 'id', 'from_day', 'to_day'];
  await session.run(`create temporary table ${REUSED} (${names.map((name) => `${name} ${types.text}`).join(', ')})`);
  const rows = await session.run(
    `select f.shipping_code, f.id, f.created_at, f.closed_at from ${table('fulfillments')} as f
     where f.shop_id = ? and f.deleted_at is null and f.shipping_code in (
       select shipping_code from ${table('fulfillments')} where shop_id = ? and deleted_at is null and shipping_code <> ''
       group by shipping_code having count(*) > 1)
     order by f.shipping_code, coalesce(f.created_at, f.closed_at), f.id`,
    [shopId, shopId],
  );
  const uses: { code: string; id: string; day: string }[] = [];
  for (const { shipping_code, id, created_at, closed_at } of rows) {
    const use = { code: String(shipping_code), id: String(id), day: dayOf(created_at ?? closed_at) };
    // Of two of one day nothing tells which is meant.
    const before = uses.at(-1);
    if (before?.code !== use.code || before.day < use.day) uses.push(use);
  }
  for (const [index, { code, id, day }] of uses.entries()) {
    const next = uses[index + 1];
    const from = uses[index - 1]?.code === code ? day : null;
    const to = next?.code === code ? next.day : null;
    await session.run(`insert into ${REUSED} (${names.join(', ')}) values (?, ?, ?, ?)`, [code, id, from, to]);
  }
  return uses.length > 0;
}

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

/**
 * Makes the temporary table of what files call parcels, each with the shipment that is meant, in the transaction of `session`: the one
 * rule by which anything finds the parcel of a payment line.
 */
export async function createKeys(session: MirrorSession, mirror: Mirror, names: PaymentNames): Promise<void> {
  const { types } = mirror.dialect;
  const keys = keyColumns.map((name) => `${name} ${types.text}`).join(', ');
  const added = paymentSums.map((name) => `${name} ${types.integer}`).join(', ');
  await session.run(`create temporary table ${KEYS} (${keys}, imported_at ${types.time}, ${added})`);
  const isReused = await createReused(session, mirror, names);
  await session.run(keysSql(mirror), [names.shopId]);
  if (isReused) await session.run(reusedSql(mirror), [names.shopId]);
  await session.run(`create index reconcile_keys_parcel on ${KEYS} (parcel)`);
  for (const sql of grouping) await session.run(sql);
}

/** Drops it. */
export async function dropKeys(session: MirrorSession): Promise<void> {
  for (const name of [KEYS, REUSED]) await session.run(`drop table if exists ${name}`);
}
