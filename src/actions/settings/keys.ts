import type { Key } from '../../client/connection.ts';
import type { Credential } from '../../contract/operation.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { Refusal } from '../action/refusal.ts';
import type { ResolvedSettings } from './in-force.ts';

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

/** The current shop: the one named, otherwise the only one. */
export function shopInForce(settings: ResolvedSettings): string | undefined {
  if (settings.shop !== undefined) return settings.shop.value;
  const signedIn = Object.keys(settings.profile?.shops ?? {});
  return signedIn.length === 1 ? signedIn[0] : undefined;
}

/** The key of one kind: from the environment, otherwise from the profile in force and bound to its origin. */
export function keyOf(credential: Credential, settings: ResolvedSettings, env: Env): Key | undefined {
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
  return profile?.kind === kind ? boundTo(profile, profile.api_key) : undefined;
}

/** The address of the service; throws a Refusal `no_service` if none is named. */
export function baseUrlOf(settings: ResolvedSettings): string {
  if (settings.baseUrl !== undefined) return settings.baseUrl.value;
  throw new Refusal('no_service', 'no service is named', { kind: 'configuration' });
}
