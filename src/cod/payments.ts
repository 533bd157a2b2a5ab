import { type Selectable, sql } from 'kysely';
import { newNumber } from '../platform/process/new-id.ts';
import { CachedSql } from '../store/sql.ts';
import type { CodFileTable, CodLineTable, WorkspaceTables } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { countAgain, linesChanged, type NotReplaced, replaceSessions } from './replace-sessions.ts';
import {
  besideStored,
  lineInWords,
  missingFrom,
  type Overlap,
  otherCarriers,
  pieces,
  type Standing,
  standingOf,
} from './standing.ts';
import { say } from './texts.ts';

/** A payment file that is stored. */
export type StoredFile = Selectable<CodFileTable>;

/** A line to be stored. */
type NewLine = Omit<CodLineTable, 'file' | 'line' | 'late'>;

/** A file to be stored, and its lines in order. */
export interface NewPayments {
  readonly file: Omit<StoredFile, 'number' | 'version'>;
  readonly lines: readonly NewLine[];
  /** The lines, by index, of which neither the file nor a person names the session. */
  readonly unnamed?: ReadonlySet<number>;
}

/** What a person said about a file of which something is stored already. */
export interface PaymentAnswers {
  /** The sessions whose lines it replaces. */
  readonly replaces?: readonly string[] | undefined;
  /** Whether its lines are added to those that are there. */
  readonly adds?: boolean | undefined;
}

/** The result of storing a file. */
export type Stored =
  /** The same content was there already; nothing changed. */
  | { readonly kind: 'known'; readonly file: StoredFile; readonly lines: readonly CodLineTable[] }
  /** Nothing changed: a person has to say whether it replaces or adds. */
  | { readonly kind: 'asks'; readonly overlaps: readonly Overlap[] }
  /** Nothing changed: the lines of sessions cannot be replaced. */
  | NotReplaced
  | {
      readonly kind: 'stored';
      readonly file: StoredFile;
      readonly lines: readonly NewLine[];
      /** Its lines that repeat one of an earlier file, by index, with the name of that file and the cell there. */
      readonly repeated: ReadonlyMap<number, string>;
      /** The sessions that were closed when its lines came. */
      readonly late: readonly string[];
      /** How many lines it took the place of. */
      readonly replaced: number;
    };

/** A line as it is stored, with its file. */
export interface StoredLine extends CodLineTable {
  readonly name: string;
  readonly file_id: string;
}

const LINES_A_STATEMENT = 100;
/** The name of the exclusive lock for transactions that write payments. */
export const PAYMENTS = 'cod';

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
  'cells',
  'repeats',
  'late',
] as const;

/** What a person has to say about before a file is stored; nothing if it was said. */
export function overlapsOf(
  { otherAmounts, carriers, parcels }: Standing,
  { replaces = [], adds }: PaymentAnswers,
): readonly Overlap[] {
  if (adds === true) return [];
  const others = [...otherAmounts, ...carriers];
  // Whoever names the sessions that a file replaces has said why its parcels stand somewhere else.
  return replaces.length > 0 ? others : [...others, ...parcels];
}

const MOST_NAMED = 3;

/** The first lines in words, and how many more there are. */
const namedLines = (lines: readonly Parameters<typeof lineInWords>[0][]) => ({
  named: lines.slice(0, MOST_NAMED).map(lineInWords),
  rest: Math.max(0, lines.length - MOST_NAMED),
});

