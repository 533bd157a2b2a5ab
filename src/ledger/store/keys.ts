import { PUT_BACK } from '../../store/restored.ts';
import {
  numberOf,
  pieces,
  placeholders,
  type Sql,
  type SqlRow,
  type SqlValue,
  textOf,
  textOrNull,
} from '../../store/sql.ts';
import { movedError } from '../../store/workspace.ts';
import { forgottenForms, isForgotten, saltsIn, takenByForgotten } from './forgotten.ts';

/** When something happened, in milliseconds since 1970: neither clock alone is believed. */
export interface Moment {
  /** By the service's dates, as far as they were known. */
  readonly at: number;
  /** By the clock of the machine that wrote it. */
  readonly localAt: number;
}

/** Where a key is: an account's kind of record under one identity. `identity` is a digest. */
export interface KeyPlace {
  /** The account without its family, as `ledgerAccount` writes it. */
  readonly account: string;
  readonly resource: string;
  readonly identity: string;
}

/**
 * The state of a key. A create holds it in `sending`, `unclear` and `done`; a change in `sending` and `unclear` only.
 * `undone` keeps the number of a derived name for ever; a given name that was undone is free.
 */
export type KeyState = 'sending' | 'unclear' | 'done' | 'undone';

/** What an order is recognised by, without its service and name. */
export interface Equality {
  /** The digest of its content, which is stored; null for what is no order. */
  readonly equal: string | null;
}

/** Whether a key's holder has sent an order with this content. */
export const isOfEqual = ({ equal }: Pick<Key, 'equal'>, of: Equality): boolean => equal !== null && equal === of.equal;

/** A key that somebody wants, in order to send. */
export interface Want extends KeyPlace, Moment, Equality {
  /** Who wants it: the id of an intent, or `batch <number> <row> <generation>`. */
  readonly holder: string;
  /** The family of the key that it is sent with. */
  readonly family: string;
  /** Whether the name is derived from the whole content: then nobody else can have made a record under it. */
  readonly derived: boolean;
  /** The name that is sent with it; null if none is. */
  readonly name: string | null;
  /** The digest of the request; null if unknown. */
  readonly request: string | null;
  /** Who sends it, and lives as long as its lock or its lease. */
  readonly owner: string;
}

/** A key as stored. */
export interface Key extends Omit<Want, 'owner'> {
  readonly state: KeyState;
  /** Only while it is `sending`. */
  readonly owner: string | null;
  readonly recordId: string | null;
}

/** What became of the holder of a key; `free` gives it back, since nothing was or can be applied. */
export interface KeyOutcome extends KeyPlace, Moment {
  readonly holder: string;
  readonly state: Exclude<KeyState, 'sending'> | 'free';
  /**
   * Who has sent it, null if nobody does: only that it was made is written to a key that somebody else has taken over.
   */
  readonly owner: string | null;
  readonly recordId?: string | null | undefined;
}

interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A statement about so many keys, each of which it returns if it met it. */
export interface CountedStatement extends Statement {
  readonly count: number;
}

const states: readonly string[] = ['sending', 'unclear', 'done', 'undone'] satisfies readonly KeyState[];

function isKeyState(text: string): text is KeyState {
  return states.includes(text);
}

/** The key that a row of the table is. */
export function keyOf(row: SqlRow): Key {
  const state = textOf(row, 'state');
  if (!isKeyState(state)) throw new TypeError(`a key of the ledger is ${state}`);
  const at = numberOf(row, 'at');
  return {
    account: textOf(row, 'account'),
    resource: textOf(row, 'resource'),
    identity: textOf(row, 'identity'),
    holder: textOf(row, 'holder'),
    state,
    family: textOf(row, 'family'),
    derived: numberOf(row, 'derived') === 1,
    name: isForgotten(textOrNull(row, 'name')) ? null : textOrNull(row, 'name'),
    equal: textOrNull(row, 'equal'),
    request: textOrNull(row, 'request'),
    owner: textOrNull(row, 'owner'),
    recordId: textOrNull(row, 'record_id'),
    at,
    localAt: numberOf(row, 'local_at'),
  };
}

const KEYS_A_STATEMENT = 500;

const columns =
  'account, resource, identity, holder, state, family, derived, name, equal, request, owner, at, local_at';
const COLUMNS = 13;

