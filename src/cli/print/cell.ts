import { labels } from '../../contract/labels.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { inClockTime, momentInZone, zoneLabel } from '../../domain/calendar.ts';
import { sparkline } from '../../domain/chart.ts';
import { dayText, decimalText } from '../../domain/language.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { displayWidth, isPrintableAscii } from '../../platform/terminal/text-width.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import type { ColumnKind } from './document.ts';
import type { StyleName } from './style.ts';

/** States that need attention: the parcel will not arrive, the order is off, deliveries have stopped. */
const urgent = new Set(['N', 'cancelled', 'undeliverable', 'fail', 'failed', 'stop', 'denied', 'suspended']);

/** States that may come to need attention: it is on its way back, or did not work at first. */
const unusual = new Set(['NS', 'returning', 'returned', 'retry', 'delivery_fail', 'pick_fail', 'return_fail', 'warn']);

/** The style of a status or state; undefined for a normal one. The word itself says the same. */
export function styleOf(kind: ColumnKind | undefined, value: unknown): StyleName | undefined {
  if (kind !== 'status' && kind !== 'state') return undefined;
  const values = [value].flat().map(String);
  if (values.some((each) => urgent.has(each))) return 'red';
  return values.some((each) => unusual.has(each)) ? 'yellow' : undefined;
}

/** Horizontal alignment of a cell in its column. */
export type Alignment = 'left' | 'right';

/** Spaces between two columns. */
const gap = '  ';

/**
 * A row as a line: two spaces between columns, no trailing spaces. A cell wider than its column shifts the rest.
 * `dress` may add zero-width sequences around a cell.
 */
export function rowLine(
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly Alignment[],
  dress: (cell: string, index: number) => string = (cell) => cell,
): string {
  let line = '';
  for (const [index, cell] of cells.entries()) {
    const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
    line += `${index === 0 ? '' : gap}${alignments[index] === 'right' ? blanks + dress(cell, index) : dress(cell, index) + blanks}`;
  }
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

/** A table that has an end: cells of our width, and what is put around each. */
interface BoundedTable {
  readonly rows: readonly (readonly string[])[];
  /** Width of each column in cells of the terminal; a wider cell shifts the rest of its line. */
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
  /** Adds sequences without a width to a cell. */
  readonly dress?: (cell: string, row: number, column: number) => string;
}

/** No frame: two spaces between columns, and nothing else. */
const bare = {
  ...Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
      [side, `${side}-left`, `${side}-mid`, `${side}-right`].map((part) => [part, '']),
    ),
  ),
  middle: '  ',
};

/** Letters whose width the library measures as we do: Latin ones, composed, Vietnamese ones among them. */
const isMeasuredAlike = (cell: string) =>
  isPrintableAscii(cell) || /^[ -~\u00a1-\u00ac\u00ae-\u024f\u1e00-\u1eff–—…₫]*$/.test(cell);

/**
 * The lines of a table, without spaces at their ends. cli-table3 draws it, loaded with the first one; a table with
 * other scripts, emoji or marks, whose widths it measures in another way, or with a cell that it would cut, is drawn
 * line by line.
 */
export async function boundedLines({ rows, widths, alignments, dress }: BoundedTable): Promise<string[]> {
  const dressed = (cell: string, row: number, column: number) => dress?.(cell, row, column) ?? cell;
  if (rows.length === 0 || widths.length === 0) return rows.map(() => '');
  const fits = (cell: string, column: number) => isMeasuredAlike(cell) && displayWidth(cell) <= (widths[column] ?? 0);
  if (!rows.every((row) => row.every(fits))) {
    return rows.map((row, at) => rowLine(row, widths, alignments, (cell, column) => dressed(cell, at, column)));
  }
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    chars: bare,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: [...alignments],
  });
  for (const [at, row] of rows.entries()) table.push(row.map((cell, column) => dressed(cell, at, column)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** The zone of times, and where it is named. */
export interface TimeSettings {
  /** IANA name; the machine's own zone when absent. */
  readonly timeZone?: string | undefined;
  /** Has the first time followed by its zone; absent where a heading names that. */
  readonly naming?: { isNamed: boolean };
}

const wireTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a timestamp as on the wire. */
function isWireTime(text: string): boolean {
  return wireTime.test(text) && !Number.isNaN(Date.parse(text));
}

/** A time for a person: `2026-01-31 08:00`, `2026-01-31 01:00Z` in UTC; to the second for what happens within a minute. */
function timeText(time: string, { timeZone, naming }: TimeSettings, to: 'minutes' | 'seconds' = 'minutes'): string {
  const moment = Date.parse(time);
  const text = momentInZone(moment, timeZone, to);
  if (timeZone === 'UTC') return `${text}Z`;
  if (naming === undefined || naming.isNamed) return text;
  naming.isNamed = true;
  return `${text} (${zoneLabel(moment, timeZone)})`;
}

/** The moment that a value is shown as a time of, in milliseconds since 1970; undefined for any other value. */
export function momentShown(value: unknown, kind: ColumnKind | undefined): number | undefined {
  const isTime = kind === 'moment' || kind === 'time' || kind === undefined;
  return isTime && typeof value === 'string' && isWireTime(value) ? Date.parse(value) : undefined;
}

/**
 * A value for a person, on one line and safe for a terminal. Without a kind the value's own type decides; a value that
 * does not match its kind is shown unchanged. Ids are strings, so they are never grouped like numbers.
 */
export function cellText(value: unknown, kind: ColumnKind | undefined, times: TimeSettings): string {
  const read = readable(value, kind, times);
  if (isPrintableAscii(read)) return read;
  const text = makeSafe(read);
  // A leading combining mark would change the cell before it: a dotted circle carries it instead.
  return /^\p{M}/u.test(text) ? `\u25cc${text}` : text;
}

function readable(value: unknown, kind: ColumnKind | undefined, times: TimeSettings): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return readableText(value, kind, times);
  if (typeof value === 'boolean') return value ? labels().yes : labels().no;
  if (kind === 'trend' && Array.isArray(value)) return sparkline(value.map(Number));
  if (Array.isArray(value) && value.every(isPlain)) return value.map((item) => readable(item, kind, times)).join(', ');
  if (typeof value === 'number' && kind !== 'text')
    return Number.isSafeInteger(value) ? formatMoney(value) : decimalText(value);
  return plainText(value);
}

/** Lists of plain values fit on a line; anything deeper is shown as JSON. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object';
}

function readableText(text: string, kind: ColumnKind | undefined, times: TimeSettings): string {
  if (kind === 'status') return withWord(text, labels().status);
  if (kind === 'activity') return withWord(text, labels().activity);
  if (kind === 'inspection') return labels().inspection[text] ?? text;
  if (kind === 'state') return labels().state(text);
  if (kind === 'sentence') return labels().sentence(text);
  if (kind === 'message') return inClockTime(text, times.timeZone);
  if (kind === 'place') return placeText(text);
  if (momentShown(text, kind) === undefined)
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && kind !== 'text' ? dayText(text) : text;
  return timeText(text, times, kind === 'moment' ? 'seconds' : 'minutes');
}

/** A letter followed by its word, if it has one. */
function withWord(letter: string, words: Readonly<Record<string, string>>): string {
  return Object.hasOwn(words, letter) ? labels().lettered({ letter, word: words[letter] ?? '' }) : letter;
}

/** A value as plain text: objects and arrays as compact JSON, nothing for null. Not made safe. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
