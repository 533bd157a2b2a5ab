import { operation } from '../operation.ts';
import { newProduct, productChanges, shopProduct } from '../records/product.ts';
import { atPage, filtered, lookup, paged, withDeleted } from '../request-shapes.ts';
import { atLeastOneOf } from '../rules.ts';
import { empty, idsFilter, list, record } from '../scalars.ts';

export const CreateProduct = operation({
  id: 'shop.Product/CreateProduct',
  command: 'products create',
  summary: 'Create a product',
  effect: 'create',
  credential: 'shop-api-key',
  request: newProduct,
  response: shopProduct,
});

export const DeleteProduct = operation({
  id: 'shop.Product/DeleteProduct',
  command: 'products delete',
  summary: 'Delete a product',
  effect: 'delete',
  credential: 'shop-api-key',
  request: record(lookup('product')),
  response: empty,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const GetProduct = operation({
  id: 'shop.Product/GetProduct',
  command: 'products get',
  summary: 'Read a product with its variants',
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('product')),
  response: shopProduct,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const ListProducts = operation({
  id: 'shop.Product/ListProducts',
  command: 'products list',
  summary: 'List products',
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the products') }), ...withDeleted, ...paged }),
  response: record({ products: list(shopProduct, 'The products'), ...atPage }),
  page: { items: 'products', cursors: true },
});

export const UpdateProduct = operation({
  id: 'shop.Product/UpdateProduct',
  command: 'products update',
  summary: 'Change a product',
  description: 'A field that is not given stays as it is; an empty text or 0 clears it.',
  effect: 'update',
  credential: 'shop-api-key',
  request: productChanges,
  response: shopProduct,
  positional: 'id',
});
