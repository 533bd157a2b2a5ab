import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { ownerOf } from '../../settings/keys.ts';
import { say } from '../texts.ts';
import { kinds, newKey, profileNamed, showing, shown, view } from './profile-keys.ts';

const listProfiles = action({
  id: 'profiles.list',
  words: ['profiles', 'list'],
  summary: 'List the profiles',
  examples: ['shopctl profiles list'],
  effect: 'read',
  needs: [],
  input: z.object({}),
  output: list(shown, 'The profiles'),
  view,
  async run(_, { store }) {
    const settings = await store.read();
    return Object.entries(settings.profiles).map(([name, profile]) => showing(settings, name, profile));
  },
});

const profileName = text('name of the profile');

const showProfile = action({
  id: 'profiles.show',
  words: ['profiles', 'show'],
  summary: 'Show a profile, keys as their last four characters',
  examples: ['shopctl profiles show', 'shopctl profiles show sandbox --json'],
  effect: 'read',
  needs: [],
  input: z.object({ name: z.optional(profileName) }),
  output: shown,
  view,
  positional: ['name'],
  hints: { name: { offers: 'profiles' } },
  async run({ name: given }, { store, settings }) {
    const stored = await store.read();
    const name = given ?? settings.profileName?.value;
    if (name === undefined) throw new Refusal('no_profile_named', say().profiles.noneSelected);
    return showing(stored, name, profileNamed(stored, name));
  },
});

const sameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

/**
 * Replaces a profile of the same name: what is not given again is kept. Keys are kept only for the service and account
 * they were saved for.
 */
function replaced(before: StoredProfile, given: StoredProfile): StoredProfile {
  const { api_key, shops, current_shop, shop_names, sandbox, sandbox_flags, sandbox_instance, ...kept } = before;
  const isSameService = before.kind === given.kind && sameOrigin(before.base_url, given.base_url);
  const key = given.api_key ?? (isSameService ? api_key : undefined);
  const isSameAccount = isSameService && ownerOf(key) === ownerOf(api_key);
  return {
    ...kept,
    ...(isSameService && sandbox !== undefined ? { sandbox } : {}),
    ...(isSameService && sandbox_flags !== undefined ? { sandbox_flags } : {}),
    ...(isSameService && sandbox_instance !== undefined ? { sandbox_instance } : {}),
    ...(isSameAccount && shop_names !== undefined ? { shop_names } : {}),
    ...given,
    ...(key === undefined ? {} : { api_key: key }),
    ...(isSameAccount && shops !== undefined ? { shops } : {}),
    ...(isSameAccount && current_shop !== undefined ? { current_shop } : {}),
  };
}

/** The given address; the address of the profile in force is used only if no other was known. */
function addressOf(before: StoredProfile | undefined, { baseUrl }: Ports['settings']): string | undefined {
  if (before === undefined || baseUrl?.origin === 'flag' || baseUrl?.origin === 'environment') return baseUrl?.value;
  return before.base_url;
}

const check = z.optional(flag('check the key with the service before saving it (--no-check saves it unchecked)'));

const addProfile = action({
  id: 'profiles.add',
  words: ['profiles', 'add'],
  summary: 'Add a profile: the address of a service and a key for it',
  description:
    'The key is read from stdin (--api-key-stdin) or asked for without echo; it is never a flag. It is tried with the service, and saved only if the service accepts it; --no-check saves it unchecked.',
  examples: ['shopctl profiles add live --base-url https://shop.example --api-key-stdin < key.txt'],
  effect: 'settings',
  undo: 'profiles remove',
  needs: [],
  input: z.object({
    name: profileName,
    kind: z.optional(oneOf(kinds, 'whose API key it is')),
    api_key: z.optional(text('read the API key from stdin')),
    check,
    replace: z.optional(flag('replace a profile of that name; values that are not given again stay')),
    sign_in_component_url: z.optional(text("script of the service's sign-in component")),
  }),
  output: shown,
  view,
  positional: ['name'],
  hints: { api_key: { from: 'stdin', flag: 'api-key-stdin' }, sign_in_component_url: { placeholder: 'URL' } },
  async run({ name, kind: givenKind, api_key: given, check = true, replace, sign_in_component_url }, ports) {
    const { settings, store } = ports;
    const { profiles } = await store.read();
    const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    const baseUrl = addressOf(before, settings);
    if (baseUrl === undefined) throw new Refusal('address_missing', say().profiles.addressMissing);
    checkedBaseUrl(baseUrl);
    if (before !== undefined && replace !== true) {
      throw new Refusal('profile_exists', say().profiles.exists({ name: JSON.stringify(name) }));
    }
    const kind = givenKind ?? before?.kind ?? 'partner';
    ports.intend({ profile: name, kind, base_url: baseUrl, checks_key: check });
    const added: StoredProfile = {
      base_url: baseUrl,
      ...(await newKey(given, { kind, base_url: baseUrl }, { check, ports })),
      ...(sign_in_component_url === undefined ? {} : { sign_in_component_url }),
      ...(settings.readOnly.origin === 'flag' ? { read_only: true } : {}),
    };
    const stored = await store.update((before) => {
      const known = Object.hasOwn(before.profiles, name) ? before.profiles[name] : undefined;
      return {
        ...before,
        current_profile: before.current_profile ?? name,
        profiles: { ...before.profiles, [name]: known === undefined ? added : replaced(known, added) },
      };
    });
    const profile = profileNamed(stored, name);
    if (profile.api_key === undefined) {
      ports.report.notice(say().profiles.noKey({ advice: ports.ui.advise('give_key', { profile: name }) }));
    }
    return showing(stored, name, profile);
  },
});

