import { operation } from '../operation.ts';
import { inventoryLevel } from '../records/inventory.ts';
import { atPage, filtered, paged } from '../request-shapes.ts';
import { idsFilter, list, record } from '../schema/scalars.ts';

export const ListInventoryLevels = operation({
  id: 'shop.Inventory/ListInventoryLevels',
  command: 'inventory list',
  summary: 'List the stock of variants',
  examples: [
    'shopctl inventory list --variant-id 1234567890123456789',
    'shopctl inventory list --all --query "[?available_quantity==`0`].variant_id"',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ variant_id: idsFilter('Ids of the variants') }), ...paged }),
  response: record({ inventory_levels: list(inventoryLevel, 'The stock of each variant'), ...atPage }),
  page: { items: 'inventory_levels', cursors: true },
});
