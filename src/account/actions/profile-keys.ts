import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { isSendable } from '../../client/authorization.ts';
import { checkedBaseUrl, shownBaseUrl } from '../../client/base-url.ts';
import type { Key } from '../../client/connection.ts';
import type { Account } from '../../client/key-check.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { Settings, StoredProfile } from '../../platform/settings/settings.ts';
import { nameOfShop, shopsOf } from '../../settings/shop-names.ts';
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

/** How profiles are displayed. */
export const view: View = {
  columns: [
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'kind', kind: 'state' },
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
    read_only: profile.read_only === true || profile.read_only === 'locked',
  };
}

/** An API key about to be saved. */
type NewKey = Pick<StoredProfile, 'kind' | 'base_url'> & { readonly api_key: string };

const credentialOf = { partner: 'partner-api-key', shop: 'shop-api-key' } as const;
const otherKind = { partner: 'shop', shop: 'partner' } as const;

async function checked(kind: StoredProfile['kind'], key: Key, baseUrl: string, ports: Ports) {
  // With the schemas of what it asks, which whoever reads or changes settings does not need.
  const { checkKey } = await import('../../client/key-check.ts');
  return checkKey(credentialOf[kind], key, ports.connection(baseUrl));
}

/**
 * Checks an API key with its service before it is saved; returns the account, if the service names it. Throws a Refusal
 * `key_refused` (with `other_kind` if the key is of that kind), and `key_untried` if the service could not be asked.
 */
async function tryKey({ kind, base_url, api_key }: NewKey, ports: Ports): Promise<Account | undefined> {
  const key: Key = { secret: new Secret(api_key), origin: new URL(checkedBaseUrl(base_url)).origin };
  const { works, problem = say().key.noAnswer, unreachable, account } = await checked(kind, key, base_url, ports);
  if (works === true) return account;
  if (works === undefined) {
    const message = say().key.untried({ why: problem });
    throw new Refusal('key_untried', message, { kind: unreachable === true ? 'network' : 'contract' });
  }
  const other = otherKind[kind];
  const isOfOther = (await checked(other, key, base_url, ports)).works === true;
  throw new Refusal('key_refused', say().key.refused({ kind, why: problem }), {
    kind: 'credential',
    facts: isOfOther ? { other_kind: other } : {},
  });
}

/** A key that a header can carry; anything else is a copying mistake, reported before it is saved. */
function sendable(key: string): string {
  if (isSendable(key)) return key;
  throw new Refusal('key_malformed', say().key.malformed);
}

/** A key given on stdin. */
function givenKey(given: string): string {
  const key = given.trim();
  if (key === '') throw new Refusal('key_empty', say().key.empty);
  return sendable(key);
}

/** Asks a person for a key; returns undefined for none. */
export type AskForKey = (person: Ports['person']) => Promise<string | undefined>;

const askForAny: AskForKey = async (person) => {
  const answer = await person.ask({
    name: 'api_key',
    message: say().key.ask,
    schema: z.string(),
    secret: true,
  });
  return answer === '' ? undefined : sendable(answer);
};

/** What is saved with a key: the key, its kind, and the service's name for its shop. */
type Tried = Pick<StoredProfile, 'kind' | 'api_key' | 'shop_names'>;

async function tried(key: NewKey, ports: Ports): Promise<Tried> {
  const account = await tryKey(key, ports);
  const isOfShop = account !== undefined && key.kind === 'shop';
  return {
    kind: key.kind,
    api_key: key.api_key,
    ...(isOfShop ? { shop_names: { [account.id]: account.name } } : {}),
  };
}

const other = { partner: 'shop', shop: 'partner' } as const;

/**
 * With a person present, a refused key is asked for again, one of the other kind is accepted as that kind, and one that
 * could not be checked is saved unchecked if they want that.
 */
async function triedWithPerson(key: NewKey, ports: Ports): Promise<Tried | 'again'> {
  const { person, progress } = ports;
  const yes = async (name: string, message: string, initial: boolean) =>
    person.ask({ name, message, schema: z.boolean(), initial });
  try {
    return await tried(key, ports);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const kind = other[key.kind];
    const isOther = error.facts.other_kind === kind;
    if (isOther && (await yes('kind', say().key.isOther({ kind }), true))) {
      return tried({ ...key, kind }, ports);
    }
    await progress.say(error.message);
    if (error.code === 'key_refused') return 'again';
    if (await yes('keep', say().key.saveUntried, false)) return { kind: key.kind, api_key: key.api_key };
    throw error;
  }
}

/** A new key for a profile, checked with its service unless that is unwanted; only the kind if no key is given. */
export async function newKey(
  given: string | undefined,
  { kind, base_url }: Pick<StoredProfile, 'kind' | 'base_url'>,
  {
    check = true,
    ask = askForAny,
    ports,
  }: { readonly check?: boolean; readonly ask?: AskForKey; readonly ports: Ports },
): Promise<Tried> {
  const { person } = ports;
  for (;;) {
    const isTyped = given === undefined && person.isThere;
    const api_key = given === undefined ? (isTyped ? await ask(person) : undefined) : givenKey(given);
    if (api_key === undefined) return { kind };
    if (!check) return { kind, api_key };
    const key = { kind, base_url, api_key };
    const end = isTyped ? await triedWithPerson(key, ports) : await tried(key, ports);
    if (end !== 'again') return end;
  }
}
