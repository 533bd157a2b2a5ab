import { shopOf } from '../../../../engine/account.ts';
import type { Call, Handlers } from '../../../../engine/call.ts';
import { idsOf } from '../../../../engine/store/records/lists.ts';
import type { Stored } from '../../../../engine/store/records/rows.ts';
import { makeProduct } from '../../../products/make-product.ts';
import { checkPrices } from '../../../products/prices.ts';
import { removeProduct } from '../../../products/remove-product.ts';
import { withVariants } from '../../../products/with-variants.ts';
import { findByAllNames, findByFirstName, findById } from '../../../requests/lookup.ts';

/** shop.Product: the products of a shop, each shown with its variants (decisions, sections 5 and 6). */
export const handlers = {
  CreateProduct(input, call) {
    return makeProduct(call, shopOf(call.account).shopId, input).record;
  },
  GetProduct(input, call) {
    return whole(call, findByAllNames(call, shopOf(call.account).shopId, 'product', input));
  },
  ListProducts({ filter, include_deleted: includeDeleted, paging }, call) {
    const { shopId } = shopOf(call.account);
    const where = { id: idsOf(filter?.id) };
    const page = call.records('product', shopId).list({ where, includeDeleted, paging });
    return { products: withVariants(call, shopId, page.items), paging: page.paging };
  },
  UpdateProduct(input, call) {
    checkPrices(input);
    const product = findById(call, shopOf(call.account).shopId, 'product', input.id);
    const { id, variants = [] } = whole(call, product);
    const changed = call.records('product', product.shopId).update(product, input, { joined: { id, variants } });
    return { ...changed.record, variants };
  },
  DeleteProduct(input, call) {
    removeProduct(call, findByFirstName(call, shopOf(call.account).shopId, 'product', input));
    return {};
  },
} satisfies Handlers<typeof import('../../../../../contract/shop/products/product.ts')>;

/** A product with its variants. */
function whole(call: Call, { record, shopId }: Stored<'product'>) {
  const [product = record] = withVariants(call, shopId, [record]);
  return product;
}
