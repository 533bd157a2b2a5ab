import { createHash } from 'node:crypto';
import type { Credential, Family } from '../contract/operation.ts';
import type { Secret } from '../platform/secret.ts';
import type { Connection } from './connection.ts';
import { CredentialError } from './errors.ts';

const howToGet: Readonly<Record<Credential, { name: string; hint: string }>> = {
  'partner-api-key': {
    name: "a partner's API key",
    hint: 'set a profile up with `shopctl auth setup`, or set SHOPCTL_API_KEY to the API key that the operator gave the partner',
  },
  'shop-key': {
    name: 'a shop key',
    hint: 'connect a shop with `shopctl auth login`, choose one with --shop, or set SHOPCTL_SHOP_KEY',
  },
  'shop-api-key': {
    name: "a shop's own API key",
    hint: "use a profile of the kind shop, or set SHOPCTL_AS=shop and SHOPCTL_API_KEY to the shop's own API key",
  },
};

/**
 * What an HTTP header can carry of a key: visible ASCII. Anything else, a line break above all, is a copying accident.
 */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * The key that a call carries (contract, "Authentication") and that may go to this origin: one that was saved for an
 * origin goes nowhere else. Throws a CredentialError.
 */
export function keyFor(credential: Credential, operation: string, origin: string, connection: Connection): Secret {
  const { name, hint } = howToGet[credential];
  const key = connection.key(credential);
  if (key === undefined) {
    throw new CredentialError('credential_missing', `${operation} needs ${name}, and there is none`, operation, hint);
  }
  if (key.origin !== undefined && key.origin !== origin) {
    throw new CredentialError(
      'key_bound_elsewhere',
      `the saved key belongs to ${key.origin} and is not sent to ${origin}`,
      operation,
      `use the profile of ${origin}, or sign in there with \`shopctl auth login --base-url ${origin}\``,
    );
  }
  if (!SENDABLE.test(key.secret.reveal())) {
    throw new CredentialError(
      'credential_malformed',
      `${name} is there but holds a space, a line break or another character that no header can carry`,
      operation,
      hint,
    );
  }
  return key.secret;
}

/** The headers of a call. This file is the only one of the client that reveals a key. */
export function callHeaders(key: Secret, userAgent: string): Record<string, string> {
  return {
    authorization: `Bearer ${key.reveal()}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': userAgent,
  };
}

/** A shorter text, or digits alone, could be a part of somebody's data: it is not taken for a key. */
const TELLING = /^(?!\d+$).{8,}$/s;

/**
 * Takes a key, and its secret part after the colon, out of a text that the service wrote, for it may echo the header:
 * as it is, with the slashes of JSON escaped, or as a part of a url.
 */
export function withoutKey(text: string, key: Secret): string {
  const whole = key.reveal();
  const parts = [whole, whole.slice(whole.indexOf(':') + 1)].filter((part) => TELLING.test(part));
  return parts
    .flatMap((part) => [part, part.replaceAll('/', '\\/'), encodeURIComponent(part)])
    .reduce((safe, written) => safe.replaceAll(written, key.redacted()), text);
}

/** What the key of a shop begins with: its id, behind `shop` in a partner's key for it (decisions, section 3). */
const NAMING: Readonly<Record<Family, RegExp>> = { partner: /^shop(\d{1,19}):/, shop: /^(\d{1,19}):/ };

/** The id of the shop that a key names by its form; undefined for a key of another form. */
export function accountInKey(key: Secret, family: Family): string | undefined {
  return NAMING[family].exec(key.reveal())?.[1];
}

/** A text that tells a key from another one, and nothing else about it. */
export function fingerprint(key: Secret): string {
  return createHash('sha256').update(`shopctl account ${key.reveal()}`).digest('hex').slice(0, 20);
}
