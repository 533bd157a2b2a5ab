import type { Account } from '../client/account.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { readFields } from '../domain/json/values.ts';
import { isDerivedName } from '../domain/named-by.ts';
import { type Sql, textOf } from '../store/sql.ts';
import {
  codeIdentity,
  codeName,
  contentIdentity,
  type FormerContent,
  ledgerAccount,
  nameIdentity,
  singleName,
} from './identity.ts';
import type { ServiceTime } from './service-time.ts';
import { intentAt } from './store/intents.ts';
import { type Equality, equalOrders, type Key, keysAt, keysNamed } from './store/keys.ts';
import { rowOfHolder } from './store/undone.ts';

/** What a single create is recognised by. */
export interface CreateQuery {
  readonly account: Account;
  readonly resource: string;
  /** The name that the user gave; empty if none. */
  readonly external_id: string;
  /** The code that the user gave; empty if none. Judged as a given name. */
  readonly external_code: string;
  /** The request as far as it is known before it is prepared; compared with what was sent under the same name. */
  readonly asked: object;
  /** The digest of the whole content as it was read (`contentOf`). */
  readonly content: string;
  /** What it was under former derivations (`formerContents`). */
  readonly former?: readonly FormerContent[] | undefined;
  /** For an order, the digests of its content without service and name (`equalOrder`). */
  readonly equality: Equality;
  /** For a draft that was sent: the identity of its key, which comes before all else. */
  readonly identity: string | null;
  /** Whether another one is wanted though an equal one was sent. */
  readonly again: boolean;
  /** Whether one whose outcome nobody knows may be passed, too. */
  readonly passUnclear: boolean;
  /** Holders that live and are sending an equal one, beside which another one is wanted. */
  readonly beside: ReadonlySet<string>;
  /** When this process began, by its clock: what was reported since was made for it as well. */
  readonly began: number;
  /** For a form, the latest report when it was opened, instead of that time. */
  readonly openedAfter?: number | undefined;
  /** The clock of this machine. */
  readonly now: () => number;
  /** Holders that were waited for: what they have made was made for this process as well. */
  readonly waitedFor: ReadonlySet<string>;
  readonly time: Pick<ServiceTime, 'hasPassed'>;
}

/** A key that can be taken. */
export interface FreeKey {
  readonly identity: string;
  /** The name to send, where the operation takes one. */
  readonly name: string;
  readonly derived: boolean;
}

/** Where a create stands among everything that this ledger has sent. */
export type Conflict =
  | { readonly kind: 'free'; readonly key: FreeKey }
  /**
   * Somebody is sending it, or sent it and nobody knows what became of it: then another one may be sent beside it, unless
   * it has the very name that is asked for.
   */
  | { readonly kind: 'in flight'; readonly key: Key; readonly mayPass: boolean }
  /** It is done and was reported to nobody, or for this process too: its answer is the answer. */
  | { readonly kind: 'unreported'; readonly key: Key; readonly isOfThisRun: boolean }
  /** An equal order was done within a day. */
  | { readonly kind: 'recent'; readonly key: Key }
  /** An equal order was done, and only the service knows whether a day has passed since. */
  | { readonly kind: 'undated'; readonly key: Key }
  /** The given name was used before. */
  | { readonly kind: 'done'; readonly key: Key }
  /** The other family of keys has made it. */
  | { readonly kind: 'other family'; readonly key: Key };

const NUMBERS_AT_ONCE = 8;

/** How far the clocks of two machines may be apart; what was reported later than that was reported before a clock was set. */
const CLOCKS_APART_MS = 60_000;

/** Whether somebody still has to be told of a key's record, or was told after this process, or its form, began; then another one is new. */
async function untold(
  sql: Sql,
  { holder }: Key,
  { again, began, openedAfter, now, waitedFor }: CreateQuery,
): Promise<{ isOfThisRun: boolean } | undefined> {
  const intent = await intentAt(sql, holder);
  if (intent === undefined) return undefined;
  if (intent.reported_at === null) return { isOfThisRun: false };
  if (again) return undefined;
  const isSince =
    openedAfter === undefined
      ? intent.reported_at >= began && intent.reported_at <= now() + CLOCKS_APART_MS
      : (intent.report ?? 0) > openedAfter;
  return isSince || waitedFor.has(holder) ? { isOfThisRun: true } : undefined;
}

/** Whether nobody knows yet what became of it: a process that was killed leaves it as `sending`. */
const isOpen = ({ state }: Key) => state === 'sending' || state === 'unclear';

/** What one key says, unless it is of no concern to a create that may be repeated. */
async function concern(sql: Sql, key: Key, query: CreateQuery): Promise<Conflict | undefined> {
  const isPassed = query.again && (query.passUnclear || query.beside.has(key.holder));
  if (isOpen(key) && !isPassed) return { kind: 'in flight', key, mayPass: query.again };
  if (key.state !== 'done') return undefined;
  // What a batch has made and not told yet is the first of two, if another one is wanted.
  if (query.again && !isPassed && (await isOfUnfinished(sql, key))) return { kind: 'in flight', key, mayPass: true };
  const reported = await untold(sql, key, query);
  return reported && { kind: 'unreported', key, ...reported };
}

