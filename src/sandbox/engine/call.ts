import type * as z from 'zod';
import type { Credential } from '../../contract/operation.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import { type Account, credentialOf } from './account.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { PlaceBook } from './places.ts';
import { Refusal } from './refusal.ts';
import type { Random } from './store/ids.ts';
import type { ChangeRecorder } from './store/outbox.ts';
import type { Entity, StoredAnswer, StoredJson, StoredPage } from './store/record-kinds.ts';
import type { Records } from './store/records.ts';
import { type Database, statement, tables } from './store/statement.ts';
import type { Store } from './store/store.ts';

/** Compared with when there is no such account, so that the check takes the same time. */
const NOBODY = 'nobody';

/**
 * The format of a key: `<id>:<secret>`, or `shop<id>:<secret>` for a partner's key for one shop (decisions, section 3).
 */
const KEY = /^(shop)?(\d{1,19}):([\w-]{1,100})$/;

const standingLinks = statement(({ shopId }: { readonly shopId: string }) =>
  tables
    .selectFrom('links')
    .select(['partner_id', 'secret'])
    .where('shop_id', '=', shopId)
    .where('removed_at', 'is', null),
);
const keyOf = statement(({ id }: { readonly id: string }) =>
  tables.selectFrom('api_keys').select(['owner', 'secret']).where('owner_id', '=', id),
);

/** The account of a key; undefined if there is none. A removed link has no key. */
export function findAccount(database: Database, key: string): Account | undefined {
  const [, ofPartner, id = '', secret = ''] = KEY.exec(key) ?? [];
  return ofPartner ? findByShopKey(database, id, secret) : findByApiKey(database, id, secret);
}

function findByShopKey(database: Database, shopId: string, secret: string): Account | undefined {
  const links = database.all(standingLinks, { shopId });
  let found: Account | undefined;
  for (const link of links.length > 0 ? links : [{ partner_id: '', secret: NOBODY }]) {
    if (sameSecret(secret, link.secret) && link.partner_id !== '') {
      found = { kind: 'shop', shopId, partnerId: link.partner_id };
    }
  }
  return found;
}

function findByApiKey(database: Database, id: string, secret: string): Account | undefined {
  const key = database.first(keyOf, { id });
  if (!sameSecret(secret, key?.secret ?? NOBODY) || key === undefined) return undefined;
  if (key.owner === 'partner') return { kind: 'partner', partnerId: id };
  return { kind: 'shop', shopId: id, partnerId: undefined };
}

/** The most keys that are cached. */
const MOST_KNOWN = 1000;

/** `findAccount` with a cache that is dropped when a key or a link changes. */
export function rememberAccounts(store: Pick<Store, 'read' | 'keyChanges'>): (key: string) => Account | undefined {
  const known = new Map<string, Account>();
  let asOf = store.keyChanges();
  return (key) => {
    if (asOf !== store.keyChanges() || known.size >= MOST_KNOWN) known.clear();
    asOf = store.keyChanges();
    const found = known.get(key) ?? store.read((database) => findAccount(database, key));
    if (found !== undefined) known.set(key, found);
    return found;
  };
}

/**
 * The account behind an Authorization header, for an operation that takes that kind of credential. A missing, unknown
 * or misplaced one is refused with 401 and the same message, which does not reveal which of these it was.
 */
export function authenticate(
  accountOf: (key: string) => Account | undefined,
  authorization: string | undefined,
  credential: Credential,
): Account {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const account = key === undefined ? undefined : accountOf(key);
  if (account !== undefined && credentialOf(account) === credential) return account;
  throw new Refusal('unauthenticated', 'the Authorization header is missing, or its key is not valid here');
}

/**
 * One unit of work: what a handler or a control function reads and writes with. A unit that writes is one transaction;
 * webhooks get its changes only after the commit.
 */
export interface Work {
  /** The tables, within this unit's transaction. */
  readonly database: Database;
  /** The time of this unit by the business clock, milliseconds since 1970. */
  readonly now: number;
  /** The same time in the wire's format. */
  readonly time: string;
  readonly random: Random;
  /** Hosts outside this machine that webhook urls may have. */
  readonly allowedHosts: AllowedHosts;
  /** The records of one kind in one shop. Each write through it records its change. */
  records<K extends Entity>(kind: K, shopId: string): Records<K>;
  /** Only for changes that no write through `records` makes. */
  readonly changes: ChangeRecorder;
  /** A new id for anything that is not a record, such as a webhook. */
  nextId(): string;
  /** The next number of a named counter of the shop, from 1. */
  nextNumber(shopId: string, name: string): number;
  /** The next code in the shop with that prefix, for example KH000001 (decisions, section 6). */
  nextCode(shopId: string, prefix: string): string;
  /** The place names for matching addresses (decisions, section 9). */
  readonly places: PlaceBook;
}

/** One call of an operation: a unit of work with its caller. */
export interface Call extends Work {
  readonly account: Account;
  /** Scheme, host and port by which the caller reached the sandbox, for urls in an answer. */
  readonly origin: string;
}

/**
 * A value without its nulls: null and absent are the same in a request, and handlers only see absent (decisions,
 * section 2).
 */
export type WithoutNulls<Value> = Value extends readonly (infer Item)[]
  ? WithoutNulls<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: WithoutNulls<Exclude<Value[Name], null>> }
    : Exclude<Value, null>;

/** An answer; records in it may be in their stored form. */
export type Answer<Value> =
  | StoredJson
  | (Value extends readonly (infer Item)[]
      ? readonly Answer<Item>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Answer<Value[Name]> }
        : Value);

/** Answers one operation; throws a Refusal to answer with an error. */
export type Handler<Request extends z.ZodObject, Response extends z.ZodObject> = (
  input: WithoutNulls<z.output<Request>>,
  call: Call,
) => Answer<z.output<Response>> | StoredAnswer | StoredPage;

/**
 * The handlers of an area: one per operation that its contract module declares, under the same name. With `handlers =
 * {...} satisfies Handlers<typeof import('../../../contract/shop/customer.ts')>` the compiler reports each missing one.
 */
export type Handlers<Area> = {
  [Name in keyof Area as Area[Name] extends { readonly credential: string } ? Name : never]: Area[Name] extends {
    readonly request: infer Request extends z.ZodObject;
    readonly response: infer Response extends z.ZodObject;
  }
    ? Handler<Request, Response>
    : never;
};

/** Any area's handlers, as dispatch calls them: input and answer are checked against the operation's schemas. */
export type AnyHandlers = Readonly<Record<string, (input: never, call: Call) => unknown>>;
