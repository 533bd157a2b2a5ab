import {
  addressesKnown,
  addressIn,
  copyKeys,
  joinServices,
  type KnownAddress,
  keepAddress,
  keepSeparate,
  separateFrom,
} from '../../ledger/store/services.ts';
import { storeOf } from '../../store/kysely-sql.ts';
import { numberOf, type Sql } from '../../store/sql.ts';
import type { Workspace } from '../../store/workspace.ts';
import { requireAlone } from './alone.ts';

/** Stands among the addresses while nobody may send: whoever opens the ledger is told. */
const MARK: KnownAddress = { origin: '', shop: '', instance: '', service: '' };

const unmark = (sql: Sql) => sql("delete from addresses where origin = ''");

/** The service at an address, as far as the ledger knows it. */
async function serviceAt(sql: Sql, origin: string): Promise<string | undefined> {
  const known = await addressesKnown(sql, { origin, shop: '', instance: '' });
  return known.find((one) => one.origin === origin)?.service;
}

/** What a person says of two addresses, each scheme, host and port. */
interface Said {
  readonly one: string;
  readonly other: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Works while nobody else has the workspace open, or may send what it holds. */
async function alone(workspace: Workspace, at: number, work: (sql: Sql) => Promise<void>): Promise<void> {
  const { write } = storeOf(workspace);
  await write((sql) => keepAddress(sql, MARK, at));
  try {
    await requireAlone(workspace, 'changed');
  } catch (error) {
    await write(unmark);
    throw error;
  }
  await write(async (sql) => {
    await work(sql);
    await unmark(sql);
  });
}

/**
 * Stores that two addresses lead to one service: what was sent to either counts at both. Throws a WorkspaceError
 * (`workspace_busy`) while another process is at work there.
 */
export async function joinAddresses(workspace: Workspace, { one, other, at }: Said): Promise<void> {
  await alone(workspace, at, async (sql) => {
    const [first, second] = [await serviceAt(sql, one), await serviceAt(sql, other)];
    const service = first ?? second ?? one;
    // Keys may be older than what is known of their address.
    for (const from of [first ?? one, second ?? other]) if (from !== service) await joinServices(sql, from, service);
    for (const origin of [one, other]) await keepAddress(sql, { origin, shop: '', instance: '', service }, at);
  });
}

/**
 * Stores that two addresses lead to two services. What was sent while they were one counts at both. Throws a
 * WorkspaceError (`workspace_busy`) as `joinAddresses` does.
 */
export async function separateAddresses(workspace: Workspace, { one, other, at }: Said): Promise<void> {
  await alone(workspace, at, async (sql) => {
    const [first, second] = [(await serviceAt(sql, one)) ?? one, (await serviceAt(sql, other)) ?? other];
    if (first !== second) return keepSeparate(sql, first, second);
    const leaving = first === other ? one : other;
    await copyKeys(sql, first, leaving);
    await sql('update addresses set service = ? where origin = ?', [leaving, leaving]);
    await keepSeparate(sql, first, leaving);
  });
}

/**
 * Moves what a ledger knows of addresses. What a person has joined in the source is joined in the target, unless the
 * target says that they are two.
 */
export async function moveAddresses(from: Sql, to: Sql): Promise<void> {
  const rows = await from("select * from addresses where origin <> '' order by at");
  const services = new Map<string, string>();
  for (const { origin, service } of rows.map(addressIn)) {
    const own = await serviceAt(to, origin);
    const isTwo = own !== undefined && own !== service && (await separateFrom(to, own)).has(service);
    if (own !== undefined && own !== service && !isTwo) await joinServices(to, own, service);
    services.set(origin, isTwo ? own : service);
  }
  for (const row of rows) {
    const known = addressIn(row);
    await keepAddress(to, { ...known, service: services.get(known.origin) ?? known.service }, numberOf(row, 'at'));
  }
}
