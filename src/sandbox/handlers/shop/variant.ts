import { shopOf } from '../../accounts/account.ts';
import type { Handlers } from '../../call.ts';
import { requireFreeCode } from '../../codes.ts';
import { findByAllNames, findByFirstName, findById } from '../../lookup.ts';
import { makeVariant } from '../../products/make-variant.ts';
import { checkPrices } from '../../products/prices.ts';
import { removeVariant } from '../../products/remove-product.ts';
import { idsOf } from '../../store/lists.ts';

/** shop.Variant: the variants of a shop's products (decisions, sections 5 and 6). */
export const handlers = {
  async CreateVariant(input, call) {
    return (await makeVariant(call, shopOf(call.account).shopId, input)).record;
  },
  async GetVariant(input, call) {
    return (await findByAllNames(call, shopOf(call.account).shopId, 'variant', input)).record;
  },
  async ListVariants({ filter, include_deleted: includeDeleted, paging }, call) {
    const variants = call.records('variant', shopOf(call.account).shopId);
    const page = await variants.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { shop_variants: page.items, paging: page.paging };
  },
  async UpdateVariant(input, call) {
    checkPrices(input);
    const variant = await findById(call, shopOf(call.account).shopId, 'variant', input.id);
    if (input.code) await requireFreeCode(call, variant.shopId, 'variant', input.code, variant.id);
    return (await call.records('variant', variant.shopId).update(variant, input)).record;
  },
  async DeleteVariant(input, call) {
    await removeVariant(call, await findByFirstName(call, shopOf(call.account).shopId, 'variant', input));
    return {};
  },
} satisfies Handlers<typeof import('../../../contract/shop/variant.ts')>;
