import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import type { Settings, StoredProfile } from '../../platform/settings/settings.ts';
import { allSettings, emptyVariables, heldBy } from '../../settings/in-force.ts';
import type { Setting } from '../../settings/setting.ts';
import { settingsTable } from '../../settings/table.ts';
import { say } from '../texts.ts';
import { changeProfile } from './profile-keys.ts';

const inForce = z.object({
  name: text('Name of the setting'),
  value: z.nullable(text('Its value; null if it has none')),
  origin: oneOf(['flag', 'environment', 'profile', 'settings', 'default'], 'Where the value comes from'),
});
type Row = z.output<typeof inForce>;

const view: View = { columns: [{ path: 'name' }, { path: 'value' }], name: 'name', fields: ['origin'] };
const viewWithOrigin: View = { ...view, columns: [...view.columns, { path: 'origin', kind: 'sentence' }] };

function rowsOf({ settings, env, report }: Ports): Row[] {
  for (const name of emptyVariables(env)) report.notice(say().settings.emptyVariable({ name }));
  return allSettings.map(([key, { name, type }]) => {
    const found = settings[key];
    return {
      name,
      value: found === undefined ? null : type.write(found.value),
      origin: found?.origin ?? 'default',
    };
  });
}

const listSettings = action({
  id: 'config.list',
  words: ['config', 'list'],
  summary: 'List the current settings',
  examples: ['shopctl config list --show-origin'],
  effect: 'read',
  needs: [],
  input: z.object({ show_origin: z.optional(flag('show where each one comes from')) }),
  showsSettings: true,
  output: list(inForce, 'The current settings'),
  view: ({ show_origin }) => (show_origin === true ? viewWithOrigin : view),
  run: (_, ports) => rowsOf(ports),
});

/** Normalises a name: `base-url` is `base_url`. */
const canonical = (name: string) => name.replaceAll('-', '_');

function unknownSetting(name: string, settings: readonly string[]): Refusal {
  return new Refusal('setting_unknown', say().settings.unknown({ name: JSON.stringify(name) }), {
    facts: { settings },
  });
}

const name = { name: text('name of the setting') };
const names = allSettings.map(([, setting]) => setting.name);

const getSetting = action({
  id: 'config.get',
  words: ['config', 'get'],
  summary: 'Print one setting',
  examples: ['shopctl config get base_url'],
  effect: 'read',
  needs: [],
  input: z.object(name),
  showsSettings: true,
  output: inForce,
  view: { ...viewWithOrigin, text: 'value' },
  positional: ['name'],
  hints: { name: { values: names } },
  run({ name }, ports) {
    const rows = rowsOf(ports);
    const row = rows.find((candidate) => candidate.name === canonical(name));
    if (row === undefined) throw unknownSetting(name, names);
    return row;
  },
});

/** The settings that can be changed one by one in a profile. */
const kept = allSettings.flatMap(([, setting]) =>
  setting.kept === undefined || setting.fixed === true ? [] : [setting satisfies Setting],
);
const storedNames = kept.map((setting) => setting.name);

function keptNamed(name: string): Setting {
  const found = kept.find((setting) => setting.name === canonical(name));
  if (found !== undefined) return found;
  const setting = allSettings.find(([, { name: known }]) => known === canonical(name))?.[1];
  if (setting === undefined) throw unknownSetting(name, storedNames);
  throw new Refusal('setting_not_kept', say().settings.notKept({ name: setting.name }), {
    facts: { setting: setting.name, settings: storedNames },
  });
}

/** Settings by name with one of them, or without it if the text is undefined. */
function withText(
  all: NonNullable<StoredProfile['settings']>,
  name: string,
  text: string | undefined,
): Pick<StoredProfile, 'settings'> {
  const { [name]: _, ...others } = all;
  const settings = text === undefined ? others : { ...others, [name]: text };
  return Object.keys(settings).length > 0 ? { settings } : {};
}

/** A profile with a setting, or without it if the value is undefined. */
function withSetting(profile: StoredProfile, { name, kept }: Setting, value: unknown, text: string): StoredProfile {
  const isGone = value === undefined;
  if (kept === 'settings') {
    const { settings = {}, ...rest } = profile;
    return { ...rest, ...withText(settings, name, isGone ? undefined : text) };
  }
  const entries = Object.entries(profile).filter(([field]) => field !== kept);
  return Object.assign(Object.fromEntries(entries), isGone || kept === undefined ? {} : { [kept]: value }, {
    kind: profile.kind,
    base_url: kept === 'base_url' ? String(value) : profile.base_url,
  });
}

/** Refuses a new address with another origin, which would receive the saved keys. */
function refuseMovedKeys(before: StoredProfile, after: StoredProfile): void {
  const hasKeys = before.api_key !== undefined || Object.keys(before.shops ?? {}).length > 0;
  if (!hasKeys || new URL(after.base_url).origin === new URL(before.base_url).origin) return;
  throw new Refusal('keys_stay', say().settings.keysStay);
}

/**
 * In read-only mode only read_only itself may be changed: what a profile has is lifted there, and its lock by a person at a
 * terminal, who is asked; --yes is no answer. Throws a Refusal `read_only`.
 */
