import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { notFound } from '../../../engine/refusal.ts';
import type { RecordOf } from '../../../engine/store/record-kinds.ts';
import type { ListRequest } from '../../../engine/store/record-lists.ts';
import type { Records } from '../../../engine/store/records.ts';
import { findById } from '../../lookup.ts';
import { exactlyOneFilter } from '../../one-filter.ts';

type Kind = 'product_collection_relationship';

/**
 * shop.ProductCollectionRelationship: which product is in which collection. Adding one to a collection again changes
 * nothing and is not an error, so that a call whose answer was lost can be retried (our choice).
 */
export const handlers = {
  CreateRelationship(pair, call) {
    const { shopId } = shopOf(call.account);
    findById(call, shopId, 'product_collection', pair.collection_id, 'collection_id');
    findById(call, shopId, 'product', pair.product_id, 'product_id');
    const relationships = call.records('product_collection_relationship', shopId);
    const [known] = relationships.find(pair);
    if (known === undefined) relationships.insert(pair);
    return {};
  },
  DeleteRelationship(pair, call) {
    const relationships = call.records('product_collection_relationship', shopOf(call.account).shopId);
    const [known] = relationships.find(pair);
    if (known === undefined) throw notFound('product collection relationship');
    relationships.remove(known);
    return {};
  },
  ListRelationships({ filter, include_deleted: includeDeleted }, call) {
    const relationships = call.records('product_collection_relationship', shopOf(call.account).shopId);
    const where = exactlyOneFilter({ collection_id: filter?.collection_id, product_id: filter?.product_id });
    return everyPage(relationships, { where, includeDeleted });
  },
} satisfies Handlers<typeof import('../../../../contract/shop/product-collection-relationship.ts')>;

/** All pages of a list at once: this is the only list without paging (contract, ListRequest), and it has no limit. */
function everyPage(relationships: Records<Kind>, request: ListRequest<Kind>) {
  const all: RecordOf<Kind>[] = [];
  let [prev, next]: (string | undefined)[] = [];
  for (;;) {
    const { items, paging } = relationships.list({ ...request, paging: { after: next ?? '.' } });
    if (items.length === 0) return { relationships: all, paging: { prev, next } };
    all.push(...items);
    prev ??= paging.prev;
    next = paging.next;
  }
}
