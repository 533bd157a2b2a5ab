import type { Connection } from '../client/connection.ts';
import { CallError } from '../client/errors.ts';
import { listRecords } from '../client/pages.ts';
import type { Operation, RequestOf } from '../contract/operation.ts';
import { ListCustomers } from '../contract/shop/customer.ts';
import { ListAddresses } from '../contract/shop/customer-address.ts';
import { ListProducts } from '../contract/shop/product.ts';
import { isNoValue } from '../domain/damaged-text.ts';
import { type Fields, recordsIn } from '../domain/json/values.ts';
import type { DraftAddress, DraftLine } from '../ledger/order-draft.ts';
import type { ListedCustomer, ListedProduct } from './shop-lists.ts';

const paging = { sort: '-created_at' };

type Listed = Fields;

const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A text of a record that says something: what stands for no value, as "-", is asked for like one that is missing. */
function said(record: Listed, name: string): string | undefined {
  const text = filled(record[name]);
  return text === undefined || isNoValue(name, text) ? undefined : text;
}

/** Told how many records have arrived so far. */
export type Came = (records: number) => void;

/** All records of a list, newest first; empty if it cannot be listed, because everything offered can be typed as well. */
async function newestFirst<List extends Operation>(
  operation: List,
  request: RequestOf<List>,
  connection: Connection,
  came: Came,
): Promise<readonly Listed[]> {
  const records: Listed[] = [];
  try {
    for await (const record of listRecords(operation, request, connection)) came(records.push(record));
  } catch (error) {
    if (!(error instanceof CallError) || connection.signal?.aborted) throw error;
  }
  return records.filter(({ deleted }) => deleted !== true);
}

/** The customers of the shop that have a name, newest first. Throws if the run was aborted meanwhile. */
export async function listCustomers(connection: Connection, came: Came): Promise<ListedCustomer[]> {
  const records = await newestFirst(ListCustomers, { paging }, connection, came);
  return records.flatMap((record) => {
    const { id, code } = record;
    const name = said(record, 'full_name');
    if (name === undefined || typeof id !== 'string') return [];
    return [{ id, code: filled(code), full_name: name, phone: said(record, 'phone') }];
  });
}

/** The addresses of one customer that say where they are, newest first. */
export async function listAddresses(customerId: string, connection: Connection): Promise<DraftAddress[]> {
  const request = { filter: { customer_id: customerId }, paging };
  const records = await newestFirst(ListAddresses, request, connection, () => {});
  const addresses = records.map((record) => ({
    full_name: said(record, 'full_name') ?? null,
    phone: said(record, 'phone') ?? null,
    province: said(record, 'province') ?? null,
    district: said(record, 'district') ?? null,
    ward: said(record, 'ward') ?? null,
    address1: said(record, 'address1') ?? null,
  }));
  // Where a parcel goes is asked for if none of them says it.
  return addresses.filter(({ province, address1 }) => province !== null || address1 !== null);
}

function productOf(product: Listed, variant: Listed | undefined): ListedProduct[] {
  const name = filled(variant?.name) ?? filled(product.name);
  if (name === undefined) return [];
  const prices = [variant?.retail_price, product.retail_price];
  const price = prices.find((amount): amount is number => typeof amount === 'number' && amount > 0);
  const attributes = Array.isArray(variant?.attributes) ? variant.attributes : [];
  const line: DraftLine = {
    product_name: name,
    ...(typeof product.id === 'string' ? { product_id: product.id } : {}),
    ...(typeof variant?.id === 'string' ? { variant_id: variant.id } : {}),
    ...(attributes.length > 0 ? { attributes } : {}),
    ...(price === undefined ? {} : { retail_price: price }),
  };
  return [{ code: filled(variant?.code) ?? filled(product.code), line }];
}

/** What the shop sells: every variant of every product, and products without variants. */
export async function listProducts(connection: Connection, came: Came): Promise<ListedProduct[]> {
  const products = await newestFirst(ListProducts, { paging }, connection, came);
  return products.flatMap((product) => {
    const variants = recordsIn(product.variants);
    const living = variants.filter(({ deleted }) => deleted !== true);
    return living.length === 0 ? productOf(product, undefined) : living.flatMap((each) => productOf(product, each));
  });
}
