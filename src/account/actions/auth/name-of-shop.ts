import { call } from '../../../client/call.ts';
import type { Connection } from '../../../client/connection.ts';
import { CallError } from '../../../client/errors.ts';
import { loadOperation } from '../../../contract/areas.ts';
import { fieldsIn } from '../../../domain/json/value-at.ts';
import type { Secret } from '../../../platform/settings/secret.ts';
import type { Settings } from '../../../platform/settings/settings.ts';
import { nameOfShop } from '../../../settings/shop-names.ts';

interface SignedInShop {
  readonly shopId: string;
  readonly shopKey: Secret;
}

/** The shop's name from the service, if it lets a partner's key ask for it: the contract does not guarantee that. */
async function askService({ shopId, shopKey }: SignedInShop, connection: Connection): Promise<string | undefined> {
  try {
    const once = { ...connection, maxRetries: 0, key: () => ({ secret: shopKey }) };
    const { id, name } = fieldsIn(await call(await loadOperation('shop.Misc/CurrentAccount'), {}, once));
    return id === shopId && typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
  } catch (error) {
    // It is signed in, with or without a name.
    if (error instanceof CallError && connection.signal?.aborted !== true) return undefined;
    throw error;
  }
}

/** The name of a shop that has just signed in: from a profile of the same service, otherwise from the service. */
export async function nameOfSignedIn(
  shop: SignedInShop,
  settings: Settings,
  connection: Connection,
): Promise<string | undefined> {
  const { origin } = new URL(connection.baseUrl);
  const known = Object.values(settings.profiles)
    .filter(({ base_url }) => URL.canParse(base_url) && new URL(base_url).origin === origin)
    .map((profile) => nameOfShop(profile, shop.shopId))
    .find((name) => name !== undefined);
  return known ?? askService(shop, connection);
}
