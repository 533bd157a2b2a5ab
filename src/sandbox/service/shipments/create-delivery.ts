import { toAmount } from '../../../domain/amounts/weight.ts';
import type { Work } from '../../engine/call.ts';
import { invalid } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { refusingAmounts, requireVariants } from '../orders/check-content.ts';
import { rememberCustomer } from '../orders/customer-of-order.ts';
import {
  heldNames,
  type Maker,
  type Order,
  type OrderAddress,
  type OrderHidden,
  updateOrder,
} from '../orders/order-record.ts';
import { carrierInfoOf } from './carriers.ts';
import { type CheckedDelivery, type CheckedStop, checkDelivery } from './check-delivery.ts';
import { type DeliveryOffer, priceDelivery, stopPath } from './delivery-price.ts';
import type { Delivery, DeliveryInput, DeliveryRecord, StopAddress } from './move-delivery.ts';
import { deliveryStates, deliveryStatus } from './move-delivery.ts';
import { orderStatus } from './shipping-states.ts';

/** The delivery that an order belongs to. */
interface OrderOfDelivery {
  readonly id: string;
  readonly delivery: CheckedDelivery;
  readonly offer: DeliveryOffer;
}

/** Creates the order of one stop, waiting for confirmation, and its customer (decisions, section 7: one order each). */
function createOrderOfStop(
  work: Work,
  maker: Maker,
  stop: CheckedStop,
  { id, delivery, offer }: OrderOfDelivery,
): Stored<'order'> {
  const address = orderAddressOf(stop.shipping_address);
  const pickup = orderAddressOf(delivery.pickup);
  const order: Order = {
    customer_address: address,
    shipping_address: address,
    lines: stop.lines ?? [],
    fee_lines: [],
    order_discount: 0,
    ...stop.sums,
    shipping: {
      pickup_address: pickup,
      return_address: pickup,
      shipping_service_code: offer.code,
      shipping_service_name: offer.service.name,
      carrier: offer.service.carrier.code,
      shipping_note: stop.shipping_note,
      cod_amount: stop.cod_amount ?? 0,
      gross_weight: stop.gross_weight ?? 0,
      chargeable_weight: stop.chargeable_weight,
    },
    status: 'Z',
    confirm_status: 'Z',
    platform_payment_status: 'Z',
    fulfillment_shipping_status: 'Z',
    pre_order: false,
  };
  const code = work.nextCode(maker.shopId, 'DH');
  const customer = rememberCustomer(work, maker.shopId, address);
  const hidden: OrderHidden = { customer_id: customer.id, shipnow_id: id };
  return work
    .records('order', maker.shopId)
    .insert({ ...order, code }, { keys: heldNames(maker, order), hidden: { ...hidden }, partnerId: maker.partnerId });
}

/** A delivery's address as an order's address, which has no coordinates. */
function orderAddressOf({ address, coordinates: _, ...rest }: StopAddress): OrderAddress {
  return { ...rest, address1: address };
}

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