/** The same with what of each session is alike, new and missing, before the first of its places. */
async function overlapsInNumbers(
  database: WorkspaceTables,
  { shop_id }: NewPayments['file'],
  given: Placed,
  answers: PaymentAnswers,
): Promise<readonly Overlap[]> {
  const counted = new Set<string>();
  const overlaps = overlapsOf(given.standing, answers);
  const missing = overlaps.length === 0 ? [] : await missingFrom(database, shop_id, given.lines);
  return overlaps.map((overlap) => {
    const { session, place, isOfCarrier } = overlap;
    if (isOfCarrier === true || counted.has(session)) return overlap;
    counted.add(session);
    const own = [...given.lines.entries()].filter(([, line]) => line.session === session && line.repeats === null);
    const equal = own.filter(([index]) => given.standing.equal.has(index)).length;
    const differing = new Set(given.standing.otherAmounts.flatMap((other) => other.line ?? []));
    const added = own.filter(([index]) => !given.standing.equal.has(index) && !differing.has(index));
    const gone = missing.filter((line) => line.session === session);
    if (own.length === 0) return overlap;
    const about = { equal, differing: own.length - equal - added.length, all: own.length, place };
    const sides = { added: namedLines(added.map(([, line]) => line)), gone: namedLines(gone) };
    return { session, place: say().stored.equal({ ...about, ...sides }) };
  });
}

/** The lines of a file in their sessions, beside what is stored. */
interface Placed {
  readonly lines: readonly NewLine[];
  readonly standing: Standing;
}

/** The payments of a workspace. Each function is one read or one transaction; all throw a WorkspaceError. */
export class Payments {
  readonly #workspace: Workspace;
  readonly #kept = new CachedSql();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** What a person would have to say about a file, before it is stored. */
  overlaps(given: NewPayments, answers: PaymentAnswers): Promise<readonly Overlap[]> {
    const { shop_id, id } = given.file;
    return this.#workspace.read(async (database) => {
      if ((answers.replaces ?? []).length > 0 || (await this.#fileById(database, shop_id, id))) return [];
      return overlapsInNumbers(database, given.file, await this.#placed(database, given), answers);
    });
  }

  /** Puts lines without a session where those of their parcels are: elsewhere they would be paid a second time. */
  async #placed(database: WorkspaceTables, { file, lines, unnamed }: NewPayments): Promise<Placed> {
    const own = { lines, standing: await standingOf(database, file, lines) };
    if (unnamed === undefined || unnamed.size === 0 || own.standing.parcels.length === 0) return own;
    const sessions = await besideStored(database, file.shop_id, lines, (index) => unnamed.has(index));
    const placed = lines.map((line, index) => ({ ...line, session: sessions[index] ?? line.session }));
    return { lines: placed, standing: await standingOf(database, file, placed) };
  }

  /** Stores a file with its lines, unless the same content is there already, or something has to be said about it. */
  add(given: NewPayments, answers: PaymentAnswers = {}): Promise<Stored> {
    const undone: { stored?: Stored } = {};
    return this.#workspace
      .write(async (database): Promise<Stored> => {
        await this.#workspace.alone(database, PAYMENTS);
        const { file } = given;
        const { replaces = [] } = answers;
        const known = await this.#fileById(database, file.shop_id, file.id);
        if (known !== undefined && replaces.length === 0) {
          const stored = await this.#known(database, known);
          // What nothing was read of before has nothing that could change.
          if (stored.lines.length > 0 || given.lines.length === 0) return stored;
          await database.deleteFrom('cod_files').where('number', '=', known.number).execute();
        }
        const closed = new Set(await this.#closedSessions(database, file.shop_id));
        const others = known === undefined ? await otherCarriers(database, file, replaces) : [];
        if (others.length > 0)
          return { kind: 'other_carrier', sessions: others.map(({ session, place }) => `${session}: ${place}`) };
        const gone = await replaceSessions(database, file.shop_id, { replaces, known, closed });
        if (typeof gone !== 'number') return gone;
        const placed = await this.#placed(database, given);
        const { lines, standing } = placed;
        const overlaps = await overlapsInNumbers(database, file, placed, answers);
        if (overlaps.length > 0) {
          undone.stored = { kind: 'asks', overlaps };
          throw undone;
        }
        const version = newNumber();
        const { number } = await database
          .insertInto('cod_files')
          .values({ ...file, version })
          .returning('number')
          .executeTakeFirstOrThrow();
        await this.#insertLines(database, number, lines, { standing, closed });
        const repeated = new Map([...standing.equal].map(([index, { name, cell }]) => [index, `${name} ${cell}`]));
        const late = [...new Set(lines.map(({ session }) => session))].filter((session) => closed.has(session));
        return { kind: 'stored', file: { ...file, number, version }, lines, repeated, late, replaced: gone };
      })
      .catch((error: unknown) => {
        // What was replaced is there again.
        if (error === undone && undone.stored !== undefined) return undone.stored;
        throw error;
      });
  }

  async #known(database: WorkspaceTables, file: StoredFile): Promise<Extract<Stored, { kind: 'known' }>> {
    const lines = await database
      .selectFrom('cod_lines')
      .selectAll()
      .where('file', '=', file.number)
      .orderBy('line')
      .execute();
    return { kind: 'known', file, lines };
  }

