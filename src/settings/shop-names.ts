import { accountInKey } from '../client/authorization.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { foldedName, plainName } from '../domain/places/place-name.ts';
import { Secret } from '../platform/settings/secret.ts';
import type { StoredProfile } from '../platform/settings/settings.ts';

/** The name of a shop: the person's name for it, otherwise the service's; undefined if neither is known. */
export function nameOfShop(profile: StoredProfile | undefined, shopId: string): string | undefined {
  const own = <Value>(from: Readonly<Record<string, Value>> | undefined) =>
    from !== undefined && Object.hasOwn(from, shopId) ? from[shopId] : undefined;
  return own(profile?.shops)?.name || own(profile?.shop_names) || undefined;
}

/** The shops that a profile can act for, with ids and names: those signed in, or the one whose key it has. */
export function shopsOf(profile: StoredProfile): readonly { readonly id: string; readonly name: string | undefined }[] {
  const ids = Object.keys((profile.kind === 'shop' ? profile.shop_names : profile.shops) ?? {});
  const inKey = profile.kind === 'shop' ? accountInKey(new Secret(profile.api_key ?? ''), 'shop') : undefined;
  if (inKey !== undefined && !ids.includes(inKey)) ids.push(inKey);
  return ids.map((id) => ({ id, name: nameOfShop(profile, id) }));
}

/** A shop in a sentence: its name, and its id, which distinguishes it from others of the same name. */
export function calledShop(id: string, name: string | undefined): string {
  return name === undefined ? `shop ${id}` : `${name} (${id})`;
}

/**
 * The id of the named shop among those of a profile: by its id, or by its name, which may lack diacritics. A name that
 * none has, or several have, is returned unchanged.
 */
export function shopNamed(profile: StoredProfile | undefined, shop: string): string {
  const known = profile === undefined ? [] : shopsOf(profile);
  if (known.some(({ id }) => id === shop)) return shop;
  for (const form of [plainName, foldedName]) {
    const [found, ...others] = known.filter(({ name }) => name !== undefined && form(name) === form(shop));
    if (found !== undefined) return others.length === 0 ? found.id : shop;
  }
  return shop;
}

/** The shops of a profile by name, and the one that was probably meant by a name that none of them has. */
export function otherShops(
  profile: StoredProfile | undefined,
  shop: string,
): { readonly shops: readonly string[]; readonly near?: string } {
  const shops = (profile === undefined ? [] : shopsOf(profile)).map(({ id, name }) => name ?? id);
  const folded = new Map(shops.map((name) => [foldedName(name), name]));
  const wanted = foldedName(shop);
  const within = wanted === '' ? [] : [...folded.keys()].filter((name) => name.includes(wanted));
  const near = folded.get(nearestName(wanted, folded.keys()) ?? (within.length === 1 ? (within[0] ?? '') : ''));
  return { shops, ...(near === undefined ? {} : { near }) };
}
