import type { Ports } from '../../action/ports.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import { exportOf } from '../../sheets/mapping/exports.ts';
import type { StoredSource } from '../stored-source.ts';
import { say } from '../texts.ts';

/** Of how many rows the names are in an advice. */
const MOST_NAMED = 3;

/** What a batch was read from, and its command. */
interface ReadFrom {
  readonly source: Pick<StoredSource, 'columns' | 'mapping'>;
  readonly do: string;
}

/** The fields that a message names; an order has the address of its parcel for the customer, too. */
const fieldsIn = (message: string): ReadonlySet<string> =>
  new Set(
    message
      .replaceAll(/\[\d+\]/g, '')
      .replaceAll('customer_address.', 'shipping_address.')
      .match(/[a-z_\d.]+/g),
  );

/** The message of a row with the column of its sheet, where that has another name than the field. */
export function withColumn(message: string, { source, do: command }: ReadFrom): string {
  const { columns, mapping } = source;
  const meant = Object.keys(mapping?.columns ?? {}).length > 0 ? mapping : exportOf(columns, command)?.mapping;
  if (meant === undefined) return message;
  const fields = fieldsIn(message);
  const column = columns.find((name) => fields.has(meant.columns[name]?.field ?? ''));
  return column === undefined || message.includes(column) ? message : say().run.column({ message, column });
}

/** How orders are sent as their rows are now, which were sent otherwise before; nothing for any other record. */
export function sendingChanged(
  names: readonly string[],
  { operation, do: command, ...facts }: { readonly operation: string; readonly do: string; readonly file: string },
  { ui }: Pick<Ports, 'ui'>,
): string[] {
  if (names.length === 0 || resourceOf({ id: operation }) !== 'order') return [];
  const about = { ...facts, names: names.slice(0, MOST_NAMED), more: names.length > 1 };
  return [ui.advise('send_changed', { ...about, ...(command === 'ship' ? {} : { command }) })];
}

/** The limit of a batch that refused a row, as the input of a retry is called. */
export const limitOf: Readonly<Record<string, 'max_fee' | 'max_total'>> = {
  fee_above_max: 'max_fee',
  over_max_total: 'max_total',
};
