import { readFields } from '../../../domain/json/value-at.ts';
import { rowOfHolder } from '../../../workspace/rows/holder.ts';
import { numberOrNull, type Sql, textOf } from '../../../workspace/sql/sql.ts';
import { recognisedOrder } from '../equal-order.ts';

/** Longer than an equal order is refused, whichever clock has written when it was sent. */
const RECENT_MS = 3 * 86_400_000;

/**
 * Former versions did not store which orders equal one another: it is derived from the rows of their last days, so that
 * a command does not send an order again that a batch has sent before the upgrade.
 */
export async function takeOverOrders(sql: Sql): Promise<void> {
  const [newest] = await sql("select max(at) as at from ledger_keys where resource = 'order'");
  const since = (numberOrNull(newest ?? {}, 'at') ?? 0) - RECENT_MS;
  const keys = await sql(
    `select account, identity, holder from ledger_keys
      where resource = 'order' and equal is null and at >= ? and holder like 'batch %'`,
    [since],
  );
  for (const key of keys) {
    const { batch = 0, row = 0 } = rowOfHolder(textOf(key, 'holder')) ?? {};
    const [content] = await sql('select payload from batch_contents where batch = ? and row = ?', [batch, row]);
    if (content === undefined) continue;
    const { equal } = await recognisedOrder(readFields(textOf(content, 'payload')));
    const place = [textOf(key, 'account'), textOf(key, 'identity')];
    await sql("update ledger_keys set equal = ? where account = ? and resource = 'order' and identity = ?", [
      equal,
      ...place,
    ]);
  }
}
