import type { Account } from '../../client/account.ts';
import { anySent, type SentOrder, sentTo } from '../../ledger/equal-order.ts';
import { type Key, keysAt, keysNamed, ledgerId } from '../../ledger/store/keys.ts';
import { holderOf, mayLackShipment, rowOfHolder } from '../../ledger/store/undone.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { pieces } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { sentStates, unnamed, type WholeRow, wholeRows } from './row.ts';

/** A row of another batch of the account with the same content as one of this batch. */
export type EarlierRow = Pick<
  WholeRow,
  'batch' | 'row' | 'generation' | 'identity' | 'name' | 'content' | 'state' | 'id' | 'made_by'
> & {
  /** The id of its batch. */
  readonly of: string;
  /** What it keeps of what it sends again (`resentBy`). */
  readonly old_values: string | null;
};

/** Finds what earlier work of an account has to do with rows. Each function is one read; all throw a WorkspaceError. */
export interface EarlierRows {
  /** The rows of the account's opened batches with these contents that have no name of their own. */
  ofContents(account: string, operations: readonly string[], contents: readonly string[]): Promise<EarlierRow[]>;
  /** The keys of a ledger's account under these identities. */
  keysAt(account: string, resource: string, identities: readonly string[]): Promise<ReadonlyMap<string, Key>>;
  /** The keys of names that were derived, by name. */
  keysNamed(account: string, resource: string, names: readonly string[]): Promise<ReadonlyMap<string, Key>>;
  /** The rows that hold keys, by holder: not those of single commands, and those that were forgotten. */
  holding(keys: readonly Key[]): Promise<ReadonlyMap<string, WholeRow>>;
  /** Which of these holders have made what an undo has ended, and the id of the batch that did. */
  undoneBy(holders: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** As `mayLackShipment`, in a read of its own. */
  mayLackShipment(keys: readonly Pick<Key, 'holder'>[], shippers?: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ledger's random id: names that only this ledger can derive contain it. */
  ledgerId(): Promise<string>;
  /** As `anySent`, in a read of its own. */
  anySent(account: Account, since: number): Promise<boolean>;
  /** As `sentTo`, in a read of its own. */
  sentTo(account: Account, phones: ReadonlySet<string>, since: number): Promise<readonly SentOrder[]>;
  /** Which of these recipients already received something from an opened batch of that account. */
  knownRecipients(account: string, recipients: readonly string[]): Promise<Set<string>>;
}

const VALUES_A_STATEMENT = 2_000;

/** Finds earlier work in a workspace. */
export function earlierRowsOf({ read, serverTime }: Workspace): EarlierRows {
  return {
    ofContents: (account, operations, contents) =>
      read(async (database) => {
        const found: EarlierRow[] = [];
        for (const piece of pieces(contents, VALUES_A_STATEMENT)) {
          const rows = await database
            .selectFrom('batch_rows as r')
            // A cross join is made in this order: SQLite would begin with all rows of the account.
            .crossJoin('batches as b')
            .whereRef('b.number', '=', 'r.batch')
            .select(['r.batch', 'r.row', 'r.generation', 'r.identity', 'r.name', 'r.content', 'r.state', 'r.id'])
            .leftJoin('batch_contents as c', (join) =>
              join.onRef('c.batch', '=', 'r.batch').onRef('c.row', '=', 'r.row'),
            )
            .select(['r.made_by', 'b.id as of', 'c.old_values'])
            .where('r.content', 'in', piece)
            .where(unnamed)
            .where('r.state', '!=', 'skipped')
            .where('b.account', '=', account)
            .where('b.operation', 'in', operations)
            .where('b.state', '!=', 'planning')
            .orderBy('r.batch')
            .orderBy('r.row')
            .execute();
          found.push(...rows);
        }
        return found;
      }),
    keysAt: (account, resource, identities) =>
      read((database) => keysAt(sqlOf(database, serverTime !== undefined), account, resource, identities)),
    keysNamed: (account, resource, names) =>
      read((database) => keysNamed(sqlOf(database, serverTime !== undefined), account, resource, names)),
    holding: (keys) => read((database) => rowsHolding(database, keys)),
    undoneBy: (holders) => read((database) => undoneBy(database, holders)),
    mayLackShipment: (keys, shippers) =>
      read((database) => mayLackShipment(sqlOf(database, serverTime !== undefined), keys, shippers)),
    ledgerId: () => read((database) => ledgerId(sqlOf(database, serverTime !== undefined))),
    anySent: (account, since) => read((database) => anySent(sqlOf(database, serverTime !== undefined), account, since)),
    sentTo: (account, phones, since) =>
      read((database) => sentTo(sqlOf(database, serverTime !== undefined), account, phones, since)),
    knownRecipients: (account, recipients) => read((database) => knownRecipients(database, account, recipients)),
  };
}

/** Which of these recipients already received something from an opened batch of that account. */
async function knownRecipients(
  database: WorkspaceTables,
  account: string,
  recipients: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const piece of pieces(recipients, VALUES_A_STATEMENT)) {
    const rows = await database
      .selectFrom('batch_rows as r')
      .crossJoin('batches as b')
      .whereRef('b.number', '=', 'r.batch')
      .select('r.recipient')
      .distinct()
      .where('r.recipient', 'in', piece)
      .where('r.state', 'in', sentStates)
      .where('b.account', '=', account)
      .where('b.state', '!=', 'planning')
      .execute();
    for (const { recipient } of rows) if (recipient !== null) known.add(recipient);
  }
  return known;
}

/** Which holders have made what rows of an undo have ended, and the id of its batch. */
async function undoneBy(database: WorkspaceTables, holders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const piece of pieces(holders, VALUES_A_STATEMENT)) {
    const rows = await database
      .selectFrom('batch_rows as r')
      .crossJoin('batches as b')
      .whereRef('b.number', '=', 'r.batch')
      .select(['r.made_by', 'b.id'])
      .where('r.made_by', 'in', piece)
      .where('r.state', 'in', ['done', 'existed'])
      .where('b.source', 'like', '%"undoes":%')
      .execute();
    for (const { made_by, id } of rows) found.set(made_by ?? '', id);
  }
  return found;
}

/** The rows that hold keys, by holder. */
export async function rowsHolding(
  database: WorkspaceTables,
  keys: readonly Pick<Key, 'holder'>[],
): Promise<ReadonlyMap<string, WholeRow>> {
  const found = new Map<string, WholeRow>();
  const places = keys.flatMap(({ holder }) => rowOfHolder(holder) ?? []);
  for (const batch of new Set(places.map((place) => place.batch))) {
    const own = places.flatMap((place) => (place.batch === batch ? [place.row] : []));
    for (const piece of pieces(own, VALUES_A_STATEMENT)) {
      const rows = await wholeRows(database).where('r.batch', '=', batch).where('r.row', 'in', piece).execute();
      for (const row of rows) found.set(holderOf(row), row);
    }
  }
  return found;
}
