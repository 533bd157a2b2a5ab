import { overlapsOf } from '../../cod/payments.ts';
import { linesChanged } from '../../cod/replace-sessions.ts';
import { type ComparedLine, type StandingLine, standingOf } from '../../cod/standing.ts';
import { numberOf, type Sql, type SqlRow, textOf, textOrNull } from '../../store/sql.ts';
import { say } from '../actions/texts.ts';
import type { Joining } from './join-events.ts';

/** A payment file of the source, with its number there. */
interface Coming {
  readonly number: number;
  readonly shop: string;
  readonly id: string;
  readonly name: string;
  /** Empty if nothing tells it. */
  readonly carrier: string;
}

/** How the payments of a source join those of the target. */
export interface JoinedPayments {
  /** The numbers in the target of files that are there already, by their numbers in the source. */
  readonly same: ReadonlyMap<number, number>;
  /** Lines that come and are there already: their file and line in the source, and the line there that they repeat. */
  readonly repeats: readonly { readonly file: number; readonly line: number; readonly of: string }[];
  /** What a person has to decide before anything is moved; empty if nothing. */
  readonly clashes: readonly string[];
}

const fileKey = (shop: string, id: string) => `${shop} ${id}`;

const linesOf = (sql: Sql, file: number) => sql('select * from cod_lines where file = ? order by line', [file]);

/** What a line says, and whether it counts. */
const said = (row: SqlRow) =>
  JSON.stringify([
    ...['line', 'session', 'parcel', 'kind', 'amount', 'day'].map((column) => String(row[column])),
    row.repeats === null,
  ]);

/** Whether a file in both workspaces was read alike, and counts alike. */
async function isReadAlike(from: Sql, to: Sql, file: number, there: number): Promise<boolean> {
  const [one, other] = [await linesOf(from, file), await linesOf(to, there)];
  return one.length === other.length && one.every((row, at) => said(row) === said(other[at] ?? {}));
}

const comparedLine = (row: SqlRow): ComparedLine => ({
  session: textOf(row, 'session'),
  parcel: textOf(row, 'parcel'),
  kind: textOf(row, 'kind'),
  amount: numberOf(row, 'amount'),
  cell: textOf(row, 'cell'),
  day: textOrNull(row, 'day'),
  cells: textOf(row, 'cells'),
  repeats: textOrNull(row, 'repeats'),
});

const placeOf = ({ id, cell, session, parcel, kind, amount }: StandingLine) =>
  JSON.stringify([id, cell, session, parcel, kind, Number(amount)]);

/** Sessions that somebody has agreed to, by shop and name, with what was agreed. */
async function agreed(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql('select shop_id, session, lines, amount from cod_sessions');
  return new Map(
    rows.map((row) => [
      JSON.stringify([textOf(row, 'shop_id'), textOf(row, 'session')]),
      `${numberOf(row, 'lines')} ${numberOf(row, 'amount')}`,
    ]),
  );
}

/** The lines of a session that count, of all files but these, by what they say. */
async function countedIn(sql: Sql, key: string, except: ReadonlySet<string>): Promise<string[]> {
  const rows = await sql(
    `select l.session, l.parcel, l.kind, l.amount, l.day, f.id from cod_lines as l
      join cod_files as f on f.number = l.file where f.shop_id = ? and l.session = ? and l.repeats is null`,
    JSON.parse(key),
  );
  const counted = rows.filter((row) => !except.has(fileKey(JSON.parse(key)[0], textOf(row, 'id'))));
  return counted.map((row) => JSON.stringify(['parcel', 'kind', 'amount', 'day'].map((column) => String(row[column]))));
}

