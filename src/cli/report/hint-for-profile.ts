import { addressOf } from '../../client/account.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import type { ResolvedSettings } from '../../settings/in-force.ts';
import { shopInForce } from '../../settings/keys.ts';
import { profileOfAccount } from '../../settings/profile-of-account.ts';
import { otherShops, shopNamed, shopsOf } from '../../settings/shop-names.ts';
import { adviceInWords, shellWord } from '../errors/advice.ts';
import { hintFor } from '../errors/hints.ts';
import { say } from '../errors/texts.ts';
import type { Session } from '../session/session.ts';
import { shopsInWords } from './refusal-words.ts';

/** The common fields of our failures. */
type Failure = { readonly [Fact in 'kind' | 'code' | 'failure' | 'operation' | 'facts']?: unknown };

type Facts = Fields;

type Env = Readonly<Record<string, string | undefined>>;

/** The sandbox of the profile in force, if the address is the profile's own. */
function sandboxOf({ profile, baseUrl }: ResolvedSettings): string | undefined {
  return profile?.base_url === baseUrl?.value ? profile?.sandbox : undefined;
}

/** How to start a sandbox as it was, at the port that its profile has. */
function startOf(sandbox: string, { profile }: ResolvedSettings): string {
  const { port } = new URL(profile?.base_url ?? 'http://127.0.0.1');
  return adviceInWords('start_sandbox', { name: sandbox, port, flags: profile?.sandbox_flags ?? '' });
}

const profileFlag = (name: string) => `--profile ${shellWord(name)}`;

const isWithShopKey = (operation: string) => operation.startsWith('partner.Shipping/');

/** The variable that holds the key of an operation. */
const variableOf = (operation: string) => (isWithShopKey(operation) ? 'SHOPCTL_SHOP_KEY' : 'SHOPCTL_API_KEY');

/** What to do about a rejected key: it depends on where the key came from, and whose it is. */
function aboutKey(operation: string, settings: ResolvedSettings, env: Env): string | undefined {
  const isShopKey = isWithShopKey(operation);
  const variable = variableOf(operation);
  if (env[variable]) {
    const isAsPartner = variable === 'SHOPCTL_API_KEY' && operation.startsWith('partner.');
    return isAsPartner ? say().profile.notAcceptedOfPartner({ variable }) : say().profile.notAccepted({ variable });
  }
  const name = settings.profileName?.value;
  const shop = shopInForce(settings);
  if (isShopKey && shop !== undefined) {
    return say().profile.linkRemoved({ command: `shopctl auth login --shop-id ${shellWord(shop)}` });
  }
  const sandbox = sandboxOf(settings);
  if (sandbox !== undefined) return say().profile.otherKeys({ start: startOf(sandbox, settings) });
  return name === undefined
    ? undefined
    : say().profile.setKey({ command: `shopctl profiles set-key ${shellWord(name)}` });
}

/** How the only one of these profiles becomes the one in use, unless another was chosen for this command alone. */
export function useInstead([only, ...others]: readonly string[], inForce: ResolvedSettings['profileName']): string[] {
  const isOfCommand = inForce?.origin === 'flag' || inForce?.origin === 'environment';
  if (only === undefined || others.length > 0 || isOfCommand) return [];
  return [say().profile.useAlways({ command: `shopctl profiles use ${shellWord(only)}` })];
}

