import { type Amount, readSize, toAmount } from './amount.ts';

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
