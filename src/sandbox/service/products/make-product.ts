import type * as z from 'zod';
import type { newProduct } from '../../../contract/records/products/product.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { takeCode } from '../requests/codes.ts';
import { requireExternalId } from '../requests/external-id.ts';
import { checkPrices } from './prices.ts';

/** The input for a product. */
export type ProductInput = WithoutNulls<z.output<typeof newProduct>>;

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