/** A given name whose record was undone may be used again. */
const insertion = (rows: number) => `insert into ledger_keys (${columns}) values ${placeholders(rows, COLUMNS)}
  on conflict (account, resource, identity) do update set holder = excluded.holder, state = 'sending',
    family = excluded.family, name = excluded.name, equal = excluded.equal, request = excluded.request,
    owner = excluded.owner, record_id = null, at = excluded.at, local_at = excluded.local_at
  where ledger_keys.state = 'undone' and ledger_keys.derived = 0
  returning account, resource, identity`;

const placeText = ({ account, resource, identity }: KeyPlace) => `${account}\n${resource}\n${identity}`;

/** Keys are always taken in one order, so that two transactions never wait for each other. */
function inKeyOrder<Place extends KeyPlace>(places: readonly Place[]): Place[] {
  return places
    .map((place) => ({ place, text: placeText(place) }))
    .sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
    .map(({ place }) => place);
}

/** The statement that takes these keys, in their order, and returns the places of those that it could. */
function taking(wants: readonly Want[]): Statement {
  const values = wants.flatMap((want): SqlValue[] => [
    want.account,
    want.resource,
    want.identity,
    want.holder,
    'sending',
    want.family,
    want.derived ? 1 : 0,
    want.name,
    want.equal,
    want.request,
    want.owner,
    want.at,
    want.localAt,
  ]);
  return { text: insertion(wants.length), values };
}

/** The statements that take all of these keys, of which there are no two for one place: `takeKeys` without its answer. */
export const takingAll = (wants: readonly Want[]): readonly CountedStatement[] =>
  pieces(inKeyOrder(wants), KEYS_A_STATEMENT).map((piece) => ({ ...taking(piece), count: piece.length }));

/**
 * Takes keys, inside the transaction that turns what is planned into `sending`. Returns the wants that were granted;
 * of several wants for one key the first is. Whoever has the others is told by `keysAt`.
 */
export async function takeKeys<Wanted extends Want>(sql: Sql, wants: readonly Wanted[]): Promise<Set<Wanted>> {
  const firsts = new Map<string, Wanted>();
  for (const want of wants) if (!firsts.has(placeText(want))) firsts.set(placeText(want), want);
  const granted = new Set<Wanted>();
  for (const piece of pieces(inKeyOrder([...firsts.values()]), KEYS_A_STATEMENT)) {
    const { text, values } = taking(piece);
    for (const row of await sql(text, values)) {
      const place = { account: textOf(row, 'account'), resource: textOf(row, 'resource') };
      const want = firsts.get(placeText({ ...place, identity: textOf(row, 'identity') }));
      if (want !== undefined) granted.add(want);
    }
  }
  await giveBackForgotten(sql, granted);
  return granted;
}

/** Gives those keys back that a forgotten one stands for: asked for last, so that none is forgotten in between. */
async function giveBackForgotten<Wanted extends Want>(sql: Sql, granted: Set<Wanted>): Promise<void> {
  const groups = new Map<string, Wanted[]>();
  for (const want of granted) {
    const group = `${want.account}\n${want.resource}`;
    groups.set(group, [...(groups.get(group) ?? []), want]);
  }
  for (const group of groups.values()) {
    const taken = await takenByForgotten(sql, group);
    for (const want of group.filter(({ identity }) => taken.has(identity))) {
      await settleKeys(sql, [{ ...want, state: 'free' }]);
      granted.delete(want);
    }
  }
}

/** The keys of an account and a resource with these texts in a column, by text; one that is forgotten comes last. */
async function keysBy(
  sql: Sql,
  [account, resource]: readonly [string, string],
  column: 'identity' | 'name',
  texts: readonly string[],
): Promise<ReadonlyMap<string, Key>> {
  const found = new Map<string, Key>();
  const forms = forgottenForms(texts.length === 0 ? [] : await saltsIn(sql), texts);
  for (const piece of pieces([...forms.keys(), ...texts], KEYS_A_STATEMENT)) {
    const rows = await sql(
      `select * from ledger_keys where account = ? and resource = ? and ${column} in ${placeholders(1, piece.length)}`,
      [account, resource, ...piece],
    );
    for (const row of rows) {
      const text = textOf(row, column);
      const plain = forms.get(text);
      if (plain === undefined || !found.has(plain)) found.set(plain ?? text, keyOf(row));
    }
  }
  return found;
}

/**
 * The keys of an account and a resource under these identities, as they are now, by what was asked for; one that is
 * forgotten has another identity, a digest.
 */
export const keysAt = (
  sql: Sql,
  account: string,
  resource: string,
  identities: readonly string[],
): Promise<ReadonlyMap<string, Key>> => keysBy(sql, [account, resource], 'identity', identities);

