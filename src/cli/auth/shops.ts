import { shopInForce } from '../../actions/settings/keys.ts';
import { Secret } from '../../platform/secret.ts';
import type { StoredProfile } from '../../platform/settings.ts';
import type { Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';
import { UsageError } from '../usage-error.ts';
import { changeProfile } from './stored-profile.ts';

const view: View = {
  columns: [
    { path: 'shop_id' },
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'since', kind: 'time' },
    { path: 'shop_key' },
  ],
  name: 'shop_id',
};

/** `auth shops`: the shops that the profile in force has keys of. */
export async function shops({ context, session }: Invocation): Promise<Result> {
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const current = shopInForce(session.settings);
  const rows = Object.entries(session.settings.profile?.shops ?? {}).map(([shop_id, shop]) => ({
    shop_id,
    name: shop.name ?? null,
    current: shop_id === current,
    since: shop.since ?? null,
    shop_key: new Secret(shop.shop_key).redacted(),
  }));
  return { document: { kind: 'list', rows, view } };
}

/** Fails for a shop that the profile has no key of. */
export function refuseUnknown(profile: StoredProfile | undefined, shopId: string): void {
  if (profile?.shops !== undefined && Object.hasOwn(profile.shops, shopId)) return;
  throw new UsageError(`shop ${shopId} is not signed in`, {
    hint: `sign it in with \`shopctl auth login --shop-id ${shopId}\``,
  });
}

/** `auth use`: the shop that is acted for from now on. */
export async function use(invocation: Invocation): Promise<Result> {
  const shopId = invocation.given.arguments[0] ?? '';
  const change = (profile: StoredProfile) => {
    refuseUnknown(profile, shopId);
    return { ...profile, current_shop: shopId };
  };
  return changeProfile(invocation, change, [`acting for shop ${shopId}`]);
}

/** What is left of a profile without one shop, or without all of them. */
function without(profile: StoredProfile, shopId: string | undefined): StoredProfile {
  const { current_shop, shops: known = {}, ...rest } = profile;
  if (shopId === undefined) return rest;
  refuseUnknown(profile, shopId);
  const shops = Object.fromEntries(Object.entries(known).filter(([id]) => id !== shopId));
  return { ...rest, shops, ...(current_shop === undefined || current_shop === shopId ? {} : { current_shop }) };
}

/** `auth logout`: forgets keys of shops. That is all it can do, and it says so. */
export async function logout(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const all = given.flags.all === true;
  const [named] = given.arguments;
  if (all && named !== undefined) throw new UsageError('either a shop or --all, not both');
  const shopId = all ? undefined : (named ?? shopInForce(session.settings));
  if (!all && shopId === undefined) throw new UsageError('which shop? name its id, or --all');
  return changeProfile(invocation, (profile) => without(profile, shopId), [
    `forgot the key of ${all ? 'every shop' : `shop ${shopId}`}`,
    'nothing was revoked: a key stays valid until the shop removes its link with the partner',
    ...(all ? ['the API key of the profile is still there: shopctl profiles remove'] : []),
  ]);
}
