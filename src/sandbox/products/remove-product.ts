import { removeAll } from '../store/remove-all.ts';
import type { Stored } from '../store/rows.ts';
import type { Work } from '../work.ts';

/**
 * Deletes a product, and before it what is nothing without it: its variants with their inventory levels, and its
 * memberships in collections, each with its change. Orders keep their lines, which repeat what was sold (our choice).
 */
export async function removeProduct(work: Work, product: Stored<'product'>): Promise<void> {
  const { id: product_id, shopId } = product;
  for (const variant of await work.records('variant', shopId).find({ product_id })) await removeVariant(work, variant);
  await removeAll(work.records('product_collection_relationship', shopId), { product_id });
  await work.records('product', shopId).remove(product);
}

/** Deletes a variant, and before it its inventory level; the product stays, also without variants (our choice). */
export async function removeVariant(work: Work, variant: Stored<'variant'>): Promise<void> {
  await removeAll(work.records('inventory_level', variant.shopId), { variant_id: variant.id });
  await work.records('variant', variant.shopId).remove(variant);
}

/** Deletes a collection, and before it the memberships in it; its products stay (our choice). */
export async function removeCollection(work: Work, collection: Stored<'product_collection'>): Promise<void> {
  const { id: collection_id, shopId } = collection;
  await removeAll(work.records('product_collection_relationship', shopId), { collection_id });
  await work.records('product_collection', shopId).remove(collection);
}
