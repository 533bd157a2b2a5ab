import { type Selectable, sql } from 'kysely';
import { CachedSql } from '../sql/cached-sql.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import type { CodFileTable, CodLineTable } from './tables.ts';

/** A payment file that is stored. */
export type StoredFile = Selectable<CodFileTable>;

/** A line to be stored. */
type NewLine = Omit<CodLineTable, 'file' | 'line' | 'late'>;

/** A file to be stored, and its lines in order. */
export interface NewPayments {
  readonly file: Omit<StoredFile, 'number' | 'version'>;
  readonly lines: readonly NewLine[];
}

/** The result of storing a file. */
export type Stored =
  /** The same content was there already; nothing changed. */
  | { readonly kind: 'known'; readonly file: StoredFile }
  | {
      readonly kind: 'stored';
      readonly file: StoredFile;
      /** Its lines that repeat one of an earlier file, by index, with the name of that file and the cell there. */
      readonly repeated: ReadonlyMap<number, string>;
      /** The sessions that were closed when its lines came. */
      readonly late: readonly string[];
    };

/** A line as it is stored, with its file. */
export interface StoredLine extends CodLineTable {
  readonly name: string;
  readonly file_id: string;
}

const LINES_A_STATEMENT = 100;
const PARCELS_A_QUERY = 2_000;
const ALONE = 'cod';

const columns = [
  'file',
  'line',
  'session',
  'parcel',
  'shipping_code',
  'fulfillment_id',
  'kind',
  'amount',
  'cell',
  'day',
  'repeats',
  'late',
] as const;

function* pieces<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

const keyOf = ({ session, parcel, kind, amount }: Pick<CodLineTable, 'session' | 'parcel' | 'kind' | 'amount'>) =>
  JSON.stringify([session, parcel, kind, amount]);

/** The lines of other files that these may repeat, by their key. */
async function earlierLines(database: WorkspaceTables, { file, lines }: NewPayments) {
  const earlier = new Map<string, { readonly id: string; readonly name: string; readonly cell: string }>();
  for (const session of new Set(lines.map((line) => line.session))) {
    const stored = () =>
      database
        .selectFrom('cod_lines as l')
        .innerJoin('cod_files as f', 'f.number', 'l.file')
        .where('f.shop_id', '=', file.shop_id)
        .where('l.session', '=', session)
        .where('l.repeats', 'is', null);
    if ((await stored().select('l.line').limit(1).execute()).length === 0) continue;
    const parcels = [...new Set(lines.flatMap((line) => (line.session === session ? [line.parcel] : [])))];
    for (const piece of pieces(parcels, PARCELS_A_QUERY)) {
      const found = await stored()
        .select(['l.session', 'l.parcel', 'l.kind', 'l.amount', 'l.cell', 'f.id', 'f.name'])
        .where('l.parcel', 'in', piece)
        .execute();
      for (const one of found) earlier.set(keyOf(one), one);
    }
  }
  return earlier;
}

