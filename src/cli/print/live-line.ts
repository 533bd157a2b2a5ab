import type { View } from '../document.ts';
import { cellText } from './cell.ts';
import { planColumns } from './columns.ts';
import type { PrintSettings } from './print-settings.ts';

/** A row that is shown as it comes: its cells on one line. */
export function liveLine(row: unknown, view: View, settings: PrintSettings): string {
  const times = { utc: settings.utc ?? false, timeZone: settings.timeZone };
  const cells = planColumns(view, settings.fields, [row]).columns.map((column) =>
    cellText(column.read(row), column.kind, times),
  );
  return `${cells.filter((cell) => cell !== '').join('  ')}\n`;
}
