import { shopOf } from '../../../engine/account.ts';
import { instanceIn, wireTime } from '../../../engine/business-clock.ts';
import type { Handlers } from '../../../engine/call.ts';
import { webAddress } from '../../../engine/store/record-kinds.ts';
import { statement, tables } from '../../../engine/store/statement.ts';

const shopById = statement(({ shopId }: { readonly shopId: string }) =>
  tables.selectFrom('shops').select('name').where('id', '=', shopId),
);
const firstShop = statement(() => tables.selectFrom('shops').select('created_at').orderBy('created_at').limit(1));

/** shop.Misc: the account behind the key, the places, and the service itself. */
export const handlers = {
  CurrentAccount(_input, { account, database }) {
    const { shopId } = shopOf(account);
    const website = webAddress(`shops/${shopId}`);
    const name = database.first(shopById, { shopId })?.name;
    return { id: shopId, name, type: 'shop', image_url: `${website}.svg`, website };
  },
  GetLocationList(_input, call) {
    const { tree } = call.places;
    return {
      provinces: tree.provinces.map(({ name, districts }) => ({
        name,
        districts: districts.map((district) => ({ name: district.name, wards: [...district.wards] })),
      })),
    };
  },
  /** The service and the version are the contract's; the deployment time is that of the sandbox's data (our choice). */
  VersionInfo(_input, { database }) {
    const deployed = database.first(firstShop, {})?.created_at ?? 0;
    return {
      service: 'shop',
      version: 'v1',
      updated_at: wireTime(deployed),
      meta: { environment: 'sandbox', instance: instanceIn(database) },
    };
  },
} satisfies Handlers<typeof import('../../../../contract/shop/misc.ts')>;
