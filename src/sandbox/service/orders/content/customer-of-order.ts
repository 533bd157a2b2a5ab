import type { Stored } from '../../../engine/store/records/rows.ts';
import type { Work } from '../../../engine/work.ts';
import { makeCustomer } from '../../customers/make-customer.ts';
import type { OrderAddress } from '../order-record.ts';

const placeFields = ['province', 'district', 'ward', 'address1'] as const;
const personFields = ['full_name', 'phone', 'email', 'company', 'address2'] as const;

/**
 * The customer of an order: the oldest one with the phone number of its shipping address, created if there is none.
 * That address is added to the customer, or updated if it differs (decisions, sections 6 and 8).
 */
export function rememberCustomer(work: Work, shopId: string, address: OrderAddress): Stored<'customer'> {
  const { full_name = '', phone = '', email } = address;
  const [known] = work.records('customer', shopId).find({ phone });
  const customer = known ?? makeCustomer(work, shopId, { full_name, phone, email });
  rememberAddress(work, customer, address);
  return customer;
}

function rememberAddress(work: Work, customer: Stored<'customer'>, address: OrderAddress): void {
  const addresses = work.records('customer_address', customer.shopId);
  const same = (a: unknown, b: unknown) => (a ?? '') === (b ?? '');
  const known = addresses.find({ customer_id: customer.id });
  const here = known.find(({ record }) => placeFields.every((field) => same(record[field], address[field])));
  if (here === undefined) {
    const fields = Object.fromEntries([...placeFields, ...personFields].map((field) => [field, address[field]]));
    addresses.insert({ customer_id: customer.id, ...fields });
    return;
  }
  const refreshed = personFields.filter((field) => address[field] && !same(here.record[field], address[field]));
  if (refreshed.length > 0) {
    addresses.update(here, Object.fromEntries(refreshed.map((field) => [field, address[field]])));
  }
}
