import { flag, id, lookedAt, nested, record, requiring, text } from '../schema/scalars.ts';
import { coordinates, placeNames } from './address.ts';

const customerId = id('Id of the customer');

const needed = {
  full_name: text('Full name of the person'),
  phone: lookedAt('phone', 'Phone number'),
  ...placeNames,
  address1: text('Street address, first line'),
};

const rest = {
  address2: text('Street address, second line'),
  company: text('Company'),
  email: lookedAt('email', 'Email address'),
  position: text('Position of the person in the company'),
  coordinates: nested(coordinates, 'Where the address is on the map'),
};

const country = text('Country');

/** An address of a customer (contract, "CustomerAddress"). */
export const customerAddress = record({
  id: id('Id of the address'),
  customer_id: customerId,
  ...needed,
  ...rest,
  deleted: flag('Whether the address is deleted'),
});

/** The fields of a new address (contract, shop.CustomerAddress/CreateAddress). */
export const newCustomerAddress = requiring({ customer_id: customerId, ...needed }, { ...rest, country });

/** The updatable fields of an address; absent or null is unchanged (decisions, section 6). */
export const customerAddressChanges = requiring({ id: id('Id of the address') }, { ...needed, ...rest, country });
