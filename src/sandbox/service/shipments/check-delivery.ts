import { expectedTotals, type Totals } from '../../../domain/amounts/totals.ts';
import type { PlaceBook } from '../../engine/places.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import { checkLines, checkSums, refusingAmounts, weigh } from '../orders/check-content.ts';
import { requireExternalId } from '../orders/customer-of-order.ts';
import { addressPath, stopPath } from './delivery-price.ts';
import type { DeliveryInput, Stop, StopAddress } from './move-delivery.ts';

/** A valid stop, with official place names, weight and sums computed. */
export interface CheckedStop extends Stop {
  readonly chargeable_weight: number;
  readonly sums: Totals;
}

/** A valid delivery. */
export interface CheckedDelivery {
  readonly pickup: StopAddress;
  readonly stops: readonly CheckedStop[];
}

const needed = ['full_name', 'phone', 'province', 'district', 'address'] as const;

/** Refuses a delivery with invalid addresses, goods or weights with 400 (contract, "ShipnowFulfillment"). */
export function checkDelivery(places: PlaceBook, input: DeliveryInput): CheckedDelivery {
  requireExternalId(input.external_id ?? '');
  return {
    pickup: checkAddress(places, input.pickup_address, 'pickup_address'),
    stops: input.delivery_points.map((stop, index) => checkStop(places, stop, index)),
  };
}

function checkAddress(places: PlaceBook, address: StopAddress, path: string): StopAddress {
  for (const field of needed) {
    if (address[field].trim() === '') throw invalid(`${path}.${field}`, 'is missing');
  }
  return places.canonical(address, path);
}

function checkStop(places: PlaceBook, stop: Stop, index: number): CheckedStop {
  const at = `${stopPath(index)}.`;
  return {
    ...stop,
    shipping_address: checkAddress(places, stop.shipping_address, addressPath(index)),
    chargeable_weight: weigh(stop, at),
    sums: below(at, () => sumsOf(stop)),
  };
}

/** The sums of a stop's order; if it has lines, its basket value is computed from them. */
function sumsOf({ lines = [], basket_value: basketValue = 0 }: Stop): Totals {
  if (basketValue < 0) throw invalid('basket_value', 'must not be negative');
  if (lines.length === 0) {
    return { total_items: 0, basket_value: basketValue, total_discount: 0, total_fee: 0, total_amount: basketValue };
  }
  checkLines({ lines });
  const expected = refusingAmounts('', () => expectedTotals({ lines }));
  return checkSums({ ...expected, lines, basket_value: basketValue || expected.basket_value });
}

/** Runs a check on a part of the request; a refusal gets the complete path of the field. */
function below<Result>(prefix: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    const field = error instanceof Refusal ? error.meta.field : undefined;
    if (!(error instanceof Refusal) || field === undefined) throw error;
    throw new Refusal(error.code, prefix + error.message, { ...error.meta, field: prefix + field });
  }
}
