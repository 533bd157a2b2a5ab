import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../domain/calendar.ts';
import { pieces, placeholders, type Sql, type SqlValue, textOf, textOrNull } from '../../store/sql.ts';

/**
 * A salt of the digests under which forgotten keys are recognised. A ledger has one of its own, and those of the ledgers
 * that were moved into it: each digest says which one it is by.
 */
export interface Salt {
  readonly id: string;
  readonly salt: string;
}

/** What a digest of something forgotten begins with; the id of its salt follows. */
const MARK = '~';

const NAME = 'salt ';

/** The salts that a ledger has; the first one is used for what it forgets itself. */
export const saltsQuery = `select name, value from meta where name like '${NAME}%' order by name`;

/** The salts of a ledger; none as long as nothing was forgotten. */
export async function saltsIn(sql: Sql): Promise<readonly Salt[]> {
  const rows = await sql(saltsQuery);
  return rows.map((row) => ({ id: textOf(row, 'name').slice(NAME.length), salt: textOf(row, 'value') }));
}

/** Whether a name is one of which only a digest is left. */
export const isForgotten = (name: string | null): boolean => name?.startsWith(MARK) === true;

const saltedBy = ({ id, salt }: Salt, text: string): string =>
  `${MARK}${id}${MARK}${createHmac('sha256', salt).update(text).digest('hex').slice(0, 32)}`;

/** What identities or names are called once they are forgotten, each with what it was. */
export function forgottenForms(salts: readonly Salt[], texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(salts.flatMap((salt) => texts.map((text) => [saltedBy(salt, text), text] as const)));
}

/** The names that shopctl has derived: what they were sent with is not known to whoever copies one. */
const DERIVED = 'shopctl-';

async function ownSalt(sql: Sql): Promise<Salt> {
  const [known] = await saltsIn(sql);
  if (known !== undefined) return known;
  const salt = { id: randomBytes(4).toString('hex'), salt: randomBytes(16).toString('hex') };
  await sql('insert into meta (name, value) values (?, ?)', [`${NAME}${salt.id}`, salt.salt]);
  return salt;
}

const ROWS_A_STATEMENT = 500;

const rewriting = (rows: number) => `update ledger_keys set identity = listed.column4, name = listed.column5
  from (values ${placeholders(rows, 5)}) as listed where ledger_keys.account = listed.column1
    and ledger_keys.resource = listed.column2 and ledger_keys.identity = listed.column3`;

/** Which keys are forgotten: a condition on `ledger_keys`. */
export interface Forgotten {
  readonly where: string;
  readonly values: readonly SqlValue[];
}

/**
 * Leaves of finished keys what they are recognised by, and nothing that can be guessed: salted digests of their identities
 * and of the names that shopctl has derived. What equals their content is recognised for a day after the deed
 * (`forgetContents`).
 */
export async function forgetKeys(sql: Sql, { where, values }: Forgotten): Promise<void> {
  const rows = await sql(
    `select account, resource, identity, name from ledger_keys
      where (${where}) and state in ('done', 'undone') and substr(identity, 1, 1) <> '${MARK}'`,
    values,
  );
  if (rows.length === 0) return;
  const salt = await ownSalt(sql);
  for (const piece of pieces(rows, ROWS_A_STATEMENT)) {
    const listed = piece.flatMap((row): SqlValue[] => {
      const [identity, name] = [textOf(row, 'identity'), textOrNull(row, 'name')];
      const kept = name?.startsWith(DERIVED) === true ? saltedBy(salt, name) : null;
      return [textOf(row, 'account'), textOf(row, 'resource'), identity, saltedBy(salt, identity), kept];
    });
    await sql(rewriting(piece.length), listed);
  }
}

const keepingFirst = (rows: number) => `insert into ledger_keys (account, resource, identity, holder, state,
    family, derived, name, equal, request, owner, record_id, at, local_at)
  select made.account, made.resource, listed.column5, made.holder, made.state, made.family, made.derived, null, null, null,
    made.owner, made.record_id, made.at, made.local_at
  from (values ${placeholders(rows, 5)}) as listed join ledger_keys as made on made.account = listed.column1
    and made.resource = listed.column2 and made.identity = listed.column3
  where not exists (select 1 from ledger_keys as kept where kept.account = made.account
    and kept.resource = made.resource and kept.identity = listed.column4)
  on conflict do nothing`;

/**
 * Leaves of each of these keys that its content was sent, where nothing else says so: what was sent as one more has an
 * identity of its own, and is recognised by the one that its content would have had. `firsts` has these by those.
 */
export async function keepFirsts(
  sql: Sql,
  { where, values }: Forgotten,
  firsts: ReadonlyMap<string, string>,
): Promise<void> {
  if ([...firsts].every(([identity, first]) => identity === first)) return;
  const made = await sql(
    `select account, resource, identity from ledger_keys where (${where}) and state = 'done'`,
    values,
  );
  const salt = await ownSalt(sql);
  const others = made.flatMap((row): (readonly SqlValue[])[] => {
    const identity = textOf(row, 'identity');
    const first = firsts.get(identity) ?? identity;
    if (first === identity) return [];
    return [[textOf(row, 'account'), textOf(row, 'resource'), identity, first, saltedBy(salt, first)]];
  });
  for (const piece of pieces(others, ROWS_A_STATEMENT)) await sql(keepingFirst(piece.length), piece.flat());
}

/**
 * Removes what equal content was recognised by from forgotten keys whose deed is a day ago, by the service's time and by
 * this machine's clock: the former must have been told by an answer.
 */
export async function forgetContents(
  sql: Sql,
  { at, localAt }: { readonly at: number; readonly localAt: number },
): Promise<void> {
  if ((await saltsIn(sql)).length === 0) return;
  await sql(
    `update ledger_keys set equal = null, request = null where substr(identity, 1, 1) = '${MARK}' and at <= ?
      and local_at <= ? and (equal is not null or request is not null)`,
    [at - DAY_MS, localAt - DAY_MS],
  );
}

/** Where a key is. */
interface Place {
  readonly account: string;
  readonly resource: string;
  readonly identity: string;
}

/** The statement that finds which of these identities are taken by forgotten keys; a given name that was undone is free. */
export function forgottenAt(salts: readonly Salt[], places: readonly Place[]) {
  const forms = forgottenForms(
    salts,
    places.map(({ identity }) => identity),
  );
  const [{ account, resource } = { account: '', resource: '' }] = places;
  const text = `select identity from ledger_keys where account = ? and resource = ?
    and identity in ${placeholders(1, forms.size)} and (state <> 'undone' or derived = 1)`;
  return { text, values: [account, resource, ...forms.keys()], forms };
}

/** The places of one account and resource that forgotten keys take. */
export async function takenByForgotten(sql: Sql, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const salts = places.length === 0 ? [] : await saltsIn(sql);
  const taken = new Set<string>();
  if (salts.length === 0) return taken;
  for (const piece of pieces(places, Math.max(1, Math.floor(ROWS_A_STATEMENT / salts.length)))) {
    const { text, values, forms } = forgottenAt(salts, piece);
    for (const row of await sql(text, values)) taken.add(forms.get(textOf(row, 'identity')) ?? '');
  }
  return taken;
}

/** Copies the salts of a ledger that is moved into another one. */
export async function copySalts(from: Sql, to: Sql): Promise<void> {
  for (const { id, salt } of await saltsIn(from)) {
    await to('insert into meta (name, value) values (?, ?) on conflict (name) do nothing', [`${NAME}${id}`, salt]);
  }
}
