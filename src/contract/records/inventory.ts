import { id, int, record, time } from '../schema/scalars.ts';

/** The stock of one variant (contract, "InventoryLevel"). */
export const inventoryLevel = record({
  variant_id: id('Id of the variant'),
  available_quantity: int('How many can be sold', 'items'),
  picked_quantity: int('How many are picked for orders', 'items'),
  reserved_quantity: int('How many are reserved', 'items'),
  updated_at: time('When the stock last changed'),
});
