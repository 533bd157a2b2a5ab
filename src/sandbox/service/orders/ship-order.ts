import { wireTime } from '../../engine/business-clock.ts';
import type { Work } from '../../engine/call.ts';
import type { PlaceBook, PlaceNames } from '../../engine/places.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { orderShippingStatus, orderStatus, shipmentStatus, shippingStates } from '../shipments/shipping-states.ts';
import { type Offer, offersFor, type TariffPlace } from '../shipments/tariff.ts';
import { weigh } from './check-content.ts';
import { type Order, type OrderShipping, updateOrder } from './order-record.ts';

/** The input for a quote (contract, GetShippingServices). */
interface QuoteRequest {
  readonly pickup_address: PlaceNames;
  readonly shipping_address: PlaceNames;
  readonly chargeable_weight?: number | undefined;
  readonly gross_weight?: number | undefined;
  readonly length?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly basket_value?: number | undefined;
  readonly cod_amount?: number | undefined;
  /** Defaults to yes. */
  readonly include_insurance?: boolean | undefined;
}

/** The offers for a parcel of a shop. Refuses unknown places and invalid weights and amounts with 400. */
export function quote(work: Work, shopId: string, request: QuoteRequest): readonly Offer[] {
  const { basket_value = 0, cod_amount = 0, include_insurance = true } = request;
  for (const [field, amount] of Object.entries({ basket_value, cod_amount })) {
    if (amount < 0) throw invalid(field, 'must not be negative');
  }
  const places = work.places;
  const consignment = {
    from: placeOf(places, request.pickup_address, 'pickup_address'),
    to: placeOf(places, request.shipping_address, 'shipping_address'),
    chargeableWeightGrams: weigh(request),
    insuredValue: include_insurance ? basket_value : 0,
    cashOnDelivery: cod_amount,
  };
  return offersFor(shopId, consignment, places.tree, work.now);
}

function placeOf(places: PlaceBook, names: PlaceNames, path: string): TariffPlace {
  const { province, district } = places.canonical(names, path);
  return { province: province ?? '', district: district ?? '' };
}

/** An order that was handed to its carrier, with its only shipment. */
export interface Shipped {
  readonly order: Stored<'order'>;
  readonly shipment: Stored<'fulfillment'>;
}

/**
 * Hands a waiting order to its carrier and confirms it. Its service is quoted again, with its own weight, places,
 * basket, cash and insurance: if code, fee, carrier or connection do not match, the order is cancelled with that
 * reason, which frees its names, and the call is refused with 400 (decisions, section 7).
 */
export function shipOrder(work: Work, order: Stored<'order'>): Shipped {
  const shipping = order.record.shipping as OrderShipping;
  const offer = offerOrCancellation(work, order, shipping);
  const shipped: OrderShipping = {
    ...shipping,
    shipping_service_name: offer.service.name,
    carrier: offer.carrier.code,
    connection_id: offer.carrier.connectionId,
  };
  const shipment = createShipment(work, order, shipped, offer);
  const shippingStatus = orderShippingStatus(['created']);
  const confirmed = updateOrder(work, order, {
    shipping: shipped,
    status: orderStatus({ cancelled: false, confirmed: true, shipping: shippingStatus, payment: 'Z' }),
    confirm_status: 'P',
    fulfillment_shipping_status: shippingStatus,
    confirmed_at: work.time,
    processed_at: work.time,
  });
  return { order: confirmed, shipment };
}

/** The fields of an order that is cancelled at a given time. */
export function cancelled(time: string): Order {
  return { status: 'N', confirm_status: 'N', cancelled_at: time, closed_at: time };
}

function offerOrCancellation(work: Work, order: Stored<'order'>, shipping: OrderShipping): Offer {
  try {
    return chosenOffer(work, order, shipping);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    updateOrder(work, order, { ...cancelled(work.time), cancel_reason: error.message });
    throw new Refusal(error.code, error.message, { ...error.meta, order_id: order.id }, true);
  }
}

function chosenOffer(work: Work, { shopId, record }: Stored<'order'>, shipping: OrderShipping): Offer {
  const offers = quote(work, shopId, {
    pickup_address: shipping.pickup_address ?? {},
    shipping_address: record.shipping_address ?? {},
    chargeable_weight: shipping.chargeable_weight,
    basket_value: record.basket_value ?? 0,
    // Null in the record if absent in the request.
    cod_amount: shipping.cod_amount ?? 0,
    include_insurance: shipping.include_insurance,
  });
  const offer = offers.find(({ code }) => code === shipping.shipping_service_code);
  if (offer === undefined) {
    const given = shipping.shipping_service_code ?? '';
    throw invalid('shipping.shipping_service_code', 'is no service that is offered for this parcel', { given });
  }
  requireMatch('shipping_service_fee', String(shipping.shipping_service_fee ?? 0), String(offer.fee));
  if (shipping.carrier) requireMatch('carrier', shipping.carrier, offer.carrier.code);
  const connection = shipping.connection_id ?? '0';
  if (connection !== '0') requireMatch('connection_id', connection, offer.carrier.connectionId);
  return offer;
}

function requireMatch(field: string, given: string, expected: string): void {
  if (given === expected) return;
  throw invalid(`shipping.${field}`, `is ${given}, the quote says ${expected}`, { expected, given });
}

function createShipment(
  work: Work,
  order: Stored<'order'>,
  shipping: OrderShipping,
  offer: Offer,
): Stored<'fulfillment'> {
  const { record, shopId } = order;
  const shippingCode = work.nextCode(shopId, offer.carrier.code.slice(0, 2).toUpperCase());
  return work.records('fulfillment', shopId).insert(
    {
      order_id: order.id,
      carrier: shipping.carrier,
      shipping_code: shippingCode,
      shipping_note: shipping.shipping_note,
      shipping_service_code: shipping.shipping_service_code,
      shipping_service_name: shipping.shipping_service_name,
      shipping_service_fee: shipping.shipping_service_fee,
      cod_amount: shipping.cod_amount ?? 0,
      basket_value: record.basket_value,
      chargeable_weight: shipping.chargeable_weight,
      total_items: record.total_items,
      include_insurance: shipping.include_insurance,
      try_on: shipping.try_on,
      confirm_status: 'P',
      platform_payment_status: 'Z',
      shipping_status: shippingStates.created.shipping,
      status: shipmentStatus('created', 'Z'),
      shipping_state: 'created',
      shipping_substate: '',
      pickup_address: shipping.pickup_address,
      return_address: shipping.return_address,
      shipping_address: record.shipping_address,
      estimated_pickup_at: wireTime(offer.pickupAt),
      estimated_delivery_at: wireTime(offer.deliveryAt),
    },
    { keys: { external_id: record.external_id ?? null }, partnerId: order.partnerId },
  );
}
