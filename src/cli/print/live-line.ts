import { displayWidth } from '../../platform/terminal/text-width.ts';
import type { View } from './document.ts';
import type { PrintSettings } from './print-settings.ts';
import { cellText } from './table/cell.ts';
import { planColumns } from './table/columns.ts';

const GAP = '  ';

/**
 * A row printed as it arrives: its cells on one line. Optional cells that do not fit are dropped from the end only, so
 * that a cell means the same in every line.
 */
export function liveLine(row: unknown, view: View, settings: PrintSettings): string {
  const times = { utc: settings.utc ?? false, timeZone: settings.timeZone };
  const { columns } = planColumns(view, settings.fields, [row]);
  const cells = columns.map((column) => ({
    text: cellText(column.read(row), column.kind, times),
    // Explicitly requested columns are shown even if they do not fit.
    mayGo: column.optional && settings.fields === undefined,
  }));
  const line = () => cells.flatMap(({ text }) => (text === '' ? [] : [text])).join(GAP);
  // A width of 0 means unknown.
  while (settings.columns && displayWidth(line()) > settings.columns) {
    const last = cells.findLastIndex(({ mayGo }) => mayGo);
    if (last < 0) break;
    cells.splice(last, 1);
  }
  return `${line()}\n`;
}
