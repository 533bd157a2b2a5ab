import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Settings, StoredProfile } from '../../platform/settings/settings.ts';
import { say } from '../texts.ts';

/** A stored profile by its own name, ignoring inherited properties. */
export function storedProfile({ profiles }: Settings, name: string): StoredProfile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** The same; throws a Refusal if there is none. */
export function profileNamed(settings: Settings, name: string): StoredProfile {
  const profile = storedProfile(settings, name);
  if (profile !== undefined) return profile;
  throw new Refusal('profile_unknown', say().profiles.unknown({ name: JSON.stringify(name) }), {
    kind: 'missing',
    facts: { profile: name, profiles: Object.keys(settings.profiles) },
  });
}

/** Changes the profile in force; throws a Refusal if there is none. */
export async function changeProfile(
  { settings, store }: Pick<Ports, 'settings' | 'store'>,
  change: (profile: StoredProfile) => StoredProfile,
): Promise<void> {
  const name = settings.profileName?.value;
  if (name === undefined) throw new Refusal('no_profile', say().profiles.noneSelected);
  await store.update((stored) => ({
    ...stored,
    profiles: { ...stored.profiles, [name]: change(profileNamed(stored, name)) },
  }));
}
