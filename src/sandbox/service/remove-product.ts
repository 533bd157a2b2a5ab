import type { Work } from '../engine/call.ts';
import { removeAll } from '../engine/store/remove-records.ts';
import type { Stored } from '../engine/store/rows.ts';

/**
 * Deletes a product, and before it its dependents: its variants with their inventory levels, and its memberships in
 * collections, each with its change. Orders keep their lines, which contain a copy of what was sold (our choice).
 */
export function removeProduct(work: Work, product: Stored<'product'>): void {
  const { id: product_id, shopId } = product;
  for (const variant of work.records('variant', shopId).find({ product_id })) removeVariant(work, variant);
  removeAll(work.records('product_collection_relationship', shopId), { product_id });
  work.records('product', shopId).remove(product);
}

/** Deletes a variant, and before it its inventory level; the product stays, even without variants (our choice). */
export function removeVariant(work: Work, variant: Stored<'variant'>): void {
  removeAll(work.records('inventory_level', variant.shopId), { variant_id: variant.id });
  work.records('variant', variant.shopId).remove(variant);
}

/** Deletes a collection, and before it the memberships in it; its products stay (our choice). */
export function removeCollection(work: Work, collection: Stored<'product_collection'>): void {
  const { id: collection_id, shopId } = collection;
  removeAll(work.records('product_collection_relationship', shopId), { collection_id });
  work.records('product_collection', shopId).remove(collection);
}
