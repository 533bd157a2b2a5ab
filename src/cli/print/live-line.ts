import { displayWidth } from '../../platform/text-width.ts';
import type { View } from '../document.ts';
import { cellText } from './cell.ts';
import { planColumns } from './columns.ts';
import type { PrintSettings } from './print-settings.ts';
import { columnsThatFit } from './table-widths.ts';

/** A row that is shown as it comes: its cells on one line, without optional ones that a terminal has no room for. */
export function liveLine(row: unknown, view: View, settings: PrintSettings): string {
  const times = { utc: settings.utc ?? false, timeZone: settings.timeZone };
  const cells = planColumns(view, settings.fields, [row])
    .columns.map((column) => ({
      text: cellText(column.read(row), column.kind, times),
      // What was asked for by name is shown, whether it fits or not.
      mayGo: column.optional && settings.fields === undefined,
    }))
    .filter(({ text }) => text !== '');
  const optional = cells.map(({ mayGo }) => mayGo);
  // A width of 0 means that it is not known.
  const available = optional.includes(true) ? settings.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
  const wanted = cells.map(({ text }) => displayWidth(text));
  const never = cells.map(() => false);
  return `${columnsThatFit(wanted, never, optional, available)
    .map((index) => cells[index]?.text)
    .join('  ')}\n`;
}
