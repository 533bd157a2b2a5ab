import type { Ports } from '../../action/ports.ts';
import type { OpenBatches } from '../../batch/open.ts';
import { batchNamed, requireOwn } from '../../batch/runs.ts';
import type { Batch } from '../../batch/store/batches.ts';
import { sourceOf } from '../../batch/stored-source.ts';
import { type Account, accountText, isSameAccount } from '../../client/account.ts';
import type { Connection } from '../../client/connection.ts';
import { listRecords } from '../../client/pages.ts';
import { Refusal } from '../../client/refusal.ts';
import { findOperation } from '../../contract/areas.ts';
import { ListOrders } from '../../contract/shop/order.ts';
import { startOfDay } from '../../domain/moment-text.ts';
import { draftsIn } from '../../ledger/intents/drafts.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import { say } from '../texts.ts';

/** Whether a batch creates orders. */
async function makesOrders({ operation }: Batch): Promise<boolean> {
  return (await findOperation(operation))?.settlement?.lookup.endsWith('/GetOrder') === true;
}

/** Rows that have an order, or had one: whoever prints a batch is told of those that are cancelled. */
const MADE = ['done', 'existed', 'undone'] as const;

async function ordersOfBatch({ rows }: OpenBatches, { number }: Batch): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of rows.each({ batch: number, states: MADE })) if (id !== null) ids.push(id);
  return ids;
}

/** What people call the latest batch; without a value it is that as well. */
const LATEST = new Set(['', 'last', 'latest']);

/** A batch by its name, or the latest of an account that made orders, which is said. Throws a BatchError. */
async function batchMeant(name: string, open: OpenBatches, account: Account, { report }: Ports): Promise<Batch> {
  if (!LATEST.has(name)) return batchNamed(open, name);
  for (const batch of await open.batches.list({ account: accountText(account) })) {
    if (!(await makesOrders(batch))) continue;
    report.notice(say().latest({ batch: batch.id, file: sourceOf(batch).name }));
    return batch;
  }
  return batchNamed(open, undefined);
}

/** What this machine has shipped today, by batches and individually. */
async function shippedHere(open: OpenBatches, account: Account, since: number, ports: Ports): Promise<string[]> {
  const from = new Date(since).toISOString();
  const ids: string[] = [];
  for (const batch of await open.batches.list({ account: accountText(account) })) {
    const isOfToday = batch.created_at >= from || batch.finished_at === null || batch.finished_at >= from;
    if (isOfToday && (await makesOrders(batch))) ids.push(...(await ordersOfBatch(open, batch)));
  }
  const drafts = await draftsIn(ledgerOpener(ports), ports.clock).list('all');
  for (const { target, updated_at, order_id } of drafts) {
    if (order_id !== undefined && updated_at >= from && isSameAccount(target.account, account)) ids.push(order_id);
  }
  return ids;
}

async function listedToday(connection: Connection, since: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, created_at } of listRecords(ListOrders, { paging: { sort: '-created_at' } }, connection)) {
    if (typeof created_at === 'string' && Date.parse(created_at) < since) break;
    if (typeof id === 'string') ids.push(id);
  }
  // The oldest first: slips are in the order in which the orders came in.
  return ids.reverse();
}

/** The requested orders. */
export interface WantedOrders {
  readonly names: readonly string[];
  /** Only those created since then, in milliseconds since 1970; undefined if that does not matter. */
  readonly since: number | undefined;
}

/**
 * The orders that were named, those of a batch, or today's. Throws a Refusal if none of these is given, or more than
 * one.
 */
export async function wantedOrders(
  input: {
    readonly orders?: readonly string[] | null | undefined;
    readonly batch?: string | null | undefined;
    readonly today?: boolean | null | undefined;
  },
  open: OpenBatches,
  account: Account,
  ports: Ports,
): Promise<WantedOrders> {
  const orders = input.orders ?? [];
  const ways = [orders.length > 0, typeof input.batch === 'string', input.today === true].filter(Boolean).length;
  if (ways !== 1) {
    throw new Refusal('orders_unsaid', ways === 0 ? say().whichOrders : say().oneWay);
  }
  if (orders.length > 0) return { names: [...new Set(orders)], since: undefined };
  if (typeof input.batch === 'string') {
    const batch = await batchMeant(input.batch, open, account, ports);
    requireOwn({ account }, batch);
    if (!(await makesOrders(batch)))
      throw new Refusal('no_orders', say().noOrders({ batch: batch.id, command: batch.do }));
    return { names: [...new Set(await ordersOfBatch(open, batch))], since: undefined };
  }
  const since = startOfDay(ports.clock.now(), ports.settings.tz.value);
  const names =
    account.family === 'shop'
      ? await listedToday(ports.connection(), since)
      : await shippedHere(open, account, since, ports);
  return { names: [...new Set(names)], since };
}
