import { expect } from 'vitest';
import type { Caller } from '../../support/callers.ts';
import { idOf, named, pagedList, type RefusedRequest, type Row, refusedFilters } from './row.ts';

const tea = { name: 'Trà sen', code: 'TRA', retail_price: 60000 };

const product = (caller: Caller) => caller.made('shop.Product/CreateProduct', tea);

async function newVariant(caller: Caller) {
  return { product_id: (await product(caller)).id, name: 'Hộp 100 g', retail_price: 60000 };
}

/** A variant that was just made, of a product of its own. */
export const variant = async (caller: Caller) => caller.made('shop.Variant/CreateVariant', await newVariant(caller));

const collection = (caller: Caller) => caller.made('shop.ProductCollection/CreateCollection', { name: 'Gifts' });

async function pair(caller: Caller) {
  return { collection_id: (await collection(caller)).id, product_id: (await product(caller)).id };
}

async function membership(caller: Caller) {
  const named = await pair(caller);
  await caller.made('shop.ProductCollectionRelationship/CreateRelationship', named);
  return named;
}

/** A lookup by all names refuses names that do not fit together. */
const namesThatDiffer = (make: (caller: Caller) => Promise<{ id: string }>): RefusedRequest => ({
  because: 'names that do not all fit',
  request: async (caller) => ({ id: (await make(caller)).id, code: 'NO-SUCH-CODE' }),
  code: 'not_found',
});

const negativePrice = { retail_price: -1 };

export const productRows = {
  'shop.Product/CreateProduct': {
    changes: ['product create'],
    request: () => tea,
    answers: { ...tea, variants: [], deleted: false },
    needs: [],
    namesRecord: false,
    refuses: [
      {
        because: 'a code that is taken',
        async request(caller) {
          await product(caller);
          return tea;
        },
        code: 'failed_precondition',
      },
      { because: 'a negative price', request: () => ({ ...tea, ...negativePrice }), code: 'invalid_argument' },
    ],
  },
  'shop.Product/DeleteProduct': { changes: ['product delete'], ...named, request: idOf(product), answers: {} },
  'shop.Product/GetProduct': {
    ...named,
    request: idOf(product),
    answers: tea,
    refuses: [namesThatDiffer(product)],
  },
  'shop.Product/ListProducts': pagedList({ make: product, answers: { products: [tea] } }, 'id'),
  'shop.Product/UpdateProduct': {
    changes: ['product update'],
    ...named,
    request: async (caller) => ({ id: (await product(caller)).id, unit: 'box' }),
    answers: { ...tea, unit: 'box' },
    refuses: [
      {
        because: 'a negative price',
        request: async (caller) => ({ id: (await product(caller)).id, ...negativePrice }),
        code: 'invalid_argument',
      },
    ],
  },

  'shop.Variant/CreateVariant': {
    changes: ['variant create', 'inventory_level create'],
    request: newVariant,
    answers: { name: 'Hộp 100 g', code: 'TRA-01', retail_price: 60000, deleted: false },
    needs: ['product_id'],
    namesRecord: true,
    refuses: [
      {
        because: 'a code that is taken',
        async request(caller) {
          const { code, product_id } = await variant(caller);
          return { product_id, code };
        },
        code: 'failed_precondition',
      },
    ],
  },
  'shop.Variant/DeleteVariant': {
    changes: ['inventory_level delete', 'variant delete'],
    ...named,
    request: idOf(variant),
    answers: {},
  },
  'shop.Variant/GetVariant': {
    ...named,
    request: idOf(variant),
    answers: { name: 'Hộp 100 g' },
    refuses: [namesThatDiffer(variant)],
  },
  'shop.Variant/ListVariants': pagedList({ make: variant, answers: { shop_variants: [{ code: 'TRA-01' }] } }, 'id'),
  'shop.Variant/UpdateVariant': {
    changes: ['variant update'],
    ...named,
    request: async (caller) => ({ id: (await variant(caller)).id, code: 'TRA-100G' }),
    answers: { code: 'TRA-100G', name: 'Hộp 100 g' },
    refuses: [
      {
        because: 'a code that is taken',
        async request(caller) {
          const { id, product_id } = await variant(caller);
          await caller.made('shop.Variant/CreateVariant', { product_id, code: 'TRA-200G' });
          return { id, code: 'TRA-200G' };
        },
        code: 'failed_precondition',
      },
    ],
  },

  'shop.ProductCollection/CreateCollection': {
    changes: ['product_collection create'],
    request: () => ({ name: 'Gifts' }),
    answers: { name: 'Gifts', deleted: false },
    needs: [],
    namesRecord: false,
    refuses: [],
  },
  'shop.ProductCollection/DeleteCollection': {
    changes: ['product_collection delete'],
    ...named,
    request: idOf(collection),
    answers: {},
  },
  'shop.ProductCollection/GetCollection': { ...named, request: idOf(collection), answers: { name: 'Gifts' } },
  'shop.ProductCollection/ListCollections': pagedList(
    { make: collection, answers: { collections: [{ name: 'Gifts' }] } },
    'id',
  ),
  'shop.ProductCollection/UpdateCollection': {
    changes: ['product_collection update'],
    ...named,
    request: async (caller) => ({ id: (await collection(caller)).id, name: 'Spring' }),
    answers: { name: 'Spring' },
  },

  'shop.ProductCollectionRelationship/CreateRelationship': {
    changes: ['product_collection_relationship create'],
    request: pair,
    answers: {},
    needs: ['collection_id', 'product_id'],
    namesRecord: true,
    refuses: [],
  },
  'shop.ProductCollectionRelationship/DeleteRelationship': {
    changes: ['product_collection_relationship delete'],
    request: membership,
    answers: {},
    needs: ['collection_id', 'product_id'],
    namesRecord: true,
    refuses: [],
  },
  'shop.ProductCollectionRelationship/ListRelationships': {
    request: async (caller) => ({ filter: { collection_id: (await membership(caller)).collection_id } }),
    answers: { relationships: [{ product_id: expect.stringMatching(/^\d{19}$/), deleted: false }] },
    needs: [],
    namesRecord: false,
    refuses: [
      { because: 'no filter', request: () => ({}), code: 'failed_precondition' },
      {
        because: 'both filters',
        request: () => ({ filter: { collection_id: '1', product_id: '1' } }),
        code: 'failed_precondition',
      },
      ...refusedFilters('collection_id'),
      ...refusedFilters('product_id'),
    ],
  },
} satisfies Record<string, Row>;
