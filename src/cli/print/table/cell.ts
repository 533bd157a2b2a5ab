import { statusWords } from '../../../contract/enums.ts';
import { formatMoney } from '../../../domain/amounts/amount-text.ts';
import { sparkline } from '../../../domain/charts/scale.ts';
import { makeSafe } from '../../../platform/terminal/text-safety.ts';
import { isPrintableAscii } from '../../../platform/terminal/text-width.ts';
import type { ColumnKind } from '../document.ts';

/** Where and how times are displayed. */
export interface TimeSettings {
  readonly utc: boolean;
  /** IANA name; the machine's own zone when absent. */
  readonly timeZone?: string | undefined;
}

const wireTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a timestamp as on the wire. */
function isWireTime(text: string): boolean {
  return wireTime.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * A timestamp for a person: `2026-01-31 08:00` local, `2026-01-31 01:00Z` in UTC; to the second for what happens within
 * a minute.
 */
function timeText(time: string, { utc, timeZone }: TimeSettings, to: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(time);
  const seconds = to === 'seconds' ? `:${twoDigits(date.getUTCSeconds())}` : '';
  if (utc) return `${date.toISOString().slice(0, 16).replace('T', ' ')}${seconds}Z`;
  if (timeZone !== undefined) return `${inZone(date, timeZone)}${seconds}`;
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}${seconds}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Intl formatters are slow to create, so one per zone is cached, and none for the machine's own zone. */
function inZone(date: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // The Swedish time format is the ISO order with a space.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(date);
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
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (kind === 'trend' && Array.isArray(value)) return sparkline(value.map(Number));
  if (Array.isArray(value) && value.every(isPlain)) return value.map((item) => readable(item, kind, times)).join(', ');
  if (typeof value === 'number' && kind !== 'text' && Number.isSafeInteger(value)) return formatMoney(value);
  return plainText(value);
}

/** Lists of plain values fit on a line; anything deeper is shown as JSON. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object';
}

function readableText(text: string, kind: ColumnKind | undefined, times: TimeSettings): string {
  if (kind === 'status') return withWord(text);
  if (kind === 'activity') return activities[text] ?? text;
  if (kind === 'moment' && isWireTime(text)) return timeText(text, times, 'seconds');
  if ((kind === 'time' || kind === undefined) && isWireTime(text)) return timeText(text, times);
  return text;
}

/** The status of what is not worked on: a customer is never done. */
const activities: Readonly<Record<string, string>> = { P: 'P active', Z: 'Z new', N: 'N inactive' };

const isStatus = (letter: string): letter is keyof typeof statusWords => Object.hasOwn(statusWords, letter);

function withWord(letter: string): string {
  return isStatus(letter) ? `${letter} ${statusWords[letter]}` : letter;
}

/** A value as plain text: objects and arrays as compact JSON, nothing for null. Not made safe. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
