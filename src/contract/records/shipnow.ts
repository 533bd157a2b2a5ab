import * as enums from '../enums.ts';
import { grams, id, list, lookedAt, money, nested, oneOf, record, requiring, text, time } from '../schema/scalars.ts';
import { completeCoordinates, coordinates, placeNames } from './address.ts';
import { newOrderLine, orderLine } from './order.ts';
import { carrierInfo } from './service.ts';

const { ward, ...place } = { ...placeNames, address: text('Street address') };
const onTheMap = 'Where it is on the map';

const person = { full_name: text('Full name of the person'), phone: lookedAt('phone', 'Phone number') };
const personRest = { company: text('Company'), email: lookedAt('email', 'Email address') };

/** An address of an on-demand delivery (contract, "ShipnowAddress"). */
export const shipnowAddress = requiring(
  { ...person, ...place, coordinates: nested(completeCoordinates, onTheMap) },
  { ...personRest, ward },
);

/** An address for pricing a delivery (contract, GetShipnowServices). */
const pricedAddress = record({ ...place, ward, coordinates: nested(coordinates, onTheMap) });

const grossWeight = grams('Actual weight');
const codAmount = money('Cash to collect from the buyer');

const parcel = {
  basket_value: money('Value of the goods'),
  chargeable_weight: grams('Weight that is charged for'),
  shipping_note: text('Note for the driver'),
};

const deliveryAddress = nested(shipnowAddress, 'Where the parcel goes');

/** A stop of an on-demand delivery in a response (contract, "ShipnowDeliveryPoint"). */
const deliveryPoint = requiring(
  { gross_weight: grossWeight, cod_amount: codAmount },
  {
    ...parcel,
    lines: list(orderLine, 'What is delivered'),
    shipping_address: deliveryAddress,
    shipping_state: oneOf(enums.shipnowState, 'Where this parcel is on its way'),
  },
);

const newDeliveryPoint = requiring(
  { shipping_address: deliveryAddress },
  { gross_weight: grossWeight, cod_amount: codAmount, ...parcel, lines: list(newOrderLine, 'What is delivered') },
);

const pickup = nested(shipnowAddress, 'Where the driver picks up');
const coupon = text('Code of a coupon');
const externalId = text("Id of the delivery in the caller's system");
const serviceCode = text('Code of the service, as priced');

/** An on-demand delivery (contract, "ShipnowFulfillment"). */
export const shipnowFulfillment = record({
  id: id('Id of the delivery'),
  shop_id: id('Id of the shop'),
  order_ids: list(id('Id of an order'), 'Ids of its orders, one for each delivery point'),
  external_id: externalId,
  coupon,
  shipping_code: text("The carrier's code of the delivery"),
  shipping_note: text('Note for the driver'),
  shipping_service_code: serviceCode,
  shipping_service_name: text('Name of the service'),
  shipping_service_description: text('Description of the service'),
  shipping_service_fee: money('What the shop was quoted'),
  actual_shipping_service_fee: money('What the carrier charged'),
  shipping_shared_link: text('URL where the delivery can be watched'),
  basket_value: money('Value of the goods of all delivery points'),
  chargeable_weight: grams('Weight that is charged for, of all delivery points'),
  gross_weight: grams('Actual weight of all delivery points'),
  cod_amount: money('Cash to collect from the buyers together'),
  driver_name: text('Name of the driver'),
  driver_phone: lookedAt('phone', 'Phone number of the driver'),
  carrier_info: nested(carrierInfo, 'The carrier as it is shown'),
  confirm_status: oneOf(enums.status3, 'Whether the delivery is confirmed'),
  shipping_status: oneOf(enums.status5, 'Status of the shipping'),
  status: oneOf(enums.status5, 'Status of the delivery'),
  shipping_state: oneOf(enums.shipnowState, 'Where the delivery is on its way'),
  pickup_address: pickup,
  delivery_points: list(deliveryPoint, 'The stops'),
  cancel_reason: text('Why it was cancelled'),
  created_at: time('When it was created'),
  updated_at: time('When it last changed'),
});

/** The fields of a new on-demand delivery (contract, CreateShipnowFulfillment). */
export const newShipnowFulfillment = requiring(
  {
    pickup_address: pickup,
    delivery_points: list(newDeliveryPoint, 'The stops, each an order of its own').min(1),
    shipping_service_code: serviceCode,
    shipping_service_fee: money('What the shop pays for the delivery, as priced'),
  },
  { external_id: externalId, coupon, shipping_note: text('Note for the driver') },
);

const pricedPoint = requiring(
  { shipping_address: nested(pricedAddress, 'Where the parcel goes; coordinates give the most accurate fee') },
  { cod_amount: codAmount },
);

/** The delivery to price (contract, GetShipnowServices). */
export const pricedDelivery = requiring(
  {
    pickup_address: nested(pricedAddress, 'Where the driver picks up; coordinates give the most accurate fee'),
    delivery_points: list(pricedPoint, 'The stops').min(1),
  },
  { coupon },
);

/** One offer of a carrier for an on-demand delivery (contract, "ShipnowService"). */
const shipnowService = record({
  code: text('Code of the service, to be sent with the delivery'),
  name: text('Name of the service'),
  description: text('Description of the service'),
  fee: money('What the shop would pay'),
  carrier_info: nested(carrierInfo, 'The carrier as it is shown'),
});

/** The offers for an on-demand delivery. */
export const shipnowServices = record({ services: list(shipnowService, 'What the carriers offer') });
