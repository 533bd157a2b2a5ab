import { say } from '../terminal/texts.ts';

/** Thrown for an address in a variable or setting that cannot be used; it never repeats a user or a password. */
export class AddressError extends Error {
  readonly kind = 'configuration';
  readonly code = 'address_invalid';
  readonly outcome = 'not_applied';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'AddressError';
    this.hint = hint;
  }
}

/** Where an address comes from, and what it may be. */
export interface AddressRules {
  /** What it is called in a message: `the proxy in HTTPS_PROXY`. */
  readonly name: () => string;
  /** The schemes that can be used, the usual one first. */
  readonly schemes: readonly string[];
  /** How to write one, for the hint. */
  readonly example: string;
  /** The scheme of an address that is written without one; it needs one when absent. */
  readonly otherwise?: string;
  /** Whether the address of this machine is left out as in `postgres:///shop`. */
  readonly mayLackHost?: boolean;
}

/** Whether percent signs stand for bytes of UTF-8. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

type Fault = keyof ReturnType<typeof say>['address']['fault'];

/** What is wrong with an address whose scheme can be used; undefined if nothing is. */
function faultOf(text: string, { mayLackHost = false }: AddressRules): Fault | undefined {
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (authority.includes('\\')) return 'backslash';
  if (!URL.canParse(text)) return 'noUrl';
  const { username, password, host, pathname, search, hash } = new URL(text);
  // What stands behind a ? is text unless it gives values, as options of a database do.
  const query = /^\?[\w.]+=/.test(search) ? '' : search;
  if (!isDecodable(username) || !isDecodable(password)) return 'percent';
  const isCut = username === '' && password === '' && [pathname, query, hash].some((part) => part.includes('@'));
  if (isCut) return 'cut';
  return host === '' && !mayLackHost ? 'noHost' : undefined;
}

/**
 * Reads the address of a proxy or a database, with or without a user and a password. Throws an AddressError that says
 * what is wrong with it, before anything is dialled.
 */
export function readAddress(given: string, rules: AddressRules): URL {
  const { schemes, example, otherwise } = rules;
  const { address } = say();
  const name = rules.name();
  const trimmed = given.trim();
  const text =
    otherwise === undefined || /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `${otherwise}://${trimmed}`;
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const hint = address.like({ example });
  if (scheme === undefined) throw new AddressError(address.none({ name }), hint);
  if (!schemes.includes(scheme)) {
    const usable = schemes.map((each) => `${each}://`);
    throw new AddressError(address.scheme({ name, scheme, usable }), hint);
  }
  const fault = faultOf(text, rules);
  if (fault === undefined) return new URL(text);
  const isEncoding = ['backslash', 'percent', 'cut'].includes(fault) || text.includes('@');
  const message = address.faulty({ name, fault: address.fault[fault] });
  throw new AddressError(message, isEncoding ? `${hint}; ${address.encoding}` : hint);
}
