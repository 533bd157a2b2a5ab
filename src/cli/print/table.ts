import { inPlaceOfBlank } from '../../contract/view.ts';
import { zoneLabel } from '../../domain/calendar.ts';
import { entriesOf, isRecord } from '../../domain/json/values.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth, truncate, truncateStart } from '../../platform/terminal/text-width.ts';
import { wrapWords } from '../../platform/terminal/word-wrap.ts';
import {
  type Alignment,
  boundedLines,
  cellText,
  momentShown,
  plainText,
  rowLine,
  styleOf,
  type TimeSettings,
} from './cell.ts';
import {
  type ColumnPlan,
  columnsBelow,
  columnsThatFit,
  fitWidths,
  heading,
  type PrintColumn,
  planColumns,
} from './columns.ts';
import type { View } from './document.ts';
import { inChunks, type PrintSettings, type Writer, writeEach, writeOne } from './rows.ts';
import { styled } from './style.ts';
import { say } from './texts.ts';

const GAP = '  ';

/**
 * A row printed as it arrives: its cells on one line. Optional cells that do not fit are dropped from the end only, so
 * that a cell means the same in every line. The zone of the times, which the first line names, drops none.
 */
export function liveLine(row: unknown, view: View, settings: PrintSettings, times: TimeSettings = settings): string {
  const { timeZone } = times;
  const shown = [...planColumns(view, settings.fields, [row]).columns];
  const lineOf = (written: TimeSettings) => {
    const cells = shown.map((column) => cellText(column.read(row), column.kind, written));
    return cells.filter((text) => text !== '').join(GAP);
  };
  // A width of 0 means unknown.
  const isTooLong = (line: string) =>
    settings.columns !== undefined && 0 < settings.columns && displayWidth(line) > settings.columns;
  let line = lineOf({ timeZone });
  while (isTooLong(line)) {
    // Explicitly requested columns are shown even if they do not fit.
    const last = settings.fields === undefined ? shown.findLastIndex(({ optional }) => optional) : -1;
    if (last < 0) break;
    shown.splice(last, 1);
    line = lineOf({ timeZone });
  }
  const named = lineOf(times);
  if (!isTooLong(named) || named === line) return `${named}\n`;
  const moment = shown.flatMap((column) => momentShown(column.read(row), column.kind) ?? [])[0] ?? 0;
  return `${say().timesIn({ zone: zoneLabel(moment, timeZone) })}\n${line}\n`;
}

/** A value that stands below its row, or the heading of one. */
interface BelowRow {
  readonly column: Pick<PrintColumn, 'below'>;
  readonly text: string;
}

const gap = '  ';

/** The most that lines below a row are indented. */
const mostIndent = 8;

/** The lines below a row, wrapped between words; the indentation is below the second column, if that is not far. */
function linesBelow(values: readonly BelowRow[], first: number, available: number): string[] {
  const indent = Math.min(first + gap.length, mostIndent);
  const texts: string[] = [];
  for (const { column, text } of values) {
    if (text === '') continue;
    const before = column.below === 'same-line' ? texts.pop() : undefined;
    texts.push(before === undefined ? text : `${before}${gap}${text}`);
  }
  return texts.flatMap((text) => wrapWords(`${' '.repeat(indent)}${text}`, available, indent + gap.length));
}

/** This many rows determine the column widths; it bounds the memory of a table. */
const rowsThatDecide = 1000;
/** At most this many rows are a page, which is drawn as a whole. */
const rowsOfPage = 100;
/** This many rows are written at once. */
const rowsAtOnce = 25;
/** Where there is no terminal, a cell of a column that could stand below its row widens a table to so much at most. */
const mostWithoutTerminal = 80;

/**
 * Records as a table with a header row; returns how many rows stdout accepted. On a terminal long cells are truncated,
 * or stand below their row, so that a row fits on a line; elsewhere they are whole: a cell wider than its column shifts
 * only the rest of its own line. An empty list is only its header.
 */
