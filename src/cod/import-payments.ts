import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Remarks } from '../batch/plan/remarks.ts';
import { paymentKindNames } from '../domain/amounts/payment-kinds.ts';
import { readOwn } from '../domain/json/values.ts';
import { inEnglish } from '../domain/language.ts';
import { readParts } from '../platform/files/file-parts.ts';
import { Account, type RowQuestion } from '../sheets/account/account.ts';
import type { Answers } from '../sheets/account/questions.ts';
import { QuestionsOpen } from '../sheets/account/questions-open.ts';
import { sheetFormatOf } from '../sheets/formats/formats.ts';
import type { CodLineTable } from '../store/tables.ts';
import type { NewPayments, Payments, Stored } from './payments.ts';
import type { NotReplaced } from './replace-sessions.ts';
import type { PaymentLayout } from './sheet/layout.ts';
import { type PaymentFile, type PaymentProblem, parcelOf } from './sheet/payment-cells.ts';
import { readPayments } from './sheet/read-payments.ts';
import { OF_SESSION, type Overlap } from './standing.ts';
import { say } from './texts.ts';

/** How many characters of a content's hash are a file's id. */
const ID_LENGTH = 16;

/** A payment file to be imported. */
export interface ImportSource {
  readonly shopId: string;
  /** An absolute path. */
  readonly path: string;
  readonly format?: string | undefined;
  /** What a person said about the file; without a session, the one that it replaces, else its name without its ending. */
  readonly answers?: Answers | undefined;
  readonly layouts: readonly PaymentLayout[];
  readonly carrier?: string | undefined;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly signal: AbortSignal;
}

/** What became of a file. Money is an integer of currency units. */
export interface Imported {
  readonly file: string;
  readonly id: string;
  readonly layout: string;
  readonly carrier: string | null;
  readonly sessions: readonly string[];
  readonly rows: number;
  readonly unread: number;
  readonly lines: number;
  readonly repeated: number;
  /** The sum of the lines that count. */
  readonly amount: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly problems: readonly PaymentProblem[];
  readonly new: boolean;
  /** Lines that it took the place of. */
  readonly replaced: number;
  readonly read: ReturnType<typeof accountOf>;
  /** What is unusual about the file and its cells, for a person. */
  readonly unusual: { readonly read: Pick<PaymentFile, 'warnings'>; readonly remarks: Remarks };
  /** Those of its problems that are lines which a session has already. */
  readonly repeats: ReadonlySet<PaymentProblem>;
  readonly notes: readonly string[];
  /** Whether the file, stored before, would be stored otherwise as it is read now. */
  readonly isReadOtherwise: boolean;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Rows by number in few words: row 7; rows 1–6, 120. */
function rowsInWords(rows: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else runs.push([row, row]);
  }
  const listed = runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
  return say().rows({ count: rows.length, rows: listed });
}

function notesOn(read: PaymentFile): string[] {
  const { textRows, sumRows, notes } = read;
  const texts = say().import;
  const text = textRows.length === 0 ? [] : [texts.textRows({ rows: rowsInWords(textRows) })];
  const sums = sumRows.length === 0 ? [] : [texts.sumRows({ rows: rowsInWords(sumRows) })];
  return [...notes, ...text, ...sums];
}

function toStore(read: PaymentFile, source: ImportSource, id: string): NewPayments {
  const name = basename(source.path);
  const { session: given, replaces: [replaced] = [] } = source.answers ?? {};
  const session = given ?? replaced ?? name.replace(/\.[^.]+$/, '');
  return {
    file: {
      shop_id: source.shopId,
      id,
      name,
      layout: read.layout,
      carrier: source.carrier ?? read.carrier ?? '',
      imported_at: source.at,
      rows: read.rows,
      unread: read.unread,
      problems: JSON.stringify(inEnglish(read.problemsNow)),
    },
    unnamed: new Set(
      given === undefined && replaced === undefined
        ? read.lines.flatMap((line, index) => (line.session === undefined ? [index] : []))
        : [],
    ),
    lines: read.lines.map((line) => ({
      session: line.session ?? session,
      parcel: parcelOf(line),
      shipping_code: line.shippingCode,
      fulfillment_id: line.fulfillmentId,
      kind: line.kind,
      amount: line.amount,
      cell: line.cell,
      day: line.day ?? null,
      cells: parcelOf(line) === OF_SESSION ? line.cells : '',
      repeats: line.duplicateOf === undefined ? null : `${id} ${line.duplicateOf}`,
    })),
  };
}

