import { operation } from '../operation.ts';
import { newProduct, priceRules, productChanges, shopProduct } from '../records/product.ts';
import { atPage, filtered, lookup, paged, withDeleted } from '../request-shapes.ts';
import { allOf, atLeastOneOf, named, notBlank } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateProduct = operation({
  id: 'shop.Product/CreateProduct',
  command: 'products create',
  summary: 'Create a product',
  examples: [
    'shopctl products create --name "Trà ô long" --code TEA-01 --retail-price 120000 --unit box --image-urls https://example.com/tea.jpg',
  ],
  effect: 'create',
  proves: ['name', 'code'],
  credential: 'shop-api-key',
  request: newProduct,
  response: shopProduct,
  rules: allOf(named('name'), priceRules),
});

export const DeleteProduct = operation({
  id: 'shop.Product/DeleteProduct',
  command: 'products delete',
  summary: 'Delete a product',
  examples: ['shopctl products delete 1234567890123456789', 'shopctl products delete --code TEA-01 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: record(lookup('product')),
  response: empty,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
  holds: [{ as: 'variants' }],
});

export const GetProduct = operation({
  id: 'shop.Product/GetProduct',
  command: 'products get',
  summary: 'Show a product with its variants',
  examples: ['shopctl products get 1234567890123456789', 'shopctl products get --code TEA-01 --json'],
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
  examples: [
    'shopctl products list --sort -created_at',
    'shopctl products list --all -o csv --fields id,code,name,retail_price',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the products') }), ...withDeleted, ...paged }),
  response: record({ products: list(shopProduct, 'The products'), ...atPage }),
  page: { items: 'products', cursors: true },
});

export const UpdateProduct = operation({
  id: 'shop.Product/UpdateProduct',
  command: 'products update',
  summary: 'Update a product',
  description: 'A field that is not given stays as it is; an empty text or 0 clears it.',
  examples: ['shopctl products update 1234567890123456789 --retail-price 115000 --note ""'],
  effect: 'update',
  credential: 'shop-api-key',
  request: productChanges,
  response: shopProduct,
  rules: allOf(notBlank('name'), priceRules),
  positional: 'id',
});