const setKey = action({
  id: 'profiles.set-key',
  words: ['profiles', 'set-key'],
  summary: 'Replace the API key of a profile',
  description:
    'For a key that has changed. The rest of the profile stays; shops stay signed in if the key belongs to the same account. The key is read from stdin (--api-key-stdin) or asked for without echo; it is never a flag, and it is saved only if the service accepts it (--no-check saves it unchecked).',
  examples: ['shopctl profiles set-key live --api-key-stdin < key.txt'],
  effect: 'settings',
  undo: { whyNot: 'the former key is not kept' },
  needs: [],
  input: z.object({ name: profileName, api_key: z.optional(text('read the API key from stdin')), check }),
  output: shown,
  view,
  positional: ['name'],
  hints: { name: { offers: 'profiles' }, api_key: { from: 'stdin', flag: 'api-key-stdin' } },
  async run({ name, api_key: given, check = true }, ports) {
    const of = profileNamed(await ports.store.read(), name);
    ports.intend({ profile: name, kind: of.kind, base_url: of.base_url, checks_key: check });
    const key = await newKey(given, of, { check, ports });
    if (key.api_key === undefined) throw new Refusal('key_missing', say().profiles.keyMissing);
    const stored = await ports.store.update((before) => {
      const { kind, base_url, ...profile } = profileNamed(before, name);
      const fresh = replaced({ kind, base_url, ...profile }, { base_url, ...key });
      return { ...before, profiles: { ...before.profiles, [name]: fresh } };
    });
    return showing(stored, name, profileNamed(stored, name));
  },
});

const useProfile = action({
  id: 'profiles.use',
  words: ['profiles', 'use'],
  summary: 'Switch to a profile',
  examples: ['shopctl profiles use sandbox'],
  effect: 'settings',
  undo: 'profiles use',
  needs: [],
  input: z.object({ name: profileName }),
  output: silence,
  positional: ['name'],
  hints: { name: { offers: 'profiles' } },
  async run({ name }, { store, report }) {
    await store.update((settings) => {
      profileNamed(settings, name);
      return { ...settings, current_profile: name };
    });
    report.notice(say().profiles.isCurrent({ name }));
    return undefined;
  },
});

const removeProfile = action({
  id: 'profiles.remove',
  words: ['profiles', 'remove'],
  summary: 'Remove a profile and its keys',
  examples: ['shopctl profiles remove sandbox --yes'],
  effect: 'settings',
  mayAlso: ['destroy'],
  undo: { whyNot: 'its keys are gone' },
  confirm: 'yes',
  needs: [],
  input: z.object({ name: profileName }),
  output: silence,
  positional: ['name'],
  hints: { name: { offers: 'profiles' } },
  async run({ name }, { store, person, report, ui }) {
    profileNamed(await store.read(), name);
    await person.confirm({ what: say().profiles.removing, message: say().profiles.remove({ name }) });
    const left = await store.update((settings) => {
      const { [name]: _, ...profiles } = settings.profiles;
      const { current_profile, ...rest } = settings;
      const isCurrent = current_profile === undefined || current_profile === name;
      return { ...rest, profiles, ...(isCurrent ? {} : { current_profile }) };
    });
    report.notice(say().profiles.removed({ name }));
    const others = Object.keys(left.profiles);
    if (left.current_profile === undefined && others.length > 0) {
      report.notice(say().profiles.choose({ advice: ui.advise('choose_profile', { profiles: others }) }));
    }
    return undefined;
  },
});

/** Accounts at services. */
export const actions = [listProfiles, showProfile, addProfile, setKey, useProfile, removeProfile];
