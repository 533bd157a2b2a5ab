import { rememberingTexts } from '../../domain/canonical-text.ts';
import { isNoValue } from '../../domain/damaged-text.ts';
import { type Fields, fieldsIn, isRecord, recordsIn } from '../../domain/json/values.ts';
import { fine, type Look, lookAtBirthday, lookAtEmail, lookAtPhone, unusual } from '../../domain/likeness.ts';
import { lookAtPlace } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { say as ofText } from '../../domain/texts.ts';
import type { FieldError } from '../operation.ts';
import { say } from '../texts.ts';
import { fieldPath } from './hint.ts';
import type { JsonSchema, LikenessKind } from './json-schema.ts';

/**
 * What checking texts needs: the current day, like 2026-01-31, and the places, which are loaded only if a place is
 * named.
 */
export interface Looker {
  readonly today: string;
  readonly places: () => Promise<LocationTree>;
}

/** What checking the rows of a file needs: the current day, and the check of a place. */
export interface ReadyLooker {
  readonly today: string;
  readonly lookAtPlace: (written: Parameters<typeof lookAtPlace>[1]) => ReturnType<typeof lookAtPlace>;
}

/** Something unusual about a field; `code` says of which kind. */
export interface Note extends FieldError {
  readonly code: string;
}

/** Findings about a request: what is impossible and refused, and what is unusual, which is reported but sent. */
export interface Seen {
  readonly errors: FieldError[];
  readonly notes: Note[];
}

const textIn = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

function tell(seen: Seen, path: string, look: Look): void {
  if (look.kind === 'impossible') seen.errors.push({ path, message: look.message });
  if (look.kind !== 'unusual') return;
  const message = look.meant === undefined ? look.note : say().notes.meant({ note: look.note, meant: look.meant });
  seen.notes.push({ path, message, code: look.code });
}

/** A deprecated value is sent, as the service accepts it (contract, "Enumerations"). */
const lookAtType = (type: string): Look =>
  type === 'independent' ? unusual('deprecated_type', say().notes.deprecatedType) : fine;

const LIKENESS: { readonly [Kind in LikenessKind]?: (text: string) => Look } = {
  phone: lookAtPhone,
  email: lookAtEmail,
  'customer-type': lookAtType,
};

/** Checks a text alone, as it is typed; undefined if checking it needs the day, or the fields beside it. */
export function lookAtText(likeness: LikenessKind | undefined, text: string): Look | undefined {
  return likeness === undefined ? undefined : LIKENESS[likeness]?.(text);
}

/** Checks a request, and adds what it finds. */
type Check = (value: unknown, path: readonly PropertyKey[], looker: ReadyLooker, seen: Seen) => void;

const nothing: Check = () => {};
const prepared = new WeakMap<JsonSchema, Check>();

/** A place is identified by all its levels, so the record that holds them is checked as a whole. */
function lookAtNames(fields: Fields, path: readonly PropertyKey[], looker: ReadyLooker, seen: Seen): void {
  const [province, district, ward] = [textIn(fields.province), textIn(fields.district), textIn(fields.ward)];
  if (province === undefined) return;
  const { level, look } = looker.lookAtPlace({ province, district, ward });
  tell(seen, fieldPath([...path, level]), look);
}

function checkOfField(name: string, field: JsonSchema): Check {
  const { likeness } = field;
  if (field.type !== 'string') {
    const inner = checkOf(field);
    if (inner === nothing) return nothing;
    return (value, path, looker, seen) => {
      if (isRecord(value)) inner(value[name], [...path, name], looker, seen);
    };
  }
  return (value, path, looker, seen) => {
    const text = isRecord(value) ? textIn(value[name]) : undefined;
    if (text === undefined || !isRecord(value)) return;
    const at = () => fieldPath([...path, name]);
    if (field.enum === undefined && isNoValue(name, text)) {
      seen.errors.push({ path: at(), message: ofText().damage.noValue });
      return;
    }
    const look = lookAtText(likeness, text);
    if (look !== undefined) tell(seen, at(), look);
    else if (likeness === 'birthday') tell(seen, at(), lookAtBirthday(text, looker.today));
    else if (likeness === 'province') lookAtNames(value, path, looker, seen);
  };
}