/** Sessions that were agreed to in one of the workspaces, or both, where the other has something else of them. */
async function agreementClashes({ from, to }: Joining, common: ReadonlySet<string>): Promise<string[]> {
  const [coming, own] = [await agreed(from), await agreed(to)];
  const clashes: string[] = [];
  for (const key of new Set([...coming.keys(), ...own.keys()])) {
    const [one, other] = [await countedIn(from, key, common), await countedIn(to, key, common)];
    const isOther = one.length > 0 && other.length > 0 && one.sort().join() !== other.sort().join();
    const isAgreedOtherwise = coming.has(key) && own.has(key) && coming.get(key) !== own.get(key);
    const isLate = one.length > 0 && other.length === 0 && own.has(key) && !coming.has(key);
    const isEarly = other.length > 0 && one.length === 0 && coming.has(key) && !own.has(key);
    if (isOther || isAgreedOtherwise || isLate || isEarly) {
      clashes.push(say().move.sessionClosed({ session: String(JSON.parse(key)[1]) }));
    }
  }
  return clashes;
}

/**
 * Compares the payments of a source with those of the target, as imports of its files there would be: an equal file is
 * one, an equal line of another file repeats it, and what an import would ask about has to be decided first.
 */
export async function joinPayments(joining: Joining): Promise<JoinedPayments> {
  const { from, to, target } = joining;
  const files = (await from('select number, shop_id, id, name, carrier from cod_files order by number')).map(
    (row): Coming => ({
      number: numberOf(row, 'number'),
      shop: textOf(row, 'shop_id'),
      id: textOf(row, 'id'),
      name: textOf(row, 'name'),
      carrier: textOf(row, 'carrier'),
    }),
  );
  const same = new Map<number, number>();
  const clashes: string[] = [];
  for (const { number, shop, id, name } of files) {
    const [own] = await to('select number from cod_files where shop_id = ? and id = ?', [shop, id]);
    if (own === undefined) continue;
    same.set(number, numberOf(own, 'number'));
    if (!(await isReadAlike(from, to, number, numberOf(own, 'number')))) {
      clashes.push(say().move.fileDiffers({ name: String(name) }));
    }
  }
  const common = new Set(files.flatMap(({ number, shop, id }) => (same.has(number) ? [fileKey(shop, id)] : [])));
  const conflict = new Set<string>();
  const repeats: JoinedPayments['repeats'][number][] = [];
  for (const { number, shop, name, carrier } of files.filter((file) => !same.has(file.number))) {
    const rows = await linesOf(from, number);
    const standing = await standingOf(
      target,
      { shop_id: shop, carrier },
      rows.map(comparedLine),
      (stored) => !common.has(fileKey(shop, stored.id)) && !conflict.has(placeOf(stored)),
    );
    for (const [index, line] of standing.equal) {
      conflict.add(placeOf(line));
      repeats.push({ file: number, line: numberOf(rows[index] ?? {}, 'line'), of: `${line.id} ${line.cell}` });
    }
    const asked = overlapsOf(standing, {}).filter(() => !isWhole(rows, standing.equal));
    const sessions = [...new Set(asked.map(({ session }) => session))].join(', ');
    if (asked.length > 0) clashes.push(say().move.fileRepeats({ name: String(name), sessions: String(sessions) }));
  }
  return { same, repeats, clashes: [...clashes, ...(await agreementClashes(joining, common))] };
}

/** Whether each line that counts is there already: whatever it is called there, nothing of it is counted twice. */
const isWhole = (rows: readonly SqlRow[], equal: ReadonlyMap<number, unknown>) =>
  rows.every((row, index) => row.repeats !== null || equal.has(index));

/** Marks, once the files are copied, the lines that are there already: they are not counted. */
export async function markRepeated(
  { to, target, offsets }: Joining,
  repeats: JoinedPayments['repeats'],
): Promise<void> {
  for (const { file, line, of } of repeats) {
    await to('update cod_lines set repeats = ? where file = ? and line = ?', [of, file + offsets.cod_files, line]);
  }
  await linesChanged(target, [...new Set(repeats.map(({ file }) => file + offsets.cod_files))]);
}
