import type { StoredProfile } from '../../platform/settings/settings.ts';

/** The name of a shop: the person's name for it, otherwise the service's; undefined if neither is known. */
export function nameOfShop(profile: StoredProfile | undefined, shopId: string): string | undefined {
  const own = <Value>(from: Readonly<Record<string, Value>> | undefined) =>
    from !== undefined && Object.hasOwn(from, shopId) ? from[shopId] : undefined;
  return own(profile?.shops)?.name || own(profile?.shop_names) || undefined;
}

/** The shops that a profile can act for, with ids and names: those signed in, or the one whose key it has. */
export function shopsOf(profile: StoredProfile): readonly { readonly id: string; readonly name: string | undefined }[] {
  const ids = profile.kind === 'shop' ? Object.keys(profile.shop_names ?? {}) : Object.keys(profile.shops ?? {});
  return ids.map((id) => ({ id, name: nameOfShop(profile, id) }));
}

/** A shop in a sentence: its name, and its id, which distinguishes it from others of the same name. */
export function calledShop(id: string, name: string | undefined): string {
  return name === undefined ? `shop ${id}` : `${name} (${id})`;
}

/** The id of the named shop: by its id, or by a name that is unique among the signed-in shops. */
export function shopNamed(profile: StoredProfile | undefined, shop: string): string {
  const ids = Object.keys(profile?.shops ?? {});
  if (ids.includes(shop)) return shop;
  const wanted = shop.trim().toLowerCase();
  const [found, another] = ids.filter((id) => nameOfShop(profile, id)?.toLowerCase() === wanted);
  return found === undefined || another !== undefined ? shop : found;
}
