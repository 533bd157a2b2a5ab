import type { Ports } from '../../action/ports.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { Secret } from '../../platform/settings/secret.ts';
import type { Settings, StoredProfile, StoredShop } from '../../platform/settings/settings.ts';
import { baseUrlOf, keyOf, ownerOf } from '../../settings/keys.ts';
import { nameOfShop } from '../../settings/shop-names.ts';
import { say } from '../texts.ts';
import { storedProfile } from './profile-keys.ts';

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
async function nameOfSignedIn(
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

/** The name of the profile that a first sign-in creates. */
export const DEFAULT_PROFILE = 'default';

/** A shop and its key, to save. */
export interface GrantedShop {
  readonly shopId: string;
  readonly shopKey: Secret;
  /** The person's name for the shop. */
  readonly name: string | undefined;
}

/** Where a sign-in is saved. */
interface Place {
  readonly name: string;
  readonly baseUrl: string;
  /** The partner that signs in, as far as its key says (decisions, section 3). */
  readonly partner: string | undefined;
}

/** The profile to save a sign-in to: the one in force, or a first one for the address in force. */
function profileToSave(settings: Settings, { name, baseUrl, partner }: Place): StoredProfile {
  const profile = storedProfile(settings, name);
  if (profile === undefined) return { kind: 'partner', base_url: baseUrl };
  if (profile.kind !== 'partner') {
    throw new Refusal('profile_of_shop', say().profiles.ofShop({ name }));
  }
  if (new URL(profile.base_url).origin !== new URL(baseUrl).origin) {
    const message = say().profiles.elsewhere({ name, address: profile.base_url, other: baseUrl });
    throw new Refusal('profile_elsewhere', message);
  }
  if (profile.api_key !== undefined && ownerOf(profile.api_key) !== (partner ?? ownerOf(profile.api_key))) {
    throw new Refusal('profile_of_other', say().profiles.ofOther({ name }));
  }
  return profile;
}

function placeOf({ settings, env }: Ports): Place {
  const baseUrl = baseUrlOf(settings);
  checkedBaseUrl(baseUrl);
  const key = keyOf('partner-api-key', settings, env)?.secret.reveal();
  return { name: settings.profileName?.value ?? DEFAULT_PROFILE, baseUrl, partner: ownerOf(key) };
}

/** Refuses, before anything is sent, a sign-in whose key could not be saved. */
export async function refuseUnsaveable(ports: Ports): Promise<void> {
  const place = placeOf(ports);
  const { baseUrl } = place;
  const key = keyOf('partner-api-key', ports.settings, ports.env);
  // A saved key for another origin is refused by the call itself, as for every command.
  if (key?.origin !== undefined && key.origin !== new URL(baseUrl).origin) return;
  profileToSave(await ports.store.read(), place);
}

/** Where a shop's key was saved, and the shop's name there. */
export interface SavedShop {
  readonly profile: string;
  readonly shopName: string | undefined;
}

/** Saves a shop's key and name in the profile in force, and makes it the current shop. */
export async function saveShop(ports: Ports, { shopId, shopKey, name: wanted }: GrantedShop): Promise<SavedShop> {
  const place = placeOf(ports);
  const { name } = place;
  const given = wanted ?? (await nameOfSignedIn({ shopId, shopKey }, await ports.store.read(), ports.connection()));
  await ports.store.update((settings) => {
    const profile = profileToSave(settings, place);
    const shops = profile.shops ?? {};
    const shop: StoredShop = {
      ...(Object.hasOwn(shops, shopId) ? shops[shopId] : {}),
      ...(given === undefined ? {} : { name: given }),
      shop_key: shopKey.reveal(),
      since: new Date(ports.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
    };
    const changed = { ...profile, shops: { ...shops, [shopId]: shop }, current_shop: shopId };
    return {
      ...settings,
      current_profile: settings.current_profile ?? name,
      profiles: { ...settings.profiles, [name]: changed },
    };
  });
  return { profile: name, shopName: given };
}