/** The payments of a workspace. Each function is one read or one transaction; all throw a WorkspaceError. */
export class Payments {
  readonly #workspace: Workspace;
  readonly #kept = new CachedSql();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Stores a file with its lines, unless the same content is there already. */
  add(given: NewPayments): Promise<Stored> {
    return this.#workspace.write(async (database) => {
      await this.#workspace.alone(database, ALONE);
      const { file, lines } = given;
      const known = await this.#fileById(database, file.shop_id, file.id);
      if (known !== undefined) return { kind: 'known', file: known };
      const earlier = await earlierLines(database, given);
      const closed = new Set(
        (await database.selectFrom('cod_sessions').select('session').where('shop_id', '=', file.shop_id).execute()).map(
          ({ session }) => session,
        ),
      );
      const { number } = await database
        .insertInto('cod_files')
        .values({ ...file, version: 1 })
        .returning('number')
        .executeTakeFirstOrThrow();
      const repeated = new Map<number, string>();
      const late = new Set<string>();
      const rowOf = (line: NewLine, index: number): CodLineTable => {
        const before = line.repeats === null && earlier.size > 0 ? earlier.get(keyOf(line)) : undefined;
        if (before !== undefined) repeated.set(index, `${before.name} ${before.cell}`);
        if (closed.has(line.session)) late.add(line.session);
        const { session, parcel, shipping_code, fulfillment_id, kind, amount, cell, day } = line;
        return {
          file: number,
          line: index + 1,
          session,
          parcel,
          shipping_code,
          fulfillment_id,
          kind,
          amount,
          cell,
          day,
          repeats: before === undefined ? line.repeats : `${before.id} ${before.cell}`,
          late: closed.has(session) ? 1 : 0,
        };
      };
      let from = 0;
      for (const piece of pieces(lines, LINES_A_STATEMENT)) {
        const first = from;
        await this.#insert(
          database,
          piece.map((line, index) => rowOf(line, first + index)),
        );
        from += piece.length;
      }
      return { kind: 'stored', file: { ...file, number, version: 1 }, repeated, late: [...late] };
    });
  }

  async #insert(database: WorkspaceTables, rows: readonly CodLineTable[]): Promise<void> {
    const parameters: unknown[] = [];
    for (const row of rows) for (const name of columns) parameters.push(row[name]);
    await this.#kept.run(database, `lines ${rows.length}`, parameters, () =>
      database.insertInto('cod_lines').values(rows),
    );
  }

  async #fileById(database: WorkspaceTables, shopId: string, id: string): Promise<StoredFile | undefined> {
    return database
      .selectFrom('cod_files')
      .selectAll()
      .where('shop_id', '=', shopId)
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** All files of a shop, the newest first. */
  files(shopId: string): Promise<StoredFile[]> {
    return this.#workspace.read((database) =>
      database.selectFrom('cod_files').selectAll().where('shop_id', '=', shopId).orderBy('number', 'desc').execute(),
    );
  }

  /** Sums of the lines that count, by file, session and kind. */
  kinds(shopId: string): Promise<{ file: number; session: string; kind: string; lines: number; amount: number }[]> {
    return this.#workspace.read((database) =>
      database
        .selectFrom('cod_lines as l')
        .innerJoin('cod_files as f', 'f.number', 'l.file')
        .select((of) => [
          'l.file',
          'l.session',
          'l.kind',
          of.cast<number>(of.fn.countAll(), 'integer').as('lines'),
          of.cast<number>(of.fn.sum('l.amount'), 'bigint').as('amount'),
        ])
        .where('f.shop_id', '=', shopId)
        .where('l.repeats', 'is', null)
        .groupBy(['l.file', 'l.session', 'l.kind'])
        .execute(),
    );
  }

  /** The lines of files, or of a parcel by its code or our id, in the order in which they came. */
  lines(
    shopId: string,
    of: { readonly files: readonly number[] } | { readonly parcel: string },
  ): Promise<StoredLine[]> {
    return this.#workspace.read((database) =>
      database
        .selectFrom('cod_lines as l')
        .innerJoin('cod_files as f', 'f.number', 'l.file')
        .selectAll('l')
        .select(['f.name', 'f.id as file_id'])
        .where('f.shop_id', '=', shopId)
        .where((where) =>
          'files' in of
            ? where('l.file', 'in', of.files)
            : where.or([where('l.shipping_code', '=', of.parcel), where('l.fulfillment_id', '=', of.parcel)]),
        )
        .orderBy('l.file')
        .orderBy('l.line')
        .execute(),
    );
  }

  /**
   * Deletes a file with its lines; lines of other files that repeated one of them count from now on. Returns the closed
   * sessions that keep it from being deleted, if there are any.
   */
  remove(shopId: string, file: StoredFile): Promise<readonly string[]> {
    return this.#workspace.write(async (database) => {
      await this.#workspace.alone(database, ALONE);
      const closed = await database
        .selectFrom('cod_sessions as s')
        .select('s.session')
        .where('s.shop_id', '=', shopId)
        .where((where) =>
          where.exists(
            where
              .selectFrom('cod_lines as l')
              .select('l.line')
              .where('l.file', '=', file.number)
              .whereRef('l.session', '=', 's.session'),
          ),
        )
        .execute();
      if (closed.length > 0) return closed.map(({ session }) => session);
      await database.deleteFrom('cod_lines').where('file', '=', file.number).execute();
      await database.deleteFrom('cod_files').where('number', '=', file.number).execute();
      await this.#countAgain(database, shopId, file.id);
      return [];
    });
  }

  /** Lines that repeated one of a file that is gone: the first of each counts, the others repeat that one. */
  async #countAgain(database: WorkspaceTables, shopId: string, goneId: string): Promise<void> {
    const orphans = await database
      .selectFrom('cod_lines as l')
      .innerJoin('cod_files as f', 'f.number', 'l.file')
      .select(['l.file', 'l.line', 'l.session', 'l.parcel', 'l.kind', 'l.amount', 'l.cell', 'f.id'])
      .where('f.shop_id', '=', shopId)
      .where('l.repeats', 'like', `${goneId} %`)
      .orderBy('l.file')
      .orderBy('l.line')
      .execute();
    const first = new Map<string, string>();
    for (const orphan of orphans) {
      const key = keyOf(orphan);
      const repeats = first.get(key) ?? null;
      if (repeats === null) first.set(key, `${orphan.id} ${orphan.cell}`);
      await database
        .updateTable('cod_lines')
        .set({ repeats })
        .where('file', '=', orphan.file)
        .where('line', '=', orphan.line)
        .execute();
    }
    await this.#changed(database, [...new Set(orphans.map(({ file }) => file))]);
  }

  async #changed(database: WorkspaceTables, files: readonly number[]): Promise<void> {
    if (files.length === 0) return;
    await database
      .updateTable('cod_files')
      .set({ version: sql<number>`version + 1` })
      .where('number', 'in', files)
      .execute();
  }

  /** The closed sessions of a shop. */
  closed(shopId: string) {
    return this.#workspace.read((database) =>
      database
        .selectFrom('cod_sessions')
        .selectAll()
        .where('shop_id', '=', shopId)
        .orderBy('closed_at', 'desc')
        .execute(),
    );
  }

  /** What stands in a session: the lines that count and their sum; undefined if it has none. */
  session(shopId: string, session: string): Promise<{ lines: number; amount: number } | undefined> {
    return this.#workspace.read((database) => this.#sumOf(database, shopId, session));
  }

  async #sumOf(database: WorkspaceTables, shopId: string, session: string) {
    const found = await database
      .selectFrom('cod_lines as l')
      .innerJoin('cod_files as f', 'f.number', 'l.file')
      .select((of) => [
        of.cast<number>(of.fn.countAll(), 'integer').as('lines'),
        of.cast<number>(of.fn.coalesce(of.fn.sum('l.amount'), sql.lit(0)), 'bigint').as('amount'),
      ])
      .where('f.shop_id', '=', shopId)
      .where('l.session', '=', session)
      .where('l.repeats', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(found.lines) === 0 ? undefined : found;
  }

  /** Records that a session was agreed to as it stands; undefined if it has no lines, false if it is closed already. */
  close(shopId: string, session: string, by: { at: string; name: string; note: string }) {
    return this.#workspace.write(async (database) => {
      await this.#workspace.alone(database, ALONE);
      const sums = await this.#sumOf(database, shopId, session);
      if (sums === undefined) return undefined;
      const row = { shop_id: shopId, session, closed_at: by.at, closed_by: by.name, note: by.note, ...sums };
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('cod_sessions')
        .values(row)
        .onConflict((conflict) => conflict.columns(['shop_id', 'session']).doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n ? row : false;
    });
  }

  /** Opens a closed session again: what came late counts as known. Returns whether it was closed. */
  reopen(shopId: string, session: string): Promise<boolean> {
    return this.#workspace.write(async (database) => {
      const { numDeletedRows } = await database
        .deleteFrom('cod_sessions')
        .where('shop_id', '=', shopId)
        .where('session', '=', session)
        .executeTakeFirstOrThrow();
      const files = await database
        .selectFrom('cod_lines as l')
        .innerJoin('cod_files as f', 'f.number', 'l.file')
        .select('l.file')
        .distinct()
        .where('f.shop_id', '=', shopId)
        .where('l.session', '=', session)
        .where('l.late', '=', 1)
        .execute();
      const numbers = files.map(({ file }) => file);
      if (numbers.length > 0) {
        await database
          .updateTable('cod_lines')
          .set({ late: 0 })
          .where('session', '=', session)
          .where('file', 'in', numbers)
          .execute();
        await this.#changed(database, numbers);
      }
      return numDeletedRows > 0n;
    });
  }
}
