import { fieldPath } from '../contract/schema/hint.ts';
import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { doubtOf } from '../contract/schema/written-values.ts';
import { isFree, readAmountText } from '../domain/amounts/money.ts';
import { gramsIn } from '../domain/amounts/weight.ts';
import { rememberingTexts } from '../domain/canonical-text.ts';
import { damageOf, isDitto, isMasked, isNoValue, isOfPeople } from '../domain/damaged-text.ts';
import { parseJson } from '../domain/json/json.ts';
import { repeatedKey } from '../domain/json/repeated-key.ts';
import { isRecord, isTooDeep } from '../domain/json/values.ts';
import { type WrittenAt, writtenInJson } from '../domain/json/written-numbers.ts';
import { lookAtPhone, withoutDecimals } from '../domain/likeness.ts';
import { say as domainSay } from '../domain/texts.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import type { Cell } from './formats/sheet.ts';
import { isFormulaError, isRuined, notWhole, shownNumber } from './ruined-number.ts';
import { say } from './texts.ts';

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|thg ?\\d{1,2}';
/** What a spreadsheet makes of 12-3 and 3/12 where it writes a csv: the whole cell is a day of a month. */
const MADE_DAY = new RegExp(`^(?:\\d{1,2}-(?:${MONTHS})(?:-\\d{2,4})?|(?:${MONTHS})-\\d{2})$`, 'i');

/** Something unusual about a text that is sent nevertheless. */
interface Caution {
  readonly note: string;
  readonly code: string;
}

/** Why a text of a field is none of a person, whoever reads it; undefined if it may be one. */
export const hiddenIn = (name: string, text: string): string | undefined =>
  isMasked(text) && isOfPeople(name) ? domainSay().damage.masked : undefined;

/** What is unusual about a text: letters that were lost to "?", or a day where a text has none; undefined if nothing is. */
export function cautionOf(name: string, text: string, hasNoDays: boolean): Caution | undefined {
  if (text.includes('?') && isOfPeople(name) && /\p{L}\?\p{L}/u.test(text))
    return { note: say().cell.lostLetter, code: 'lost_letter' };
  if (isDitto(text)) return { note: say().cell.ditto, code: 'ditto' };
  if (hasNoDays && MADE_DAY.test(text)) return { note: say().cell.madeDate, code: 'made_a_date' };
  return undefined;
}

/** The result of reading a cell; `note` is a remark for a person, a warning of that kind if it has a code. */
export type CellReading =
  | { readonly kind: 'blank' }
  | { readonly kind: 'value'; readonly value: unknown; readonly note?: string; readonly code?: string }
  | { readonly kind: 'wrong'; readonly message: string };

type Path = readonly (string | number)[];

const blank: CellReading = { kind: 'blank' };
const value = (read: unknown, note?: string): CellReading => ({
  kind: 'value',
  value: read,
  ...(note === undefined ? {} : { note }),
});
/** A cell that cannot be used. */
export const wrong = (message: string): CellReading => ({ kind: 'wrong', message });

/** Fields with identifiers: a spreadsheet that treats one as a number corrupts it. */
const namesSomething = (name: string, { format }: JsonSchema): boolean => format === 'int64' || isNaming(name);

const isNaming = rememberingTexts((name) => /(?:^|_)(?:id|code|phone)$/.test(name));
const isOfNotes = rememberingTexts((name) => /note|description|message|reason/.test(name));
const isPhone = rememberingTexts((name) => /(?:^|_)phone$/.test(name));

/** Texts for people, in which a date is one. */
export const isNote = (name: string, { type, format }: JsonSchema): boolean =>
  type === 'string' && format === undefined && isOfNotes(name);

/**
 * Texts in which a date, or a number with an exponent, is what a spreadsheet made of another text: a house 12/3 or 12E4, a
 * size 1-2.
 */
