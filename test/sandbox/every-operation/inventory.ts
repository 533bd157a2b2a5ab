import { variant } from './products.ts';
import { pagedList, type Row } from './row.ts';

export const inventoryRows = {
  'shop.Inventory/ListInventoryLevels': pagedList(
    { make: variant, answers: { inventory_levels: [{ available_quantity: 0, reserved_quantity: 0 }] } },
    'variant_id',
  ),
} satisfies Record<string, Row>;
