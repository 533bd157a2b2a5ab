import { createHash } from 'node:crypto';
import type { Credential } from '../contract/operation.ts';
import type { Family } from '../contract/operation-id.ts';
import { say } from '../contract/texts.ts';
import type { Secret } from '../platform/settings/secret.ts';
import type { Connection } from './connection.ts';
import { CredentialError } from './errors.ts';

const TITLE = /<title[^>]*>([^<]*)/i;
const LIMIT = 60;

/** A short line from a body that is not JSON, for an error message: the title of a page, else its first words. */
export function excerpt(body: string): string {
  const text = (TITLE.exec(body.slice(0, 4096))?.[1] ?? body.slice(0, 1024).replace(/<[^>]*>?/g, ' '))
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

/** A value of the service beside words of ours: in quotes where it could be one of those, which other languages have another for. */
export const asSeen = (value: string): string => (/^[a-z]{3,}$|\s/i.test(value) ? JSON.stringify(value) : value);

/**
 * The characters of a key that an HTTP header can carry: visible ASCII. Anything else, typically a line break, is a
 * copying mistake.
 */
const SENDABLE = /^[\x21-\x7e]+$/;

/** Whether an HTTP header can carry a key. */
export function isSendable(key: string): boolean {
  return SENDABLE.test(key);
}

/**
 * The key that a call carries (contract, "Authentication") and that may be sent to this origin: one saved for an origin
 * is sent nowhere else. Throws a CredentialError.
 */
export function keyFor(credential: Credential, operation: string, origin: string, connection: Connection): Secret {
  // Most calls have their key: nothing is said, and no catalogue read.
  const texts = () => say().key;
  const named = () => ({ name: texts().names[credential] });
  const key = connection.key(credential);
  if (key === undefined) {
    const message = connection.whyNoKey?.(credential) ?? texts().needed(named());
    throw new CredentialError('credential_missing', message, { operation, credential });
  }
  if (key.origin !== undefined && key.origin !== origin) {
    const message = texts().elsewhere({ home: key.origin, origin });
    throw new CredentialError('key_bound_elsewhere', message, { operation, credential, origin });
  }
  if (/^(['"]).*\1$/.test(key.secret.reveal())) {
    const message = texts().inQuotes(named());
    throw new CredentialError('credential_malformed', message, { operation, credential });
  }
  if (!isSendable(key.secret.reveal())) {
    const message = texts().malformed(named());
    throw new CredentialError('credential_malformed', message, { operation, credential });
  }
  return key.secret;
}

/** The headers of a call. This is the only file of the client that reveals a key. */
export function callHeaders(key: Secret, userAgent: string): Record<string, string> {
  return {
    authorization: `Bearer ${key.reveal()}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': userAgent,
  };
}

/** A shorter text, or digits alone, could be part of ordinary data and is not taken for a key. */
const TELLING = /^(?!\d+$).{8,}$/s;

/** The characters that start an escape sequence. */
const MARKS = ['\\', '%', '&'];

/** One escape sequence of JSON, JavaScript, urls or HTML, even if its own characters are escaped again. */
const ESCAPE =
  /\\+u([\da-f]{4})|\\+u\{([\da-f]{1,6})\}|\\+x([\da-f]{2})|%(?:25)*([\da-f]{2})|&(?:amp;)*#x([\da-f]{1,6});?|&(?:amp;)*#(\d{1,7});?|&(colon|sol|amp|plus|equals|period|lowbar|dash|hyphen);|\\+(?=[^ux])/gi;

const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  sol: '/',
  amp: '&',
  plus: '+',
  equals: '=',
  period: '.',
  lowbar: '_',
  dash: '-',
  hyphen: '-',
};

/** Most rounds of unescaping for a text with nested escapes of several kinds. */
const MOST_ROUNDS = 8;

function unescaped(text: string): string {
  let plain = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = plain;
    plain = before.replace(ESCAPE, (written, unit, point, byte, percent, hexadecimal, decimal, named) => {
      if (named !== undefined) return NAMED[String(named).toLowerCase()] ?? written;
      const digits: unknown = unit ?? point ?? byte ?? percent ?? hexadecimal;
      // Backslashes that escape nothing but the next character.
      if (digits === undefined && decimal === undefined) return '';
      const code = digits === undefined ? Number(decimal) : Number.parseInt(String(digits), 16);
      return code > 0 && code < 0x80 ? String.fromCharCode(code) : '\ufffd';
    });
    if (plain === before) break;
  }
  return plain;
}

/** Long texts are unescaped in chunks of this many characters, to bound the memory. */
const WINDOW = 64 * 1024;

/** Overlap between chunks: a key whose escaped form is longer is not found. */
const OVERLAP = 8 * 1024;

/**
 * Removes a key from a text, or from every text in a JSON value, which is modified in place. `source` is the JSON that
 * the value was parsed from, if any: most contain nothing that could be a key, and are skipped.
 */
export type Conceal = <Value>(value: Value, source?: string) => Value;

/**
 * Removes a key, and its secret part after the colon, from what the service wrote, since it may echo the header. A text
 * that contains it in another spelling (escaped for JSON, urls or HTML, wholly or partly, even repeatedly) is replaced
 * as a whole.
 */
export function concealingKey(key: Secret): Conceal {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = concealingOf(key);
  known.set(key, made);
  return made;
}

/** A record, or a list by its indexes. */
type Container = Record<string, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Cached per key: a batch needs it for every response. */
const known = new WeakMap<Secret, Conceal>();

function concealingOf(key: Secret): Conceal {
  const whole = key.reveal();
  const parts = [...new Set([whole, whole.slice(whole.indexOf(':') + 1)])].filter((part) => TELLING.test(part));
  const spellings = [...new Set(parts.flatMap((part) => [part, encodeURIComponent(part)]))];
  const shortest = Math.min(...parts.map((part) => part.length));

  const inText = (text: string): string => {
    if (text.length < shortest) return text;
    const safe = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, key.redacted()), text);
    if (!/[\\%&]/.test(safe)) return safe;
    for (let start = 0; start < safe.length; start += WINDOW - OVERLAP) {
      const plain = unescaped(safe.slice(start, start + WINDOW));
      if (parts.some((part) => plain.includes(part))) return key.redacted();
    }
    return safe;
  };

  /** Conceals the texts directly in a container, and returns the containers nested in it. */
  const inContainer = (container: Container): Container[] => {
    const inner: Container[] = [];
    let isRenamed = false;
    for (const name of Object.keys(container)) {
      const field = container[name];
      if (isContainer(field)) inner.push(field);
      const safe = typeof field === 'string' ? inText(field) : field;
      if (safe !== field) container[name] = safe;
      isRenamed ||= !Array.isArray(container) && inText(name) !== name;
    }
    if (!isRenamed) return inner;
    const fields = Object.entries(container);
    for (const [name] of fields) delete container[name];
    for (const [name, value] of fields) {
      Object.defineProperty(container, inText(name), { value, enumerable: true, configurable: true, writable: true });
    }
    return inner;
  };

  /** Iterative, not recursive: a response may be nested deeper than the stack. */
  function inside<Value>(value: Value): Value;
  function inside(value: unknown): unknown {
    if (typeof value === 'string') return inText(value);
    const left = isContainer(value) ? [value] : [];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const inner of inContainer(next)) left.push(inner);
    }
    return value;
  }

  /** Whether a JSON text certainly contains no key: without escapes, its texts appear in it verbatim. */
  const isClear = (source: string) =>
    !MARKS.some((mark) => source.includes(mark)) && !spellings.some((spelling) => source.includes(spelling));

  return <Value>(value: Value, source?: string) => (source !== undefined && isClear(source) ? value : inside(value));
}

/** The prefix of a shop's key: the shop's id, after `shop` in a partner's key for it (decisions, section 3). */
const NAMING: Readonly<Record<Family, RegExp>> = { partner: /^shop(\d{1,19}):/, shop: /^(\d{1,19}):/ };

/** The id of the shop in a key's own text; undefined for a key of another form. */
export function accountInKey(key: Secret, family: Family): string | undefined {
  return NAMING[family].exec(key.reveal())?.[1];
}

/** The family whose calls for a shop carry a key of this kind. */
const ACTING: Readonly<Partial<Record<Credential, Family>>> = { 'shop-key': 'partner', 'shop-api-key': 'shop' };

/** The id of the shop that calls with this kind of key act for, as far as the key tells it. */
export function shopOfKey(credential: Credential, connection: Pick<Connection, 'key'>): string | undefined {
  const family = ACTING[credential];
  const key = family && connection.key(credential);
  return key?.shop ?? (key && accountInKey(key.secret, family));
}

/** Identifies a key without revealing anything about it. */
export function fingerprint(key: Secret): string {
  return createHash('sha256').update(`shopctl account ${key.reveal()}`).digest('hex').slice(0, 20);
}
