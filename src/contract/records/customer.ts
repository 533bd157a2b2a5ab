import * as enums from '../enums.ts';
import { flag, id, lookedAt, oneOf, record, requiring, text, time } from '../schema/scalars.ts';

const fullName = text('Full name');
const phone = lookedAt('phone', 'Phone number');

const person = {
  email: lookedAt('email', 'Email address'),
  gender: oneOf(enums.gender, 'Gender'),
  birthday: lookedAt('birthday', 'Date of birth, free text'),
  type: oneOf(enums.customerType, 'Kind of customer; independent is deprecated', 'customer-type'),
  note: text('Note on the customer'),
};

const references = {
  external_id: text("Id of the customer in the caller's system"),
  external_code: text("Code of the customer in the caller's system"),
};

/** A customer of the shop (contract, "Customer"). */
export const customer = record({
  id: id('Id of the customer'),
  shop_id: id('Id of the shop'),
  code: text('Code of the customer'),
  ...references,
  full_name: fullName,
  phone,
  ...person,
  status: oneOf(enums.status3, 'Status of the customer'),
  deleted: flag('Whether the customer is deleted'),
  created_at: time('When the customer was created'),
  updated_at: time('When the customer last changed'),
});

/** The fields of a new customer (contract, shop.Customer/CreateCustomer). */
export const newCustomer = requiring({ full_name: fullName, phone }, { ...references, ...person });

/** The updatable fields of a customer; absent or null is unchanged (decisions, section 6). */
export const customerChanges = requiring({ id: id('Id of the customer') }, { full_name: fullName, phone, ...person });
