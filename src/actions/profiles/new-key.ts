import * as z from 'zod';
import { isSendable } from '../../client/authorization.ts';
import type { StoredProfile } from '../../platform/settings.ts';
import type { Ports } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { type NewKey, tryKey } from '../settings/try-key.ts';

/** A key that a header can carry; anything else is a slip of copying, and is told before it is saved. */
function sendable(key: string): string {
  if (isSendable(key)) return key;
  throw new Refusal(
    'key_malformed',
    'the key holds a space, a line break or another character that no header can carry',
  );
}

/** The API key of a new profile: as it was given, else what a person types; undefined for none. */
async function keyFor(given: string | undefined, { person }: Ports): Promise<string | undefined> {
  if (given !== undefined) {
    const key = given.trim();
    if (key === '') throw new Refusal('key_empty', 'stdin held no key');
    return sendable(key);
  }
  if (!person.isThere) return undefined;
  const answer = await person.ask({
    name: 'api_key',
    message: 'API key (empty for none)',
    schema: z.string(),
    secret: true,
  });
  return answer === '' ? undefined : sendable(answer);
}

/** What is saved of a key: itself, and what the service calls the shop that it is of. */
type Tried = Pick<StoredProfile, 'api_key' | 'shop_names'>;

async function tried(key: NewKey, ports: Ports): Promise<Tried> {
  const account = await tryKey(key, ports);
  return {
    api_key: key.api_key,
    ...(account === undefined || key.kind === 'partner' ? {} : { shop_names: { [account.id]: account.name } }),
  };
}

/** Where a person sits, a key that was typed is asked for again where it is refused, and kept untried where they want that. */
async function triedAtTerminal(key: NewKey, ports: Ports): Promise<Tried | 'again'> {
  try {
    return await tried(key, ports);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await ports.progress.say(error.message);
    if (error.code === 'key_refused') return 'again';
    const question = { name: 'keep', message: 'Save the key untried?', schema: z.boolean(), initial: false };
    if (await ports.person.ask(question)) return { api_key: key.api_key };
    throw error;
  }
}

/** A new key for a profile, tried at its service unless that is not wanted; nothing where none is given. */
export async function newKey(
  given: string | undefined,
  { kind, base_url }: Pick<StoredProfile, 'kind' | 'base_url'>,
  { check, ports }: { readonly check: boolean; readonly ports: Ports },
): Promise<Tried> {
  for (;;) {
    const api_key = await keyFor(given, ports);
    if (api_key === undefined) return {};
    if (!check) return { api_key };
    const key = { kind, base_url, api_key };
    const end = given === undefined ? await triedAtTerminal(key, ports) : await tried(key, ports);
    if (end !== 'again') return end;
  }
}
