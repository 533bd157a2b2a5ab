import { entriesOf, isRecord } from '../../domain/json/values.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth } from '../../platform/terminal/text-width.ts';
import { wrapWords } from '../../platform/terminal/word-wrap.ts';
import type { TimeSettings } from './cell.ts';
import { type Alignment, boundedLines, cellText, plainText, rowLine, styleOf } from './cell.ts';
import { heading, type PrintColumn, planColumns } from './columns.ts';
import type { View } from './document.ts';
import type { PrintSettings } from './rows.ts';
import { styled } from './style.ts';

const gap = '  ';

/** Below this width, wrapping a value makes it no easier to read. */
const leastWidth = 20;

/** Whether there is nothing to show; an unset id is 0 (decisions, section 2). */
function isEmpty({ path, read }: PrintColumn, record: unknown): boolean {
  const value = read(record);
  if (value === undefined || value === null || value === '') return true;
  const isNothing = (item: unknown) => item === undefined || item === null || item === '';
  return Array.isArray(value) ? value.every(isNothing) : value === '0' && /(?:^|[._])id$/.test(path);
}

/**
 * Nested records: one line each, in columns, omitting columns that are empty in all of them, below the names of the
 * columns if the view wants them; wrapped between words if the terminal is too narrow.
 */
function linesOfEach(
  entries: readonly unknown[],
  { each = [], heads }: PrintColumn,
  width: number,
  times: TimeSettings,
): string[] {
  const rows = entries.map((entry) => each.map((column) => cellText(column.read(entry), column.kind, times)));
  const filled = each.flatMap((column, index) => (rows.some((row) => row[index] !== '') ? [{ column, index }] : []));
  const cells = heads ? [each.map(heading), ...rows] : rows;
  const widths = each.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index] ?? ''))));
  const alignments = filled.map(({ column }): Alignment => (column.kind === 'number' ? 'right' : 'left'));
  const lines = cells.map((row) =>
    rowLine(
      filled.map(({ index }) => row[index] ?? ''),
      filled.map(({ index }) => widths[index] ?? 0),
      alignments,
    ),
  );
  return width >= leastWidth ? lines.flatMap((line) => wrapWords(line.trimEnd(), width, gap.length)) : lines;
}

function linesOfValue(column: PrintColumn, value: unknown, width: number, times: TimeSettings): string[] {
  const found = column.read(value);
  const entries = column.each === undefined ? undefined : entriesOf(found);
  if (entries !== undefined) return linesOfEach(entries, column, width, times);
  const text = cellText(found, column.kind, times);
  return width >= leastWidth ? wrapWords(text, width) : [text];
}

/**
 * One record as name and value, one per line, with a line for each entry of its lists. Values are never truncated,
 * since there is no other place to see them in full; on a terminal they are wrapped between words. Missing values have
 * no line, unless they were requested explicitly.
 */
export async function sheetText(value: unknown, view: View, settings: PrintSettings): Promise<string> {
  if (!isRecord(value)) return scalarText(value);
  const times = { timeZone: settings.timeZone, naming: { isNamed: false } };
  const plan = planColumns(view, settings.fields, [value]);
  const columns = plan.columns.filter((column) => settings.fields !== undefined || !isEmpty(column, value));
  const names = columns.map((column) => cellText(column.header, 'text', times));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const width = (settings.columns ?? 0) - nameWidth - gap.length;
  const rows = columns.flatMap((column, index) =>
    linesOfValue(column, value, width, times).map((line, place) => ({
      cells: [place === 0 ? (names[index] ?? '') : '', line],
      style: styleOf(column.kind, column.read(value)),
    })),
  );
  const lines = await boundedLines({
    rows: rows.map(({ cells }) => cells),
    widths: [nameWidth, Math.max(1, ...rows.map(({ cells }) => displayWidth(cells[1] ?? '')))],
    alignments: ['left', 'left'],
    dress(cell, row, column) {
      const style = column === 0 ? 'bold' : rows[row]?.style;
      return style === undefined || cell === '' ? cell : styled(cell, style, settings.colour);
    },
  });
  return rows.length === 0 ? '' : lines.map((line) => `${line}\n`).join('');
}

/** A query may return a bare value: its text, and nothing for null. */
function scalarText(value: unknown): string {
  return value === null || value === undefined ? '' : `${makeSafe(plainText(value))}\n`;
}
