import { isRecord } from '../domain/json/values.ts';
import { jsonSafe } from '../platform/terminal/text-safety.ts';

const CUT = '…';
/** The longest text of a record that is passed on, in characters. */
const MOST_TEXT = 1_000;
/** The longest sentence of an error. */
const MOST_SENTENCE = 400;

const email = /[\p{L}\p{N}._%+-]+@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu;
/** A number as it is dialled, with whatever separates its digits. */
const phone = /(?<![\p{L}\p{N}_])(?:\+\p{Nd}|0|84)(?:[ .()-]{0,2}\p{Nd}){8,14}(?![\p{L}\p{N}_])/gu;
const ofPhone = /phone|mobile|hotline|fax|(?:^|_)tel(?:_|$)/i;
/** Names of fields whose digits name a record, and nobody. */
const ofName = /(?:^|_)(?:ids?|codes?|cursor)$/i;

const lastDigits = (text: string) => {
  const digits = text.match(/\p{Nd}/gu) ?? [];
  return digits.length === 0 ? text : `***${digits.slice(-3).join('')}`;
};

/** A text in which phone numbers keep their last three digits, and e-mail addresses their domain. */
export const maskedText = (text: string): string => text.replace(email, '***@$1').replace(phone, lastDigits);

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most).trimEnd()}${CUT}`);

/** A sentence that may repeat what somebody wrote: masked, and cut to size. */
export const maskedSentence = (text: string, isMasked: boolean): string =>
  cut(isMasked ? maskedText(text) : text, MOST_SENTENCE);

function maskedField(name: string, text: string): string {
  if (ofPhone.test(name)) return lastDigits(text.replace(email, '***@$1'));
  return ofName.test(name) ? text.replace(email, '***@$1') : maskedText(text);
}

/** A value of a record as an agent gets it: masked where asked for, and its texts cut to size. */
export function maskedValue(value: unknown, isMasked: boolean, name = ''): unknown {
  if (typeof value === 'string') return cut(isMasked ? maskedField(name, value) : value, MOST_TEXT);
  if (typeof value === 'number' && isMasked && ofPhone.test(name)) return lastDigits(String(value));
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, isMasked, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedValue(item, isMasked, key)]));
}

/** The JSON of a result; what a terminal or a reader would not show is escaped. */
export const jsonOf = (value: unknown): string => jsonSafe(JSON.stringify(value));