/** Where to get a missing key: from a profile that has one, or by creating one beside the profile in force. */
async function aboutMissing(operation: string, { settings, store }: Session, env: Env): Promise<string | undefined> {
  const { profile, profileName } = settings;
  if (operation.startsWith('partner.') && env.SHOPCTL_API_KEY && profile === undefined)
    return say().profile.mayBeOfShop;
  const wanted = operation.startsWith('shop.') ? 'shop' : 'partner';
  const shop = settings.shop?.value;
  if (operation.startsWith('partner.Shipping/') && profile?.kind === wanted && shop !== undefined) {
    return shopsInWords({ shop, ...otherShops(profile, shop) });
  }
  if (profile?.kind === wanted) {
    if (!isWithShopKey(operation) || sandboxOf(settings) === undefined) return undefined;
    const usual = hintFor('credential_missing', { facts: { credential: 'shop-key' } });
    const { profiles } = await store.read();
    const shops = Object.keys(profiles).filter(
      (name) => profiles[name]?.kind === 'shop' && profiles[name]?.sandbox === profile.sandbox,
    );
    return [usual, ...useInstead(shops, profileName), say().profile.signedIn].join('; ');
  }
  const { profiles } = await store.read();
  const names = Object.keys(profiles).filter((name) => profiles[name]?.kind === wanted && profiles[name]?.api_key);
  if (names.length > 0)
    return [say().profile.otherProfile({ ways: names.map(profileFlag) }), ...useInstead(names, profileName)].join('; ');
  if (profile === undefined || profileName === undefined) return undefined;
  const command = `shopctl profiles add NAME --kind ${wanted} --base-url ${shellWord(profile.base_url)} --api-key-stdin`;
  const facts = { profile: shellWord(profileName.value), command };
  return wanted === 'shop' ? say().profile.isOfPartner(facts) : say().profile.isOfShop(facts);
}

/** The profile that has the key of the shop that was asked for; otherwise, how to leave the choice to the key. */
async function aboutMismatch({ settings, store }: Session): Promise<string> {
  const shop = settings.shop?.value ?? '';
  const { profiles } = await store.read();
  const has = (profile: StoredProfile) => shopsOf(profile).some(({ id }) => id === shopNamed(profile, shop));
  const names = Object.keys(profiles).filter((name) => profiles[name] !== undefined && has(profiles[name]));
  if (names.length > 0) return say().profile.use({ ways: names.map(profileFlag) });
  return say().profile.leaveShop;
}

/** The profile with which a draft of another account is continued. */
async function aboutDraft(facts: Facts, { store }: Session): Promise<string | undefined> {
  const { draft, base_url, family, shop } = facts;
  if (typeof draft !== 'string' || typeof base_url !== 'string' || !URL.canParse(base_url)) return undefined;
  if ((family !== 'partner' && family !== 'shop') || typeof shop !== 'string') return undefined;
  const found = profileOfAccount({ origin: addressOf(base_url), family, shop }, await store.read());
  if (found === undefined) return undefined;
  const chosen = [`--profile ${shellWord(found.profile)}`, ...(found.shop ? [`--shop ${shellWord(found.shop)}`] : [])];
  return say().profile.goOnThere({ command: `shopctl ship --resume ${shellWord(draft)} ${chosen.join(' ')}` });
}

/** The profiles of the address to which a key of another one was not sent. */
async function aboutOrigin({ origin }: Facts, { store }: Session): Promise<string | undefined> {
  const { profiles } = await store.read();
  const isThere = (url: string | undefined) => url !== undefined && URL.canParse(url) && new URL(url).origin === origin;
  const names = Object.keys(profiles).filter((name) => isThere(profiles[name]?.base_url));
  return names.length === 0 ? undefined : say().profile.use({ ways: names.map(profileFlag) });
}

/**
 * What to do about a failure, given the profile in force and its kind; undefined if the failure's own hint is better.
 */
export async function hintForProfile(
  { kind, code, failure, operation, facts }: Failure,
  session: Session,
  env: Env,
): Promise<string | undefined> {
  const called = typeof operation === 'string' ? operation : '';
  const sandbox = sandboxOf(session.settings);
  if (kind === 'network' && failure === 'refused' && sandbox !== undefined) {
    return say().profile.sandboxStopped({ start: startOf(sandbox, session.settings) });
  }
  // The control commands of a sandbox need no key from the profile.
  if (code === 'unauthenticated' && /^(?:partner|shop)\./.test(called)) return aboutKey(called, session.settings, env);
  const variable = variableOf(called);
  if (code === 'credential_malformed' && env[variable]) {
    return say().profile.malformed({ variable });
  }
  if (code === 'draft_elsewhere') return aboutDraft(fieldsIn(facts), session);
  if (code === 'key_bound_elsewhere') return aboutOrigin(fieldsIn(facts), session);
  if (code === 'shop_mismatch') return aboutMismatch(session);
  return code === 'credential_missing' ? aboutMissing(called, session, env) : undefined;
}
