import { invalid } from '../../engine/refusal.ts';
import type { Work } from '../../engine/work.ts';
import { makeAddress } from '../../service/customers/address.ts';
import { makeCustomer } from '../../service/customers/make-customer.ts';
import { makeProduct } from '../../service/products/make-product.ts';
import { makeVariant } from '../../service/products/make-variant.ts';
import type { ShopSeed } from './seed-content.ts';

type CustomerSeed = NonNullable<ShopSeed['customers']>[number];
type ProductSeed = NonNullable<ShopSeed['products']>[number];
type CollectionSeed = NonNullable<ShopSeed['collections']>[number];

/** Creates a customer with its addresses and group memberships. */
export function populateCustomer(
  work: Work,
  shopId: string,
  { hours_ago: _, groups = [], addresses = [], ...fields }: CustomerSeed,
  groupIds: ReadonlyMap<string, string>,
): void {
  const { id: customer_id } = makeCustomer(work, shopId, fields);
  for (const address of addresses) makeAddress(work, shopId, { ...address, customer_id });
  for (const [index, name] of groups.entries()) {
    const group_id = groupIds.get(name);
    if (group_id === undefined)
      throw invalid(`groups[${index}]`, `names no group of the shop: ${JSON.stringify(name)}`);
    work.records('customer_group_relationship', shopId).insert({ customer_id, group_id });
  }
}

/** Creates a product with its variants and their stock; returns its code and id. */
export function populateProduct(
  work: Work,
  shopId: string,
  { hours_ago: _, variants = [], ...fields }: ProductSeed,
): readonly [code: string, id: string] {
  const product = makeProduct(work, shopId, fields);
  for (const { stock = 0, ...variant } of variants) {
    const { id } = makeVariant(work, shopId, { ...variant, product_id: product.id });
    if (stock > 0) putInStock(work, shopId, id, stock);
  }
  return [product.record.code ?? '', product.id];
}

function putInStock(work: Work, shopId: string, variant_id: string, stock: number): void {
  const levels = work.records('inventory_level', shopId);
  const [level] = levels.find({ variant_id });
  if (level !== undefined) levels.update(level, { available_quantity: stock });
}

/** Creates a collection of products, given by code. */
export function populateCollection(
  work: Work,
  shopId: string,
  { products = [], ...fields }: CollectionSeed,
  productIds: ReadonlyMap<string, string>,
): void {
  const { id: collection_id } = work.records('product_collection', shopId).insert(fields);
  for (const [index, code] of products.entries()) {
    const product_id = productIds.get(code);
    if (product_id === undefined)
      throw invalid(`products[${index}]`, `names no product of the shop: ${JSON.stringify(code)}`);
    work.records('product_collection_relationship', shopId).insert({ collection_id, product_id });
  }
}
