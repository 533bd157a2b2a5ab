import { describe, expect, it } from 'vitest';
import {
  AmountError,
  checkChargeable,
  computedWeight,
  fillChargeable,
  volumetricWeight,
} from '../../src/domain/amounts/weight.ts';
import { fc } from '../support/fast-check.ts';

const parcel = { gross_weight: 1200, length: 30, width: 25, height: 20 };

describe('weights', () => {
  it('divides the volume by 5 and rounds down', () => {
    expect(volumetricWeight(30, 25, 20)).toBe(3000);
    expect(volumetricWeight(3, 3, 1)).toBe(1);
    expect(volumetricWeight(2, 2, 1)).toBe(0);
    expect(volumetricWeight(30, null, undefined)).toBe(0);
  });

  it('computes the larger of gross and volumetric weight', () => {
    expect(computedWeight(parcel)).toBe(3000);
    expect(computedWeight({ ...parcel, gross_weight: 3001 })).toBe(3001);
    expect(computedWeight({ gross_weight: 500 })).toBe(500);
  });

  it('takes an absent, null or 0 chargeable weight as the computed one', () => {
    for (const given of [undefined, null, 0]) {
      expect(checkChargeable({ ...parcel, chargeable_weight: given })).toEqual({ ok: true, chargeable_weight: 3000 });
    }
  });

  it('lets a larger chargeable weight stand and refuses a smaller one', () => {
    expect(checkChargeable({ ...parcel, chargeable_weight: 5000 })).toEqual({ ok: true, chargeable_weight: 5000 });
    expect(checkChargeable({ ...parcel, chargeable_weight: 2999 })).toEqual({
      ok: false,
      given: 2999,
      minimum: 3000,
      formula: 'MAX(1200, 30 * 25 * 20 / 5)',
    });
  });

  it('fills what is missing and overwrites what is too small only when told to', () => {
    expect(fillChargeable(parcel)).toEqual({ ...parcel, chargeable_weight: 3000 });
    expect(fillChargeable({ ...parcel, chargeable_weight: 1 }).chargeable_weight).toBe(1);
    expect(fillChargeable({ ...parcel, chargeable_weight: 1 }, { overwrite: true }).chargeable_weight).toBe(3000);
    expect(fillChargeable({ shipping_note: 'x', gross_weight: null })).toEqual({
      shipping_note: 'x',
      gross_weight: null,
    });
  });

  it.each([
    [{ gross_weight: -1 }, 'gross_weight', 'negative'],
    [{ length: 1.5 }, 'length', 'not_an_integer'],
    [{ length: 2 ** 27, width: 2 ** 27, height: 10 }, 'volumetric_weight', 'overflow'],
    [{ chargeable_weight: -3 }, 'chargeable_weight', 'negative'],
  ])('refuses %j and names the field', (input, field, kind) => {
    expect(() => checkChargeable(input)).toThrow(AmountError);
    expect(() => checkChargeable(input)).toThrow(expect.objectContaining({ field, kind }));
  });

  it('accepts what it filled, for any parcel', () => {
    const grams = fc.option(fc.nat({ max: 100_000 }));
    const side = fc.option(fc.nat({ max: 300 }));
    const parcels = fc.record({ gross_weight: grams, length: side, width: side, height: side });
    fc.assert(
      fc.property(parcels, (any) => {
        const filled = checkChargeable(fillChargeable(any));
        expect(filled).toEqual({ ok: true, chargeable_weight: computedWeight(any) });
      }),
    );
  });
});
