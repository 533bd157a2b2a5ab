import { numberOf, type Sql, type SqlRow, textOf } from '../../store/sql.ts';

/** How much the state of a key says of its record, in SQL. */
const rankOf = (key: string) => `case ${key}.state when 'sending' then 1 when 'unclear' then 2 else 3 end`;

/**
 * Whether a key that comes (`excluded`) takes the place of one that is there, in SQL: what is known of a record beats what
 * is not, and what became of it later beats what was before.
 */
export const keyReplaces = `${rankOf('excluded')} > ${rankOf('ledger_keys')}
  or ${rankOf('excluded')} = 3 and ${rankOf('ledger_keys')} = 3 and (ledger_keys.at < excluded.at
    or ledger_keys.at = excluded.at and ledger_keys.state = 'undone')`;

/** Where a shop was written to: the address, the sandbox that answered there (empty if none did), and the service's name. */
export interface KnownAddress {
  readonly origin: string;
  /** Empty for what a person said of the address. */
  readonly shop: string;
  readonly instance: string;
  readonly service: string;
}

/** The address that a row of the table is. */
export function addressIn(row: SqlRow): KnownAddress {
  return {
    origin: textOf(row, 'origin'),
    shop: textOf(row, 'shop'),
    instance: textOf(row, 'instance'),
    service: textOf(row, 'service'),
  };
}

/** The addresses of a shop, and all that is known of an address or a sandbox; the latest first. */
export async function addressesKnown(
  sql: Sql,
  { origin, shop, instance }: Pick<KnownAddress, 'origin' | 'shop' | 'instance'>,
): Promise<KnownAddress[]> {
  const rows = await sql(
    `select * from addresses where shop = ? or origin in (?, '') or (instance = ? and instance <> '') order by at desc`,
    [shop, origin, instance],
  );
  return rows.map(addressIn);
}

/** Stores that a shop was written to at an address; the latest sandbox there is the one that is there now. */
export async function keepAddress(
  sql: Sql,
  { origin, shop, instance, service }: KnownAddress,
  at: number,
): Promise<void> {
  await sql(
    `insert into addresses (origin, shop, instance, service, at) values (?, ?, ?, ?, ?)
      on conflict (origin, shop, instance) do update set service = excluded.service, at = excluded.at`,
    [origin, shop, instance, service, at],
  );
}

const inOrder = (one: string, other: string): readonly [string, string] => (one < other ? [one, other] : [other, one]);

/** Which of these services a person called another one than this. */
export async function separateFrom(sql: Sql, service: string): Promise<ReadonlySet<string>> {
  const rows = await sql('select * from separate_services where one = ? or other = ?', [service, service]);
  return new Set(rows.flatMap((row) => [textOf(row, 'one'), textOf(row, 'other')]));
}

/** Stores that two services are two. */
export async function keepSeparate(sql: Sql, one: string, other: string): Promise<void> {
  await sql('insert into separate_services (one, other) values (?, ?) on conflict do nothing', [
    ...inOrder(one, other),
  ]);
}

/** An account's text up to its shop or family. */
const beginning = (service: string) => `${JSON.stringify([service]).slice(0, -1)},`;

const keyColumns =
  'resource, identity, holder, state, family, derived, name, equal, request, owner, record_id, at, local_at';

/** Copies the keys of one service to another: of two of one record the one that knows more, or is later, stays. */
export async function copyKeys(sql: Sql, from: string, to: string): Promise<void> {
  const [old, own] = [beginning(from), beginning(to)];
  await sql(
    `insert into ledger_keys (account, ${keyColumns})
      select cast(? as text) || substr(account, ?), ${keyColumns} from ledger_keys where substr(account, 1, ?) = ?
      on conflict (account, resource, identity) do update set ${keyColumns
        .split(', ')
        .slice(2)
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}
      where ${keyReplaces}`,
    [own, old.length + 1, old.length, old],
  );
}

/** Makes what was written to one service that of another: they are one, known by the name of the latter. */
export async function joinServices(sql: Sql, from: string, to: string): Promise<void> {
  const [old, own] = [beginning(from), beginning(to)];
  await copyKeys(sql, from, to);
  await sql('delete from ledger_keys where substr(account, 1, ?) = ?', [old.length, old]);
  for (const table of ['intents', 'batches']) {
    await sql(`update ${table} set account = cast(? as text) || substr(account, ?) where substr(account, 1, ?) = ?`, [
      own,
      old.length + 1,
      old.length,
      old,
    ]);
  }
  await sql(
    `insert into printed_slips (account, order_id, printed_at)
      select cast(? as text) || substr(account, ?), order_id, printed_at from printed_slips
      where substr(account, 1, ?) = ? on conflict do nothing`,
    [own, old.length + 1, old.length, old],
  );
  await sql('delete from printed_slips where substr(account, 1, ?) = ?', [old.length, old]);
  await sql('update addresses set service = ? where service = ?', [to, from]);
  await sql('delete from separate_services where one in (?, ?) and other in (?, ?)', [from, to, from, to]);
  for (const other of await separateFrom(sql, from)) if (other !== from) await keepSeparate(sql, to, other);
  await sql('delete from separate_services where one = ? or other = ?', [from, from]);
}

/** How many milliseconds a service's dates are ahead of this machine's clock, as a run has learned it; undefined if none has. */
export async function clockOffset(sql: Sql, origin: string): Promise<number | undefined> {
  const [row] = await sql('select offset_ms from service_clocks where origin = ?', [origin]);
  return row && numberOf(row, 'offset_ms');
}

/** Stores it for the runs to come. */
export async function keepClockOffset(sql: Sql, origin: string, offset: number): Promise<void> {
  await sql(
    'insert into service_clocks (origin, offset_ms) values (?, ?) on conflict (origin) do update set offset_ms = excluded.offset_ms',
    [origin, offset],
  );
}
