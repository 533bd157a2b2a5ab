import { numberOf, numberOrNull, pieces, placeholders, type Sql, textOf, textOrNull } from '../../store/sql.ts';
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

/** Where records were ended, and by whom. */
export interface Undoing {
  readonly account: string;
  readonly resource: string;
  /** The number of the batch that ends them; undefined for a single command. */
  readonly by?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Marks what these holders have made as undone, in the transaction that stores that it was: the rows and intents
 * themselves, their keys, rows that existed because of them, and what they cost. `keys` are those that are known.
 */
export async function setUndone(
  sql: Sql,
  { account, resource, by = 0, at }: Undoing,
  holders: readonly string[],
  keys: readonly Pick<Key, 'identity'>[] = [],
): Promise<void> {
  if (holders.length === 0) return;
  const list = placeholders(1, holders.length);
  const identities = new Set(keys.map(({ identity }) => identity));
  const intents = await sql(
    `update intents set state = 'undone', updated_at = ? where state = 'done' and id in ${list} returning identity`,
    [at, ...holders],
  );
  for (const intent of intents) identities.add(textOrNull(intent, 'identity') ?? '');
  await sql(`update batch_rows set state = 'undone' where state = 'existed' and batch <> ? and made_by in ${list}`, [
    by,
    ...holders,
  ]);
  for (const identity of await rowsUndone(sql, holders)) identities.add(identity);
  if (identities.size === 0) return;
  await sql(
    `update ledger_keys set state = 'undone', owner = null, at = ? where account = ? and resource = ?
      and identity in ${placeholders(1, identities.size)} and holder in ${list} and state = 'done'`,
    [at, account, resource, ...identities, ...holders],
  );
}

/** Marks rows as undone, and gives back what was spent on them; returns their identities. */
async function rowsUndone(sql: Sql, holders: readonly string[]): Promise<string[]> {
  const rows = holders.flatMap((holder) => rowOfHolder(holder) ?? []);
  const identities: string[] = [];
  for (const batch of new Set(rows.map((row) => row.batch))) {
    const own = rows.flatMap((row) => (row.batch === batch ? [row.row] : []));
    const taken = await sql(
      `update batch_rows set state = 'undone' where batch = ? and state = 'done'
        and row in ${placeholders(1, own.length)} returning fee, identity`,
      [batch, ...own],
    );
    identities.push(...taken.map((row) => textOf(row, 'identity')));
    const back = taken.reduce((sum, row) => sum + (numberOrNull(row, 'fee') ?? 0), 0);
    if (back > 0) await sql('update batches set reserved = reserved - ? where number = ?', [back, batch]);
  }
  return identities;
}

const IDS_A_STATEMENT = 500;

/** By its id; or by a name that is derived, which no other record has, where nobody has seen its id. */
const ENDED = { ids: 'record_id', names: 'record_id is null and derived = 1 and name' } as const;

/** Marks as undone what has made the records of these ids, or of derived names, which have ended, whoever ended them. */
export async function setEnded(
  sql: Sql,
  undoing: Undoing,
  ended: { readonly ids: readonly string[]; readonly names?: readonly string[] },
): Promise<void> {
  for (const by of ['ids', 'names'] as const) {
    for (const piece of pieces(ended[by] ?? [], IDS_A_STATEMENT)) {
      const made = await sql(
        `select holder, identity from ledger_keys where account = ? and resource = ? and state = 'done'
        and ${ENDED[by]} in ${placeholders(1, piece.length)}`,
        [undoing.account, undoing.resource, ...piece],
      );
      const keys = made.map((row) => ({ identity: textOf(row, 'identity') }));
      const holders = made.map((row) => textOf(row, 'holder'));
      await setUndone(sql, undoing, holders, keys);
    }
  }
}