export function takesNoNumber(name: string, schema: JsonSchema): boolean {
  if (schema.type === 'array') return schema.items !== undefined && takesNoNumber(name, schema.items);
  if (schema.type !== 'string' || schema.format === 'date-time' || schema.enum !== undefined) return false;
  return name !== 'birthday' && !isNote(name, schema);
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  có: true,
  co: true,
  x: true,
  1: true,
  false: false,
  no: false,
  không: false,
  khong: false,
  0: false,
};

/** Characters that do not change in composed form, whatever stands beside them: Latin letters, Vietnamese included. */
const COMPOSED = /^[\0-\u02ff\u1ea0-\u1ef9]*$/;

/** The text of a cell with line breaks normalised, trimmed and in composed form (NFC). */
export function textOf(cell: Cell): string {
  const given = typeof cell === 'string' ? cell : String((typeof cell === 'number' ? shownNumber(cell) : cell) ?? '');
  const text = (given.includes('\r') ? given.replaceAll(/\r\n?/g, '\n') : given).trim();
  return COMPOSED.test(text) ? text : text.normalize('NFC');
}

/** What pieces are counted in; a dozen, a weight or a length would make another number of it. */
const PIECES =
  'cái|cai|chiếc|chiec|bộ|bo|hộp|hop|đôi|doi|cặp|cap|túi|tui|gói|goi|chai|lọ|hũ|thùng|thung|kiện|kien|bịch|bich|lon|tuýp|thỏi|miếng|tấm|cuốn|cuon|quyển|cây|con|bó|chậu|phần|suất|món|mon|sp|sản phẩm|san pham|combo|set|pcs?|áo|quần|quan|váy|vay|đầm|mũ|nón|giày|giay|dép|dep';
const COUNTED = new RegExp(`^(?:(\\d{1,5})\\s*(?:x|(?:${PIECES})(?:\\s+(?:${PIECES}))?)|x\\s*(\\d{1,5}))$`, 'iu');

/** The number of pieces in a text such as "2 cái" or "x2"; undefined for any other, and for a bare number. */
export function countedIn(text: string): number | undefined {
  const [, before, behind] = COUNTED.exec(text.normalize('NFC')) ?? [];
  const number = before ?? behind;
  return number === undefined ? undefined : Number(number);
}

/** The number of a cell of amounts or quantities; undefined if it is none. */
export function numberIn(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return shownNumber(cell);
  const text = String(cell ?? '').trim();
  if (text === '') return undefined;
  const amount = readAmountText(text);
  return amount.ok ? amount.amount : countedIn(text);
}

function integer(cell: Cell, text: string, { unit }: JsonSchema, name: string): CellReading {
  const counted = name === 'quantity' ? countedIn(text) : undefined;
  if (counted !== undefined) return value(counted, say().cell.readAs({ value: counted }));
  if (unit === 'currency units') {
    if (name === 'buyer_shipping_fee' && isFree(text)) return value(0, say().cell.readAs({ value: 0 }));
    const fraction = typeof cell === 'number' ? notWhole(cell) : undefined;
    if (fraction !== undefined) return wrong(fraction);
    const amount = readAmountText(text);
    return amount.ok ? value(amount.amount, amount.note) : wrong(amount.message);
  }
  const grams = unit === 'g' ? gramsIn(text) : undefined;
  if (grams !== undefined) return value(grams, say().cell.readAsAmount({ amount: grams }));
  const number = Number(text);
  if (/^-?\d+(?:[.,]0{1,2})?$/.test(text) && Number.isSafeInteger(Math.trunc(Number.parseInt(text, 10)))) {
    return value(Number.parseInt(text, 10));
  }
  if (!Number.isFinite(number)) return wrong(say().cell.number);
  if (unit === undefined) return wrong(say().cell.wholeNumber);
  return wrong(unit === 'items' ? say().cell.wholeItems : say().cell.wholeNumberOf({ unit }));
}

