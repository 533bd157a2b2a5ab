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
  readonly name: string;
  /** The schemes that can be used, the usual one first. */
  readonly schemes: readonly string[];
  /** How to write one, for the hint. */
  readonly example: string;
  /** The scheme of an address that is written without one; it needs one when absent. */
  readonly otherwise?: string;
  /** Whether the address of this machine is left out as in `postgres:///shop`. */
  readonly mayLackHost?: boolean;
}

const ENCODING = 'in a user or password write % as %25, @ as %40, : as %3A, / as %2F, # as %23, ? as %3F and \\ as %5C';

/** Whether percent signs stand for bytes of UTF-8. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with an address whose scheme can be used; undefined if nothing is. */
function faultOf(text: string, { mayLackHost = false }: AddressRules): string | undefined {
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (authority.includes('\\')) return 'has a backslash in its user or password';
  if (!URL.canParse(text)) return 'is not a URL';
  const { username, password, host, pathname, search, hash } = new URL(text);
  // What stands behind a ? is text unless it gives values, as options of a database do.
  const query = /^\?[\w.]+=/.test(search) ? '' : search;
  if (!isDecodable(username) || !isDecodable(password)) return 'has a % in its user or password that encodes nothing';
  const isCut = username === '' && password === '' && [pathname, query, hash].some((part) => part.includes('@'));
  if (isCut) return 'has a character in its user or password that ends them';
  return host === '' && !mayLackHost ? 'names no host' : undefined;
}

/**
 * Reads the address of a proxy or a database, with or without a user and a password. Throws an AddressError that says
 * what is wrong with it, before anything is dialled.
 */
export function readAddress(given: string, rules: AddressRules): URL {
  const { name, schemes, example, otherwise } = rules;
  const trimmed = given.trim();
  const text =
    otherwise === undefined || /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `${otherwise}://${trimmed}`;
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const hint = `write it like ${example}`;
  if (scheme === undefined) throw new AddressError(`${name} is not a URL`, hint);
  if (!schemes.includes(scheme)) {
    const usable = schemes.map((each) => `${each}://`).join(' and ');
    throw new AddressError(`${name} cannot be used: it starts with ${scheme}://, and only ${usable} can be used`, hint);
  }
  const fault = faultOf(text, rules);
  if (fault === undefined) return new URL(text);
  const isEncoding = fault.includes('user or password') || text.includes('@');
  throw new AddressError(`${name} cannot be used: it ${fault}`, isEncoding ? `${hint}; ${ENCODING}` : hint);
}
