import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

/**
 * A key or token. Printing, logging, inspecting or serialising one shows `***` and at most its last four characters;
 * only `reveal` returns the text, and only the Authorization header, the key store and the sign-in page call it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret itself. */
  reveal(): string {
    return this.#text;
  }

  /** `***` and the last four characters, if the secret is long enough for them to reveal nothing. */
  redacted(): string {
    return this.#text.length >= 16 ? `***${this.#text.slice(-4)}` : '***';
  }

  toString(): string {
    return this.redacted();
  }

  toJSON(): string {
    return this.redacted();
  }

  [inspect.custom](): string {
    return this.redacted();
  }
}

/** Whether two secrets are equal; how long it takes reveals nothing about them, not even their length. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A key of the service, wherever it stands (its owner's id, a colon, the secret), or a request token. */
const LIKE_A_KEY = /(?:shop)?\d{5,}:[^\s"'`]{8,}|request(?::|%3A)[\w-]{16,}/g;

/** A text that is a key and nothing else. */
const IS_KEY = new RegExp(`^(?:${LIKE_A_KEY.source})$`);

/** An environment without the variables that hold a key of the service, whatever they are called. */
export function environmentWithoutKeys(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const ofKeys = Object.keys(env).filter((name) => /^SHOPCTL_(?:\w+_)?KEY$/.test(name));
  const known = new Set(ofKeys.map((name) => env[name]).filter((key = '') => key.length >= 8));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] =>
      value === undefined || ofKeys.includes(name) || known.has(value) || IS_KEY.test(value) ? [] : [[name, value]],
    ),
  );
}

/** Who a web address says is calling: a user, mostly with a password. */
const USER_OF_ADDRESS = /(?<=https?:\/\/)[^\s/?#"'`]+@/gi;

/** A text in which known secrets, whatever looks like a key, and the user of an address are shown as `***`. */
export function withoutKeys(text: string, known: readonly string[]): string {
  const secrets = known.filter((secret) => secret.length >= 8);
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replaceAll(LIKE_A_KEY, '***')
    .replaceAll(USER_OF_ADDRESS, '***@');
}
