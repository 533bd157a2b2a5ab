import { nationalDigits } from '../../domain/likeness.ts';
import { foldedName } from '../../domain/places/place-name.ts';
import { say } from '../texts.ts';
import type { Report, ReportRow } from './report.ts';
import { inSpan, periodsTable, perPeriod, total } from './sql.ts';

/** C: what was sold. */
export const sales: Report = {
  name: 'sales',
  words: () => say().report.sales,
  areas: ['orders'],
  about: 'span',
  byPeriod: true,
  columns: [
    { name: 'period', type: 'period' },
    {
      name: 'orders',
      type: 'integer',
      unit: 'orders',
      total: 'sum',
    },
    { name: 'items', type: 'integer', unit: 'items', total: 'sum' },
    {
      name: 'revenue',
      type: 'integer',
      unit: '₫',
      total: 'sum',
    },
    {
      name: 'average',
      type: 'integer',
      unit: '₫',
      total: ({ orders, revenue }) => (Number(orders) === 0 ? null : Math.trunc(Number(revenue) / Number(orders))),
    },
  ],
  sql: (scope) => `with ${periodsTable(scope)},
sums as (${perPeriod(
    scope,
    {
      table: 'daily_orders',
      where: "d.state <> 'N'",
      sums: { orders: total('d.orders'), items: total('d.total_items'), revenue: total('d.total_amount') },
    },
    {
      table: 'orders',
      at: 'created_at',
      where: "coalesce(d.status, '') <> 'N'",
      sums: { orders: 'count(d.id)', items: total('d.total_items'), revenue: total('d.total_amount') },
    },
  )})
select period, orders, items, revenue, case when orders = 0 then null else revenue / orders end as average
from sums order by first_day`,
  chart: { kind: 'lines', label: 'period', series: ['revenue'] },
};

