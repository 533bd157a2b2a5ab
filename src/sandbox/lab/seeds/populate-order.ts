import { fillTotals } from '../../../domain/amounts/totals.ts';
import type { Work } from '../../engine/call.ts';
import { invalid } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { cancelOrder } from '../../service/orders/cancel-order.ts';
import { refusingAmounts, weigh } from '../../service/orders/check-content.ts';
import { confirmOrder } from '../../service/orders/confirm-order.ts';
import { createOrder, type OrderInput } from '../../service/orders/create-order.ts';
import type { Maker, OrderAddress } from '../../service/orders/order-record.ts';
import { quote, shipOrder } from '../../service/orders/ship-order.ts';
import { movingParcel } from '../../service/shipments/moving-parcel.ts';
import { type MoveStep, type Moving, RECONCILED, type Target } from '../../service/shipments/shipping-states.ts';
import type { OrderLineSeed, OrderSeed } from './seed-content.ts';

/** What happens next to an order after its creation, and when. */
export interface NextOfOrder {
  /** Milliseconds since 1970. */
  readonly at: number;
  happen(work: Work): NextOfOrder | undefined;
}

const HOUR = 3_600_000;
/** How long after its creation an order is cancelled. */
const CANCELLED_AFTER = 2 * HOUR;

/** Where orders are populated. */
export interface Field {
  readonly maker: Maker;
  /** Where parcels are picked up if an order does not say. */
  readonly warehouse: OrderAddress | undefined;
  /** Steps after this time are not taken, milliseconds since 1970; all of them when absent. */
  readonly until?: number | undefined;
}

/** Creates an order with the code of the operations, and returns what happens to it next. */
export function populateOrder(
  work: Work,
  { maker, warehouse, until }: Field,
  seed: OrderSeed,
): NextOfOrder | undefined {
  const { hours_ago: _, hours_late: late = {}, customer, partner: __, service, ...rest } = seed;
  const { state = 'new', cancel_reason: reason, ...fields } = rest;
  const address = customer === undefined ? {} : addressesOf(work, maker.shopId, customer);
  const lines = fields.lines.map((line, index) => lineOf(work, maker.shopId, line, index));
  const order = refusingAmounts('', () => fillTotals({ ...address, ...fields, lines })) as OrderInput;
  const ships = service !== undefined;
  if (!ships && state !== 'new' && state !== 'confirmed' && state !== 'cancelled') {
    throw invalid('service', `is missing: an order that is ${state} has a shipment`);
  }
  if (!ships) {
    const made = createOrder(work, maker, order, { ships });
    if (state === 'confirmed') confirm(work, made);
    return state === 'cancelled' ? cancelling(work, maker, made.id, reason) : undefined;
  }
  const shipped = withService(work, maker.shopId, order, warehouse, service);
  const { order: made, shipment } = shipOrder(work, createOrder(work, maker, shipped, { ships }));
  if (state === 'cancelled') return cancelling(work, maker, made.id, reason);
  if (state === 'new' || state === 'confirmed' || state === 'created') return undefined;
  return wayOf(movingParcel(work, shipment), { state }, { from: work.now, until, late });
}

function confirm(work: Work, order: Stored<'order'>): void {
  const stock = { inventory_policy: 'obey', auto_inventory_voucher: 'create' } as const;
  confirmOrder(work, order.shopId, { order_id: order.id, ...stock });
}

function cancelling(
  work: Work,
  maker: Maker,
  id: string,
  cancel_reason = 'The customer changed their mind',
): NextOfOrder {
  return {
    at: work.now + CANCELLED_AFTER,
    happen(later) {
      cancelOrder(later, maker, { id, cancel_reason });
      return undefined;
    },
  };
}

/** When the way of a shipment begins and ends, and how late it is at each state. */
interface Pace {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number | undefined;
  readonly late: Readonly<Record<string, number | undefined>>;
}

/**
 * The way of a shipment, each step at the time at which it would take it by itself. Only steps that can still be seen
 * at the end are taken: the last one, and the delivery that is paid for later.
 */
