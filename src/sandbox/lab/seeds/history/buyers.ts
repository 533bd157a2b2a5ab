import type { OrderAddress } from '../../../service/orders/order-record.ts';
import { personName } from '../demo/people.ts';
import { demoPlaces } from '../demo/places.ts';
import type { Shares } from './shares.ts';

/** The share of orders whose buyer is new. */
const NEW = 0.3;

const phoneOf = (number: number) => `09${String(10_000_000 + number * 137).slice(-8)}`;

/**
 * Draws the buyer of each order: someone new, or one of those before. Names and numbers are invented, the places are
 * real; `first` keeps the phone numbers of two shops apart.
 */
export function buyers(first: number, shares: Shares): () => OrderAddress {
  const known: OrderAddress[] = [];
  return () => {
    // Those who bought lately come again more often.
    const again = known[Math.floor(known.length * Math.sqrt(shares.next()))];
    if (again !== undefined && !shares.isOne(NEW)) return again;
    const [province, district, ward, street] = shares.pick(demoPlaces);
    const buyer = {
      full_name: personName(shares.pick, shares.isOne(0.6)),
      phone: phoneOf(first + known.length),
      province,
      district,
      ward,
      address1: `${1 + shares.below(190)} ${street}`,
    };
    known.push(buyer);
    return buyer;
  };
}
