import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import type { Ports, Verdict } from '../../action/ports.ts';
import type { Connection, Key } from '../../client/connection.ts';
import { CredentialError } from '../../client/errors.ts';
import { checkKey, type KeyCheck } from '../../client/key-check.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Credential } from '../../contract/operation.ts';
import { flag, list, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { keyOf, shopInForce } from '../../settings/keys.ts';
import { calledShop, nameOfShop, otherShops, shopNamed, shopsOf } from '../../settings/shop-names.ts';
import { say } from '../texts.ts';
import { login } from './login.ts';
import { changeProfile } from './profile-keys.ts';
import { setup } from './setup.ts';

const view: View = {
  columns: [
    { path: 'credential', kind: 'state' },
    { path: 'shop_id' },
    { path: 'name' },
    { path: 'key' },
    { path: 'works', kind: 'flag' },
    { path: 'problem' },
    { path: 'current', kind: 'flag', optional: true },
    { path: 'from', kind: 'state', optional: true },
    { path: 'since', kind: 'time', optional: true },
  ],
  name: 'shop_id',
};

const shownKey = z.object({
  credential: text('Its kind'),
  shop_id: z.nullable(text('The shop that it acts for; null for the API key of a partner')),
  name: z.nullable(text('What the shop is called')),
  current: z.nullable(flag('Whether it is the current shop; null for an API key')),
  since: z.nullable(time('When it was saved')),
  key: text('Its last characters'),
  from: text('environment or profile'),
  works: z.nullable(flag('Whether the service accepts it; null if not known')),
  problem: z.nullable(text('Why it does not work, or why that is not known')),
});

/** A stored key, and what is known of it offline. */
interface HeldKey {
  readonly credential: Credential;
  readonly key: Key;
  readonly from: 'environment' | 'profile';
  readonly shopId?: string;
  readonly name?: string | undefined;
  readonly since?: string | undefined;
}

function environmentKeys({ env, settings }: Ports): HeldKey[] {
  const { SHOPCTL_API_KEY: apiKey, SHOPCTL_SHOP_KEY: shopKey } = env;
  const credential = settings.as?.value === 'shop' ? 'shop-api-key' : 'partner-api-key';
  const held = (kind: Credential, text: string | undefined): HeldKey[] =>
    text ? [{ credential: kind, key: { secret: new Secret(text) }, from: 'environment' }] : [];
  return [...held(credential, apiKey), ...held('shop-key', shopKey)];
}

/** The shop whose own key a profile has, if known. */
function ownShop(profile: StoredProfile): Pick<HeldKey, 'name'> {
  const [shop] = profile.kind === 'shop' ? shopsOf(profile) : [];
  return shop === undefined ? {} : { name: shop.name };
}

function profileKeys({ settings }: Ports): HeldKey[] {
  const { profile } = settings;
  if (profile === undefined) return [];
  const bound = (text: string): Key => ({ secret: new Secret(text), origin: new URL(profile.base_url).origin });
  const own: HeldKey[] =
    profile.api_key === undefined
      ? []
      : [
          {
            credential: profile.kind === 'shop' ? 'shop-api-key' : 'partner-api-key',
            key: bound(profile.api_key),
            from: 'profile',
            ...ownShop(profile),
          },
        ];
  const shops = Object.entries(profile.shops ?? {}).map(([shopId, { since, shop_key }]) => {
    const name = nameOfShop(profile, shopId);
    return { credential: 'shop-key', key: bound(shop_key), from: 'profile', shopId, name, since } as const;
  });
  return [...own, ...shops];
}

/** Checks each key in turn; an unreachable service is asked only once. */
async function checkAll(keys: readonly HeldKey[], connection: Connection): Promise<KeyCheck[]> {
  const checks: KeyCheck[] = [];
  for (const { credential, key } of keys) {
    const last = checks.at(-1);
    checks.push(last?.unreachable === true ? last : await checkKey(credential, key, connection));
  }
  return checks;
}

/** The verdict of all checks; undefined if every key is accepted. A service that failed has said nothing of a key. */
function verdictOf(checks: readonly KeyCheck[], isOffline: boolean, { explain }: Ports['ui']): Verdict | undefined {
  if (checks.length === 0 || checks.some(({ works }) => works === false)) return 'credential';
  if (isOffline || checks.every(({ works }) => works === true)) return undefined;
  const failed = checks.find(({ error }) => error !== undefined);
  return failed === undefined ? 'credential' : explain(failed.error).verdict;
}

export const status = action({
  id: 'auth.status',
  words: ['auth', 'status'],
  summary: 'Show all keys, and whether the service accepts them',
  description:
    'Exits with 4 if a key is refused or missing, with 7 if the service cannot be reached, with 6 or 13 if it answered otherwise.',
  examples: ['shopctl auth status', 'shopctl auth status --offline --json'],
  effect: 'read',
  needs: [],
  input: z.object({ offline: z.optional(flag('do not check the keys with the service')) }),
  output: list(shownKey, 'The keys that were found'),
  view,
  async run({ offline }, ports) {
    const { settings, report, ui, isLook } = ports;
    const isOffline = offline === true || isLook;
    const keys = [...environmentKeys(ports), ...profileKeys(ports)];
    const unasked = keys.map((): KeyCheck => ({ works: undefined }));
    const checks = isOffline || keys.length === 0 ? unasked : await checkAll(keys, ports.connection());
    if (keys.length === 0) report.notice(ui.advise('begin_with_setup'));
    if (isLook) report.notice(say().keys.noneSent);
    const verdict = verdictOf(checks, isOffline, ui);
    if (verdict !== undefined) report.verdict(verdict);
    const current = shopInForce(settings);
    return keys.map(({ credential, key, from, shopId, name, since }, index) => ({
      credential,
      shop_id: shopId ?? checks[index]?.account?.id ?? null,
      name: name ?? checks[index]?.account?.name ?? null,
      current: shopId === undefined ? null : shopId === current,
      since: since ?? null,
      key: key.secret.redacted(),
      from,
      works: checks[index]?.works ?? null,
      problem: checks[index]?.problem ?? null,
    }));
  },
});

const signedIn = z.object({
  shop_id: text('Id of the shop'),
  name: z.nullable(text('Name of the shop; null when it is not known')),
  current: flag('Whether it is the current shop'),
  since: z.nullable(time('When its key was saved')),
  shop_key: text('The last characters of its key'),
});

export const shops = action({
  id: 'auth.shops',
  words: ['auth', 'shops'],
  summary: 'List the shops that are signed in',
  examples: ['shopctl auth shops'],
  effect: 'read',
  needs: [],
  input: z.object({}),
  output: list(signedIn, 'The shops that the current profile has keys for'),
  view: {
    columns: [
      { path: 'shop_id' },
      { path: 'name' },
      { path: 'current', kind: 'flag' },
      { path: 'since', kind: 'time' },
      { path: 'shop_key' },
    ],
    name: 'shop_id',
  },
  run(_, { settings, report, ui }) {
    const current = shopInForce(settings);
    const known = Object.entries(settings.profile?.shops ?? {});
    if (known.length === 0 && settings.profile?.kind === 'partner') {
      report.notice(say().keys.noShop({ advice: ui.advise('use_new_profile', { kind: 'partner' }) }));
    }
    return known.map(([shop_id, shop]) => ({
      shop_id,
      name: nameOfShop(settings.profile, shop_id) ?? null,
      current: shop_id === current,
      since: shop.since ?? null,
      shop_key: new Secret(shop.shop_key).redacted(),
    }));
  },
});

/** Throws for a shop whose key is not in the profile. */
export function refuseUnknown(profile: StoredProfile | undefined, shop: string): void {
  if (profile?.shops !== undefined && Object.hasOwn(profile.shops, shop)) return;
  throw new Refusal('shop_not_signed_in', say().keys.shopUnknown({ shop }), {
    kind: 'missing',
    facts: { shop, ...otherShops(profile, shop) },
  });
}

const shop = text('id of the shop, or its name');
const shopHint = { offers: 'shops' } as const;

export const use = action({
  id: 'auth.use',
  words: ['auth', 'use'],
  summary: 'Switch to a shop',
  examples: ['shopctl auth use ID', "shopctl auth use 'Demo Shop'"],
  effect: 'settings',
  undo: 'auth use',
  needs: [],
  input: z.object({ shop }),
  output: silence,
  positional: ['shop'],
  hints: { shop: shopHint },
  async run(given, ports) {
    const shop = shopNamed(ports.settings.profile, given.shop);
    await changeProfile(ports, (profile) => {
      refuseUnknown(profile, shop);
      return { ...profile, current_shop: shop };
    });
    ports.report.notice(say().keys.actingFor({ shop: calledShop(shop, nameOfShop(ports.settings.profile, shop)) }));
    return undefined;
  },
});

/** A profile without one shop, or without all of them. */
function without(profile: StoredProfile, shopId: string | undefined): StoredProfile {
  const { current_shop, shops: known = {}, ...rest } = profile;
  if (shopId === undefined) return rest;
  refuseUnknown(profile, shopId);
  const shops = Object.fromEntries(Object.entries(known).filter(([id]) => id !== shopId));
  return { ...rest, shops, ...(current_shop === undefined || current_shop === shopId ? {} : { current_shop }) };
}

export const logout = action({
  id: 'auth.logout',
  words: ['auth', 'logout'],
  summary: 'Remove the key of a shop',
  description:
    'The key is removed from this machine and stays valid at the service: only the shop can remove its link.',
  examples: ['shopctl auth logout', 'shopctl auth logout --all'],
  effect: 'settings',
  mayAlso: ['destroy'],
  undo: { whyNot: 'a key that was typed has to be given again; auth login signs a shop in again' },
  needs: [],
  input: z.object({ shop: z.optional(shop), all: z.optional(flag('the keys of all shops')) }),
  output: silence,
  positional: ['shop'],
  hints: { shop: shopHint },
  async run({ shop: given, all = false }, ports) {
    const { report, ui, settings } = ports;
    if (all && given !== undefined) throw new Refusal('shop_or_all', say().keys.shopOrAll);
    const meant = given === undefined ? shopInForce(settings) : shopNamed(settings.profile, given);
    const shopId = all ? undefined : meant;
    if (!all && shopId === undefined) throw new Refusal('shop_unsaid', say().keys.whichShop);
    await changeProfile(ports, (profile) => without(profile, shopId));
    report.notice(
      shopId === undefined
        ? say().keys.allForgotten
        : say().keys.forgotten({ shop: calledShop(shopId, nameOfShop(settings.profile, shopId)) }),
    );
    report.notice(say().keys.noneRevoked);
    if (all) report.notice(ui.advise('remove_profile', { profile: settings.profileName?.value ?? '' }));
    return undefined;
  },
});

interface Input {
  readonly shop?: string | undefined;
  readonly api_key?: boolean | undefined;
}

/** The requested key: that of a shop that a partner acts for, otherwise the profile's own. */
function meant({ shop, api_key }: Input, { settings }: Ports): { credential: Credential; shopId: string | undefined } {
  const isShop = settings.as?.value === 'shop';
  if (api_key === true || isShop) {
    return { credential: isShop ? 'shop-api-key' : 'partner-api-key', shopId: undefined };
  }
  return { credential: 'shop-key', shopId: shop ?? shopInForce(settings) };
}

/** The settings as if this shop were the current one. */
function settingsFor({ shop }: Input, { settings }: Ports) {
  if (shop === undefined) return settings;
  refuseUnknown(settings.profile, shop);
  return { ...settings, shop: { value: shop, origin: 'flag' as const } };
}

/** A key is printed in clear text only if a person asks for it, or a program explicitly requests it. */
async function confirmShowing({ person }: Ports, message: string): Promise<void> {
  if (person.hasAgreed) return;
  if (!person.isThere || !person.readsResult) {
    throw new Refusal('key_to_nobody', say().keys.toNobody);
  }
  if (!(await person.ask({ name: 'print', message, schema: z.boolean(), initial: false }))) {
    throw new Refusal('not_confirmed', say().keys.notPrinted);
  }
}

const token = action({
  id: 'auth.token',
  words: ['auth', 'token'],
  summary: 'Print a key in clear text',
  description: 'Prints to a terminal after asking; elsewhere only with --yes.',
  examples: ['shopctl auth token', 'shopctl auth token --api-key --yes'],
  effect: 'secret',
  undo: { whyNot: 'what was shown cannot be hidden again' },
  confirm: 'yes',
  needs: [],
  input: z.object({
    shop: z.optional(text('id of the shop')),
    api_key: z.optional(flag('the API key of the profile, not a shop key')),
  }),
  output: z.object({
    credential: text('Kind of the key'),
    shop_id: z.nullable(text('The shop that it acts for; null for an API key')),
    token: text('The key, in clear text'),
  }),
  view: { columns: [{ path: 'credential' }, { path: 'shop_id' }, { path: 'token' }], name: 'token', text: 'token' },
  positional: ['shop'],
  hints: { shop: { offers: 'shops' } },
  async run(input, ports) {
    const { credential, shopId } = meant(input, ports);
    // A shop that is named means its saved key, regardless of the environment.
    const env = input.shop === undefined ? ports.env : {};
    const key = keyOf(credential, settingsFor(input, ports), env);
    if (key === undefined) {
      const what = credential === 'shop-key' ? say().keys.noShopKey : say().keys.noApiKey;
      throw new CredentialError('credential_missing', what, { hint: ports.ui.advise('look_for_keys') });
    }
    await confirmShowing(
      ports,
      shopId === undefined ? say().keys.printApiKey : say().keys.printShopKey({ shop: shopId }),
    );
    return { credential, shop_id: shopId ?? null, token: key.secret.reveal() };
  },
});

/** Signing shops in, and the resulting keys. */
export const actions = [login, status, shops, use, logout, token, setup];