/** The keys of orders with this content, without service and name, latest first. */
export async function equalOrders(sql: Sql, account: string, { equal }: Equality): Promise<Key[]> {
  if (equal === null) return [];
  const rows = await sql('select * from ledger_keys where account = ? and equal = ? order by at desc', [
    account,
    equal,
  ]);
  return rows.map(keyOf);
}

/**
 * On a server: keeps out every other transaction that asks for orders with one of these contents until this one has ended,
 * so that each sees what the one before it has taken under another name. A file has one writer at a time.
 */
export function lockingEqual(account: string, equals: readonly string[]): Statement {
  const text = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from
    (select name from (values ${placeholders(equals.length, 1)}) as listed (name) order by name) as sorted`;
  return { text, values: equals.map((equal) => `equal ${account} ${equal}`) };
}

/** The keys whose outcome is not known, oldest first; of one state, or of both. */
export async function openKeys(sql: Sql, state?: 'sending' | 'unclear'): Promise<Key[]> {
  // The condition exactly as in its index.
  const open = "state in ('sending', 'unclear')";
  const rows = await sql(`select * from ledger_keys where ${open} order by at`);
  return rows.map(keyOf).filter((key) => state === undefined || key.state === state);
}

/** The keys of names that were derived, by name. Rarely asked, and without an index. */
export async function keysNamed(
  sql: Sql,
  account: string,
  resource: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Key>> {
  const found = await keysBy(sql, [account, resource], 'name', names);
  return new Map([...found].map(([name, key]) => [name, { ...key, name }]));
}

/** What a record was made under: a name, and the identity that a given one has; one that was derived has another. */
export interface MadeUnder {
  readonly name: string;
  readonly identity: string | undefined;
}

/** Who made the records of these names, as far as they were made through this ledger; by name. */
export async function makersNamed(
  sql: Sql,
  account: string,
  resource: string,
  records: readonly MadeUnder[],
): Promise<ReadonlyMap<string, Key>> {
  const given = records.flatMap(({ identity }) => identity ?? []);
  const derived = records.flatMap(({ name, identity }) => (identity === undefined ? [name] : []));
  const ofGiven = await keysAt(sql, account, resource, given);
  const ofDerived = await keysNamed(sql, account, resource, derived);
  const found = new Map<string, Key>();
  for (const { name, identity } of records) {
    const key = identity === undefined ? ofDerived.get(name) : ofGiven.get(identity);
    if (key !== undefined) found.set(name, key);
  }
  return found;
}

/** Which keys are done though nobody knows their record: a person said so, or its answer could not be read. */
const ofUnknown = "account = ? and resource = ? and state = 'done' and record_id is null and name is not null";

/** Whether the record of a key is not known though it is done. */
export const isOfUnknownRecord = ({ state, recordId }: Key): boolean => state === 'done' && recordId === null;

/** Whether an account has made records of a kind of which only the names are known. */
export async function anyOfUnknownRecord(sql: Sql, account: string, resource: string): Promise<boolean> {
  const rows = await sql(`select 1 as found from ledger_keys where ${ofUnknown} limit 1`, [account, resource]);
  return rows.length > 0;
}

/** Who made the record of that id, if it was made through this ledger. */
export async function makersOf(sql: Sql, account: string, resource: string, recordId: string): Promise<Key[]> {
  const rows = await sql('select * from ledger_keys where account = ? and record_id = ? and resource = ?', [
    account,
    recordId,
    resource,
  ]);
  return rows.map(keyOf);
}

/** The ids of an account's records of one kind that were made through this ledger. */
export async function recordsMade(sql: Sql, account: string, resource: string): Promise<string[]> {
  const rows = await sql(
    "select distinct record_id from ledger_keys where account = ? and record_id is not null and resource = ? and state = 'done' order by record_id",
    [account, resource],
  );
  return rows.map((row) => textOf(row, 'record_id'));
}

/**
 * Makes somebody the owner of a key whose owner is gone, or that is unclear; false if it was changed since it was read.
 */
export async function takeOverKey(sql: Sql, key: Key, owner: string, now: Moment): Promise<boolean> {
  const { account, resource, identity, holder, state } = key;
  const rows = await sql(
    `update ledger_keys set state = 'sending', owner = ?, at = ?, local_at = ? where account = ? and resource = ?
      and identity = ? and holder = ? and state = ? and coalesce(owner, '') = ? and at = ? returning identity`,
    [owner, now.at, now.localAt, account, resource, identity, holder, state, key.owner ?? '', key.at],
  );
  return rows.length === 1;
}

/**
 * The rows of `values` are called `listed` in both dialects, their columns `column1` and so on. A record that was ended is
 * not made again by whoever hears late that it was made.
 */
const settlement = (rows: number) => `update ledger_keys set owner = null, state = case
      when ledger_keys.state = 'undone' and coalesce(listed.column6, ledger_keys.record_id, '') =
        coalesce(ledger_keys.record_id, listed.column6, '')
      then 'undone' else listed.column5 end,
    record_id = coalesce(listed.column6, ledger_keys.record_id), at = cast(listed.column7 as bigint),
    local_at = cast(listed.column8 as bigint)
  from (values ${placeholders(rows, 9)}) as listed
  where ledger_keys.account = listed.column1 and ledger_keys.resource = listed.column2
    and ledger_keys.identity = listed.column3 and ledger_keys.holder = listed.column4
    and (listed.column5 = 'done' or coalesce(ledger_keys.owner, '') = listed.column9)
    and (listed.column5 in ('done', 'undone') or ledger_keys.state not in ('done', 'undone'))
  returning ledger_keys.account, ledger_keys.resource, ledger_keys.identity, ledger_keys.holder`;

const release = (rows: number) => `delete from ledger_keys
  where (account, resource, identity, holder, coalesce(owner, '')) in (values ${placeholders(rows, 5)})
    and state in ('sending', 'unclear')
  returning account, resource, identity, holder`;

const heldText = ({ holder, ...place }: KeyPlace & Pick<Key, 'holder'>) => `${placeText(place)}\n${holder}`;

function heldTextOf(row: SqlRow): string {
  const place = { account: textOf(row, 'account'), resource: textOf(row, 'resource') };
  return heldText({ ...place, identity: textOf(row, 'identity'), holder: textOf(row, 'holder') });
}

/** The statements that write what became of holders; each returns the keys that it wrote to. */
export const settlingAll = (outcomes: readonly KeyOutcome[]): readonly CountedStatement[] =>
  [false, true].flatMap((isFree) => {
    const some = inKeyOrder(outcomes).filter(({ state }) => (state === 'free') === isFree);
    return pieces(some, KEYS_A_STATEMENT).map((piece): CountedStatement => {
      const values = piece.flatMap((outcome): SqlValue[] => {
        const { account, resource, identity, holder, state, recordId = null, at, localAt } = outcome;
        const [place, owner] = [[account, resource, identity, holder], outcome.owner ?? ''];
        return isFree ? [...place, owner] : [...place, state, recordId, String(at), String(localAt), owner];
      });
      return { text: isFree ? release(piece.length) : settlement(piece.length), values, count: piece.length };
    });
  });

/**
 * Writes what became of the holders of keys, in the transaction that writes it to the holders themselves, as long as they
 * have the owner that is named. A `done` beats every other state of its holder, whoever owns it; nothing but `undone`
 * changes a `done`. Returns the outcomes whose key somebody else has meanwhile: both are to be reported.
 */
export async function settleKeys<Outcome extends KeyOutcome>(
  sql: Sql,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const settled = new Set<string>();
  for (const { text, values } of settlingAll(outcomes)) {
    for (const row of await sql(text, values)) settled.add(heldTextOf(row));
  }
  return outcomes.filter((outcome) => !settled.has(heldText(outcome)));
}

/** The ledger's random id: names that only this ledger can derive contain it. */
export async function ledgerId(sql: Sql): Promise<string> {
  const [row] = await sql("select value from meta where name = 'ledger'");
  if (row === undefined) throw new TypeError('the ledger has no id');
  return textOf(row, 'value');
}

/** The ledger's random id, and since when its numbers count. Throws a WorkspaceError (`workspace_moved`). */
export async function ledgerMeta(sql: Sql): Promise<{ readonly id: string; readonly putBack?: string }> {
  const values = new Map((await sql('select name, value from meta')).map((row) => [textOf(row, 'name'), row]));
  const row = values.get('ledger');
  if (row === undefined) throw new TypeError('the ledger has no id');
  const moved = values.get('moved');
  if (moved !== undefined) throw movedError(textOf(moved, 'value'));
  const putBack = values.get(PUT_BACK);
  return { id: textOf(row, 'value'), ...(putBack === undefined ? {} : { putBack: textOf(putBack, 'value') }) };
}
