import type { StoredProfile } from '../../platform/settings.ts';

/** What a shop is called: as the person calls it, else as the service does; undefined where neither is known. */
export function nameOfShop(profile: StoredProfile | undefined, shopId: string): string | undefined {
  const own = <Value>(from: Readonly<Record<string, Value>> | undefined) =>
    from !== undefined && Object.hasOwn(from, shopId) ? from[shopId] : undefined;
  return own(profile?.shops)?.name || own(profile?.shop_names) || undefined;
}

/** The shops that a profile can act for, by their ids and what they are called: those signed in, or the one whose key it has. */
export function shopsOf(profile: StoredProfile): readonly { readonly id: string; readonly name: string | undefined }[] {
  const ids = profile.kind === 'shop' ? Object.keys(profile.shop_names ?? {}) : Object.keys(profile.shops ?? {});
  return ids.map((id) => ({ id, name: nameOfShop(profile, id) }));
}

/** A shop in a sentence: by its name, and its id that tells it from another one of that name. */
export function calledShop(id: string, name: string | undefined): string {
  return name === undefined ? `shop ${id}` : `${name} (${id})`;
}

/** The id of the shop that was named: by its id, or by a name that no other signed-in shop has. */
export function shopNamed(profile: StoredProfile | undefined, shop: string): string {
  const ids = Object.keys(profile?.shops ?? {});
  if (ids.includes(shop)) return shop;
  const wanted = shop.trim().toLowerCase();
  const [found, another] = ids.filter((id) => nameOfShop(profile, id)?.toLowerCase() === wanted);
  return found === undefined || another !== undefined ? shop : found;
}
