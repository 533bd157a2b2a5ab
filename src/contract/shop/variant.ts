import { operation } from '../operation.ts';
import { newVariant, priceRules, shopVariant, variantChanges } from '../records/product.ts';
import { atPage, filtered, lookup, paged, withDeleted } from '../request-shapes.ts';
import { atLeastOneOf } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateVariant = operation({
  id: 'shop.Variant/CreateVariant',
  command: 'variants create',
  summary: 'Create a variant of a product',
  examples: [
    'shopctl variants create --product-id 1234567890123456789 --name "Trà ô long 250 g" --retail-price 120000 --attributes name=Size,value=250g',
  ],
  effect: 'create',
  proves: ['product_id', 'name', 'code'],
  credential: 'shop-api-key',
  request: newVariant,
  response: shopVariant,
  rules: priceRules,
});

export const DeleteVariant = operation({
  id: 'shop.Variant/DeleteVariant',
  command: 'variants delete',
  summary: 'Delete a variant',
  examples: ['shopctl variants delete 1234567890123456789 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: record(lookup('variant')),
  response: empty,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const GetVariant = operation({
  id: 'shop.Variant/GetVariant',
  command: 'variants get',
  summary: 'Show a variant',
  examples: ['shopctl variants get 1234567890123456789', 'shopctl variants get --code TEA-01-250G --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('variant')),
  response: shopVariant,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const ListVariants = operation({
  id: 'shop.Variant/ListVariants',
  command: 'variants list',
  summary: 'List variants',
  examples: ['shopctl variants list --limit 20', 'shopctl variants list --all -o jsonl'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the variants') }), ...withDeleted, ...paged }),
  response: record({ shop_variants: list(shopVariant, 'The variants'), ...atPage }),
  page: { items: 'shop_variants', cursors: true },
});

export const UpdateVariant = operation({
  id: 'shop.Variant/UpdateVariant',
  command: 'variants update',
  summary: 'Update a variant',
  description: 'A field that is not given stays as it is; an empty text or 0 clears it.',
  examples: ['shopctl variants update 1234567890123456789 --list-price 130000 --retail-price 115000'],
  effect: 'update',
  credential: 'shop-api-key',
  request: variantChanges,
  response: shopVariant,
  rules: priceRules,
  positional: 'id',
});
