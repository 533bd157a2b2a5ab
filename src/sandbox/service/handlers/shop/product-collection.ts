import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { findById } from '../../lookup.ts';
import { removeCollection } from '../../remove-product.ts';

/** shop.ProductCollection: collections of a shop's products (contract, "ProductCollection and ProductCollectionRelationship"). */
export const handlers = {
  CreateCollection(input, call) {
    return call.records('product_collection', shopOf(call.account).shopId).insert(input).shown;
  },
  GetCollection({ id }, call) {
    return findById(call, shopOf(call.account).shopId, 'product_collection', id).shown;
  },
  ListCollections({ filter, include_deleted: includeDeleted, paging }, call) {
    const collections = call.records('product_collection', shopOf(call.account).shopId);
    const page = collections.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { collections: page.shown, paging: page.paging };
  },
  UpdateCollection(input, call) {
    const collection = findById(call, shopOf(call.account).shopId, 'product_collection', input.id);
    return call.records('product_collection', collection.shopId).update(collection, input).record;
  },
  DeleteCollection({ id }, call) {
    removeCollection(call, findById(call, shopOf(call.account).shopId, 'product_collection', id));
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/product-collection.ts')>;
