import { type Fields, fieldsIn, recordsIn } from '../../../domain/json/values.ts';
import { at, type ColumnType, type MirrorColumn, momentText } from '../declared-columns.ts';
import type { MirrorDialect } from '../mirror.ts';
import type { DayOf } from './days.ts';

/** A value as a database stores it. */
export type Stored = string | number | boolean | null;

/** A value of a record that is storable as its column stores it; null for what the type cannot hold. */
export function columnValue(type: ColumnType, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'time':
      return momentText(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'integer':
      return Number.isSafeInteger(value) ? Number(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'json':
      return JSON.stringify(value);
    default:
      return typeof value === 'string' ? value : String(value);
  }
}

/** Adds the values of a record for columns, in their order, to those of other rows. */
export function addRow(
  into: Stored[],
  columns: readonly MirrorColumn[],
  record: unknown,
  { bound }: MirrorDialect,
): void {
  for (const { type, path } of columns) {
    const [only = ''] = path;
    const found = path.length === 1 ? fieldsIn(record)[only] : at(record, path);
    const value = columnValue(type, found);
    into.push(value === null ? null : bound(type, value));
  }
}

/** What one record adds to one row of a rollup. */
export interface Contribution {
  readonly table: string;
  /** The values of the rollup's dimensions, in order. */
  readonly group: readonly string[];
  /** What it adds to the rollup's sums, in order. */
  readonly adds: readonly number[];
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const whole = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : 0);

function ofOrder(order: Fields, shopId: string, dayOf: DayOf): Contribution[] {
  const { status, total_items, basket_value, total_discount, total_fee, total_amount } = order;
  const shipping = fieldsIn(order.shipping);
  const day = dayOf(order.created_at);
  const sums = [total_items, basket_value, total_discount, total_fee, total_amount, shipping.cod_amount];
  const group = [shopId, day, text(shipping.carrier), text(status)];
  const added: Contribution = { table: 'daily_orders', group, adds: [1, ...sums.map(whole)] };
  if (status === 'N') return [added];
  const lines = recordsIn(order.lines).map(({ variant_id, quantity, payment_price }) => ({
    table: 'daily_lines',
    group: [shopId, day, text(variant_id)],
    adds: [1, whole(quantity), whole(quantity) * whole(payment_price)],
  }));
  return [added, ...lines];
}

function ofFulfillment(parcel: Fields, shopId: string, dayOf: DayOf): Contribution[] {
  const { cod_amount, actual_cod_amount, basket_value, shipping_service_fee, actual_shipping_service_fee } = parcel;
  const sums = [cod_amount, actual_cod_amount, basket_value, shipping_service_fee, actual_shipping_service_fee];
  const adds = [1, ...sums.map(whole)];
  const rest = [text(parcel.carrier), text(parcel.shipping_state), text(parcel.platform_payment_status)];
  const created = { table: 'daily_parcels', group: [shopId, dayOf(parcel.created_at), ...rest], adds };
  const closed = dayOf(parcel.closed_at);
  return closed === '' ? [created] : [created, { table: 'daily_cod', group: [shopId, closed, ...rest], adds }];
}

/** What a record adds to the rollups; nothing for a record of an area without rollups. */
export function contributionsOf(area: string, record: Fields, shopId: string, dayOf: DayOf): readonly Contribution[] {
  if (area === 'orders') return ofOrder(record, shopId, dayOf);
  return area === 'fulfillments' ? ofFulfillment(record, shopId, dayOf) : [];
}

/** Whether records of an area add to rollups. */
export const hasRollups = (area: string): boolean => area === 'orders' || area === 'fulfillments';
