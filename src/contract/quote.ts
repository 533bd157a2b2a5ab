import { quotedAddress } from './records/address.ts';
import { notNegative } from './schema/rules.ts';
import { centimetres, flag, grams, money, nested } from './schema/scalars.ts';

/** The places that a parcel is quoted between. */
export const quotedRoute = {
  pickup_address: nested(quotedAddress, 'Where the parcel is picked up'),
  shipping_address: nested(quotedAddress, 'Where the parcel goes'),
};

/** The parcel to quote (contract, GetShippingServices). */
export const quotedParcel = {
  chargeable_weight: grams('Weight that is charged for; the greater of gross and volumetric weight when absent'),
  gross_weight: grams('Actual weight'),
  length: centimetres('Length of the parcel'),
  width: centimetres('Width of the parcel'),
  height: centimetres('Height of the parcel'),
  basket_value: money('Value of the goods; the basis of the insurance fee'),
  cod_amount: money('Cash to collect from the buyer; some carriers charge for it'),
  include_insurance: flag('Whether the parcel is insured; absent means yes'),
};

/** Weights, sizes and amounts of a quote must not be negative. */
export const quoteRules = notNegative(
  ...['chargeable_weight', 'gross_weight', 'length', 'width', 'height', 'basket_value', 'cod_amount'],
);

const inHanoi = { province: 'Hà Nội', district: 'Quận Cầu Giấy' };

/** A parcel that every service can quote. */
export const quotedSample = {
  pickup_address: inHanoi,
  shipping_address: inHanoi,
  chargeable_weight: 500,
  basket_value: 100_000,
};
