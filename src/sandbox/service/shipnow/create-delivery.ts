import { toAmount } from '../../../domain/amounts/amount.ts';
import { invalid } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { carrierInfoOf } from '../carriers/carriers.ts';
import { refusingAmounts } from '../orders/content/check-lines.ts';
import { requireVariants } from '../orders/content/require-variants.ts';
import { type Maker, updateOrder } from '../orders/order-record.ts';
import { orderStatus } from '../shipments/shipping-states.ts';
import { type CheckedStop, checkDelivery } from './check-delivery.ts';
import type { Delivery, DeliveryInput, DeliveryRecord } from './delivery-record.ts';
import { deliveryStates, deliveryStatus } from './delivery-states.ts';
import { createOrderOfStop } from './offers/order-of-stop.ts';
import { type DeliveryOffer, priceDelivery, stopPath } from './offers/price.ts';

/**
 * Creates an on-demand delivery with one order for each of its stops (decisions, section 7). It is priced again by its
 * coordinates; if code or fee do not match, it is refused with 400 and nothing is kept.
 */
export function createDelivery(work: Work, maker: Maker, input: DeliveryInput): Delivery {
  const delivery = checkDelivery(work.places, input);
  for (const [index, { lines = [] }] of delivery.stops.entries()) {
    requireVariants(work, maker.shopId, lines, `${stopPath(index)}.`);
  }
  const offer = chosenOffer(work, maker.shopId, input);
  const id = work.nextId();
  const orders: Stored<'order'>[] = [];
  for (const stop of delivery.stops) orders.push(createOrderOfStop(work, maker, stop, { id, delivery, offer }));

  const { external_id, coupon, shipping_note } = input;
  const record: DeliveryRecord = {
    id,
    order_ids: orders.map((order) => order.id),
    external_id,
    coupon,
    shipping_note,
    shipping_code: work.nextCode(maker.shopId, 'SN'),
    shipping_service_code: offer.code,
    shipping_service_name: offer.service.name,
    shipping_service_description: offer.service.description,
    shipping_service_fee: offer.fee,
    carrier_info: carrierInfoOf(offer.service.carrier),
    ...sumsOf(delivery.stops),
    confirm_status: 'P',
    shipping_state: 'created',
    shipping_status: deliveryStates.created.shipping,
    status: deliveryStatus('created', 'Z'),
    pickup_address: delivery.pickup,
    delivery_points: delivery.stops.map(pointOf),
  };
  const made = work.records('shipnow_fulfillment', maker.shopId).insert(record, { partnerId: maker.partnerId });
  for (const order of orders) confirm(work, order);
  return made;
}

function chosenOffer(work: Work, shopId: string, input: DeliveryInput): DeliveryOffer {
  const offers = priceDelivery(work, shopId, input);
  const { shipping_service_code: given, shipping_service_fee: fee } = input;
  const offer = offers.find(({ code }) => code === given);
  if (offer === undefined) {
    throw invalid('shipping_service_code', 'is no service that is offered for this delivery', { given });
  }
  if (offer.fee === fee) return offer;
  const [expected, was] = [String(offer.fee), String(fee)];
  throw invalid('shipping_service_fee', `is ${was}, the quote says ${expected}`, { expected, given: was });
}

/** The total amounts and weights of all stops. */
function sumsOf(stops: readonly CheckedStop[]): DeliveryRecord {
  const sum = (field: string, amountOf: (stop: CheckedStop) => number) =>
    refusingAmounts('', () => toAmount(stops.map(amountOf).map(BigInt).reduce(plus, 0n), field));
  return {
    basket_value: sum('basket_value', ({ sums }) => sums.basket_value),
    cod_amount: sum('cod_amount', ({ cod_amount = 0 }) => cod_amount),
    gross_weight: sum('gross_weight', ({ gross_weight = 0 }) => gross_weight),
    chargeable_weight: sum('chargeable_weight', ({ chargeable_weight }) => chargeable_weight),
  };
}

function plus(one: bigint, other: bigint): bigint {
  return one + other;
}

/** A stop as stored; its state is the same as the delivery's. */
function pointOf({ sums, gross_weight = 0, cod_amount = 0, ...stop }: CheckedStop) {
  const { basket_value } = sums;
  return { ...stop, gross_weight, cod_amount, basket_value, shipping_state: 'created' as const };
}

function confirm(work: Work, order: Stored<'order'>): void {
  const { shipping } = deliveryStates.created;
  updateOrder(work, order, {
    status: orderStatus({ cancelled: false, confirmed: true, shipping, payment: 'Z' }),
    confirm_status: 'P',
    fulfillment_shipping_status: shipping,
    confirmed_at: work.time,
    processed_at: work.time,
  });
}
