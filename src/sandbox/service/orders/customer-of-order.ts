import type * as z from 'zod';
import type { newCustomer } from '../../../contract/records/customer.ts';
import type { WithoutNulls, Work } from '../../engine/call.ts';
import type { PlaceBook } from '../../engine/places.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import type { OrderAddress } from './order-record.ts';

/** Refuses with 400 the first of the fields that is absent or blank. */
export function requireTexts<Name extends string>(
  fields: { readonly [N in Name]?: string | null | undefined },
  names: readonly Name[],
): void {
  for (const name of names) if ((fields[name] ?? '').trim() === '') throw invalid(name, 'is missing');
}

const EXTERNAL_ID = /^[-._$#:\w]{2,100}$/;

/** Refuses with 400 a given external id that violates the sandbox's limits (decisions, section 2). */
export function requireExternalId(externalId: string | undefined): void {
  if (!externalId || EXTERNAL_ID.test(externalId)) return;
  throw invalid('external_id', 'must have 2 to 100 letters, digits or - . _ $ # :');
}

/** The kinds whose codes are generated if absent, and are unique in the shop (decisions, section 6). */
type Coded = 'customer' | 'product' | 'variant';

/** Refuses with 412 a code that another live record of the kind has; `ownId` is the record that may have it. */
export function requireFreeCode(work: Work, shopId: string, kind: Coded, code: string, ownId?: string): void {
  const holders = holdersOf(work, shopId, kind, code);
  if (holders.every(({ id }) => id === ownId)) return;
  throw new Refusal('failed_precondition', `another ${kind} has the code ${code}`, { duplicated: 'code' });
}

/** The given code, 412 if it is taken; otherwise the next one from `make` that was not assigned by hand. */
export function takeCode(
  work: Work,
  shopId: string,
  kind: Coded,
  given: string | undefined,
  make: () => string,
): string {
  if (given) {
    requireFreeCode(work, shopId, kind, given);
    return given;
  }
  for (;;) {
    const made = make();
    if (holdersOf(work, shopId, kind, made).length === 0) return made;
  }
}

function holdersOf(work: Work, shopId: string, kind: Coded, code: string) {
  return work.records(kind, shopId).find({ code });
}

const needed = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'] as const;

/** A complete address with its place in official names (decisions, section 7); `path` is its path in the request. */
export function completeAddress(places: PlaceBook, address: OrderAddress, path: string): OrderAddress {
  for (const field of needed) {
    if ((address[field] ?? '').trim() === '') throw invalid(`${path}.${field}`, 'is missing');
  }
  return places.canonical(address, path);
}

/** Whether all fields of an address are empty. */
export function isEmptyAddress(address: OrderAddress | undefined): boolean {
  return Object.values(address ?? {}).every((value) => (value ?? '') === '');
}

/** The input for a customer. */
type CustomerInput = WithoutNulls<z.output<typeof newCustomer>>;

/**
 * Creates a customer with its own code (decisions, section 6). Every type that the contract knows is accepted,
 * including the deprecated `independent`, and kept as given.
 */
export function makeCustomer(work: Work, shopId: string, input: CustomerInput): Stored<'customer'> {
  requireTexts(input, ['full_name', 'phone']);
  requireExternalId(input.external_id);
  const code = takeCode(work, shopId, 'customer', undefined, () => work.nextCode(shopId, 'KH'));
  const defaults = { type: 'individual', gender: 'unknown', status: 'P' } as const;
  return work.records('customer', shopId).insert({ ...defaults, ...input, code });
}

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
