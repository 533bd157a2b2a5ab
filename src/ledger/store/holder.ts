import { numberOf, pieces, placeholders, type Sql, textOf } from '../../store/sql/sql.ts';
import type { Key } from './keys.ts';

/** The holder of a row's key. */
export function holderOf({
  batch,
  row,
  generation,
}: {
  readonly batch: number;
  readonly row: number;
  readonly generation: number;
}): string {
  return `batch ${batch} ${row} ${generation}`;
}

/** The row that a holder names; undefined if it is none of a batch. */
export function rowOfHolder(holder: string): { readonly batch: number; readonly row: number } | undefined {
  const [kind, batch, row] = holder.split(' ');
  return kind === 'batch' ? { batch: Number(batch), row: Number(row) } : undefined;
}

const HOLDERS_A_STATEMENT = 500;

/**
 * Which holders of keys may not have shipped what they made: those whose operation is none of these, or is forgotten.
 * None if nothing is to be shipped.
 */
export async function mayLackShipment(
  sql: Sql,
  keys: readonly Pick<Key, 'holder'>[],
  shippers: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  const unshipped = new Set(shippers === undefined ? [] : keys.map(({ holder }) => holder));
  if (shippers === undefined || unshipped.size === 0) return unshipped;
  for (const piece of pieces([...unshipped], HOLDERS_A_STATEMENT)) {
    const numbers = [...new Set(piece.map((holder) => rowOfHolder(holder)?.batch ?? 0))];
    const of = (values: readonly unknown[]) =>
      `in ${placeholders(1, values.length)} and operation in ${placeholders(1, shippers.length)}`;
    const intents = await sql(`select id from intents where id ${of(piece)}`, [...piece, ...shippers]);
    const batches = await sql(`select number from batches where number ${of(numbers)}`, [...numbers, ...shippers]);
    const shipped = new Set([
      ...intents.map((row) => textOf(row, 'id')),
      ...batches.map((row) => numberOf(row, 'number')),
    ]);
    for (const holder of piece) if (shipped.has(rowOfHolder(holder)?.batch ?? holder)) unshipped.delete(holder);
  }
  return unshipped;
}
