import { expectedTotals, type Totals } from '../../../../domain/amounts/totals.ts';
import { toAmount } from '../../../../domain/amounts/weight.ts';
import { shopOf } from '../../../engine/account.ts';
import type { Handlers, Work } from '../../../engine/call.ts';
import type { PlaceBook } from '../../../engine/places.ts';
import { invalid, notFound, Refusal } from '../../../engine/refusal.ts';
import type { Stored } from '../../../engine/store/rows.ts';
import { checkLines, checkSums, refusingAmounts, requireVariants, weigh } from '../../orders/check-content.ts';
import { rememberCustomer, requireExternalId } from '../../orders/customer-of-order.ts';
import { givenShipmentNames, liveOrNewest, type ShipmentNames } from '../../orders/find-shipment.ts';
import {
  heldNames,
  type Maker,
  type Order,
  type OrderAddress,
  type OrderHidden,
  updateOrder,
} from '../../orders/order-record.ts';
import { cancelled } from '../../orders/ship-order.ts';
import { carrierInfoOf } from '../../shipments/carriers.ts';
import {
  addressPath,
  type DeliveryOffer,
  priceDelivery,
  shipnowServiceOf,
  stopPath,
} from '../../shipments/delivery-price.ts';
import {
  type Delivery,
  type DeliveryInput,
  type DeliveryRecord,
  deliveryStates,
  deliveryStatus,
  inState,
  ordersOf,
  type Stop,
  type StopAddress,
  stateOf,
} from '../../shipments/move-delivery.ts';
import { orderStatus } from '../../shipments/shipping-states.ts';

/** A valid stop, with official place names, weight and sums computed. */
interface CheckedStop extends Stop {
  readonly chargeable_weight: number;
  readonly sums: Totals;
}

/** A valid delivery. */
interface CheckedDelivery {
  readonly pickup: StopAddress;
  readonly stops: readonly CheckedStop[];
}

const needed = ['full_name', 'phone', 'province', 'district', 'address'] as const;

/** Refuses a delivery with invalid addresses, goods or weights with 400 (contract, "ShipnowFulfillment"). */
function checkDelivery(places: PlaceBook, input: DeliveryInput): CheckedDelivery {
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
    sums: below(at, () => sumsOfStop(stop)),
  };
}

/** The sums of a stop's order; if it has lines, its basket value is computed from them. */
function sumsOfStop({ lines = [], basket_value: basketValue = 0 }: Stop): Totals {
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

/**
 * Cancels a delivery and the orders of its stops, which exist only for it; 412 from `delivering` on, and if it is
 * already cancelled (decisions, section 7). The reason may be absent.
 */
function cancelDelivery(work: Work, delivery: Delivery, reason = ''): void {
  const state = stateOf(delivery);
  if (!deliveryStates[state].cancellable) {
    const message = `the delivery is ${state}${state === 'cancelled' ? ' already' : ' and can no longer be cancelled'}`;
    throw new Refusal('failed_precondition', message, { shipping_state: state });
  }
  const given = reason.trim() === '' ? {} : { cancel_reason: reason.trim() };
  const { shipping } = deliveryStates.cancelled;
  for (const order of ordersOf(work, delivery)) {
    const stands = order.record.status !== 'N' ? { ...cancelled(work.time), ...given } : {};
    updateOrder(work, order, { ...stands, fulfillment_shipping_status: shipping });
  }
  work
    .records('shipnow_fulfillment', delivery.shopId)
    .update(delivery, { ...inState(delivery, 'cancelled'), ...given });
}

/**
 * The delivery that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5).
 * External ids of deliveries need not be unique: of several the live one is returned.
 */
function findDelivery(work: Work, shopId: string, names: ShipmentNames): Delivery {
  const given = Object.fromEntries(givenShipmentNames(names));
  const delivery = liveOrNewest(work.records('shipnow_fulfillment', shopId).find(given));
  if (delivery === undefined) throw notFound('delivery');
  return delivery;
}

/** shop.Shipnow: on-demand deliveries (contract, "ShipnowFulfillment"; decisions, section 7). */
export const handlers = {
  GetShipnowServices(input, call) {
    const offers = priceDelivery(call, shopOf(call.account).shopId, input);
    return { services: offers.map(shipnowServiceOf) };
  },
  CreateShipnowFulfillment(input, call) {
    return createDelivery(call, shopOf(call.account), input).record;
  },
  GetShipnowFulfillment(input, call) {
    return findDelivery(call, shopOf(call.account).shopId, input).shown;
  },
  CancelShipnowFulfillment(input, call) {
    const delivery = findDelivery(call, shopOf(call.account).shopId, input);
    cancelDelivery(call, delivery, input.cancel_reason);
    return { updated: 1 };
  },
} satisfies Handlers<typeof import('../../../../contract/shop/shipnow.ts')>;
