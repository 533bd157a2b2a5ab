import { accountInKey } from '../client/authorization.ts';
import type { Key } from '../client/connection.ts';
import { Refusal } from '../client/refusal.ts';
import type { Credential } from '../contract/operation.ts';
import { say } from '../contract/texts.ts';
import { Secret } from '../platform/settings/secret.ts';
import type { StoredProfile } from '../platform/settings/settings.ts';
import type { ResolvedSettings } from './in-force.ts';
import { calledShop, nameOfShop, otherShops, shopsOf } from './shop-names.ts';

type Env = Readonly<Record<string, string | undefined>>;

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function boundTo(profile: StoredProfile, text: string | undefined): Key | undefined {
  if (text === undefined || text === '') return undefined;
  const origin = originOf(profile.base_url);
  return origin === undefined ? undefined : { secret: new Secret(text), origin };
}

function fromEnvironment(text: string | undefined): Key | undefined {
  return text === undefined || text === '' ? undefined : { secret: new Secret(text) };
}

/** The owner of a key, as far as the key tells: what precedes its secret (decisions, section 3). */
export const ownerOf = (key: string | undefined): string | undefined => key?.split(':', 1)[0];

/** The current shop: the one named, otherwise the only one. */
export function shopInForce(settings: ResolvedSettings): string | undefined {
  if (settings.shop !== undefined) return settings.shop.value;
  const signedIn = Object.keys(settings.profile?.shops ?? {});
  return signedIn.length === 1 ? signedIn[0] : undefined;
}

/**
 * A key as it is, if it is the key of the shop that was asked for. Throws a Refusal `shop_mismatch` if a flag or a
 * variable names another shop: nothing is ever done in a shop that was not meant.
 */
function ofMeantShop(key: Key | undefined, credential: Credential, settings: ResolvedSettings): Key | undefined {
  const { shop, profile } = settings;
  if (key === undefined || credential === 'partner-api-key') return key;
  if (shop === undefined || shop.origin === 'profile') return key;
  const owner = key.shop ?? accountInKey(key.secret, credential === 'shop-key' ? 'partner' : 'shop');
  if (owner === shop.value) return key;
  const asked = { shop: shop.value };
  const message =
    owner === undefined
      ? say().key.ofNobody(asked)
      : say().key.ofOther({ owner: calledShop(owner, nameOfShop(profile, owner)), ...asked });
  throw new Refusal('shop_mismatch', message, { kind: 'credential', facts: asked });
}

/** A variable that is in force, and what it and the profile have; undefined if the profile has nothing to compare. */
interface Compared {
  readonly variable: string;
  readonly given: string;
  readonly own: readonly string[];
}

/** What the environment has for a call, beside what a profile has for it: address, kind and key; `ofMeantShop` compares the shop. */
function comparedWith(
  profile: StoredProfile,
  credential: Credential,
  { baseUrl, as }: ResolvedSettings,
  env: Env,
): readonly Compared[] {
  const isShopKey = credential === 'shop-key';
  const kind = credential === 'shop-api-key' ? 'shop' : 'partner';
  const keyVariable = isShopKey ? 'SHOPCTL_SHOP_KEY' : 'SHOPCTL_API_KEY';
  const key = isShopKey || (as?.value ?? profile.kind) === kind ? env[keyVariable] : undefined;
  const shops = credential === 'partner-api-key' ? [] : shopsOf(profile).map(({ id }) => id);
  const ofKind = profile.kind === kind ? [ownerOf(profile.api_key)] : shops;
  const saved = isShopKey ? shops.map((id) => `shop${id}`) : ofKind;
  const fromEnvironment = ({ origin, value }: { origin: string; value: string }) =>
    origin === 'environment' ? value : undefined;
  const compared = [
    ['SHOPCTL_BASE_URL', baseUrl && fromEnvironment(baseUrl) && originOf(baseUrl.value), [originOf(profile.base_url)]],
    ['SHOPCTL_AS', as && fromEnvironment(as), [profile.kind]],
    [keyVariable, key?.includes(':') === true ? ownerOf(key) : undefined, saved],
  ] as const;
  return compared.flatMap(([variable, given, own]) =>
    given === undefined ? [] : [{ variable, given, own: own.flatMap((one) => one ?? []) }],
  );
}

/**
 * Throws a Refusal `profile_mismatch` if a profile was named for this run, and the environment has another address, kind, or
 * key of another owner than the profile: what was typed is meant, and what is left over is not known to be.
 */