const askedOf = (overlaps: readonly Overlap[]) =>
  overlaps.map(
    ({ session, place, isOfCarrier }): RowQuestion => ({
      id: isOfCarrier ? 'session' : 'replaces',
      name: session,
      cell: place,
    }),
  );

/** The id of a payment file: the beginning of the hash of its content. Throws a FileError. */
export async function idOfPayments(path: string): Promise<string> {
  const content = createHash('sha256');
  for await (const part of readParts(path)) content.update(part);
  return content.digest('hex').slice(0, ID_LENGTH);
}

/**
 * Reads a payment file and stores its lines, once; or says why it does not replace those of a session. Throws a SheetError,
 * QuestionsOpen, a FileError and a WorkspaceError.
 */
export async function importPayments(payments: Payments, source: ImportSource): Promise<Imported | NotReplaced> {
  const { path, signal, answers = {} } = source;
  const name = basename(path);
  const id = await idOfPayments(path);
  // What was said of the columns of a file that is stored is not asked again.
  const isKnown = (await payments.files(source.shopId)).some((one) => one.id === id);
  const account = new Account(isKnown ? { ...answers, ignore_columns: ['*'] } : answers);
  const read = await readPayments({
    name,
    format: sheetFormatOf(path, source.format),
    open: () => ({ name, bytes: readParts(path), signal }),
    layouts: source.layouts,
    sheet: answers.sheet,
    account,
    asks: async (file) => askedOf(await payments.overlaps(toStore(file, source, id), answers)),
  });
  const store = toStore(read, source, id);
  const stored = await payments.add(store, answers);
  if (stored.kind === 'asks') {
    account.ask(...askedOf(stored.overlaps));
    throw new QuestionsOpen(account.questions);
  }
  if ('sessions' in stored) return stored;
  return stored.kind === 'known' ? knownFile(read, store, stored) : imported(read, stored, answers.adds === true);
}

/** The account of every line of a file. */
function accountOf({ sheets, allLines, rows, leftOut, readings, warnings, cautions }: PaymentFile) {
  const ofFile = warnings.map(({ code, message }) => ({ code, cell: null, value: null, message }));
  const ofCells = cautions.map(({ code, cell, value, message }) => ({ code, cell, value, message }));
  return { sheets, lines: allLines, rows, left_out: leftOut, readings, warnings: [...ofFile, ...ofCells] };
}

/** What is unusual about its cells, by its kind. */
function remarksOn({ cautions }: PaymentFile): Remarks {
  const remarks = new Remarks();
  for (const caution of cautions) remarks.add(caution.row, [caution]);
  return remarks;
}

/** What is stored of a file: its lines, and those of them that repeat another file's. */
type Reported = Pick<NewPayments, 'file'> & {
  readonly lines: readonly Pick<CodLineTable, 'session' | 'parcel' | 'kind' | 'amount' | 'repeats'>[];
  readonly elsewhere: ReadonlyMap<number, string>;
};

const NOWHERE: ReadonlyMap<number, string> = new Map();

/** The sums of a file, of the lines that count. */
function sumsOf({ file, lines, elsewhere }: Reported) {
  const counting = lines.filter(({ repeats }, index) => repeats === null && !elsewhere.has(index));
  const kinds = paymentKindNames.flatMap((kind) => {
    const own = counting.filter((line) => line.kind === kind);
    return own.length === 0 ? [] : [[kind, sumOf(own.map(({ amount }) => Number(amount)))] as const];
  });
  return {
    file: file.name,
    id: file.id,
    layout: file.layout,
    carrier: file.carrier === '' ? null : file.carrier,
    sessions: [...new Set(lines.map(({ session }) => session))],
    lines: counting.length,
    repeated: lines.length - counting.length,
    amount: sumOf(counting.map(({ amount }) => Number(amount))),
    kinds: Object.fromEntries(kinds),
  };
}

