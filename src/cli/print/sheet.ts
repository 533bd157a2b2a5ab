import { isRecord } from '../../domain/value-at.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { View } from '../document.ts';
import { cellText, plainText } from './cell.ts';
import { planColumns } from './columns.ts';
import { rowLine } from './drawing.ts';
import type { PrintSettings } from './settings.ts';
import { styled } from './style.ts';
import { displayWidth } from './width.ts';

/** One record as name and value, a line each; values are never cut, for there is no other place to see them whole. */
export function sheetText(value: unknown, view: View, settings: PrintSettings): string {
  if (!isRecord(value)) return scalarText(value);
  const times = { utc: settings.utc ?? false, timeZone: settings.timeZone };
  const plan = planColumns(view, settings.fields, [value]);
  // A view may know more than this record has; what was asked for by name is shown in any case.
  const columns = plan.columns.filter((column) => settings.fields !== undefined || column.read(value) !== undefined);
  const rows = columns.map((column) => [
    cellText(column.header, 'text', times),
    cellText(column.read(value), column.kind, times),
  ]);
  if (rows.length === 0) return '';
  const widths = [0, 1].map((side) => Math.max(1, ...rows.map((row) => displayWidth(row[side] ?? ''))));
  return rows
    .map((row) => {
      const [name = ''] = row;
      const line = rowLine(row, widths, ['left', 'left']);
      return `${styled(name, 'bold', settings.colour)}${line.slice(name.length)}\n`;
    })
    .join('');
}

/** A query may give a bare value: its text, and nothing for null. */
function scalarText(value: unknown): string {
  return value === null || value === undefined ? '' : `${makeSafe(plainText(value))}\n`;
}
