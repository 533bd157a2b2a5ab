import { flag, id, record, requiring, text, time } from '../schema/scalars.ts';

const collectionId = id('Id of the collection');

const content = {
  name: text('Name of the collection'),
  short_desc: text('Description in a sentence'),
  description: text('Description'),
};

/** A collection of products (contract, "ProductCollection and ProductCollectionRelationship"). */
export const productCollection = record({
  id: collectionId,
  shop_id: id('Id of the shop'),
  ...content,
  deleted: flag('Whether the collection is deleted'),
  created_at: time('When it was created'),
  updated_at: time('When it last changed'),
});

/** The fields of a new collection (contract, shop.ProductCollection/CreateCollection). */
export const newProductCollection = record(content);

/** The updatable fields of a collection; absent or null is unchanged (decisions, section 6). */
export const productCollectionChanges = requiring({ id: collectionId }, content);

const membership = { collection_id: collectionId, product_id: id('Id of the product') };

/** A product in a collection (contract, "ProductCollection and ProductCollectionRelationship"). */
export const productCollectionRelationship = record({
  ...membership,
  deleted: flag('Whether the product has left the collection'),
});

/** The pair that identifies a membership, and creates it. */
export const productCollectionMembership = requiring(membership, {});
