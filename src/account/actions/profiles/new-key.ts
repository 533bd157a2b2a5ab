import * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';
import type { Key } from '../../../client/connection.ts';
import { Refusal } from '../../../client/connection.ts';
import { isSendable } from '../../../client/exchange/authorization.ts';
import { checkedBaseUrl } from '../../../client/exchange/base-url.ts';
import { type Account, checkKey } from '../../../client/key-check.ts';
import { Secret } from '../../../platform/settings/secret.ts';
import type { StoredProfile } from '../../../platform/settings/settings.ts';

/** An API key about to be saved. */
type NewKey = Pick<StoredProfile, 'kind' | 'base_url'> & { readonly api_key: string };

const credentialOf = { partner: 'partner-api-key', shop: 'shop-api-key' } as const;
const otherKind = { partner: 'shop', shop: 'partner' } as const;

const checked = (kind: StoredProfile['kind'], key: Key, baseUrl: string, ports: Ports) =>
  checkKey(credentialOf[kind], key, ports.connection(baseUrl));

/**
 * Checks an API key with its service before it is saved; returns the account, if the service names it. Throws a Refusal
 * `key_refused` (with `other_kind` if the key is of that kind), and `key_untried` if the service could not be asked.
 */
async function tryKey({ kind, base_url, api_key }: NewKey, ports: Ports): Promise<Account | undefined> {
  const key: Key = { secret: new Secret(api_key), origin: new URL(checkedBaseUrl(base_url)).origin };
  const { works, problem = 'no answer', unreachable, account } = await checked(kind, key, base_url, ports);
  if (works === true) return account;
  if (works === undefined) {
    const message = `the key could not be tried: ${problem}`;
    throw new Refusal('key_untried', message, { kind: unreachable === true ? 'network' : 'contract' });
  }
  const other = otherKind[kind];
  const isOfOther = (await checked(other, key, base_url, ports)).works === true;
  throw new Refusal('key_refused', `the service does not accept the key as one of a ${kind}: ${problem}`, {
    kind: 'credential',
    facts: isOfOther ? { other_kind: other } : {},
  });
}

/** A key that a header can carry; anything else is a copying mistake, reported before it is saved. */
function sendable(key: string): string {
  if (isSendable(key)) return key;
  throw new Refusal(
    'key_malformed',
    'the key contains a space, a line break or another character that a header cannot carry',
  );
}

/** A key given on stdin. */
function givenKey(given: string): string {
  const key = given.trim();
  if (key === '') throw new Refusal('key_empty', 'stdin held no key');
  return sendable(key);
}

/** Asks a person for a key; returns undefined for none. */
export type AskForKey = (person: Ports['person']) => Promise<string | undefined>;

const askForAny: AskForKey = async (person) => {
  const answer = await person.ask({
    name: 'api_key',
    message: 'API key (empty for none)',
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
const whose = { partner: "a partner's", shop: "a shop's own" } as const;

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
    if (isOther && (await yes('kind', `It is ${whose[kind]} API key. Save it as that?`, true))) {
      return tried({ ...key, kind }, ports);
    }
    await progress.say(error.message);
    if (error.code === 'key_refused') return 'again';
    if (await yes('keep', 'Save the key without checking it?', false)) return { kind: key.kind, api_key: key.api_key };
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
