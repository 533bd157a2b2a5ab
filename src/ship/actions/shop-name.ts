import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { CallError } from '../../client/errors.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { shopInForce } from '../../settings/keys.ts';
import { nameOfShop } from '../../settings/shop-names.ts';

/**
 * The name of the shop that ships: for a partner the one that signed in, otherwise what the service reports for the
 * shop's own key. Its id, or nothing, if no name is known.
 */
export async function shopName({ settings, connection }: Ports): Promise<string | undefined> {
  if ((settings.as?.value ?? 'partner') === 'partner') {
    const shop = shopInForce(settings);
    if (shop === undefined) return undefined;
    return nameOfShop(settings.profile, shop) ?? `shop ${shop}`;
  }
  try {
    const account = fieldsIn(await call(await loadOperation('shop.Misc/CurrentAccount'), {}, connection()));
    return typeof account.name === 'string' && account.name !== '' ? account.name : undefined;
  } catch (error) {
    // The name is optional: not knowing it is no reason not to ship.
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