/** The checks that a schema declares, prepared: they run for every row of a batch. */
function checkOf(schema: JsonSchema): Check {
  const known = prepared.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, items } = schema;
  const checks = Object.entries(properties).flatMap(([name, field]) => {
    const check = checkOfField(name, field);
    return check === nothing ? [] : [check];
  });
  const ofItem = items === undefined ? nothing : checkOf(items);
  const check: Check =
    checks.length === 0 && ofItem === nothing
      ? nothing
      : (value, path, looker, seen) => {
          if (Array.isArray(value)) for (const [at, item] of value.entries()) ofItem(item, [...path, at], looker, seen);
          for (const one of checks) one(value, path, looker, seen);
        };
  prepared.set(schema, check);
  return check;
}

/** Names of goods that a service may refuse as too short: ours does (decisions, section 2). */
function nameNotes(lines: unknown): Note[] {
  return recordsIn(lines).flatMap(({ product_name: name }, index) =>
    typeof name === 'string' && [...name.trim()].length === 1
      ? [
          {
            path: `lines[${index}].product_name`,
            message: say().notes.shortName,
            code: 'short_name',
          },
        ]
      : [],
  );
}

/** Lines that equal an earlier one: a row of a sheet that was copied by mistake would be sent, and paid, twice. */
function repeatNotes(lines: unknown): Note[] {
  if (!Array.isArray(lines) || lines.length < 2) return [];
  const seen = new Set<string>();
  return recordsIn(lines).flatMap((line, index) => {
    const isNew = seen.size !== seen.add(JSON.stringify(line)).size;
    if (isNew) return [];
    return [{ path: `lines[${index}].product_name`, message: say().notes.repeatedLine, code: 'repeated_line' }];
  });
}

