import { dayText } from '../domain/language.ts';
import type { CodFileTable, CodLineTable, WorkspaceTables } from '../store/tables.ts';
import { say } from './texts.ts';

const PARCELS_A_QUERY = 2_000;

/** What lines without a parcel have for one: they belong to their session. */
export const OF_SESSION = '#';

/** A line of a file that may be stored already. */
export type ComparedLine = Pick<
  CodLineTable,
  'session' | 'parcel' | 'kind' | 'amount' | 'cell' | 'day' | 'cells' | 'repeats'
>;

/** A line that is stored and counts, and where it stands. */
export interface StandingLine extends Omit<ComparedLine, 'repeats'> {
  /** The id and the name of its file. */
  readonly id: string;
  readonly name: string;
}

/** What of a file a session has already, with each place in words. */
export interface Overlap {
  readonly session: string;
  readonly place: string;
  /** Whether it is about another carrier's lines, and not about the file's own parcels. */
  readonly isOfCarrier?: true;
  /** The line of the file with another amount, by index. */
  readonly line?: number;
}

export function* pieces<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** The lines of a shop that count. */
const standing = (database: WorkspaceTables, shopId: string) =>
  database
    .selectFrom('cod_lines as l')
    .innerJoin('cod_files as f', 'f.number', 'l.file')
    .select(['l.session', 'l.parcel', 'l.kind', 'l.amount', 'l.cell', 'l.day', 'l.cells', 'f.id', 'f.name'])
    .where('f.shop_id', '=', shopId)
    .where('l.repeats', 'is', null)
    .orderBy('l.file')
    .orderBy('l.line');

/** The lines of other files about the parcels of these, and those of their sessions without a parcel. */
async function linesBeside(
  database: WorkspaceTables,
  shopId: string,
  lines: readonly ComparedLine[],
): Promise<StandingLine[]> {
  const stored = () => standing(database, shopId);
  const parcels = [...new Set(lines.map(({ parcel }) => parcel))].filter((parcel) => parcel !== OF_SESSION);
  const sessions = [...new Set(lines.flatMap(({ parcel, session }) => (parcel === OF_SESSION ? [session] : [])))];
  const found: StandingLine[] = [];
  for (const piece of pieces(parcels, PARCELS_A_QUERY)) {
    found.push(...(await stored().where('l.parcel', 'in', piece).execute()));
  }
  for (const piece of pieces(sessions, PARCELS_A_QUERY)) {
    found.push(...(await stored().where('l.parcel', '=', OF_SESSION).where('l.session', 'in', piece).execute()));
  }
  return found;
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** What equal lines have in common: an amount of a parcel on a day. Amounts of a session are told apart by their cells. */
const keyOf = ({ session, parcel, kind, amount, day }: Omit<ComparedLine, 'cell' | 'repeats'>) =>
  JSON.stringify([session, parcel, kind, Number(amount), day]);

/** The same without the session, of a file that names none. */
const keyAnywhere = (line: Omit<ComparedLine, 'cell' | 'repeats'>) => keyOf({ ...line, session: '' });

const placeOf = ({ session, parcel, kind }: Pick<ComparedLine, 'session' | 'parcel' | 'kind'>) =>
  JSON.stringify([session, parcel, kind]);

/** Whether two lines of one key are the same one. */
const isSame = (one: Pick<ComparedLine, 'parcel' | 'cells'>, other: Pick<ComparedLine, 'cells'>) =>
  one.parcel !== OF_SESSION || one.cells === other.cells;

/** A file beside what is stored. */
export interface Standing {
  /** The lines that are stored already, by index: each of them stands for one line. */
  readonly equal: ReadonlyMap<number, StandingLine>;
  /** Other amounts than their session has for the same parcel and kind. */
  readonly otherAmounts: readonly Overlap[];
  /** Its sessions that have lines of another carrier: two carriers may call their files alike. */
  readonly carriers: readonly Overlap[];
  /** Its parcels that stand in a session; empty unless they are two or more, and at least half of all. */
  readonly parcels: readonly Overlap[];
}

/** Compares the lines of a file with those of all others, or with those of them that are compared. */
export async function standingOf(
  database: WorkspaceTables,
  { shop_id, ...of }: OfCarrier,
  lines: readonly ComparedLine[],
  isCompared: (stored: StandingLine) => boolean = () => true,
): Promise<Standing> {
  const stored = (await linesBeside(database, shop_id, lines)).filter(isCompared);
  const byKey = groupedBy(stored, keyOf);
  const byPlace = groupedBy(stored, placeOf);
  const equal = new Map<number, StandingLine>();
  const otherAmounts: Overlap[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.repeats !== null) continue;
    const candidates = byKey.get(keyOf(line)) ?? [];
    const at = candidates.findIndex((one) => isSame(line, one));
    const [same] = at < 0 ? [] : candidates.splice(at, 1);
    if (same !== undefined) {
      equal.set(index, same);
      continue;
    }
    const beside = byPlace.get(placeOf(line))?.find(({ amount }) => Number(amount) !== 0 || line.amount !== 0);
    if (beside !== undefined) otherAmounts.push({ session: line.session, place: differsAt(line, beside), line: index });
  }
  const carriers = await otherCarriers(database, { shop_id, ...of }, [...new Set(lines.map(({ session }) => session))]);
  return { equal, otherAmounts, carriers, parcels: standingParcels(lines, stored) };
}

/**
 * The lines of a file of which some name no session, as they would be added to those that have its parcels: a line that is there
 * belongs to its session, any other one to that which has most of them.
 */