/** The values of a line's attributes, as the mirror stores them: Red / M. */
function variantText(attributes: unknown): string {
  const stored: unknown = typeof attributes === 'string' && attributes !== '' ? JSON.parse(attributes) : attributes;
  const values = Array.isArray(stored) ? stored.map((one: { value?: unknown } | null) => one?.value ?? '') : [];
  return values.filter((value) => value !== '').join(' / ');
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/**
 * Joins what is one thing: lines with the same variant of the catalogue, and lines of free text whose names and attributes
 * are the same without case, diacritics and punctuation. The spelling of most items, which comes first, is the one that is shown.
 */
function gatherProducts(lines: readonly Readonly<Record<string, unknown>>[]): readonly ReportRow[] {
  const groups = new Map<string, { product: string; variant: string; items: number; revenue: bigint }>();
  for (const { variant_id: id, product_name, attributes, code, items, revenue } of lines) {
    const variant = variantText(attributes) || String(code ?? '');
    const product = String(product_name ?? '');
    const isFree = id === null || id === '' || id === '0';
    const key = isFree ? JSON.stringify([foldedName(product), foldedName(variant)]) : String(id);
    const group = groups.get(key) ?? { product, variant, items: 0, revenue: 0n };
    groups.set(key, group);
    group.items += Number(items);
    group.revenue += BigInt(String(revenue));
  }
  const sorted = [...groups.values()].sort(
    (one, other) => other.items - one.items || byText(one.product, other.product) || byText(one.variant, other.variant),
  );
  return sorted.map(({ product, variant, items, revenue }) => {
    const amount = Number.isSafeInteger(Number(revenue)) ? Number(revenue) : String(revenue);
    return { product, variant, items, revenue: amount };
  });
}

/** What was sold, by product. */
export const products: Report = {
  name: 'products',
  words: () => say().report.products,
  areas: ['orders'],
  about: 'span',
  columns: [
    { name: 'product', type: 'text' },
    {
      name: 'variant',
      type: 'text',
    },
    { name: 'items', type: 'integer', unit: 'items', total: 'sum' },
    {
      name: 'revenue',
      type: 'integer',
      unit: '₫',
      total: 'sum',
    },
  ],
  sql: (scope) => {
    const { table, text, shopId } = scope;
    return `with lines as (
  select coalesce(d.variant_id, '') as variant_id, coalesce(d.product_name, '') as product_name,
    coalesce(cast(d.attributes as text), '') as attributes, coalesce(v.code, '') as code, d.quantity, d.payment_price
  from ${table('orders')} as o
  join ${table('order_lines')} as d on d.order_id = o.id and d.shop_id = o.shop_id and d.deleted_at is null
  left join ${table('variants')} as v on v.id = d.variant_id and v.shop_id = d.shop_id
  where o.shop_id = ${text(shopId)} and o.deleted_at is null and coalesce(o.status, '') <> 'N'
    and ${inSpan(scope, 'o.created_at')})
select variant_id, product_name, attributes, code, ${total('quantity')} as items,
  ${total('quantity * payment_price')} as revenue
from lines group by variant_id, product_name, attributes, code order by items desc, product_name, attributes, variant_id`;
  },
  gather: gatherProducts,
  chart: { kind: 'bars', label: 'product', apart: 'variant', series: ['items'], most: 20 },
};

/** Joins what was bought under one phone number, however it is written; the newest name is the one that is shown. */
function gatherCustomers(groups: readonly Readonly<Record<string, unknown>>[]): readonly ReportRow[] {
  const newest = groups
    .map(({ customer, phone, last, orders, revenue }) => ({
      customer: String(customer),
      phone: String(phone),
      last: new Date(String(last)).toISOString(),
      orders: Number(orders),
      revenue: BigInt(String(revenue)),
    }))
    .sort(
      (one, other) =>
        byText(other.last, one.last) || byText(one.customer, other.customer) || byText(one.phone, other.phone),
    );
  const found = new Map<string, (typeof newest)[number]>();
  for (const group of newest) {
    const key = nationalDigits(group.phone) || foldedName(group.customer);
    const one = found.get(key);
    if (one === undefined) found.set(key, group);
    else {
      one.orders += group.orders;
      one.revenue += group.revenue;
    }
  }
  const sorted = [...found.values()].sort(
    (one, other) =>
      Number(other.revenue - one.revenue) ||
      other.orders - one.orders ||
      byText(one.phone, other.phone) ||
      byText(one.customer, other.customer),
  );
  return sorted.map(({ customer, phone, orders, revenue }) => {
    const amount = Number.isSafeInteger(Number(revenue)) ? Number(revenue) : String(revenue);
    return { customer, phone, orders, revenue: amount };
  });
}

/** Who buys most. */
export const customers: Report = {
  name: 'customers',
  words: () => say().report.customers,
  areas: ['orders'],
  about: 'span',
  columns: [
    { name: 'customer', type: 'text' },
    { name: 'phone', type: 'text', isWhole: true },
    { name: 'orders', type: 'integer', unit: 'orders', total: 'sum' },
    { name: 'revenue', type: 'integer', unit: '₫', total: 'sum' },
  ],
  sql: (scope) => {
    const { table, text, shopId } = scope;
    const of = (kind: string) =>
      `left join ${table('order_addresses')} as ${kind} on ${kind}.order_id = o.id and ${kind}.kind = '${kind}' and ${kind}.shop_id = o.shop_id`;
    return `with bought as (
  select coalesce(nullif(customer.phone, ''), shipping.phone, '') as phone,
    coalesce(nullif(customer.full_name, ''), shipping.full_name, '') as name, o.created_at, coalesce(o.total_amount, 0) as amount
  from ${table('orders')} as o
  ${of('customer')}
  ${of('shipping')}
  where o.deleted_at is null and o.shop_id = ${text(shopId)} and coalesce(o.status, '') <> 'N'
    and ${inSpan(scope, 'o.created_at')})
select name as customer, phone, max(created_at) as last, count(*) as orders, ${total('amount')} as revenue
from bought group by name, phone order by revenue desc, orders desc, phone, customer`;
  },
  gather: gatherCustomers,
  chart: { kind: 'bars', label: 'customer', apart: 'phone', series: ['revenue'], most: 20 },
};