/** A number of pieces in a name: "2 áo", "x2 Áo", "Áo x2", "Áo *2", "Áo 2 cái", "Áo (2 cái)"; "3CE son" and "set 2 món" have none. */
const PIECES =
  /^(?:[x×*] ?(\d{1,2}) +|(\d{1,2}) ?[x×] *)(?=\p{L})|(?<=\p{L} |[*] ?|\([x×*] ?|(?<!\p{L})sl:? ?)(?<!(?:set|combo|hộp|lốc|bộ|gói|túi|thùng|vỉ|bịch|pack|size|sz) )(\d{1,2})(?:(?<=[*] ?\d+|\([x×*] ?\d+|sl:? ?\d+)\)?| (?:cái|chiếc))$|^(\d{1,2}) +(?:cái|chiếc|bộ|đôi|cặp|hộp|gói|túi|chai|lọ|hũ|tuýp|áo|quần|váy|đầm|mũ|nón|khăn|son|kem|sp|món|c)(?!\p{L})|\((\d{1,2}) *(?:cái|chiếc|bộ|đôi|hộp|gói|túi|chai|lọ|áo|quần|c)\)$|(?:^|[^\p{L}\d])[x×] ?(\d{1,2})$|(?<=\D) \(?(\d{1,2}) ?[x×]\)?$|(?<=\p{L} ?)\((\d{1,2})\)$|(?<!\p{L})(?:sl|số lượng|so luong)[:=]? ?(\d{1,2})(?!\d)|(?<=\p{L}:? )(?:[x×*] ?(\d{1,2}) (?:hộp|gói|túi|chai|lọ|hũ|bộ|đôi|cặp|cây|con)|(?<!(?:set|combo|hộp|lốc|bộ|gói|túi|thùng|vỉ|bịch|pack) )(\d{1,2}) (?:cây|con|đôi|cặp|quyển|cuốn))$/iu;

/** One of several counts in a name: "1 áo 2 quần", "Áo x2 + Quần x1"; a set of them is one piece. */
const ONE_OF_SEVERAL =
  /(?<![\p{L}\d.,/-])(\d{1,2}) +(?:áo|quần|váy|đầm|chân váy|mũ|nón|khăn|túi|giày|dép|vớ|tất|son|kem|chai|hộp|gói)(?!\p{L})|(?<![\p{L}\d]|\d )[x×*] ?(\d{1,2})(?![\p{L}\d.,x×*])/giu;
const SET = /^(?:set|combo|bộ|hộp|gói|túi|giỏ|thùng|mua)(?!\p{L})/iu;

/** What pieces of the same goods differ in, and their numbers before or behind it: "2 đen, 1 trắng", "M(2) L(1)". */
const VARIANT =
  '(?<!\\p{L})(?:màu |size |sz )?(?:đen|trắng|đỏ|xanh|vàng|hồng|tím|nâu|be|xám|ghi|cam|rêu|nude|bạc|navy|black|white|red|blue|pink|x{0,3}[sl]|[2-5]xl|m)(?!\\p{L})';
const NUMBERED = [
  `(?<![\\p{L}\\d.,/(-]|(?:size|sz|số) )(?<count>[1-9]) (?:cái |chiếc |áo |quần )?(?<of>${VARIANT})`,
  `(?<of>${VARIANT})(?: (?!size|sz)\\p{L}+)? *(?:\\( ?(?<inside>1?\\d) ?\\)|[:=-]? ?(?<count>[1-9])(?: cái| chiếc)?(?= *(?:$|[,;+&](?!\\d)|\\n|(?:và )?${VARIANT})))`,
].map((source) => new RegExp(source, 'giu'));

/** The sum of the numbers of several variants; undefined unless there are two. */
function numberedIn(text: string): number | undefined {
  const found = NUMBERED.map((pattern) => {
    const each = [...text.matchAll(pattern)].map(({ groups = {} }) => groups);
    return new Map(each.map(({ of, count, inside }) => [of?.toLowerCase(), Number(count ?? inside)]));
  });
  const most = found.reduce((best, next) => (next.size > best.size ? next : best));
  return most.size < 2 ? undefined : [...most.values()].reduce((sum, count) => sum + count, 0);
}

/** Numbers in words, before what pieces are called. */
const WORDS = ['một', 'hai', 'ba', 'bốn', 'năm', 'sáu', 'bảy', 'tám', 'chín', 'mười'];
const IN_WORDS = new RegExp(`(?<!\\p{L})(?:${WORDS.join('|')})(?= (?:cái|chiếc)(?!\\p{L}))`, 'giu');

/** A line on which of them it is, and no other piece. */
const OF_VARIANT = /^(?:màu|mau|size|sz|cỡ|loại|phân loại|mẫu)(?!\p{L})/iu;

/** The number of pieces that a name counts; undefined where it counts none. */
const piecesIn = rememberingTexts((name): number | undefined => {
  const written = name.normalize('NFC').trim();
  const text = written.replaceAll(IN_WORDS, (word) => String(WORDS.indexOf(word.toLowerCase()) + 1));
  if (!/[\d\n]/.test(text)) return undefined;
  const all = SET.test(text) ? [] : [...text.matchAll(ONE_OF_SEVERAL)];
  if (all.length > 1) return all.reduce((sum, [, before, behind]) => sum + Number(before ?? behind), 0);
  const numbered = SET.test(text) ? undefined : numberedIn(text);
  if (numbered !== undefined) return numbered;
  const lines = text.split(/\s*\n\s*/u);
  if (lines.length > 1 && lines.every((line) => /^\p{L}[^\d:]*$/u.test(line) && !OF_VARIANT.test(line)))
    return lines.length;
  const found = PIECES.exec(text);
  return found === null ? undefined : Number(found.slice(1).find((each) => each !== undefined));
});

/** The code of such a note. */
export const PIECES_IN_NAME = 'pieces_in_name';

/** A name that counts its pieces otherwise than the quantity of its line. */
function pieceNotes(lines: unknown): Note[] {
  return recordsIn(lines).flatMap(({ product_name: name, quantity }, index) => {
    const pieces = typeof name === 'string' ? piecesIn(name) : undefined;
    if (pieces === undefined || typeof quantity !== 'number' || pieces === quantity || pieces < 2) return [];
    const message = say().notes.pieces({ pieces, quantity });
    return [{ path: `lines[${index}].product_name`, message, code: PIECES_IN_NAME }];
  });
}

/** A name of the caller's own that a service may refuse: ours does (decisions, section 2). */
function externalNotes(name: unknown): Note[] {
  if (typeof name !== 'string' || name === '' || /^[-._$#:\w]{2,100}$/.test(name)) return [];
  const message = say().notes.externalId;
  return [{ path: 'external_id', message, code: 'unusual_external_id' }];
}

/** What is unusual about an order: its own name, its goods, and more or less cash to collect than its total. */
export function orderNotes(value: unknown): Note[] {
  const { external_id: name, lines } = fieldsIn(value);
  return [
    ...externalNotes(name),
    ...nameNotes(lines),
    ...repeatNotes(lines),
    ...pieceNotes(lines),
    ...cashNotes(value),
    ...weightNotes(value),
  ];
}

/** Says of an order, by the code of a note, that less cash than its total is collected, and none of its fields says why. */
export const CASH_BELOW = 'cash_below_total';

/** More or less cash than an order's total (contract, Order and OrderShipping), and cash that lacks a digit of it. */
function cashNotes(value: unknown): Note[] {
  const { total_amount: total, payment_method: method = 'cod', shipping } = fieldsIn(value);
  const { cod_amount: cash } = fieldsIn(shipping);
  if (typeof total !== 'number' || typeof cash !== 'number') return [];
  const path = 'shipping.cod_amount';
  if (cash > 0 && cash * 10 === total)
    return [{ path, message: say().notes.cashTenth({ total }), code: 'cash_a_tenth' }];
  // No cash at all is of a parcel that is paid, and another method than on delivery says so too.
  if (cash > 0 && cash < total && method === 'cod')
    return [{ path, message: say().notes.cashBelow({ less: total - cash, total }), code: CASH_BELOW }];
  if (cash <= total) return [];
  const message = say().notes.cashAbove({ more: cash - total, total });
  return [{ path, message, code: 'cash_above_total' }];
}

/** From this weight on, in grams, a parcel is unusual: somebody may have written grams where kilograms were meant. */
const HEAVY = 100_000;
/** Below this weight, in grams, kilograms may have been meant. */
const LIGHT = 10;

/**
 * A parcel without a weight, which is quoted as the lightest: the carrier weighs it (contract, OrderShipping); and one whose
 * weight may be in another unit.
 */
function weightNotes(value: unknown): Note[] {
  const { gross_weight: gross, chargeable_weight: chargeable } = fieldsIn(fieldsIn(value).shipping);
  const path = 'shipping.gross_weight';
  if (typeof gross === 'number' && gross >= HEAVY)
    return [{ path, message: say().notes.heavy({ grams: gross }), code: 'heavy' }];
  if (typeof gross === 'number' && gross > 0 && gross < LIGHT)
    return [{ path, message: say().notes.light({ grams: gross }), code: 'light' }];
  if (gross !== 0 || (typeof chargeable === 'number' && chargeable > 0)) return [];
  return [{ path, message: say().notes.noWeight, code: 'no_weight' }];
}

/**
 * Checks every phone number, e-mail address, birthday and place in a request, as its schema declares, and what
 * `orderNotes` finds.
 */
export function likenessIn(schema: JsonSchema, value: unknown, looker: ReadyLooker): Seen {
  const seen: Seen = { errors: [], notes: [] };
  checkOf(schema)(value, [], looker, seen);
  seen.notes.push(...orderNotes(value));
  return seen;
}

/** `likenessIn`, which loads the places only if the request names one. */
export async function lookAt(schema: JsonSchema, value: unknown, { today, places }: Looker): Promise<Seen> {
  let named = false;
  const withoutPlaces = likenessIn(schema, value, {
    today,
    lookAtPlace: () => {
      named = true;
      return { level: 'province', look: fine };
    },
  });
  if (!named) return withoutPlaces;
  const tree = await places();
  return likenessIn(schema, value, { today, lookAtPlace: (written) => lookAtPlace(tree, written) });
}
