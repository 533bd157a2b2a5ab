import { formatMoney } from '../domain/amounts/money.ts';
import { type Fields, fieldsIn, readFields, recordsIn } from '../domain/json/values.ts';
import type { RowWork } from '../ledger/work.ts';
import type { BatchContext } from './batch-context.ts';
import type { Change, Changes } from './plan/compare-rows.ts';
import type { Batch } from './store/batches.ts';
import type { WholeRow } from './store/row.ts';
import { say } from './texts.ts';

/** What a plan would do with one row. */
export interface PlanRow {
  readonly row: number;
  readonly cell: string;
  /** Its name; null where the rows of the command have none. */
  readonly external_id: string | null;
  readonly recipient: string | null;
  readonly phone: string | null;
  /** Street, ward, district and province. */
  readonly where: string | null;
  /** The goods, or the fields that are sent. */
  readonly what: string;
  /** Cash to collect; null if there is none. */
  readonly cash: number | null;
  readonly carrier: string | null;
  readonly fee: number | null;
  readonly delivery: string | null;
  /** What an update changes; empty where the record was not read. */
  readonly changes: { readonly [name: string]: unknown; readonly field: string }[];
  /** The request, exactly as it would be sent. */
  readonly payload: Fields;
}

const MOST_CHARACTERS = 60;

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** A value for a person: amounts with their marks, nothing longer than a line. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? formatMoney(value) : String(value);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

function goodsOf(payload: Fields): string {
  return recordsIn(payload.lines)
    .map(({ product_name, quantity, attributes }) => {
      const own = recordsIn(attributes).flatMap(({ value }) => textIn(value) ?? []);
      return `${quantity} × ${[product_name, ...own].join(', ')}`;
    })
    .join(', ');
}

function cashOf(payload: Fields): number | null {
  const { cod_amount: cash } = fieldsIn(payload.shipping);
  return typeof cash === 'number' && cash > 0 ? cash : null;
}

/** Where a parcel goes, in the order in which people write it. */
function whereOf({ address1, ward, district, province }: Fields): string | null {
  const parts = [address1, ward, district, province].flatMap((part) => textIn(part) ?? []);
  return parts.length === 0 ? null : parts.join(', ');
}

/** The fields that a request sets, without those that name its record; the record alone where it sets none. */
function fieldsText(payload: Fields, { targets }: RowWork): string {
  const shown = Object.entries(payload).filter(([name]) => !targets.includes(name) && name !== 'external_id');
  const reported = shown.length > 0 ? shown : Object.entries(payload);
  return reported.map(([name, value]) => `${name} ${valueText(value)}`).join(', ');
}

function whatOf(payload: Fields, work: RowWork, changes: readonly Change[]): string {
  if (changes.length > 0) return `${recordText(payload, work)}: ${changes.map(changeText).join(', ')}`;
  return Array.isArray(payload.lines) ? goodsOf(payload) : fieldsText(payload, work);
}

/** How much an amount changes, in percent of what it was; undefined where that says nothing. */
export function percentOf({ old, new: now }: Change): number | undefined {
  if (typeof old !== 'number' || typeof now !== 'number' || old === 0) return undefined;
  return ((now - old) / Math.abs(old)) * 100;
}

function changeText(change: Change): string {
  const percent = percentOf(change);
  const share = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent)} %)`;
  const { blank } = say().plan;
  return `${change.field} ${valueText(change.old) || blank} → ${valueText(change.new) || blank}${share}`;
}

/** The names of the record that a row changes, as the row has them. */
const recordText = (payload: Fields, { targets }: RowWork) =>
  targets.flatMap((name) => (payload[name] ? [String(payload[name])] : [])).join(' ');

function planRow(row: WholeRow, work: RowWork, delivery: number | undefined, changes: readonly Change[] = []): PlanRow {
  const payload = readFields(row.payload);
  const address = { ...fieldsIn(payload.customer_address), ...fieldsIn(payload.shipping_address) };
  return {
    row: row.row,
    cell: row.cell,
    external_id: row.named === 1 ? row.name : null,
    recipient: textIn(address.full_name) ?? textIn(payload.full_name),
    phone: textIn(address.phone) ?? textIn(payload.phone),
    where: whereOf(address),
    what: whatOf(payload, work, changes),
    cash: cashOf(payload),
    changes: changes.map((change) => ({ ...change })),
    carrier: row.carrier,
    fee: row.fee,
    delivery: delivery === undefined ? null : new Date(delivery).toISOString(),
    payload,
  };
}

/** A planned batch, and what is known of its rows besides what is stored. */
export interface PlannedRows {
  readonly batch: Batch;
  readonly work: RowWork;
  readonly deliveries: readonly (number | undefined)[];
  readonly changes: Changes;
}

/** The rows that a planned batch would send, in the order of the file. */
export async function* planRows(
  { rows }: Pick<BatchContext, 'rows'>,
  { batch, work, deliveries, changes }: PlannedRows,
): AsyncGenerator<PlanRow, void, undefined> {
  for await (const row of rows.each({ batch: batch.number, states: ['planned'] })) {
    yield planRow(row, work, deliveries[row.row], changes.get(row.row));
  }
}
