import type { Sink } from '../../platform/streams.ts';
import type { View } from '../document.ts';
import { cellText } from './cell.ts';
import { inChunks } from './chunks.ts';
import { type ColumnPlan, type PrintColumn, planColumns } from './columns.ts';
import { type Alignment, type Draw, loadDraw } from './drawing.ts';
import type { PrintSettings } from './settings.ts';
import { styled } from './style.ts';
import { columnsThatFit, fitWidths } from './table-widths.ts';
import { displayWidth, truncate } from './width.ts';

/** So many rows decide how wide the columns are; the memory of a table is bounded by them. */
const rowsThatDecide = 200;
/** Later rows are drawn in small groups: what cli-table3 takes for a table grows with the square of its rows. */
const rowsAtOnce = 25;

/**
 * Records as a table with a header row; answers how many rows stdout took. On a terminal long cells are cut so that a
 * row fits its line, elsewhere never: a later cell wider than its column moves the rest of its own line only.
 * A list without rows is its header alone.
 */
export async function printTable(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  view: View,
  settings: PrintSettings,
  stdout: Sink,
): Promise<number> {
  let count = 0;
  let layout: Layout | undefined;
  for await (const chunk of inChunks(rows, rowsThatDecide, rowsAtOnce)) {
    if (layout === undefined) {
      layout = await layOut(chunk, view, settings);
      await stdout.write(headerLine(layout, settings));
    }
    for (let start = 0; start < chunk.length; start += rowsAtOnce) {
      const group = chunk.slice(start, start + rowsAtOnce);
      await stdout.write(linesOf(group, layout, settings));
      if (stdout.closed) return count;
      count += group.length;
    }
  }
  if (layout === undefined) await stdout.write(headerLine(await layOut([], view, settings), settings));
  return count;
}

interface Layout extends ColumnPlan {
  readonly draw: Draw;
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
  /** Whether the cells of each column may be cut. */
  readonly cuttable: readonly boolean[];
}

async function layOut(sample: readonly unknown[], view: View, settings: PrintSettings): Promise<Layout> {
  const draw = await loadDraw();
  const plan = planColumns(view, settings.fields, sample);
  const cells = sample.map((row) => cellsOf(row, plan.columns, settings));
  const wanted = plan.columns.map((column, index) =>
    cells.reduce(
      (width, row) => Math.max(width, displayWidth(row[index] ?? '')),
      plan.named ? displayWidth(heading(column)) : 1,
    ),
  );
  // Some terminals report a width of 0, which means that it is not known.
  const { columns: available = 0 } = settings;
  const mayCut = plan.columns.map((column) => available > 0 && mayBeCut(column, view));
  const optional = plan.columns.map((column) => column.optional && settings.fields === undefined);
  const shown = available > 0 ? columnsThatFit(wanted, mayCut, optional, available) : wanted.map((_, index) => index);
  const columns = shown.flatMap((index) => plan.columns[index] ?? []);
  const cuttable = shown.map((index) => mayCut[index] ?? false);
  const widthsOfShown = shown.map((index) => wanted[index] ?? 1);
  const widths = available > 0 ? fitWidths(widthsOfShown, cuttable, available) : widthsOfShown;
  return { ...plan, columns, draw, widths, alignments: columns.map((column) => alignmentOf(column, sample)), cuttable };
}

/** Only prose is cut: half an id, a number or a time is worse than a long line. */
function mayBeCut({ path, kind }: PrintColumn, view: View): boolean {
  if (path === (view.name ?? 'id') || /(?:^|[._])(?:ids?|codes?)$/.test(path)) return false;
  return kind === undefined || kind === 'text';
}

function alignmentOf({ kind, read }: PrintColumn, sample: readonly unknown[]): Alignment {
  if (kind !== undefined) return kind === 'number' ? 'right' : 'left';
  const values = sample.map(read).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number') ? 'right' : 'left';
}

function heading({ header }: PrintColumn): string {
  return cellText(header, 'text', { utc: true }).toUpperCase();
}

function headerLine({ columns, named, draw, widths, alignments }: Layout, settings: PrintSettings): string {
  if (!named || columns.length === 0) return '';
  const headings = columns.map((column, index) => truncate(heading(column), widths[index] ?? 1));
  const [line = ''] = draw([headings], widths, alignments);
  return `${styled(line, 'bold', settings.colour)}\n`;
}

function cellsOf(row: unknown, columns: readonly PrintColumn[], settings: PrintSettings): string[] {
  const times = { utc: settings.utc ?? false, timeZone: settings.timeZone };
  return columns.map((column) => cellText(column.read(row), column.kind, times));
}

function linesOf(rows: readonly unknown[], layout: Layout, settings: PrintSettings): string {
  if (layout.columns.length === 0) return '';
  const { draw, widths, alignments, cuttable } = layout;
  const lines: string[] = [];
  let fitting: string[][] = [];
  for (const row of rows) {
    const cells = cellsOf(row, layout.columns, settings).map((cell, index) =>
      cuttable[index] ? truncate(cell, widths[index] ?? 1) : cell,
    );
    const own = widths.map((width, index) => Math.max(width, displayWidth(cells[index] ?? '')));
    if (own.every((width, index) => width === widths[index])) {
      fitting.push(cells);
      continue;
    }
    if (fitting.length > 0) lines.push(...draw(fitting, widths, alignments));
    lines.push(...draw([cells], own, alignments));
    fitting = [];
  }
  if (fitting.length > 0) lines.push(...draw(fitting, widths, alignments));
  return lines.map((line) => `${line}\n`).join('');
}
