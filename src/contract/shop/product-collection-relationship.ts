import { operation } from '../operation.ts';
import { productCollectionMembership, productCollectionRelationship } from '../records/collection.ts';
import { atPage, filtered, withDeleted } from '../request-shapes.ts';
import { exactlyOneOf } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateRelationship = operation({
  id: 'shop.ProductCollectionRelationship/CreateRelationship',
  command: 'collections members add',
  summary: 'Add a product to a collection',
  examples: ['shopctl collections members add --collection-id 1234567890123456789 --product-id 1234567890123456790'],
  effect: 'create',
  credential: 'shop-api-key',
  request: productCollectionMembership,
  response: empty,
  tells: (_, { product_id, collection_id }) => `product ${product_id} is in collection ${collection_id}`,
});

export const DeleteRelationship = operation({
  id: 'shop.ProductCollectionRelationship/DeleteRelationship',
  command: 'collections members remove',
  summary: 'Remove a product from a collection',
  examples: [
    'shopctl collections members remove --collection-id 1234567890123456789 --product-id 1234567890123456790 --yes',
  ],
  effect: 'delete',
  credential: 'shop-api-key',
  request: productCollectionMembership,
  response: empty,
  tells: (_, { product_id, collection_id }) => `product ${product_id} is in collection ${collection_id} no more`,
});

export const ListRelationships = operation({
  id: 'shop.ProductCollectionRelationship/ListRelationships',
  command: 'collections members list',
  summary: 'List the products of collections, or the collections of products',
  description: 'Takes exactly one of the two filters, and returns everything in one answer.',
  examples: [
    'shopctl collections members list --collection-id 1234567890123456789',
    'shopctl collections members list --product-id 1234567890123456790 --json',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({
    ...filtered({ collection_id: idsFilter('Ids of the collections'), product_id: idsFilter('Ids of the products') }),
    ...withDeleted,
  }),
  response: record({
    relationships: list(productCollectionRelationship, 'Which product is in which collection'),
    ...atPage,
  }),
  page: { items: 'relationships', cursors: false },
  rules: exactlyOneOf('filter.collection_id', 'filter.product_id'),
});
