import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, list, text, time } from '../../contract/schema/scalars.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { shopInForce } from '../../settings/keys.ts';
import { calledShop, nameOfShop, otherShops, shopNamed } from '../../settings/shop-names.ts';
import { changeProfile } from './profile.ts';

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
      report.notice(`no shop is signed in: ${ui.advise('use_new_profile', { kind: 'partner' })}`);
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
  throw new Refusal('shop_not_signed_in', `shop ${shop} is not signed in`, {
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
    ports.report.notice(`acting for ${calledShop(shop, nameOfShop(ports.settings.profile, shop))}`);
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
    if (all && given !== undefined) throw new Refusal('shop_or_all', 'either one shop or all of them, not both');
    const meant = given === undefined ? shopInForce(settings) : shopNamed(settings.profile, given);
    const shopId = all ? undefined : meant;
    if (!all && shopId === undefined) throw new Refusal('shop_unsaid', 'which shop? none is selected');
    await changeProfile(ports, (profile) => without(profile, shopId));
    report.notice(
      `forgot the key of ${shopId === undefined ? 'every shop' : calledShop(shopId, nameOfShop(settings.profile, shopId))}`,
    );
    report.notice('nothing was revoked: a key stays valid until the shop removes its link with the partner');
    if (all) report.notice(ui.advise('remove_profile', { profile: settings.profileName?.value ?? '' }));
    return undefined;
  },
});
