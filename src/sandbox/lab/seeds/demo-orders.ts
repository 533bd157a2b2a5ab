import { entryAt } from '../../../domain/json/keys-of.ts';
import { type Random, randomBelow } from '../../engine/store/ids.ts';
import type { OrderSeed, ShopSeed } from './seed-content.ts';

type State = NonNullable<OrderSeed['state']>;

/**
 * The age of an order in each state, in hours, and whether a carrier has it: old enough for the slowest carrier to have
 * reached that state.
 */
const ages: Readonly<Record<State, readonly [least: number, most: number, ships: boolean]>> = {
  new: [1, 20, false],
  confirmed: [4, 40, false],
  cancelled: [100, 400, true],
  created: [1, 2, true],
  picking: [16, 28, true],
  holding: [32, 60, true],
  delivering: [160, 190, true],
  delivered: [200, 260, true],
  reconciled: [400, 760, true],
  returning: [300, 500, true],
  returned: [500, 700, true],
  undeliverable: [300, 500, true],
};

/** The states of the orders in turn, with their frequency; most end well. */
const mix: readonly State[] = [
  'reconciled',
  'delivered',
  'new',
  'confirmed',
  'created',
  'cancelled',
  'picking',
  'reconciled',
  'holding',
  'delivering',
  'returned',
  'reconciled',
  'returning',
  'undeliverable',
  'delivered',
  'new',
];

/** This many orders of the customers, in all states. */
export function demoOrders(
  count: number,
  { customers = [], products = [] }: Pick<ShopSeed, 'customers' | 'products'>,
  chance: Random,
): OrderSeed[] {
  const below = (limit: number) => randomBelow(chance, limit);
  const variants = products.flatMap(({ variants: of = [] }) => of);
  return Array.from({ length: count }, (_, index): OrderSeed => {
    const state = entryAt(mix, index % mix.length);
    const [least, most, ships] = ages[state];
    // Confirmation takes goods from the stock, so only variants with enough of it are sold.
    const sellable = variants.filter(({ stock = 0 }) => stock >= 20);
    const lines = Array.from({ length: 1 + below(3) }, (_, line) => {
      const { code = '', retail_price: price = 0 } = sellable[(below(sellable.length) + line) % sellable.length] ?? {};
      return {
        variant: code,
        quantity: 1 + below(3),
        payment_price: below(4) === 0 ? Math.round(price * 0.0009) * 1000 : price,
      };
    });
    const isCash = below(3) > 0;
    const fee = 15_000 + below(4) * 5000;
    const total = lines.reduce((sum, { quantity, payment_price }) => sum + quantity * payment_price, fee);
    const cancelled = ['Khách đổi ý', 'Hết hàng', 'Sai địa chỉ'][below(3)];
    return {
      customer: customers[below(customers.length)]?.phone ?? '',
      external_code: `WEB-${String(1001 + index)}`,
      lines,
      fee_lines: [{ type: 'shipping', name: 'Phí giao hàng', amount: fee }],
      payment_method: isCash ? 'cod' : 'bank',
      state,
      hours_ago: least + below(most - least),
      ...(state === 'cancelled' && cancelled ? { cancel_reason: cancelled } : {}),
      ...(index % 6 === 2 ? { order_note: 'Gói quà giúp em' } : {}),
      ...(ships
        ? {
            service: below(3) === 0 ? 'fastest' : 'cheapest',
            shipping: {
              gross_weight: 300 + below(20) * 100,
              cod_amount: isCash ? total : 0,
              try_on: below(2) === 0 ? 'open' : 'none',
              shipping_note: 'Giao giờ hành chính',
            },
          }
        : {}),
    };
  });
}