function requireNamedProfile(credential: Credential, settings: ResolvedSettings, env: Env): void {
  const { profile, profileName } = settings;
  if (profile === undefined || profileName?.origin !== 'flag') return;
  const other = comparedWith(profile, credential, settings, env).find(
    ({ given, own }) => own.length > 0 && !own.includes(given),
  );
  if (other === undefined) return;
  const { variable, given, own } = other;
  const message = say().key.otherProfile({ variable, given, profile: String(profileName.value), own });
  throw new Refusal('profile_mismatch', message, { kind: 'credential', facts: { variable } });
}

/**
 * The key of one kind: from the environment, otherwise from the profile in force and bound to its origin. Throws a
 * Refusal: `profile_mismatch` if the profile that was named has another, `shop_mismatch` if it is that of another shop
 * than the one that was asked for.
 */
export function keyOf(credential: Credential, settings: ResolvedSettings, env: Env): Key | undefined {
  requireNamedProfile(credential, settings, env);
  return ofMeantShop(foundKey(credential, settings, env), credential, settings);
}

/** Why there is no key of a kind: the shop that a partner asks for is not signed in; undefined if that is not why. */
export function whyNoKey(credential: Credential, { shop, profile }: ResolvedSettings): string | undefined {
  if (credential !== 'shop-key' || profile?.kind !== 'partner' || shop === undefined) return undefined;
  const { noShopSignedIn, shopNotSignedIn } = say().key;
  return (/^\d+$/.test(shop.value) ? shopNotSignedIn : noShopSignedIn)({ shop: shop.value });
}

function foundKey(credential: Credential, settings: ResolvedSettings, env: Env): Key | undefined {
  const { profile } = settings;
  if (credential === 'shop-key') {
    const given = fromEnvironment(env.SHOPCTL_SHOP_KEY);
    if (given !== undefined) return given;
    const shop = shopInForce(settings);
    const shops = profile?.shops;
    if (profile?.kind !== 'partner' || shop === undefined || !shops || !Object.hasOwn(shops, shop)) return undefined;
    const saved = boundTo(profile, shops[shop]?.shop_key);
    return saved && { ...saved, shop };
  }
  const kind = credential === 'shop-api-key' ? 'shop' : 'partner';
  const inForce = settings.as?.value ?? kind;
  const given = inForce === kind ? fromEnvironment(env.SHOPCTL_API_KEY) : undefined;
  if (given !== undefined) return given;
  if (profile?.kind !== kind) return undefined;
  const saved = boundTo(profile, profile.api_key);
  const [own, ...others] = kind === 'shop' ? shopsOf(profile) : [];
  return saved && own !== undefined && others.length === 0 ? { ...saved, shop: own.id } : saved;
}

/**
 * The id of the shop that a flag or a variable asks for, where it selects records instead of a key; undefined if none is
 * asked for. Throws a Refusal for a name that no shop of the profile has.
 */
export function shopAskedFor({ shop, profile }: Pick<ResolvedSettings, 'shop' | 'profile'>): string | undefined {
  if (shop === undefined || shop.origin === 'profile') return undefined;
  if (/^\d+$/.test(shop.value)) return shop.value;
  throw new Refusal('shop_not_signed_in', say().key.noShopCalled({ shop: shop.value }), {
    facts: { shop: shop.value, ...otherShops(profile, shop.value) },
  });
}

/**
 * Throws a Refusal if a command line names a shop for what concerns all of them. A variable is no such wish: it stands for
 * every command.
 */
export function requireAllShops(what: string, settings: Pick<ResolvedSettings, 'shop' | 'profile'>): void {
  const asked = shopAskedFor(settings);
  if (asked === undefined || settings.shop?.origin !== 'flag') return;
  throw new Refusal('of_all_shops', say().key.ofAllShops({ what, shop: asked }));
}

/** Throws a Refusal if a shop is asked for and this belongs to another one, or to one whose id is not known. */
export function requireOfShopAskedFor(
  what: string,
  shop: string | null,
  settings: Pick<ResolvedSettings, 'shop' | 'profile'>,
): void {
  const asked = shopAskedFor(settings);
  if (asked === undefined || asked === shop) return;
  throw new Refusal('of_other_shop', say().key.ofOtherShop({ what, shop: asked, owner: shop }));
}

/**
 * Throws a Refusal if a shop is asked for where a partner's own key acts for all of its shops (contract, partner.Webhook).
 */
export function requireNoShop(credential: Credential, { shop }: Pick<ResolvedSettings, 'shop'>): void {
  if (credential !== 'partner-api-key' || shop === undefined || shop.origin === 'profile') return;
  throw new Refusal('shop_of_partner', say().key.ofPartner({ shop: shop.value }));
}

/** The address of the service; throws a Refusal `no_service` if none is named. */
export function baseUrlOf(settings: ResolvedSettings): string {
  if (settings.baseUrl !== undefined) return settings.baseUrl.value;
  throw new Refusal('no_service', say().key.noService, { kind: 'configuration' });
}
