import { call } from '../../client/call.ts';
import { CallError } from '../../client/errors.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldsIn } from '../../domain/value-at.ts';
import type { Ports } from '../ports.ts';
import { shopInForce } from '../settings/keys.ts';
import { nameOfShop } from '../settings/shop-names.ts';

/**
 * The shop that an order is shipped for, by its name: of a partner the one that signed in, else what the service says of
 * the shop's own key. Its id, or nothing, where no name is known.
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
    // A name is told where it is known; that it is not is no reason to ship nothing.
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
