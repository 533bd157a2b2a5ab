import type { Settings, StoredProfile } from '../../platform/settings.ts';
import type { Invocation, Result } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** A stored profile by its own name, never by something that every object has. */
export function storedProfile(settings: Settings, name: string): StoredProfile | undefined {
  return Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
}

/** Changes the profile in force, or only checks the change when it is a dry run; the notice tells what was done. */
export async function changeProfile(
  { session }: Invocation,
  change: (profile: StoredProfile) => StoredProfile,
  notices: readonly string[],
): Promise<Result> {
  const name = session.settings.profileName?.value;
  if (name === undefined)
    throw new UsageError('no profile is in force', { hint: 'make one with `shopctl auth setup`' });
  const changed = (settings: Settings): Settings => {
    const profile = storedProfile(settings, name);
    if (profile === undefined) throw new UsageError(`there is no profile ${JSON.stringify(name)}`);
    return { ...settings, profiles: { ...settings.profiles, [name]: change(profile) } };
  };
  if (session.globals['dry-run'] === true) {
    changed(await session.store.read());
    return { document: { kind: 'none' }, notices: ['dry run: nothing was changed', ...notices] };
  }
  await session.store.update(changed);
  return { document: { kind: 'none' }, notices };
}