export async function printTable(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  view: View,
  settings: PrintSettings,
  stdout: Sink,
): Promise<number> {
  let count = 0;
  let layout: Layout | undefined;
  const chunks = view.comes === undefined ? inChunks(rows, rowsThatDecide, rowsAtOnce) : inChunks(rows, 1, 1);
  for await (const chunk of chunks) {
    if (layout === undefined) {
      layout = layOut(chunk, view, settings);
      // What is less than a first chunk is all there is, or all that came before a failure.
      if (chunk.length <= rowsOfPage && view.comes === undefined) {
        await stdout.write(await pageText(chunk, layout, settings));
        if (stdout.closed) return 0;
        count = chunk.length;
        continue;
      }
      await stdout.write(headerLine(layout, settings));
    }
    const drawn = layout;
    for (let start = 0; start < chunk.length; start += rowsAtOnce) {
      const group = chunk.slice(start, start + rowsAtOnce);
      await stdout.write(group.map((row) => linesOf(row, drawn, settings)).join(''));
      if (stdout.closed) return count;
      count += group.length;
    }
  }
  if (layout === undefined) await stdout.write(headerLine(layOut([], view, settings), settings));
  return count;
}

interface Layout extends ColumnPlan {
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
  /** Whether the cells of each column may be truncated. */
  readonly cuttable: readonly boolean[];
  /** Columns that stand below each row, and how many columns of the terminal they have. */
  readonly below: readonly PrintColumn[];
  readonly available: number;
}

const isNothing = (value: unknown): boolean => (value ?? '') === '' || (Array.isArray(value) && value.every(isNothing));

const isBlankIn = (sample: readonly unknown[], column: PrintColumn) =>
  sample.every((row) => isNothing(valueIn(row, column)));

/** The columns of a list, without those that are blank in all of it and may go then. */
function shownColumns(sample: readonly unknown[], view: View, settings: PrintSettings): ColumnPlan {
  const plan = planColumns(view, settings.fields, sample);
  if (sample.length === 0 || settings.fields !== undefined) return plan;
  const mayGo = (column: PrintColumn) => column.unlessBlank === true && isBlankIn(sample, column);
  return { ...plan, columns: plan.columns.filter((column) => !mayGo(column)) };
}

/** How wide a table has to be for its cells, column by column. */
function widthsWanted(sample: readonly unknown[], plan: ColumnPlan, view: View, settings: PrintSettings): number[] {
  const cells = sample.map((row) => cellsOf(row, plan.columns, settings));
  const paths = view.columns.map(({ path }) => path);
  return plan.columns.map((column, index) =>
    cells.reduce(
      (width, row) => Math.max(width, displayWidth(row[index] ?? '')),
      Math.max(plan.named ? displayWidth(heading(column)) : 1, view.comes?.widths[paths.indexOf(column.path)] ?? 1),
    ),
  );
}

/** How rows are laid out; the first of the columns with times that are shown names their zone. */
function layOut(sample: readonly unknown[], view: View, settings: PrintSettings): Layout {
  const plan = shownColumns(sample, view, settings);
  const { timeZone } = settings;
  for (const column of timeZone === 'UTC' ? [] : plan.columns) {
    const moment = sample.flatMap((row) => momentShown(column.read(row), column.kind) ?? [])[0];
    if (moment === undefined) continue;
    const named = { ...column, zone: zoneLabel(moment, timeZone) };
    const layout = layOutPlan(
      { ...plan, columns: plan.columns.map((each) => (each === column ? named : each)) },
      sample,
      view,
      settings,
    );
    if (layout.columns.includes(named) || layout.below.includes(named)) return layout;
  }
  return layOutPlan(plan, sample, view, settings);
}

