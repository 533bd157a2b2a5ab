import { shopOf } from '../../accounts/account.ts';
import type { Handlers } from '../../call.ts';
import { findById } from '../../lookup.ts';
import { removeCollection } from '../../products/remove-product.ts';
import { idsOf } from '../../store/lists.ts';

/** shop.ProductCollection: collections of a shop's products (contract, "ProductCollection and ProductCollectionRelationship"). */
export const handlers = {
  async CreateCollection(input, call) {
    return (await call.records('product_collection', shopOf(call.account).shopId).insert(input)).record;
  },
  async GetCollection({ id }, call) {
    return (await findById(call, shopOf(call.account).shopId, 'product_collection', id)).record;
  },
  async ListCollections({ filter, include_deleted: includeDeleted, paging }, call) {
    const collections = call.records('product_collection', shopOf(call.account).shopId);
    const page = await collections.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { collections: page.items, paging: page.paging };
  },
  async UpdateCollection(input, call) {
    const collection = await findById(call, shopOf(call.account).shopId, 'product_collection', input.id);
    return (await call.records('product_collection', collection.shopId).update(collection, input)).record;
  },
  async DeleteCollection({ id }, call) {
    await removeCollection(call, await findById(call, shopOf(call.account).shopId, 'product_collection', id));
    return {};
  },
} satisfies Handlers<typeof import('../../../contract/shop/product-collection.ts')>;