  async #insertLines(
    database: WorkspaceTables,
    file: number,
    lines: readonly NewLine[],
    { standing, closed }: { standing: Standing; closed: ReadonlySet<string> },
  ): Promise<void> {
    const rows = lines.map((line, index): CodLineTable => {
      const before = standing.equal.get(index);
      const repeats = before === undefined ? line.repeats : `${before.id} ${before.cell}`;
      const { session, parcel, shipping_code, fulfillment_id, kind, amount, cell, day, cells } = line;
      const late = closed.has(session) ? 1 : 0;
      const named = { file, line: index + 1, session, parcel, shipping_code, fulfillment_id };
      return { ...named, kind, amount, cell, day, cells, repeats, late };
    });
    for (const piece of pieces(rows, LINES_A_STATEMENT)) await this.#insert(database, piece);
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

  async #closedSessions(database: WorkspaceTables, shopId: string): Promise<readonly string[]> {
    const rows = await database.selectFrom('cod_sessions').select('session').where('shop_id', '=', shopId).execute();
    return rows.map(({ session }) => session);
  }

  /** All files of a shop, the newest first. */
  files(shopId: string): Promise<StoredFile[]> {
    return this.#workspace.read((database) =>
      database.selectFrom('cod_files').selectAll().where('shop_id', '=', shopId).orderBy('number', 'desc').execute(),
    );
  }

  /** Sums of the lines that count, by file, session and kind; 0 where a file only repeats what its session has. */
  kinds(shopId: string): Promise<{ file: number; session: string; kind: string; lines: number; amount: number }[]> {
    return this.#workspace.read((database) =>
      database
        .selectFrom('cod_lines as l')
        .innerJoin('cod_files as f', 'f.number', 'l.file')
        .select((of) => [
          'l.file',
          'l.session',
          'l.kind',
          of
            .cast<number>(
              of.fn.sum(of.case().when('l.repeats', 'is', null).then(sql.lit(1)).else(sql.lit(0)).end()),
              'integer',
            )
            .as('lines'),
          of
            .cast<number>(
              of.fn.sum(of.case().when('l.repeats', 'is', null).then(of.ref('l.amount')).else(sql.lit(0)).end()),
              'bigint',
            )
            .as('amount'),
        ])
        .where('f.shop_id', '=', shopId)
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
      await this.#workspace.alone(database, PAYMENTS);
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
      await countAgain(database, shopId, file.id);
      return [];
    });
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

  /**
   * Records that a session was agreed to as it stands; undefined if it has no lines, false if it is closed already, and what
   * stands there if that is something else than what was `seen`.
   */
  close(
    shopId: string,
    session: string,
    { seen, ...by }: { at: string; name: string; note: string; seen?: { lines: number; amount: number } },
  ) {
    return this.#workspace.write(async (database) => {
      await this.#workspace.alone(database, PAYMENTS);
      const sums = await this.#sumOf(database, shopId, session);
      if (sums === undefined) return undefined;
      const isSeen = (name: 'lines' | 'amount') => seen === undefined || Number(seen[name]) === Number(sums[name]);
      if (!isSeen('lines') || !isSeen('amount')) return { now: sums };
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
        await linesChanged(database, numbers);
      }
      return numDeletedRows > 0n;
    });
  }
}
