import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';
import { type Settings, SettingsError, type StoredLedger, type StoredProfile, type StoredShop } from './settings.ts';

/** Migrates the file's content from one version to the next: the first in a list takes version 1 to 2. */
export type Migration = (content: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * The content of a parsed file as Settings: migrated to the newest version, every known field checked for its type,
 * unknown ones kept. Throws a SettingsError that names the field, never its value.
 */
export function settingsFrom(path: string, parsed: unknown, migrations: readonly Migration[]): Settings {
  const newest = migrations.length + 1;
  let content = record(path, '', parsed);
  const version = content.version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw damaged(path, 'version', say().settings.what.version);
  }
  if (version > newest) {
    const { installNewer, newer } = say().settings;
    throw new SettingsError(path, newer({ path: makeSafe(path), version, newest }), installNewer);
  }
  for (const migrate of migrations.slice(version - 1)) content = record(path, '', migrate(content));
  optionalText(path, content, '', 'current_profile');
  requireTexts(path, 'settings', content.settings);
  const profiles = eachOf(path, 'profiles', content.profiles, profileFrom);
  const ledgers = content.ledgers === undefined ? undefined : eachOf(path, 'ledgers', content.ledgers, ledgerFrom);
  return { ...withoutGaps(content), version: newest, profiles, ...(ledgers === undefined ? {} : { ledgers }) };
}

/**
 * The changed settings with the unknown fields of the previous ones, so that a change written for this version loses
 * nothing of a later one. A profile that moved to another service or kind loses them: an unknown field may be a key.
 */
export function keepingUnknown(before: Settings, after: Settings): Settings {
  return {
    ...after,
    ...unknownOf(before, after, ['version', 'current_profile', 'profiles', 'settings']),
    // The caller's type knows one version; what it changed was migrated to the newest already.
    version: before.version,
    profiles: mapped(after.profiles, (profile, name) => {
      const former = before.profiles[name];
      if (former === undefined || former.base_url !== profile.base_url || former.kind !== profile.kind) return profile;
      return { ...profile, ...unknownOf(former, profile, profileFields), ...keptShops(former, profile) };
    }),
  };
}

function keptShops(former: StoredProfile, profile: StoredProfile): Pick<StoredProfile, 'shops'> {
  if (profile.shops === undefined) return {};
  const shops = mapped(profile.shops, (shop, id) => {
    const formerShop = former.shops?.[id];
    return formerShop === undefined ? shop : { ...shop, ...unknownOf(formerShop, shop, shopFields) };
  });
  return { shops };
}

/**
 * The type of each field of a profile. The compiler reports a missing entry, which matters because unknown fields are
 * kept.
 */
const profileTypes = {
  kind: 'own',
  base_url: 'own',
  shops: 'own',
  settings: 'own',
  shop_names: 'own',
  read_only: 'own',
  api_key: 'text',
  current_shop: 'text',
  sign_in_component_url: 'text',
  sandbox: 'text',
  sandbox_instance: 'text',
  sandbox_flags: 'text',
  output: 'text',
} as const satisfies Readonly<Record<keyof StoredProfile, 'text' | 'own'>>;

const profileFields: readonly string[] = Object.keys(profileTypes);
const profileTexts = Object.entries(profileTypes).flatMap(([field, type]) => (type === 'text' ? [field] : []));
const shopFields: readonly string[] = ['name', 'shop_key', 'since'];

function profileFrom(path: string, place: string, value: unknown): StoredProfile {
  const profile = record(path, place, value);
  const { kind } = profile;
  if (kind !== 'partner' && kind !== 'shop') throw damaged(path, `${place}.kind`, say().settings.what.kind);
  const base_url = textAt(path, profile, place, 'base_url');
  for (const field of profileTexts) optionalText(path, profile, place, field);
  const { read_only } = profile;
  if (read_only !== undefined && typeof read_only !== 'boolean' && read_only !== 'locked') {
    throw damaged(path, `${place}.read_only`, say().settings.what.readOnly);
  }
  for (const field of ['settings', 'shop_names'] as const) requireTexts(path, `${place}.${field}`, profile[field]);
  const shops = profile.shops === undefined ? undefined : eachOf(path, `${place}.shops`, profile.shops, shopFrom);
  return { ...withoutGaps(profile), kind, base_url, ...(shops === undefined ? {} : { shops }) };
}

/** Throws unless a field holds texts by name, if there is one. */
function requireTexts(path: string, place: string, value: unknown): void {
  if (value === undefined) return;
  const texts = record(path, place, value);
  for (const name of Object.keys(texts)) requiredText(path, texts, place, name);
}

function shopFrom(path: string, place: string, value: unknown): StoredShop {
  const shop = record(path, place, value);
  const shop_key = textAt(path, shop, place, 'shop_key');
  optionalText(path, shop, place, 'name');
  optionalText(path, shop, place, 'since');
  return { ...withoutGaps(shop), shop_key };
}

function ledgerFrom(path: string, place: string, value: unknown): StoredLedger {
  const ledger = record(path, place, value);
  return { id: textAt(path, ledger, place, 'id'), place: textAt(path, ledger, place, 'place') };
}

type FromUnknown<Value> = (path: string, place: string, value: unknown) => Value;

function eachOf<Value>(path: string, place: string, value: unknown, from: FromUnknown<Value>): Record<string, Value> {
  return mapped(record(path, place, value), (one, name) => from(path, `${place}.${name}`, one));
}

/**
 * Without a prototype: a profile may be called `__proto__`, and one called `constructor` exists only if it was saved.
 */
function mapped<From, To>(
  from: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  const to: Record<string, To> = Object.create(null);
  for (const [name, value] of Object.entries(from)) to[name] = change(value, name);
  return to;
}

function unknownOf(before: object, after: object, known: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(before).filter(([name]) => !known.includes(name) && !Object.hasOwn(after, name)),
  );
}

/** JSON has no undefined: such a field is left out. */
function withoutGaps(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function record(path: string, place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw damaged(path, place, say().settings.what.object);
}

function textAt(path: string, content: Readonly<Record<string, unknown>>, place: string, field: string): string {
  const value = content[field];
  if (typeof value === 'string') return value;
  throw damaged(path, place === '' ? field : `${place}.${field}`, say().settings.what.text);
}

function requiredText(path: string, content: Readonly<Record<string, unknown>>, place: string, field: string): void {
  textAt(path, content, place, field);
}

function optionalText(path: string, content: Readonly<Record<string, unknown>>, place: string, field: string): void {
  if (content[field] !== undefined) requiredText(path, content, place, field);
}

function damaged(path: string, place: string, expected: string): SettingsError {
  const where = place === '' ? say().settings.whole : makeSafe(place);
  return damagedFor(path, say().settings.must({ where, what: expected }));
}

/** An error about a file that cannot be parsed. */
export const damagedFor = (path: string, fault: string): SettingsError =>
  new SettingsError(path, say().settings.damaged({ path: makeSafe(path), fault }), say().settings.repair);