function layOutPlan(plan: ColumnPlan, sample: readonly unknown[], view: View, settings: PrintSettings): Layout {
  const wanted = widthsWanted(sample, plan, view, settings);
  // Some terminals report a width of 0, which means unknown.
  const { columns: available = 0 } = settings;
  const mayGoBelow = plan.columns.map(({ below }) => below !== undefined);
  const goes = available > 0 ? columnsBelow(wanted, mayGoBelow, available) : new Set();
  const kept = plan.columns.filter((_, index) => !goes.has(index));
  const below = plan.columns.filter((_, index) => goes.has(index));
  const widthsOfKept = wanted.flatMap((width, index) => {
    const most = available === 0 && mayGoBelow[index] ? mostWithoutTerminal : width;
    return goes.has(index) ? [] : [Math.min(width, most)];
  });
  const mayCut = kept.map((column) => available > 0 && mayBeCut(column, view));
  // What a first row has nothing in, others that are still to come may.
  const isWhole = sample.length > 0 && view.comes === undefined;
  const mayGo = kept.map((column, index) => {
    const isBlank = isWhole && index > 0 && isBlankIn(sample, column);
    return isBlank || column.goesFirst === true ? 'first' : column.optional && !isNeeded(column, sample);
  });
  // Explicitly requested columns are shown even if they do not fit.
  const mayLeaveOut = available > 0 && settings.fields === undefined;
  const shown = mayLeaveOut
    ? columnsThatFit(widthsOfKept, mayCut, mayGo, available)
    : widthsOfKept.map((_, index) => index);
  const columns = shown.flatMap((index) => kept[index] ?? []);
  const leftOut = kept.filter((column) => !columns.includes(column) && !isBlankIn(sample, column));
  const pathsOf = (some: readonly PrintColumn[]) => some.map(({ path }) => path);
  settings.onColumns?.(pathsOf([...columns, ...below]), pathsOf(leftOut));
  const cuttable = shown.map((index) => mayCut[index] ?? false);
  const widthsOfShown = shown.map((index) => widthsOfKept[index] ?? 1);
  const widths = available > 0 ? fitWidths(widthsOfShown, cuttable, available) : widthsOfShown;
  const alignments = columns.map((column) => alignmentOf(column, sample));
  return { ...plan, columns, widths, alignments, cuttable, below, available };
}

/** Whether rows could not be told apart without this column. */
const isNeeded = ({ keptIfVaried, read }: PrintColumn, sample: readonly unknown[]) =>
  keptIfVaried === true && new Set(sample.map(read)).size > 1;

/** Only prose is truncated: half an id, a number or a time is worse than a long line. */
function mayBeCut({ path, kind, cut }: PrintColumn, view: View): boolean {
  if (cut === 'never') return false;
  if (path === (view.name ?? 'id') || /(?:^|[._])(?:ids?|codes?)$/.test(path)) return false;
  return kind === undefined || kind === 'text';
}

function alignmentOf({ kind, read }: PrintColumn, sample: readonly unknown[]): Alignment {
  if (kind !== undefined) return kind === 'number' ? 'right' : 'left';
  const values = sample.map(read).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number') ? 'right' : 'left';
}

function headerLine({ named, below, ...layout }: Layout, settings: PrintSettings): string {
  const { columns, widths, alignments, available } = layout;
  if (!named || columns.length === 0) return '';
  const headings = columns.map((column, index) => truncate(heading(column), widths[index] ?? 1));
  const beneath = below.map((column): BelowRow => ({ column, text: heading(column) }));
  return [rowLine(headings, widths, alignments), ...linesBelow(beneath, widths[0] ?? 0, available)]
    .map((line) => `${styled(line, 'bold', settings.colour)}\n`)
    .join('');
}

const valueIn = (row: unknown, column: PrintColumn) => column.read(row) ?? inPlaceOfBlank(column, row);

function cellsOf(row: unknown, columns: readonly PrintColumn[], settings: PrintSettings): string[] {
  return columns.map((column) => cellText(valueIn(row, column), column.kind, settings));
}

/** The lines of a row below its own one, each after a line break. */
function beneath(row: unknown, { below, widths, available }: Layout, settings: PrintSettings): string {
  if (below.length === 0) return '';
  const texts = cellsOf(row, below, settings);
  const values = below.map((column, index): BelowRow => ({ column, text: texts[index] ?? '' }));
  return linesBelow(values, widths[0] ?? 0, available)
    .map((line) => `\n${line}`)
    .join('');
}

/** A cell that needs attention is coloured; the word in it says the same. */
function dressed(cell: string, row: unknown, column: PrintColumn | undefined, { colour }: PrintSettings): string {
  const style = colour && column !== undefined ? styleOf(column.kind, column.read(row)) : undefined;
  return style === undefined ? cell : styled(cell, style, true);
}

const cutTo = (width: number, cell: string, column: PrintColumn | undefined) =>
  column?.cut === 'start' ? truncateStart(cell, width) : truncate(cell, width);

function cutCells(row: unknown, { columns, widths, cuttable }: Layout, settings: PrintSettings): string[] {
  return cellsOf(row, columns, settings).map((cell, index) =>
    cuttable[index] ? cutTo(widths[index] ?? 1, cell, columns[index]) : cell,
  );
}

