import { hash } from 'node:crypto';
import { type Account, accountText } from '../client/account.ts';
import { canonicalText } from '../domain/canonical-text.ts';
import { isDerivedName } from '../domain/named-by.ts';
import type { MadeUnder } from './store/keys.ts';

/** The account of a key: origin and shop, whatever family and key it is reached with. */
export function ledgerAccount({ origin, shop }: Pick<Account, 'origin' | 'shop'>): string {
  return JSON.stringify([origin, shop]);
}

/** The service and the shop of a ledger's account. Throws a TypeError for another text. */
export function accountIn(text: string): Pick<Account, 'origin' | 'shop'> {
  const parts: unknown = JSON.parse(text);
  const [origin, shop]: unknown[] = Array.isArray(parts) ? parts : [];
  if (typeof origin === 'string' && typeof shop === 'string') return { origin, shop };
  throw new TypeError(`${text} is no account`);
}

/** The shop's id in a ledger's account; null if it has only the hash of a key. */
export function shopOfLedgerAccount(text: string): string | null {
  const { shop } = accountIn(text);
  return /^\d+$/.test(shop) ? shop : null;
}

/** The digest under which an identity is stored; its text can hold names of people. */
function digestOf(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

/** The digest of a phone number, in its national digits, among the parcels of an account. */
export const recipientDigest = (account: Account, phone: string): string =>
  hash('sha256', JSON.stringify([accountText(account), phone]), 'hex').slice(0, 20);

/** The identity of a create under a name that the user gave. */
export const nameIdentity = (external_id: string) => digestOf('name', external_id);

/** The identity of a create with a code that the user gave, and no name. */
export const codeIdentity = (code: string) => digestOf('code', code);

/**
 * The identity of a create that is derived from its whole content, as it was read: equal ones are numbered from 1.
 * `contentOf` says which content.
 */
export const contentIdentity = (content: string, number: number) => digestOf('content', 'r1', content, number);

/** The identity of the first record of a content. */
export const firstOf = (content: string) => contentIdentity(content, 1);

/** The identity of a change of one record: `field` is what the record is called by, such as `id` or `code`. */
export const targetIdentity = (field: string, value: string) => digestOf('target', field, value);

/** What a membership is called by: the ids of both sides. */
export function membershipText(fields: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(fields).map(([field, value]) => [field, String(value)]);
  return JSON.stringify(named.sort());
}

/**
 * A version of the derivation of names from contents. A change of reading makes another content of the same cells: it is a
 * new version, which says what the one before read. What was stored under that keeps its key and its name.
 */
export interface Derivation {
  /** As names have it: r1, r2. */
  readonly version: string;
  /** The version before, and what it read where `value` is read now; undefined where it read nothing. */
  readonly former?: { readonly derivation: Derivation; readonly asRead: (value: unknown) => unknown };
}

/** The derivation of today. */
export const derivation: Derivation = { version: 'r1' };

/** The digest of the values of a record as they were read, before anything is filled in. */
export function contentOf(value: unknown, { version }: Derivation = derivation): string {
  return hash('sha256', `["${version}",${canonicalText(value)}]`, 'hex').slice(0, 20);
}

/** A content by a former derivation, and its version. */
export interface FormerContent {
  readonly version: string;
  readonly content: string;
}

/** The contents that the former derivations made of what is read as `value` now, the latest first. */
export function formerContents(value: unknown, { former }: Derivation = derivation): readonly FormerContent[] {
  const read = former?.asRead(value);
  if (former === undefined || read === undefined) return [];
  const { version } = former.derivation;
  return [{ version, content: contentOf(read, former.derivation) }, ...formerContents(read, former.derivation)];
}

/**
 * The name that a single create without one is sent under. It contains the ledger's random id, so that no other ledger
 * can derive it: two machines that send the same are meant to make two records. Version `s1`; the names are stored at
 * the service, so it never changes.
 */
export function singleName(ledger: string, account: Account, content: string, number: number): string {
  const parts = ['s1', ledger, accountText(account), content, number];
  return `shopctl-s1-${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 20)}`;
}

/** The name of a record that has a code of the user's, and no external_id. Version `c1`. */
export function codeName(account: Account, code: string): string {
  const parts = [accountText(account), code];
  return `shopctl-c1-${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 20)}`;
}

/** What the record of an external_id was made under. */
export const madeUnder = (name: string): MadeUnder => ({
  name,
  identity: isDerivedName(name) ? undefined : nameIdentity(name),
});
