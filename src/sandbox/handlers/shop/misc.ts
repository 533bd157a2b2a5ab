import { shopOf } from '../../accounts/account.ts';
import { wireTime } from '../../business-clock.ts';
import type { Handlers } from '../../call.ts';

/** shop.Misc: the account behind the key, the places, and the service itself. */
export const handlers = {
  async CurrentAccount(_input, { account, database }) {
    const { id, name } = await database
      .selectFrom('shops')
      .select(['id', 'name'])
      .where('id', '=', shopOf(account).shopId)
      .executeTakeFirstOrThrow();
    return { id, name, type: 'shop' };
  },
  async GetLocationList(_input, call) {
    const { tree } = await call.places();
    return {
      provinces: tree.provinces.map(({ name, districts }) => ({
        name,
        districts: districts.map((district) => ({ name: district.name, wards: [...district.wards] })),
      })),
    };
  },
  /** The service and the version are the contract's; it was deployed when the data of this sandbox was made (our choice). */
  async VersionInfo(_input, { database }) {
    const { deployed } = await database
      .selectFrom('shops')
      .select(({ fn }) => fn.min('created_at').as('deployed'))
      .executeTakeFirstOrThrow();
    return { service: 'shop', version: 'v1', updated_at: wireTime(deployed), meta: { environment: 'sandbox' } };
  },
} satisfies Handlers<typeof import('../../../contract/shop/misc.ts')>;
