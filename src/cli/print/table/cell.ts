import { statusWords } from '../../../contract/enums.ts';
import { formatMoney } from '../../../domain/amounts/money.ts';
import { sparkline } from '../../../domain/charts/scale.ts';
import { makeSafe } from '../../../platform/terminal/text-safety.ts';
import { isPrintableAscii } from '../../../platform/terminal/text-width.ts';
import type { ColumnKind } from '../document.ts';
import { isWireTime, type TimeSettings, timeText } from '../look/time-text.ts';

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
