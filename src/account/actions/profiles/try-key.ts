import type { Ports } from '../../../action/ports.ts';
import type { Key } from '../../../client/connection.ts';
import { checkedBaseUrl } from '../../../client/exchange/base-url.ts';
import { type Account, checkKey } from '../../../client/key-check.ts';
import { Refusal } from '../../../client/refusal.ts';
import { Secret } from '../../../platform/settings/secret.ts';
import type { StoredProfile } from '../../../platform/settings/settings.ts';

/** An API key about to be saved. */
export type NewKey = Pick<StoredProfile, 'kind' | 'base_url'> & { readonly api_key: string };

const credentialOf = { partner: 'partner-api-key', shop: 'shop-api-key' } as const;
const otherKind = { partner: 'shop', shop: 'partner' } as const;

const checked = (kind: StoredProfile['kind'], key: Key, baseUrl: string, ports: Ports) =>
  checkKey(credentialOf[kind], key, ports.connection(baseUrl));

/**
 * Checks an API key with its service before it is saved; returns the account, if the service names it. Throws a Refusal
 * `key_refused` (with `other_kind` if the key is of that kind), and `key_untried` if the service could not be asked.
 */
export async function tryKey({ kind, base_url, api_key }: NewKey, ports: Ports): Promise<Account | undefined> {
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