/** What a file says as it is read now, where that is something else than what is stored of it. */
function readOtherwise(given: NewPayments, stored: Reported): string[] {
  // A line of which nobody names the session stays where it is, whatever the file is called today.
  const sessionOf = (index: number) => (given.unnamed?.has(index) === true ? stored.lines[index]?.session : undefined);
  const lines = given.lines.map((line, index) => ({ ...line, session: sessionOf(index) ?? line.session }));
  const now: Reported = { ...given, lines, elsewhere: NOWHERE };
  const saidBy = ({ lines }: Reported) =>
    lines.map(({ session, parcel, kind, amount }) => JSON.stringify([session, parcel, kind, Number(amount)])).join();
  if (saidBy(now) === saidBy(stored) && now.file.carrier === stored.file.carrier) return [];
  const { says, saysElse } = say().import;
  const [one, other] = [sumsOf(now), sumsOf(stored)];
  const shown = ({ layout, carrier, sessions, amount }: typeof one) =>
    says({ layout, carrier, sessions: sessions.join(', '), amount });
  return [saysElse({ now: shown(one), stored: shown(other) })];
}

/** A file whose content was there already: what is stored of it. */
function knownFile(
  read: PaymentFile,
  now: NewPayments,
  { file, lines }: Extract<Stored, { readonly kind: 'known' }>,
): Imported {
  const stored = { file, lines, elsewhere: NOWHERE };
  // What is stored is in English: where the file says the same today, it is said in the language of the run.
  const problems = now.file.problems === file.problems ? read.problems : readOwn<PaymentProblem[]>(file.problems);
  const otherwise = readOtherwise(now, stored);
  return {
    ...sumsOf(stored),
    rows: file.rows,
    unread: file.unread,
    problems,
    new: false,
    replaced: 0,
    read: accountOf(read),
    unusual: { read, remarks: remarksOn(read) },
    repeats: new Set(),
    notes: [say().import.known({ name: file.name }), ...otherwise],
    isReadOtherwise: otherwise.length > 0,
  };
}

/** What a file has added to sessions, and what they had already. */
function addedInWords(lines: NewPayments['lines'], repeated: ReadonlyMap<number, string>): readonly string[] {
  const sessions = [...new Set(lines.map(({ session }) => session))].join(', ');
  const own = lines.filter(({ repeats }) => repeats === null).length;
  const { allThere, someThere, added } = say().import;
  if (own === 0) return [];
  if (repeated.size === own) return [allThere({ count: own, sessions })];
  return [
    repeated.size === 0 ? added({ count: own, sessions }) : someThere({ count: repeated.size, all: own, sessions }),
  ];
}

function imported(
  read: PaymentFile,
  { file, lines, repeated, late, replaced }: Extract<Stored, { readonly kind: 'stored' }>,
  isAdded: boolean,
): Imported {
  const repeats = [...repeated].flatMap(([index, where]): PaymentProblem[] => {
    const line = lines[index];
    if (line === undefined || line.amount === 0) return [];
    const row = Number(line.cell.replace(/^(?:.*!)?[A-Z]+/, ''));
    const kind = say().kind[line.kind] ?? line.kind;
    const problem = say().cell.repeatsStored({ first: where, kind, amount: line.amount });
    return [{ sheet: read.sheet, row, cell: line.cell, value: line.shipping_code || line.fulfillment_id, problem }];
  });
  return {
    ...sumsOf({ file, lines, elsewhere: repeated }),
    rows: read.rows,
    unread: read.unread,
    problems: [...read.problems, ...repeats].sort((one, other) => one.row - other.row),
    new: true,
    replaced,
    read: accountOf(read),
    unusual: { read, remarks: remarksOn(read) },
    repeats: new Set(repeats),
    notes: [
      ...late.map((session) => say().import.late({ session })),
      ...(isAdded ? addedInWords(lines, repeated) : []),
      ...notesOn(read),
    ],
    isReadOtherwise: false,
  };
}
