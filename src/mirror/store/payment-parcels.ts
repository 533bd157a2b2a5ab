import type { MirrorDialect } from './mirror.ts';
import type { DerivedTable, TableColumn } from './own-tables.ts';

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
