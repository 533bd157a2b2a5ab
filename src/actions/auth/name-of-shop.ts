import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldsIn } from '../../domain/value-at.ts';
import type { Secret } from '../../platform/secret.ts';
import type { Settings } from '../../platform/settings.ts';
import { nameOfShop } from '../settings/shop-names.ts';

interface SignedInShop {
  readonly shopId: string;
  readonly shopKey: Secret;
}

/** What the service says that the shop is called, where it lets a partner's key ask: the contract does not promise that. */
async function askService({ shopId, shopKey }: SignedInShop, connection: Connection): Promise<string | undefined> {
  try {
    const once = { ...connection, maxRetries: 0, key: () => ({ secret: shopKey }) };
    const { id, name } = fieldsIn(await call(await loadOperation('shop.Misc/CurrentAccount'), {}, once));
    return id === shopId && typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
  } catch (error) {
    // It is signed in, with a name or without.
    if (error instanceof CallError && connection.signal?.aborted !== true) return undefined;
    throw error;
  }
}

/** What a shop that has just signed in is called: as a profile of the same service knows it, else as the service says. */
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
