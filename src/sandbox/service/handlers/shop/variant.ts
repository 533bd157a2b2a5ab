import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { findByAllNames, findByFirstName, findById } from '../../lookup.ts';
import { checkPrices, makeVariant } from '../../make-variant.ts';
import { requireFreeCode } from '../../orders/customer-of-order.ts';
import { removeVariant } from '../../remove-product.ts';

/** shop.Variant: the variants of a shop's products (decisions, sections 5 and 6). */
export const handlers = {
  CreateVariant(input, call) {
    return makeVariant(call, shopOf(call.account).shopId, input).record;
  },
  GetVariant(input, call) {
    return findByAllNames(call, shopOf(call.account).shopId, 'variant', input).shown;
  },
  ListVariants({ filter, include_deleted: includeDeleted, paging }, call) {
    const variants = call.records('variant', shopOf(call.account).shopId);
    const page = variants.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { shop_variants: page.shown, paging: page.paging };
  },
  UpdateVariant(input, call) {
    checkPrices(input);
    const variant = findById(call, shopOf(call.account).shopId, 'variant', input.id);
    if (input.code) requireFreeCode(call, variant.shopId, 'variant', input.code, variant.id);
    return call.records('variant', variant.shopId).update(variant, input).record;
  },
  DeleteVariant(input, call) {
    removeVariant(call, findByFirstName(call, shopOf(call.account).shopId, 'variant', input));
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/variant.ts')>;
