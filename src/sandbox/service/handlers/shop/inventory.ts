import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';

/** shop.Inventory: the stock of a shop's variants; every existing variant has a level. */
export const handlers = {
  ListInventoryLevels({ filter, paging }, call) {
    const levels = call.records('inventory_level', shopOf(call.account).shopId);
    const page = levels.list({ where: { variant_id: idsOf(filter?.variant_id) }, paging });
    return { inventory_levels: page.shown, paging: page.paging };
  },
} satisfies Handlers<typeof import('../../../../contract/shop/inventory.ts')>;
