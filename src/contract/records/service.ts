import { id, list, money, nested, record, text, time } from '../schema/scalars.ts';
import { carrierName } from './carrier-name.ts';

/** A carrier for display (contract, "CarrierInfo"). */
export const carrierInfo = record({ name: text('Name of the carrier'), image_url: text('URL of its logo') });

/** One offer of a carrier for a parcel (contract, "ShippingService"). */
export const shippingService = record({
  code: text('Code of the service, to be sent with the order'),
  name: text('Name of the service'),
  fee: money('What the shop would pay'),
  carrier: carrierName('Carrier, to be sent with the order'),
  estimated_pickup_at: time('When it is likely to be picked up'),
  estimated_delivery_at: time('When it is likely to be delivered'),
  carrier_info: nested(carrierInfo, 'The carrier as it is shown'),
  connection_id: id('Connection to the carrier'),
});

/** The offers for a parcel. */
export const shippingServices = record({ services: list(shippingService, 'What the carriers offer') });
