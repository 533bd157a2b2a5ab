import { operation } from '../operation.ts';
import { newProductCollection, productCollection, productCollectionChanges } from '../records/collection.ts';
import { atPage, byId, filtered, paged, withDeleted } from '../request-shapes.ts';
import { named, notBlank } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateCollection = operation({
  id: 'shop.ProductCollection/CreateCollection',
  command: 'collections create',
  summary: 'Create a collection of products',
  examples: ['shopctl collections create --name "Tết 2027" --short-desc "Gifts for the new year"'],
  effect: 'create',
  proves: ['name'],
  credential: 'shop-api-key',
  request: newProductCollection,
  response: productCollection,
  rules: named('name'),
});

export const DeleteCollection = operation({
  id: 'shop.ProductCollection/DeleteCollection',
  command: 'collections delete',
  summary: 'Delete a collection',
  examples: ['shopctl collections delete 1234567890123456789 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: byId('collection'),
  response: empty,
  positional: 'id',
  holds: [
    {
      as: 'products',
      list: { operation: 'shop.ProductCollectionRelationship/ListRelationships', by: 'collection_id' },
    },
  ],
});

export const GetCollection = operation({
  id: 'shop.ProductCollection/GetCollection',
  command: 'collections get',
  summary: 'Show a collection',
  examples: ['shopctl collections get 1234567890123456789'],
  effect: 'read',
  credential: 'shop-api-key',
  request: byId('collection'),
  response: productCollection,
  positional: 'id',
  shows: {
    columns: [{ path: 'members', each: [{ path: 'product.code' }, { path: 'product.name' }, { path: 'product_id' }] }],
    beside: [
      {
        ...{ as: 'members', key: 'id', filter: 'collection_id', on: 'collection_id' },
        list: 'shop.ProductCollectionRelationship/ListRelationships',
        beside: [
          {
            ...{ as: 'product', key: 'product_id', filter: 'id', on: 'id', isOne: true },
            list: 'shop.Product/ListProducts',
          },
        ],
      },
    ],
  },
});

export const ListCollections = operation({
  id: 'shop.ProductCollection/ListCollections',
  command: 'collections list',
  summary: 'List collections of products',
  examples: ['shopctl collections list'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the collections') }), ...withDeleted, ...paged }),
  response: record({ collections: list(productCollection, 'The collections'), ...atPage }),
  page: { items: 'collections', cursors: true },
});

export const UpdateCollection = operation({
  id: 'shop.ProductCollection/UpdateCollection',
  command: 'collections update',
  summary: 'Update a collection',
  description: 'A field that is not given stays as it is; an empty text clears it.',
  examples: ['shopctl collections update 1234567890123456789 --name "Tết 2028"'],
  effect: 'update',
  credential: 'shop-api-key',
  request: productCollectionChanges,
  response: productCollection,
  rules: notBlank('name'),
  positional: 'id',
});