export async function besideStored(
  database: WorkspaceTables,
  shopId: string,
  lines: readonly ComparedLine[],
  isUnnamed: (index: number) => boolean,
): Promise<readonly string[]> {
  const ofParcels = await linesBeside(
    database,
    shopId,
    lines.filter(({ parcel }) => parcel !== OF_SESSION),
  );
  const parcelsIn = new Map<string, Set<string>>();
  for (const { session, parcel } of ofParcels)
    parcelsIn.set(session, (parcelsIn.get(session) ?? new Set()).add(parcel));
  const sessions = [...parcelsIn].sort(([, one], [, other]) => other.size - one.size).map(([session]) => session);
  const [most] = sessions;
  const ofSessions = sessions.flatMap((session) =>
    lines.slice(0, 1).map((line) => ({ ...line, session, parcel: OF_SESSION })),
  );
  const stored = [...ofParcels, ...(await linesBeside(database, shopId, ofSessions))];
  const byKey = groupedBy(stored, keyAnywhere);
  return lines.map((line, index) => {
    if (!isUnnamed(index) || most === undefined) return line.session;
    const candidates = line.repeats === null ? (byKey.get(keyAnywhere(line)) ?? []) : [];
    const same = candidates.filter((one) => isSame(line, one));
    const chosen = same.find(({ session }) => session === most) ?? same[0];
    if (chosen !== undefined) candidates.splice(candidates.indexOf(chosen), 1);
    return chosen?.session ?? most;
  });
}

/** Whose a file is: the shop's, and of a carrier, if anything tells which; else its layout does. */
export type OfCarrier = Pick<CodFileTable, 'shop_id' | 'carrier'> & Partial<Pick<CodFileTable, 'layout'>>;

/** The last part of the path of a layout, which is its name. */
const nameOfLayout = (layout: string) => layout.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/i, '');

/** The sessions that have lines of files of another carrier, or, where nothing tells it, of another layout. */
export async function otherCarriers(
  database: WorkspaceTables,
  { shop_id, carrier, layout }: OfCarrier,
  sessions: readonly string[],
): Promise<Overlap[]> {
  const found: Overlap[] = [];
  for (const piece of pieces(sessions, PARCELS_A_QUERY)) {
    const files = await database
      .selectFrom('cod_lines as l')
      .innerJoin('cod_files as f', 'f.number', 'l.file')
      .select(['l.session', 'f.name', 'f.carrier', 'f.layout'])
      .distinct()
      .where('f.shop_id', '=', shop_id)
      .where('l.session', 'in', piece)
      .orderBy('f.name')
      .execute();
    for (const { session, name, ...other } of files) {
      const isKnown = carrier !== '' && other.carrier !== '';
      const [own = '', its] = isKnown
        ? [carrier, other.carrier]
        : [layout, other.layout].map((one) => one && nameOfLayout(one));
      if (own === '' || own === its) continue;
      found.push({ session, place: say().stored.otherCarrier({ name, its: its ?? '', own }), isOfCarrier: true });
    }
  }
  return found;
}

const named = (parcel: string) => (parcel === OF_SESSION ? '' : `${parcel.replace(/^#/, '')} `);

/** A line in words: where it stands, of which parcel and kind, and its amount. */
export const lineInWords = ({
  cell,
  parcel,
  kind,
  amount,
}: Pick<ComparedLine, 'cell' | 'parcel' | 'kind' | 'amount'>) =>
  say().stored.here({ line: `${cell} ${named(parcel)}${say().kind[kind] ?? kind}`, amount: Number(amount) });

/** The lines that the sessions of a file have and the file does not, of whatever amount. */
export async function missingFrom(
  database: WorkspaceTables,
  shopId: string,
  lines: readonly ComparedLine[],
): Promise<StandingLine[]> {
  const there = new Set(lines.map(placeOf));
  const missing: StandingLine[] = [];
  for (const piece of pieces([...new Set(lines.map(({ session }) => session))], PARCELS_A_QUERY)) {
    const stored = await standing(database, shopId).where('l.session', 'in', piece).execute();
    missing.push(...stored.filter((one) => !there.has(placeOf(one))));
  }
  return missing;
}

function differsAt({ cell, parcel, kind, amount, day }: ComparedLine, beside: StandingLine): string {
  const { differs, here, hereOf, there, thereOf } = say().stored;
  const line = { line: `${cell} ${named(parcel)}${say().kind[kind] ?? kind}`, amount };
  const stored = { amount: Number(beside.amount), place: `${beside.name} ${beside.cell}` };
  return differs({
    here: day === null ? here(line) : hereOf({ ...line, day: dayText(day) }),
    there: beside.day === null ? there(stored) : thereOf({ ...stored, day: dayText(beside.day) }),
  });
}

function standingParcels(lines: readonly ComparedLine[], stored: readonly StandingLine[]): readonly Overlap[] {
  const first = new Map<string, StandingLine>();
  for (const one of stored) if (!first.has(one.parcel)) first.set(one.parcel, one);
  const cells = new Map<string, string>();
  for (const { parcel, cell } of lines) if (parcel !== OF_SESSION && !cells.has(parcel)) cells.set(parcel, cell);
  const there = [...cells].flatMap(([parcel, cell]): Overlap[] => {
    const one = first.get(parcel);
    if (one === undefined) return [];
    const line = `${cell} ${named(parcel)}`.trimEnd();
    return [{ session: one.session, place: say().stored.parcel({ line, place: `${one.name} ${one.cell}` }) }];
  });
  return there.length >= 2 && there.length * 2 >= cells.size ? there : [];
}