/** Whether a row of a batch holds a key whose summary was not written yet. */
async function isOfUnfinished(sql: Sql, { holder }: Key): Promise<boolean> {
  const row = rowOfHolder(holder);
  if (row === undefined) return false;
  const [batch] = await sql('select state, source from batches where number = ?', [row.batch]);
  return (
    batch !== undefined &&
    (textOf(batch, 'state') !== 'finished' || readFields(textOf(batch, 'source')).isUntold === true)
  );
}

function isOtherFamily(key: Key, { account, again }: CreateQuery): boolean {
  return key.family !== account.family && !again;
}

async function ofGivenName(sql: Sql, query: CreateQuery): Promise<Conflict> {
  const { account, resource, external_id, external_code } = query;
  const identity = external_id === '' ? codeIdentity(external_code) : nameIdentity(external_id);
  const name = external_id === '' ? codeName(account, external_code) : external_id;
  const found = (await keysAt(sql, ledgerAccount(account), resource, [identity])).get(identity);
  // One that was forgotten has no name.
  const key = found && { ...found, name: found.name ?? name };
  if (key === undefined || key.state === 'undone') return { kind: 'free', key: { identity, name, derived: false } };
  if (isOtherFamily(key, query)) return { kind: 'other family', key };
  if (key.state !== 'done') return { kind: 'in flight', key, mayPass: false };
  const reported = await untold(sql, key, query);
  return reported === undefined ? { kind: 'done', key } : { kind: 'unreported', key, ...reported };
}

/** An order with the same content, whatever it is called and whichever command sent it. */
async function ofEqualOrder(sql: Sql, query: CreateQuery): Promise<Conflict | undefined> {
  const { account, equality, again, time } = query;
  const known = await equalOrders(sql, ledgerAccount(account), equality);
  for (const key of known) {
    if (isOtherFamily(key, query) && key.state !== 'undone' && time.hasPassed(DAY_MS, key) === false) {
      return { kind: 'other family', key };
    }
    const conflict = await concern(sql, key, query);
    if (conflict !== undefined) return conflict;
  }
  // Whoever wants another one passes what was made and told, but not what nobody knows the outcome of.
  if (again) return undefined;
  const done = known.filter(({ state }) => state === 'done');
  const recent = done.find((key) => time.hasPassed(DAY_MS, key) === false);
  if (recent !== undefined) return { kind: 'recent', key: recent };
  const undated = done.find((key) => time.hasPassed(DAY_MS, key) === 'unknown');
  return undated && { kind: 'undated', key: undated };
}

/** What the numbers of a content by a former derivation say: none of them is used for anything new. */
async function ofFormer(sql: Sql, { content }: FormerContent, query: CreateQuery): Promise<Conflict | undefined> {
  for (let number = 1; ; number += 1) {
    const identity = contentIdentity(content, number);
    const key = (await keysAt(sql, ledgerAccount(query.account), query.resource, [identity])).get(identity);
    if (key === undefined) return undefined;
    const conflict = await concern(sql, key, query);
    if (conflict !== undefined) return conflict;
  }
}

/** The first number of a content that was never used; an equal create before it that is not finished comes first. */
async function ofContent(sql: Sql, ledger: string, query: CreateQuery): Promise<Conflict> {
  const { account, resource, content } = query;
  for (const former of query.former ?? []) {
    const conflict = await ofFormer(sql, former, query);
    if (conflict !== undefined) return conflict;
  }
  for (let from = 1; ; from += NUMBERS_AT_ONCE) {
    const numbers = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => from + index);
    const identities = numbers.map((number) => contentIdentity(content, number));
    const keys = await keysAt(sql, ledgerAccount(account), resource, identities);
    for (const [index, identity] of identities.entries()) {
      const key = keys.get(identity);
      if (key === undefined) {
        const name = singleName(ledger, account, content, from + index);
        return { kind: 'free', key: { identity, name, derived: true } };
      }
      const conflict = await concern(sql, key, query);
      if (conflict !== undefined) return conflict;
    }
  }
}

/** The key of a draft that is continued, or of a name that shopctl derived before: an input file may contain it. */
async function ownKey(sql: Sql, { account, resource, identity, external_id }: CreateQuery): Promise<Key | undefined> {
  const place = [ledgerAccount(account), resource] as const;
  if (identity !== null) return (await keysAt(sql, ...place, [identity])).get(identity);
  return isDerivedName(external_id) ? (await keysNamed(sql, ...place, [external_id])).get(external_id) : undefined;
}

async function ofOwnKey(sql: Sql, query: CreateQuery): Promise<Conflict | undefined> {
  const key = await ownKey(sql, query);
  if (key === undefined || key.state === 'undone') return undefined;
  if (key.state !== 'done') return { kind: 'in flight', key, mayPass: false };
  const reported = await untold(sql, key, query);
  return reported === undefined ? { kind: 'recent', key } : { kind: 'unreported', key, ...reported };
}

/**
 * What a create meets in the ledger. Asked once before anything is prepared, to inform, and again in the transaction
 * that takes the key, to decide. `ledger` is the ledger's random id.
 */
export async function conflictOf(sql: Sql, ledger: string, query: CreateQuery): Promise<Conflict> {
  const own = await ofOwnKey(sql, query);
  if (own !== undefined) return own;
  if (query.external_id !== '' || query.external_code !== '') return ofGivenName(sql, query);
  return (await ofEqualOrder(sql, query)) ?? ofContent(sql, ledger, query);
}
