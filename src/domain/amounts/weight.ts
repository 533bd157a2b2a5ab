import { type domainTexts, say } from '../texts.ts';

/** Why a number cannot be used in a sum. `overflow` means that the result, not an operand, leaves the safe range. */
type AmountErrorKind = keyof typeof domainTexts.noSum;

/**
 * Thrown by every sum in this layer when an operand or the result is not an exact integer. `field` is the path in the
 * wire's spelling (`lines[2].quantity`), `kind` the reason, from a closed list.
 */
export class AmountError extends Error {
  readonly field: string;
  readonly kind: AmountErrorKind;
  /** What is wrong with the field, in words that follow its name. */
  readonly fault: string;

  constructor(field: string, kind: AmountErrorKind) {
    const fault = say().noSum[kind];
    super(`${field} ${fault}`);
    this.name = 'AmountError';
    this.fault = fault;
    this.field = field;
    this.kind = kind;
  }
}

/** An integer as a request may hold it: an absent or null scalar counts as 0 (decisions, section 2). */
export type Amount = number | null | undefined;

/**
 * Reads one integer from the wire as a BigInt, so that no later step can round; absent and null are 0n. Throws
 * AmountError naming `field` for anything else: text, fractions, integers beyond the safe range.
 */
export function readAmount(value: Amount, field: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new AmountError(field, 'not_an_integer');
  if (!Number.isSafeInteger(value)) throw new AmountError(field, 'not_safe');
  return BigInt(value);
}

/** Like readAmount, for lengths and weights: a negative one throws AmountError kind `negative`. */
function readSize(value: Amount, field: string): bigint {
  const size = readAmount(value, field);
  if (size < 0n) throw new AmountError(field, 'negative');
  return size;
}

/** Converts a result back to a number; throws AmountError kind `overflow` if digits would be lost. */
export function toAmount(result: bigint, field: string): number {
  const amount = Number(result);
  if (!Number.isSafeInteger(amount)) throw new AmountError(field, 'overflow');
  return amount;
}

/** Kilograms with what is more than them: 1kg2 (1,200 g), 1kg25, 1kg200, and 1kg50g (1,050 g). */
const KILOGRAMS_AND = /^(\d{1,3})\s*(?:kg|ký|kí)\s*(\d{1,3})\s*(g|gr|gram)?$/u;
/** Tenths of a kilogram: 5 lạng. */
const LANG = /^(\d{1,3})(?:[.,](\d))?\s*(?:lạng|lang)$/u;

/** The grams of a weight that is said in two units, as 1kg2 is, or in lạng; undefined for any other text. */
export function gramsIn(written: string): number | undefined {
  const text = written.normalize('NFC').trim().toLowerCase();
  const [, kilograms, more = '', isInGrams] = KILOGRAMS_AND.exec(text) ?? [];
  if (kilograms !== undefined) return Number(kilograms) * 1000 + Number(isInGrams ? more : more.padEnd(3, '0'));
  const [, tenths, hundredths = 0] = LANG.exec(text) ?? [];
  return tenths === undefined ? undefined : Number(tenths) * 100 + Number(hundredths) * 10;
}

/** The fields that the weight rules use (contract, OrderShipping): weights in grams, sides in centimetres. */
export interface Parcel {
  gross_weight?: Amount;
  length?: Amount;
  width?: Amount;
  height?: Amount;
  chargeable_weight?: Amount;
}

/** `ok` carries the weight in force in grams; otherwise `minimum` is the least weight allowed, `formula` the sum. */
export type ChargeableCheck =
  | { ok: true; chargeable_weight: number }
  | { ok: false; given: number; minimum: number; formula: string };

/**
 * Volumetric weight in grams of a parcel with sides in centimetres: length * width * height / 5, rounded down
 * (contract, OrderShipping; decisions, section 7). Throws AmountError for a side that is not a natural number.
 */
export function volumetricWeight(length: Amount, width: Amount, height: Amount): number {
  const volume = readSize(length, 'length') * readSize(width, 'width') * readSize(height, 'height');
  return toAmount(volume / 5n, 'volumetric_weight');
}

/** MAX(gross, volumetric) in grams, the least chargeable weight (contract, OrderShipping). Throws AmountError. */
export function computedWeight(parcel: Parcel): number {
  const gross = toAmount(readSize(parcel.gross_weight, 'gross_weight'), 'gross_weight');
  return Math.max(gross, volumetricWeight(parcel.length, parcel.width, parcel.height));
}

/**
 * Checks chargeable_weight: absent or 0 becomes the computed weight, a larger one is kept, a smaller one is a mismatch
 * (decisions, section 7). Throws AmountError if a number is not a natural number.
 */
export function checkChargeable(parcel: Parcel): ChargeableCheck {
  const minimum = computedWeight(parcel);
  const given = toAmount(readSize(parcel.chargeable_weight, 'chargeable_weight'), 'chargeable_weight');
  if (given === 0) return { ok: true, chargeable_weight: minimum };
  if (given >= minimum) return { ok: true, chargeable_weight: given };
  const { gross_weight: gross, length, width, height } = parcel;
  const formula = `MAX(${gross ?? 0}, ${length ?? 0} * ${width ?? 0} * ${height ?? 0} / 5)`;
  return { ok: false, given, minimum, formula };
}

/**
 * Returns a copy with chargeable_weight (grams) filled in if it is absent, null or 0; one that is too small is kept for
 * `checkChargeable` to report, or replaced with `{overwrite: true}`. A parcel without any measurement stays unchanged:
 * writing 0 would claim a known weight. Throws AmountError.
 */
export function fillChargeable<Shipping extends Parcel>(
  parcel: Shipping,
  options: { overwrite?: boolean | undefined } = {},
): Shipping {
  const check = checkChargeable(parcel);
  if (!check.ok) return options.overwrite ? { ...parcel, chargeable_weight: check.minimum } : { ...parcel };
  return check.chargeable_weight === 0 ? { ...parcel } : { ...parcel, chargeable_weight: check.chargeable_weight };
}