async function requireWritable({ name }: Setting, isLocking: boolean, { settings: { readOnly }, person }: Ports) {
  if (readOnly.value === false) return;
  const isOwn = name === settingsTable.readOnly.name && readOnly.origin === 'profile';
  const held = heldBy(readOnly);
  if (!isOwn || (held === 'locked' && (!person.isThere || person.hasAgreed)))
    throw new Refusal('read_only', say().settings.readOnly({ name, held }), {
      kind: 'policy',
      facts: { setting: name, held },
    });
  if (held !== 'locked' || isLocking) return;
  const message = say().settings.unlock;
  if (!(await person.ask({ name: 'unlock', message, schema: z.boolean(), initial: false })))
    throw new Refusal('not_confirmed', say().settings.staysLocked);
}

/** Unlocking is for every profile, as the lock is: one of another profile would hold. */
function unlocked(settings: Settings): Settings {
  const profiles = Object.entries(settings.profiles).map(
    ([name, profile]) => [name, profile.read_only === 'locked' ? { ...profile, read_only: true } : profile] as const,
  );
  return { ...settings, profiles: Object.fromEntries(profiles) };
}

/** Changes a setting where it is saved, if that may be changed; read_only unlocks every profile before. */
async function changeSetting(
  setting: Setting,
  text: string | undefined,
  ports: Ports,
  change: (profile: StoredProfile) => StoredProfile,
): Promise<void> {
  const isLocking = setting.type.read(text ?? '', ports.known) === 'locked';
  await requireWritable(setting, isLocking, ports);
  if (!isLocking && setting.name === settingsTable.readOnly.name && heldBy(ports.settings.readOnly) === 'locked')
    await ports.store.update(unlocked);
  if (!isForEveryProfile(setting, ports)) return changeProfile(ports, change);
  await ports.store.update(({ settings = {}, ...rest }) => ({ ...rest, ...withText(settings, setting.name, text) }));
}

/** Whether a setting is saved for every profile: unless one is named for this run, or the one in force has its own. */
function isForEveryProfile({ isPersonal, name }: Setting, { settings: { profileName, profile } }: Ports): boolean {
  const isNamed = profileName?.origin === 'flag' || profileName?.origin === 'environment';
  return isPersonal === true && !isNamed && !Object.hasOwn(profile?.settings ?? {}, name);
}

const setSetting = action({
  id: 'config.set',
  words: ['config', 'set'],
  summary: 'Change a setting of the current profile',
  description:
    'lang is saved for every profile, unless --profile names one. read_only is false, true or locked. Where it is true, a profile, a variable or a flag can lift it; where one profile has it locked, it holds for all of them, and it is unlocked at a terminal only, with config set read_only false.',
  examples: ['shopctl config set output json', 'shopctl config set read_only locked'],
  effect: 'settings',
  undo: 'config unset',
  refusesItself: true,
  needs: [],
  input: z.object({ ...name, value: text('its value') }),
  output: silence,
  positional: ['name', 'value'],
  hints: { name: { values: storedNames } },
  async run({ name, value: given }, ports) {
    const setting = keptNamed(name);
    const value = setting.type.read(given, ports.known);
    if (value === undefined) {
      const expected = setting.type.expected(ports.known);
      throw new Refusal('value_refused', say().settings.mustBe({ name: setting.name, expected }), {
        facts: { setting: setting.name },
      });
    }
    const wrong = setting.type.whyNotKept?.(value as never);
    if (wrong !== undefined)
      throw new Refusal('value_refused', say().settings.refused({ name: setting.name, why: wrong }));
    if (setting.type.isAddress === true) checkedBaseUrl(String(value));
    await changeSetting(setting, given, ports, (profile) => {
      const changed = withSetting(profile, setting, value, given);
      refuseMovedKeys(profile, changed);
      return changed;
    });
    return undefined;
  },
});

const unsetSetting = action({
  id: 'config.unset',
  words: ['config', 'unset'],
  summary: 'Remove a setting from the current profile',
  examples: ['shopctl config unset output'],
  effect: 'settings',
  undo: 'config set',
  refusesItself: true,
  needs: [],
  input: z.object(name),
  output: silence,
  positional: ['name'],
  hints: { name: { values: storedNames } },
  async run({ name }, ports) {
    const setting = keptNamed(name);
    if (setting.required === true) {
      throw new Refusal('setting_required', say().settings.required({ name: setting.name }));
    }
    await changeSetting(setting, undefined, ports, (profile) => withSetting(profile, setting, undefined, ''));
    return undefined;
  },
});

const settingsPath = action({
  id: 'config.path',
  words: ['config', 'path'],
  summary: 'Print where the settings are stored',
  examples: ['shopctl config path'],
  effect: 'read',
  needs: [],
  input: z.object({}),
  output: z.object({ path: text('The file') }),
  view: { columns: [{ path: 'path' }], text: 'path' },
  run: (_, { store }) => ({ path: store.path }),
});

/** The current settings, and those saved in a profile. */
export const actions = [listSettings, getSetting, setSetting, unsetSetting, settingsPath];