/** A header and all rows that there are. */
async function pageText(rows: readonly unknown[], layout: Layout, settings: PrintSettings): Promise<string> {
  if (layout.columns.length === 0) return '';
  const lines = await boundedLines({
    rows: rows.map((row) => cutCells(row, layout, settings)),
    widths: layout.widths,
    alignments: layout.alignments,
    dress: (cell, row, column) => dressed(cell, rows[row], layout.columns[column], settings),
  });
  const whole = lines.map((line, at) => `${line}${beneath(rows[at], layout, settings)}\n`);
  return headerLine(layout, settings) + whole.join('');
}

function linesOf(row: unknown, layout: Layout, settings: PrintSettings): string {
  const { columns, widths, alignments } = layout;
  if (columns.length === 0) return '';
  const cells = cutCells(row, layout, settings);
  const line = rowLine(cells, widths, alignments, (cell, index) => dressed(cell, row, columns[index], settings));
  return `${line}${beneath(row, layout, settings)}\n`;
}

/** Results as a table; a record as its names and values. */
export const table: Writer = {
  list({ rows, view, live }, settings, stdout) {
    if (live !== true) return printTable(rows, view, settings, stdout);
    const times = { timeZone: settings.timeZone, naming: { isNamed: false } };
    return writeEach(rows, (row) => liveLine(row, view, settings, times), stdout);
  },
  record: async ({ value, view }, settings, stdout) => writeOne(await sheetText(value, view, settings), stdout),
};

/** Below this width, wrapping a value makes it no easier to read. */
const leastWidth = 20;

/** Whether there is nothing to show; an unset id is 0 (decisions, section 2). */
function isEmpty({ path, read }: PrintColumn, record: unknown): boolean {
  const value = read(record);
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? isNothing(value) : value === '0' && /(?:^|[._])id$/.test(path);
}

/** The place that a value has beside its name, and below it. */
interface Room {
  readonly width: number;
  readonly below: number;
  readonly times: TimeSettings;
  /** Columns of nested records for which it was too narrow. */
  readonly leftOut: string[];
}

/** The lines of a value, and whether they stand below its name. */
interface ValueLines {
  readonly lines: readonly string[];
  readonly isBelow?: boolean;
}

/** Less is no place for prose. */
const leastProse = 12;

/** A row whose last cell is prose: wrapped in its column, if that is wide enough. */
function rowWithProse(row: string, prose: string, start: number, width: number): string[] {
  const available = width - start;
  if (available < leastProse) return wrapWords(`${row.padEnd(start)}${prose}`.trimEnd(), width, gap.length);
  const padding = ' '.repeat(Math.max(0, start - displayWidth(row)));
  return wrapWords(prose, available).map((line, at) => (at === 0 ? `${row}${padding}` : ' '.repeat(start)) + line);
}

/**
 * Nested records: one line each, in columns, omitting columns that are empty in all of them, below the names of the
 * columns if the view wants them; these stand below the name of the list where they have no room beside it. Wrapped
 * between words if the terminal is too narrow.
 */
