import * as z from 'zod';
import { shownBaseUrl } from '../../../client/exchange/base-url.ts';
import { flag, list, oneOf, text } from '../../../contract/schema/scalars.ts';
import type { View } from '../../../contract/view.ts';
import { Secret } from '../../../platform/settings/secret.ts';
import type { Settings, StoredProfile } from '../../../platform/settings/settings.ts';
import { nameOfShop, shopsOf } from '../../../settings/shop-names.ts';

/** How profiles are displayed. */
export const view: View = {
  columns: [
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'kind' },
    { path: 'shop_name', header: 'shop' },
    { path: 'base_url', cut: 'never' },
    { path: 'api_key' },
    { path: 'shop_names', header: 'shops', optional: true },
    { path: 'read_only', kind: 'flag', optional: true },
  ],
  name: 'name',
  fields: ['shops', 'current_shop', 'sign_in_component_url', 'output'],
};

/** The kinds of a profile's API key. */
export const kinds = ['partner', 'shop'] as const;

/** A profile as a result. */
export const shown = z.object({
  name: text('Name of the profile'),
  current: flag('Whether it is the current profile'),
  kind: oneOf(kinds, 'Whose API key it is'),
  base_url: text('Address of the service'),
  api_key: z.nullable(text('The last characters of its API key; null where it has none')),
  shops: list(text('Id of a shop'), 'The shops that are signed in'),
  shop_names: list(text('Name of a shop, else its id'), 'The shops that it can act for'),
  current_shop: z.nullable(text('The current shop')),
  shop_name: z.nullable(text('Name of the current shop, else its id')),
  sign_in_component_url: z.nullable(text("Script of the service's sign-in component")),
  output: z.nullable(text('How to print results')),
  read_only: flag('Whether all writes are refused'),
});

/** The shop that a profile acts for by default: the current one, otherwise the only one. */
function actedFor(profile: StoredProfile): string | undefined {
  const shops = shopsOf(profile);
  return profile.current_shop ?? (shops.length === 1 ? shops[0]?.id : undefined);
}

/** A profile for display: keys are reduced to their last four characters. */
export function showing(settings: Settings, name: string, profile: StoredProfile): z.output<typeof shown> {
  const shop = actedFor(profile);
  return {
    name,
    current: settings.current_profile === name,
    kind: profile.kind,
    base_url: shownBaseUrl(profile.base_url),
    api_key: profile.api_key === undefined ? null : new Secret(profile.api_key).redacted(),
    shops: Object.keys(profile.shops ?? {}),
    shop_names: shopsOf(profile).map(({ id, name }) => name ?? id),
    current_shop: profile.current_shop ?? null,
    shop_name: shop === undefined ? null : (nameOfShop(profile, shop) ?? shop),
    sign_in_component_url: profile.sign_in_component_url ?? null,
    output: profile.output ?? null,
    read_only: profile.read_only ?? false,
  };
}