function wayOf(shipment: Moving, target: Target, { from, until, late }: Pace): NextOfOrder | undefined {
  const way: { readonly step: MoveStep; readonly at: number }[] = [];
  let at = from;
  for (const step of shipment.stepsTo(target) ?? []) {
    at = shipment.dueOf(step, at) + (late[step.state] ?? 0) * HOUR;
    if (until !== undefined && at > until) break;
    way.push({ step, at });
  }
  const seen = way.filter((_, index) => index === way.length - 1 || way[index + 1]?.step.state === RECONCILED);
  const following = (index: number): NextOfOrder | undefined => {
    const next = seen[index];
    return (
      next && {
        at: next.at,
        happen(work) {
          const stored = work.records('fulfillment', shipment.shopId).get(shipment.id);
          if (stored !== undefined) movingParcel(work, stored).take(next.step);
          return following(index + 1);
        },
      }
    );
  };
  return following(0);
}

/** Both addresses of an order: the first one of the customer with that phone number. */
function addressesOf(work: Work, shopId: string, phone: string) {
  const [customer] = work.records('customer', shopId).find({ phone });
  const [stored] = customer ? work.records('customer_address', shopId).find({ customer_id: customer.id }) : [];
  if (stored === undefined) throw invalid('customer', `names nobody with an address: ${JSON.stringify(phone)}`);
  const { full_name, email, company, province, district, ward, address1, address2 } = stored.record;
  const address = {
    full_name,
    phone: stored.record.phone,
    email,
    company,
    province,
    district,
    ward,
    address1,
    address2,
  };
  return { customer_address: address, shipping_address: address };
}

function lineOf(work: Work, shopId: string, line: OrderLineSeed, index: number): OrderInput['lines'][number] {
  if (!('variant' in line)) return line;
  const [variant] = work.records('variant', shopId).find({ code: line.variant });
  const product = variant && work.records('product', shopId).get(variant.record.product_id ?? '');
  if (variant === undefined || product === undefined) {
    throw invalid(`lines[${index}].variant`, `names no variant of the shop: ${JSON.stringify(line.variant)}`);
  }
  const { record } = variant;
  const retail_price = record.retail_price ?? product.record.retail_price ?? 0;
  return {
    product_name: product.record.name ?? record.name ?? '',
    quantity: line.quantity,
    list_price: record.list_price ?? retail_price,
    retail_price,
    payment_price: line.payment_price ?? retail_price,
    attributes: (record.attributes ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' })),
    product_id: product.id,
    variant_id: variant.id,
  };
}

const isCarrier = (service: string) => service !== 'cheapest' && service !== 'fastest';

/** The order with a service from its quote, picked up at the warehouse unless the order says otherwise. */
function withService(
  work: Work,
  shopId: string,
  order: OrderInput,
  warehouse: OrderAddress | undefined,
  service: NonNullable<OrderSeed['service']>,
): OrderInput {
  const { shipping = {} } = order;
  const pickup = shipping.pickup_address ?? warehouse;
  if (pickup === undefined) throw invalid('shipping.pickup_address', 'is missing, and the shop has no warehouse');
  const chargeable_weight = weigh(shipping, 'shipping.');
  const offers = quote(work, shopId, {
    pickup_address: pickup,
    shipping_address: order.shipping_address ?? {},
    chargeable_weight,
    basket_value: order.basket_value,
    cod_amount: shipping.cod_amount,
    include_insurance: shipping.include_insurance,
  });
  const among = isCarrier(service) ? offers.filter(({ carrier }) => carrier.code === service) : offers;
  const [offer] = [...among].sort((one, other) =>
    service === 'fastest' ? one.deliveryAt - other.deliveryAt : one.fee - other.fee,
  );
  if (offer === undefined) {
    throw invalid('service', isCarrier(service) ? `is not offered there: ${service}` : 'no carrier goes there');
  }
  const { code: shipping_service_code, fee: shipping_service_fee } = offer;
  const chosen = { pickup_address: pickup, chargeable_weight, shipping_service_code, shipping_service_fee };
  return { ...order, shipping: { try_on: 'open', ...shipping, ...chosen } };
}
