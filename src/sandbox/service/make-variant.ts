import type * as z from 'zod';
import type { newProduct, newVariant } from '../../contract/records/product.ts';
import type { WithoutNulls, Work } from '../engine/call.ts';
import { invalid } from '../engine/refusal.ts';
import type { Stored } from '../engine/store/rows.ts';
import { findById } from './lookup.ts';
import { requireExternalId, takeCode } from './orders/customer-of-order.ts';

const prices = ['list_price', 'retail_price', 'cost_price'] as const;

/** Refuses a negative price with 400, as orders do (our choice). */
export function checkPrices(fields: { readonly [Name in (typeof prices)[number]]?: number | undefined }): void {
  for (const price of prices) if ((fields[price] ?? 0) < 0) throw invalid(price, 'must not be negative');
}

/** The input for a product. */
type ProductInput = WithoutNulls<z.output<typeof newProduct>>;

/**
 * Creates a product without variants; its code is generated if absent, and refused with 412 if taken (decisions,
 * section 6).
 */
export function makeProduct(work: Work, shopId: string, input: ProductInput): Stored<'product'> {
  checkPrices(input);
  requireExternalId(input.external_id);
  const code = takeCode(work, shopId, 'product', input.code, () => work.nextCode(shopId, 'SP'));
  return work.records('product', shopId).insert({ ...input, id: work.nextId(), code, status: 'P' });
}

/** The input for a variant. */
export type VariantInput = WithoutNulls<z.output<typeof newVariant>>;

/**
 * Creates a variant of a product of the shop (decisions, section 6), and its inventory level with nothing in stock: so
 * a variant without a level does not exist (our choice).
 */
export function makeVariant(work: Work, shopId: string, input: VariantInput): Stored<'variant'> {
  checkPrices(input);
  requireExternalId(input.external_id);
  const product = findById(work, shopId, 'product', input.product_id, 'product_id');
  const code = takeCode(work, shopId, 'variant', input.code, () => nextCodeOf(work, product));
  const variant = work.records('variant', shopId).insert({ ...input, code, status: 'P' });
  const none = { available_quantity: 0, picked_quantity: 0, reserved_quantity: 0 };
  work.records('inventory_level', shopId).insert({ variant_id: variant.id, ...none });
  return variant;
}

/** The product's code with a number, such as SP000001-01; a number is never reused. */
function nextCodeOf(work: Work, product: Stored<'product'>): string {
  const number = work.nextNumber(product.shopId, `variants of ${product.id}`);
  return `${product.record.code}-${String(number).padStart(2, '0')}`;
}