function linesOfEach(entries: readonly unknown[], { path, each = [], heads }: PrintColumn, room: Room): ValueLines {
  const { times, leftOut } = room;
  const rows = entries.map((entry) => each.map((column) => cellText(column.read(entry), column.kind, times)));
  const filled = each.flatMap((column, index) => (rows.some((row) => row[index] !== '') ? [{ column, index }] : []));
  const cells = heads ? [each.map(heading), ...rows] : rows;
  const widths = each.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index] ?? ''))));
  // Prose at the end of a row is wrapped; other columns that may go do so where a row has no room for them.
  const isProse = ({ kind }: PrintColumn, at: number) => kind === undefined && at === filled.length - 1;
  const prose = filled.find(({ column }, at) => isProse(column, at))?.index;
  const widthOf = (those: readonly (typeof filled)[number][]) =>
    those.reduce(
      (sum, { index }) => sum + gap.length + (index === prose ? leastProse : (widths[index] ?? 0)),
      -gap.length,
    );
  const [least, all] = [widthOf(filled.filter(({ column }) => !column.optional)), widthOf(filled)];
  const isBelow = heads && room.width >= leastWidth && (least > room.width || (all > room.width && all <= room.below));
  const width = isBelow ? room.below : room.width;
  const fitting = columnsThatFit(
    filled.map(({ column, index }, at) => (isProse(column, at) ? 0 : (widths[index] ?? 0))),
    filled.map(() => false),
    filled.map(({ column }, at) => heads && column.optional && !isProse(column, at)),
    heads && width >= leastWidth ? width : Number.POSITIVE_INFINITY,
  );
  const shown = filled.filter(({ column }, at) => fitting.includes(at) || !column.optional || isProse(column, at));
  for (const { column } of filled.filter((one) => !shown.includes(one))) leftOut.push(`${path}.${column.path}`);
  const alignments = shown.map(({ column }): Alignment => (column.kind === 'number' ? 'right' : 'left'));
  const lines = cells.map((row) =>
    rowLine(
      shown.map(({ index }) => row[index] ?? ''),
      shown.map(({ index }) => widths[index] ?? 0),
      alignments,
    ),
  );
  if (width < leastWidth) return { lines, isBelow };
  const last = shown.at(-1);
  if (!heads || last === undefined || !isProse(last.column, filled.indexOf(last)))
    return { lines: lines.flatMap((line) => wrapWords(line.trimEnd(), width, gap.length)), isBelow };
  const before = shown.slice(0, -1);
  const start = before.reduce((sum, { index }) => sum + (widths[index] ?? 0) + gap.length, 0);
  const rowOf = (row: readonly string[]) =>
    rowLine(
      before.map(({ index }) => row[index] ?? ''),
      before.map(({ index }) => widths[index] ?? 0),
      alignments.slice(0, -1),
    );
  return { lines: cells.flatMap((row) => rowWithProse(rowOf(row), row[last.index] ?? '', start, width)), isBelow };
}

function linesOfValue(column: PrintColumn, value: unknown, room: Room): ValueLines {
  const { width, times } = room;
  const found = column.read(value);
  const entries = column.each === undefined ? undefined : entriesOf(found);
  if (entries !== undefined) return linesOfEach(entries, column, room);
  const text = cellText(found, column.kind, times);
  return { lines: width >= leastWidth ? wrapWords(text, width) : [text] };
}

/**
 * One record as name and value, one per line, with a line for each entry of its lists. Values are never truncated,
 * since there is no other place to see them in full; on a terminal they are wrapped between words. Missing values have
 * no line, unless they were requested explicitly.
 */
async function sheetText(value: unknown, view: View, settings: PrintSettings): Promise<string> {
  if (!isRecord(value)) return scalarText(value);
  const times = { timeZone: settings.timeZone, naming: { isNamed: false } };
  const plan = planColumns(view, settings.fields, [value], { gathers: true });
  const columns = plan.columns.filter((column) => settings.fields !== undefined || !isEmpty(column, value));
  const names = columns.map((column) => cellText(column.header, 'text', times));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const available = settings.columns ?? 0;
  const width = available - nameWidth - gap.length;
  const room: Room = { width, below: available - gap.length, times, leftOut: [] };
  const rows = columns.flatMap((column, index) => {
    const { lines, isBelow = false } = linesOfValue(column, value, room);
    const [name = '', style] = [names[index], styleOf(column.kind, column.read(value))];
    const named = (isBelow ? ['', ...lines] : lines).map((line, place) => ({ name: place === 0 ? name : '', line }));
    return named.map((row, place) => ({ ...row, style, isBelow: isBelow && place > 0 }));
  });
  settings.onColumns?.([], room.leftOut);
  const beside = rows.filter(({ isBelow }) => !isBelow);
  const lines = await boundedLines({
    rows: beside.map(({ name, line }) => [name, line]),
    widths: [nameWidth, Math.max(1, ...beside.map(({ line }) => displayWidth(line)))],
    alignments: ['left', 'left'],
    dress(cell, row, column) {
      const style = column === 0 ? 'bold' : beside[row]?.style;
      return style === undefined || cell === '' ? cell : styled(cell, style, settings.colour);
    },
  });
  return rows.map(({ isBelow, line }) => `${isBelow ? `${gap}${line}`.trimEnd() : (lines.shift() ?? '')}\n`).join('');
}

/** A query may return a bare value: its text, and nothing for null. */
function scalarText(value: unknown): string {
  return value === null || value === undefined ? '' : `${makeSafe(plainText(value))}\n`;
}