/** A number with who has it, or where it is called, and no other digits: "0912345678 (zalo)", "0912345678 chị Hoa". */
const PHONE_OF =
  /^['‘’]?(\+?\d[\d\s.()-]{7,}\d)[\s,;.:]*(?:[(-]?\s*(?:[Zz]alo|ZALO|[Vv]iber|(?:[Cc]hị|[Cc]hi|[Aa]nh|[Cc]ô|[Cc]hú|[Bb]ác|[Ee]m|Ms|Mr)\.?(?:\s+\p{Lu}\p{Ll}*){1,4})\s*\)?)?[\s,;.]*$/u;

/** The number of a cell that has nothing else but whose it is, in the digits of the country. */
function bareNumber(text: string): string {
  const digits = text.replaceAll(/[\uFF10-\uFF19]/g, (digit) => digit.normalize('NFKC'));
  const [, number = text] = PHONE_OF.exec(digits) ?? [];
  return withoutDecimals(number).replace(/^00\s?84(?=(?:[\s.-]?\d){9}$)/, '+84');
}

/** A phone number gets its lost 0 back, without the decimals of a program; whether it can be one is checked with the rest. */
function phone(text: string): CellReading {
  const whole = bareNumber(text);
  const look = lookAtPhone(whole);
  if (look.kind !== 'unusual' || look.meant === undefined)
    return whole === text ? value(text) : value(whole, say().cell.readAsText({ text: whole }));
  return { kind: 'value', value: look.meant, note: say().cell.phoneSent({ note: look.note, phone: look.meant }) };
}

function listOf(text: string, items: JsonSchema, name: string): CellReading {
  const read = text
    .split(/\s*[|\n]\s*/)
    .filter((part) => part !== '')
    .map((part) => readCell(part, items, name));
  const failed = read.find(({ kind }) => kind === 'wrong');
  return failed ?? value(read.flatMap((part) => (part.kind === 'value' ? [part.value] : [])));
}

/**
 * A value of JSON in a cell with its numbers in quotes read as in cells. What is wrong is added to `faults`: numbers that
 * a person reads otherwise than a program (150.000), and texts that are no numbers.
 */
function inJson(given: unknown, schema: JsonSchema, path: Path, of: { written: WrittenAt; faults: string[] }): unknown {
  const { items, properties } = schema;
  if (items !== undefined && Array.isArray(given)) {
    return given.map((item, index) => inJson(item, items, [...path, index], of));
  }
  if (properties !== undefined && isRecord(given)) {
    const fields = Object.entries(given).map(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, field === undefined ? inner : inJson(inner, field, [...path, name], of)] as const;
    });
    return Object.fromEntries(fields);
  }
  const doubt = doubtOf(schema, given, of.written(path));
  if (doubt !== undefined) of.faults.push(say().cell.jsonField({ path: fieldPath(path), message: doubt }));
  if (typeof given !== 'string' || schema.type === 'string') return given;
  const reading = readCell(given, schema, String(path.at(-1) ?? ''));
  const fault = (message: string) => say().cell.jsonText({ path: fieldPath(path), text: given, message });
  if (reading.kind === 'wrong') of.faults.push(fault(reading.message));
  // What would be read otherwise than it is written cannot be reported from within a cell.
  else if (reading.kind === 'value' && reading.note !== undefined) of.faults.push(fault(say().cell.allDigits));
  return reading.kind === 'value' ? reading.value : given;
}

function json(text: string, schema: JsonSchema): CellReading {
  if (isTooDeep(text)) return wrong(say().cell.tooDeep);
  try {
    const read = parseJson(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined) return wrong(say().cell.keyTwice({ key: repeated.key }));
    const of = { written: writtenInJson(text), faults: [] };
    const inside = inJson(read, schema, [], of);
    const [fault] = of.faults;
    return fault === undefined ? value(inside) : wrong(say().cell.jsonFault({ fault }));
  } catch {
    return wrong(schema.type === 'array' ? say().cell.jsonList : say().cell.jsonObject);
  }
}

/** A code that a program took for a number: 20261100.0. */
const DECIMAL_CODE = /^\d{3,}[.,]0$/;

