import type * as z from 'zod';
import type { newVariant } from '../../../contract/records/products/product.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { takeCode } from '../requests/codes.ts';
import { requireExternalId } from '../requests/external-id.ts';
import { findById } from '../requests/lookup.ts';
import { checkPrices } from './prices.ts';

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
