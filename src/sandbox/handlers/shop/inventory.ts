import { shopOf } from '../../accounts/account.ts';
import type { Handlers } from '../../call.ts';
import { idsOf } from '../../store/lists.ts';

/** shop.Inventory: the stock of a shop's variants, each of which has a level as long as it exists. */
export const handlers = {
  ListInventoryLevels({ filter, paging }, call) {
    const levels = call.records('inventory_level', shopOf(call.account).shopId);
    const page = levels.list({ where: { variant_id: idsOf(filter?.variant_id) }, paging });
    return { inventory_levels: page.shown, paging: page.paging };
  },
} satisfies Handlers<typeof import('../../../contract/shop/inventory.ts')>;
