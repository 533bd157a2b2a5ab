import { type Account, addressOf } from '../client/account.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { shopsOf } from './shop-names.ts';

/** A profile that acts on an account, and the shop to choose there, by its name if it has one. */
export interface ProfileOfAccount {
  readonly profile: string;
  /** Undefined if the profile is of that shop alone. */
  readonly shop: string | undefined;
}

const isAt = (url: string, origin: string) => URL.canParse(url) && addressOf(url) === origin;

/** The profile whose keys act on an account; undefined if none is saved. */
export function profileOfAccount(account: Account, { profiles }: Settings): ProfileOfAccount | undefined {
  for (const [name, profile] of Object.entries(profiles)) {
    if (profile.kind !== account.family || !isAt(profile.base_url, account.origin)) continue;
    const found = shopsOf(profile).find(({ id }) => id === account.shop);
    if (found === undefined) continue;
    return { profile: name, shop: profile.kind === 'shop' ? undefined : (found.name ?? found.id) };
  }
  return undefined;
}
