import { Refusal } from '../client/refusal.ts';
import { say } from '../contract/texts.ts';
import { entriesOf } from '../domain/json/keys-of.ts';
import type { Settings, StoredProfile } from '../platform/settings/settings.ts';
import { say as ofPlatform } from '../platform/terminal/texts.ts';
import type { Known, Setting, SettingType } from './setting.ts';
import { shopNamed } from './shop-names.ts';
import { type SettingKey, settingsTable } from './table.ts';

/** Where a setting in force comes from. */
export type Origin = 'flag' | 'environment' | 'profile' | 'settings' | 'default';

/** A setting in force, and where it comes from. */
export interface InForce<Value> {
  readonly value: Value;
  readonly origin: Origin;
  /** What was given, where the value was found by it: the name of a shop. */
  readonly written?: string;
}

type Table = typeof settingsTable;
type ValueOf<Declared> = Declared extends { readonly type: SettingType<infer Value> } ? Value : never;

/** The current settings for one run; in order of precedence: given, environment, profile, default. */
export type ResolvedSettings = {
  readonly [Key in SettingKey]: Table[Key] extends { readonly otherwise: unknown }
    ? InForce<ValueOf<Table[Key]>>
    : Key extends 'output' | 'tz'
      ? InForce<string>
      : InForce<ValueOf<Table[Key]>> | undefined;
} & { readonly profile: StoredProfile | undefined };

/** The settings given for this run, by key: a text, or true for a switch. */
export type GivenSettings = { readonly [Key in SettingKey]?: string | true };

/** The sources of the settings in force. */
export interface Sources {
  readonly stored: Settings;
  readonly given: GivenSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly known: Known;
}

/** The variables of shopctl that are set to a blank text: a script's own variable was not set. */
export function emptyVariables(env: Sources['env']): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('SHOPCTL_') && env[name]?.trim() === '');
}

/** Every setting with its key. */
export const allSettings: readonly (readonly [SettingKey, Setting])[] = entriesOf<SettingKey, Setting>(settingsTable);

/** The text that a profile keeps for a setting; undefined if there is none. */
function textOfProfile(profile: StoredProfile | undefined, { name, kept }: Setting): string | undefined {
  if (profile === undefined || kept === undefined) return undefined;
  if (kept !== 'settings') return profile[kept] === undefined ? undefined : String(profile[kept]);
  return textOf(profile.settings, name);
}

const textOf = (texts: Settings['settings'] = {}, name: string) =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** The text that a profile, or else the settings of every profile, have for a setting, and which of them has it. */
export function storedText(
  profile: StoredProfile | undefined,
  setting: Setting,
  { settings }: Pick<Settings, 'settings'>,
): { readonly text: string; readonly origin: Origin } | undefined {
  const own = textOfProfile(profile, setting);
  if (own !== undefined) return { text: own, origin: 'profile' };
  const text = setting.isPersonal === true ? textOf(settings, setting.name) : undefined;
  return text === undefined ? undefined : { text, origin: 'settings' };
}

function refused(key: SettingKey, { name, type, variable = '' }: Setting, origin: Origin, known: Known): Refusal {
  const isGiven = origin === 'flag';
  const { must } = ofPlatform().settings;
  const expected = type.expected(known);
  const message = must({ where: isGiven ? name : variable, what: expected });
  return new Refusal('setting_invalid', message, {
    kind: isGiven ? 'usage' : 'configuration',
    facts: { setting: key, origin, expected },
  });
}

/** Resolves one setting. An invalid given value is a usage error, one from the environment a configuration error. */
function resolveOne(
  key: SettingKey,
  setting: Setting,
  { given, env, known }: Sources,
  stored: ReturnType<typeof storedText>,
): InForce<unknown> | undefined {
  const { type, variable, otherwise } = setting;
  const own = given[key];
  if (own === true) return { value: true, origin: 'flag' };
  if (own !== undefined) {
    const value = type.read(own, known);
    if (value === undefined) throw refused(key, setting, 'flag', known);
    return { value, origin: 'flag' };
  }
  const text = variable === undefined ? undefined : env[variable];
  if (text !== undefined && text.trim() !== '') {
    const value = type.read(text, known);
    if (value === undefined) throw refused(key, setting, 'environment', known);
    return { value, origin: 'environment' };
  }
  // A value in a profile that cannot be parsed (a format of another version) is ignored.
  const value = stored === undefined ? undefined : type.read(stored.text, known);
  if (stored !== undefined && value !== undefined) return { value, origin: stored.origin };
  if (otherwise !== undefined) return { value: otherwise, origin: 'default' };
  if (type.first === undefined) return undefined;
  return {
    get value() {
      return type.first?.(known);
    },
    origin: 'default',
  };
}

/** The zone of every time that a person sees: UTC where that is asked for, the setting, or undefined: this machine's. */
export function zoneShown({ tz }: Pick<ResolvedSettings, 'tz'>, isUtc: boolean): string | undefined {
  if (isUtc) return 'UTC';
  return tz.origin === 'default' ? undefined : tz.value;
}

function profileOf({ profiles }: Settings, name: InForce<unknown> | undefined): StoredProfile | undefined {
  if (name === undefined) return undefined;
  const called = String(name.value);
  const profile = Object.hasOwn(profiles, called) ? profiles[called] : undefined;
  if (profile === undefined && name.origin !== 'profile') {
    const names = Object.keys(profiles);
    throw new Refusal('profile_unknown', say().key.noProfile({ profile: called }), {
      kind: 'configuration',
      facts: { profile: called, profiles: names },
    });
  }
  return profile;
}

/** Read-only mode as one profile has locked it: for all of them, because another profile may have the same key. */
function lockedIn({ profiles }: Settings): { readonly readOnly?: InForce<'locked'> } {
  const isLocked = Object.values(profiles).some(({ read_only }) => read_only === 'locked');
  return isLocked ? { readOnly: { value: 'locked', origin: 'profile' } } : {};
}

/** What holds read-only mode: where it comes from, or its lock. */
export const heldBy = ({ value, origin }: ResolvedSettings['readOnly']): Origin | 'locked' =>
  value === 'locked' ? 'locked' : origin;

/** Resolves all settings for one run. Throws a Refusal that names the setting if a value cannot be used. */
export function resolveSettings(sources: Sources): ResolvedSettings {
  const { profileName, ...others } = settingsTable;
  const { current_profile: text } = sources.stored;
  const name = resolveOne('profileName', profileName, sources, text === undefined ? text : { text, origin: 'profile' });
  const profile = profileOf(sources.stored, name);
  const entries = allSettings
    .filter(([key]) => Object.hasOwn(others, key))
    .map(
      ([key, setting]) =>
        [key, resolveOne(key, setting, sources, storedText(profile, setting, sources.stored))] as const,
    );
  const known = { ...Object.fromEntries(entries), ...lockedIn(sources.stored) };
  const resolved = { ...known, profileName: name, profile } as ResolvedSettings;
  const { shop } = resolved;
  if (shop === undefined) return resolved;
  return { ...resolved, shop: { ...shop, value: shopNamed(profile, shop.value), written: shop.value } };
}