/** A cell that is no text of its field, whatever the field is; undefined if it may be one. */
function unusable(cell: Cell, text: string, schema: JsonSchema, name: string): string | undefined {
  if (isFormulaError(text)) return say().cell.formulaError;
  // Digits that are stored as text are exact; a number of more than 15 has lost the others in any field.
  if (typeof cell === 'number' ? isRuined(cell, text) : isRuined(cell, text) && namesSomething(name, schema))
    return say().cell.ruined;
  if ((schema.type === 'integer' || (schema.enum === undefined && isOfPeople(name))) && isDitto(text))
    return say().cell.ditto;
  if (schema.type !== 'string') return undefined;
  if (DECIMAL_CODE.test(text) && /(?:^|_)(?:id|code)$|^sku$/.test(name)) return say().cell.decimalCode;
  if (name === 'birthday' && /^\d{4,}(?:\.\d+)?$/.test(text) && !/^(?:19|20)\d\d$/.test(text))
    return say().cell.dayNumber;
  if (schema.enum === undefined && isNoValue(name, text)) return domainSay().damage.noValue;
  const damage = hiddenIn(name, text) ?? damageOf(text);
  if (damage !== undefined) return damage;
  // Another record to the service, and the same one to whoever reads the sheet.
  return namesSomething(name, schema) && makeSafe(text) !== text ? say().cell.unseen : undefined;
}

/**
 * Reads one cell by the declaration of its field; `name` is the field's own, the last step of its path. An ambiguous
 * text is refused, never guessed. Lists of texts are separated by `|` or line breaks.
 */
export function readCell(cell: Cell, schema: JsonSchema, name: string): CellReading {
  const text = textOf(cell);
  if (text === '') return blank;
  const message = unusable(cell, text, schema, name);
  if (message !== undefined) return wrong(message);
  if (schema.type === 'array') {
    if (text.startsWith('[') || schema.items?.properties !== undefined) return json(text, schema);
    return listOf(text, schema.items ?? { type: 'string' }, name);
  }
  if (schema.type === 'object') return json(text, schema);
  if (schema.type === 'boolean') {
    const word = text.toLowerCase();
    const truth = Object.hasOwn(truths, word) ? truths[word] : undefined;
    return truth === undefined ? wrong(say().cell.yesOrNo) : value(truth);
  }
  if (schema.type === 'integer') return integer(cell, text, schema, name);
  if (schema.type === 'number') {
    const number = Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2'));
    return Number.isFinite(number) && !/^[+-]?0[xob]/i.test(text) ? value(number) : wrong(say().cell.number);
  }
  if (schema.enum !== undefined) {
    const known = schema.enum.find((one) => one.toLowerCase() === text.toLowerCase());
    return known === undefined
      ? wrong(say().cell.oneOf({ values: schema.enum.filter((one) => one !== '') }))
      : value(known);
  }
  if (isPhone(name)) return phone(text);
  return { kind: 'value', value: text, ...cautionOf(name, text, takesNoNumber(name, schema)) };
}

/** The kind of warning that the note of a value is, as a remark has it. */
export const codeOf = ({ code }: { readonly code?: string }) => (code === undefined ? {} : { code });

/** A reading of a cell that had characters nobody sees, which were removed: it says so. */
export function withoutUnseenNoted(reading: CellReading): CellReading {
  if (reading.kind !== 'value') return reading;
  const removed = domainSay().damage.unseenRemoved;
  return {
    ...reading,
    note: reading.note === undefined ? removed : say().cell.unseenAnd({ removed, note: reading.note }),
  };
}

/**
 * What a blank cell sends if blanks clear: an empty text or 0 (decisions, section 2); undefined if nothing clears the
 * field.
 */
export function clearing({ type, format, enum: names }: JsonSchema): unknown {
  if (type === 'string' && format === undefined && names === undefined) return '';
  return type === 'integer' ? 0 : undefined;
}
