import { shownBaseUrl } from '../../client/exchange/base-url.ts';
import { withoutKeys } from '../../platform/settings/secret.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { InForce, ResolvedSettings } from '../../settings/in-force.ts';

/** The global flags, with their values, by which a command acts for the same account as this run. */
export type Scope = readonly (readonly [flag: string, value: string])[];

const isGiven = (setting: InForce<unknown> | undefined) =>
  setting?.origin === 'flag' || setting?.origin === 'environment';

/** The scope of a run; a profile that is the only one needs no name. */
export function scopeOf(settings: ResolvedSettings, { profiles }: Settings): Scope {
  const { profileName, profile, as, baseUrl, shop } = settings;
  const isNamed = profile !== undefined && (isGiven(profileName) || Object.keys(profiles).length > 1);
  const needed = [
    ['profile', isNamed ? profileName?.value : undefined],
    ['shop', isGiven(shop) ? (shop?.written ?? shop?.value) : undefined],
    ['as', isGiven(as) && as?.value !== profile?.kind ? as?.value : undefined],
    [
      'base-url',
      isGiven(baseUrl) && baseUrl !== undefined && baseUrl.value !== profile?.base_url
        ? shownBaseUrl(baseUrl.value)
        : undefined,
    ],
  ] as const;
  return needed.flatMap(([flag, value]) => (value === undefined ? [] : [[flag, withoutKeys(value, [])] as const]));
}
