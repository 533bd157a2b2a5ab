import { hash } from 'node:crypto';
import { entryAt } from '../../domain/json/keys-of.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { RowWork } from '../../ledger/work.ts';
import { Account, type RowQuestion } from '../../sheets/account/account.ts';
import { type Answers, answerAbout, answersOf } from '../../sheets/account/questions.ts';
import { ownColumns, readingsOfRepeated, withOneOfEach } from '../../sheets/fields.ts';
import type { HeaderScore } from '../../sheets/formats/find-header.ts';
import { sheetFormatOf } from '../../sheets/formats/formats.ts';
import {
  type Cell,
  inOrderOf,
  placeOfColumn,
  placeText,
  type Sheet,
  SheetError,
  type SheetSource,
  type TableSheet,
} from '../../sheets/formats/sheet.ts';
import { isOfMoney } from '../../sheets/mapping/column-questions.ts';
import { exportOf, orderCommands, tellsOfOrders } from '../../sheets/mapping/exports.ts';
import type { Mapping } from '../../sheets/mapping/mapping.ts';
import { isFor, proposeMapping } from '../../sheets/mapping/propose-mapping.ts';
import { whyLeftOut } from '../../sheets/rows/row-options.ts';
import { isSheetOfHeld } from '../../sheets/rows/status-rule.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { recognised } from '../../sheets/service/service-rows.ts';
import type { CellFault, SourceRow, SourceRows } from '../../sheets/source-row.ts';
import { sourceRows } from '../../sheets/source-rows.ts';
import { textOf } from '../../sheets/values.ts';
import { cashOfCell } from '../../ship/message-cash.ts';
import type { BatchContext } from '../batch-context.ts';
import { commandFor } from '../row-work.ts';
import type { StoredSource } from '../stored-source.ts';
import { say } from '../texts.ts';
import type { BatchOptions } from './new-batch.ts';
import { rowSchemaOf } from './record-finders.ts';
import type { Conflict } from './row-names.ts';

/** The rows of a file or of a saved plan, and how they are stored with their batch. */
export interface OpenedRows {
  readonly read: SourceRows;
  /** The account that is kept while the rows are read. */
  readonly account: Account;
  /** The saved mapping by which it is read, if it was found by its columns. */
  readonly mapping?: string | undefined;
  /** The service's sheet or the mapping that it was recognised as; null for any other. */
  readonly recognised: string | null;
  readonly kept: StoredSource;
}

/** A file to read, and what its rows are used for. */
export interface ReadRequest {
  readonly source: SheetSource;
  /** The rows of a saved plan, which are read in place of the file. */
  readonly saved?: OpenedRows | undefined;
  /** Hears of each row as it was read, before anything is filled in. */
  readonly onRow?: ((row: SourceRow) => void) | undefined;
  /** Name of the format, if the file's name does not tell it. */
  readonly format?: string | undefined;
  readonly sheet?: string | undefined;
  /** What a person said of the file by flags, or when asked. */
  readonly answers?: Answers | undefined;
  /** Of these, what was said for this reading of the file: an answer that it has no use for is reported. */
  readonly said?: Answers | undefined;
  /** The row that names the columns; found when absent. */
  readonly headerRow?: number | undefined;
  readonly work: RowWork;
  readonly options: BatchOptions;
  /** How to read columns whose names are not fields. */
  readonly mapping?: Mapping | undefined;
  /** Saved mappings, by name: one made for this file's header is used, and reported. */
  readonly savedMappings?: () => Promise<readonly (readonly [string, Mapping])[]>;
  /** Columns to ignore, `*` for all that are not fields. */
  readonly ignored: readonly string[];
  readonly skipBad: boolean;
  readonly meeting: Conflict;
  /** Whether somebody waits for the summary of the batch, and is told of it. */
  readonly isReported?: boolean;
  /** The id of the batch that the rows belong to, if they are only read into another one first. */
  readonly namedAs?: string;
}

/** The mapping by which a file is read. */
interface MeantMapping {
  readonly mapping: Mapping | undefined;
  /** What the file was recognised as; null if it was not. */
  readonly title: string | null;
  readonly isExport?: boolean;
  /** Columns that the export is not known to have. */
  readonly unknown?: readonly string[];
  /** Columns of money that the export has and no order gets, and why. */
  readonly named?: Readonly<Record<string, string>>;
  /** The name of the saved mapping that was found by the columns. */
  readonly saved?: string | undefined;
  /** The mapping that was given or saved, without what an export is known by. */
  readonly own?: Mapping | undefined;
}

/** The mapping of a header: the one that was given, a saved one of these columns, or that of a known export. */
function mappingFor(
  header: readonly string[],
  request: Pick<ReadRequest, 'mapping' | 'work'>,
  saved: SavedMappings,
): MeantMapping {
  const { mapping, work } = request;
  if (Object.keys(mapping?.columns ?? {}).length > 0) return { mapping, title: null, own: mapping };
  const found = saved.find(([, one]) => isFor(one, header) && one.command === work.do);
  if (found !== undefined && mapping === undefined)
    return { mapping: found[1], title: say().plan.ofMapping({ name: found[0] }), saved: found[0], own: found[1] };
  const known = exportOf(header, work.do);
  if (known === undefined) return { mapping, title: null, own: mapping };
  // Constants alone, such as the pickup, complete what an export has.
  const constants = { ...known.mapping.constants, ...mapping?.constants };
  return {
    mapping: { ...known.mapping, constants },
    title: known.title,
    isExport: true,
    unknown: known.unknown,
    named: known.named,
    own: mapping,
  };
}

type SavedMappings = readonly (readonly [string, Mapping])[];

/** A code of anything: it makes no header of a line, nor a sheet of orders of one of goods. */
const ANY_CODE = /^(?:mã(?: số)?|id)$/iu;

/** No column has a longer name. */
const MOST_CHARACTERS = 200;

/** The name of a column in a cell; empty for a text that is too long for one. */
function nameIn(cell: Cell): string {
  const text = String(cell ?? '')
    .trim()
    .normalize('NFC');
  return text.length > MOST_CHARACTERS ? '' : text;
}

/** How many cells of a line name a column: by a mapping, by a sheet or an export that is known, or by a field's name. */
export function headerScore(request: Pick<ReadRequest, 'mapping' | 'work'>, saved: SavedMappings): HeaderScore {
  const { mapping, work } = request;
  const named = new Set(Object.keys(mapping?.columns ?? {}));
  const schema = rowSchemaOf(work);
  return (cells) => {
    const texts = cells.map((cell) => nameIn(cell));
    if (named.size > 0) return texts.filter((text) => named.has(text)).length;
    if (recognised(texts) !== undefined || mappingFor(texts, request, saved).title !== null) return texts.length;
    return proposeMapping(texts, schema).filter((one) => one.mapping && !ANY_CODE.test(one.column)).length;
  };
}

/** Reads the rows; a header that is refused gets what to do about it: another command, or a mapping of this file. */
async function headerChecked(sheet: Sheet, { work, source }: ReadRequest, read: () => SourceRows): Promise<SourceRows> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SheetError) || sheet.kind !== 'table' || error.facts?.unmapped === undefined) throw error;
    const { message, code, hint, facts } = error;
    const fits = await commandFor(sheet.columns);
    const other = fits === undefined || fits === work.do ? {} : { fits };
    throw new SheetError(message, { code, hint, facts: { ...facts, file: source.name, command: work.do, ...other } });
  }
}

/** The columns of one header that another one lacks, by their names. */
function lackingIn(other: readonly string[], { columns, ...sheet }: TableSheet): readonly string[] {
  const left = [...other];
  return columns.flatMap((name, at) => {
    const place = left.indexOf(name);
    if (place >= 0) left.splice(place, 1);
    return place >= 0 ? [] : [name || placeOfColumn({ ...sheet, columns }, at)];
  });
}

/** The other sheets that are to be read as well, whose columns must be the same, in any order. Throws a SheetError. */
async function alsoRead(sheet: Sheet, read: (name: string) => Promise<Sheet>): Promise<readonly TableSheet[]> {
  if (sheet.kind !== 'table') return [];
  const all: TableSheet[] = [];
  for (const name of sheet.also ?? []) {
    const other = await read(name);
    if (other.kind !== 'table') continue;
    const inOrder = inOrderOf(sheet.columns, other);
    if (inOrder === undefined) {
      const { otherColumns, sameHeader: hint } = say().plan;
      const about = { name, first: sheet.tab ?? '' };
      const differing = { besides: lackingIn(sheet.columns, other), lacks: lackingIn(other.columns, sheet) };
      throw new SheetError(otherColumns({ ...about, ...differing }), { hint });
    }
    all.push(inOrder);
  }
  return all;
}

/** What tells orders without a code apart: whose they are, and what is in them; undefined for one with a code. */
function parcelOf({ external_id, external_code, shipping_address, lines }: SourceRow['value']): string | undefined {
  const { phone } = fieldsIn(shipping_address);
  if ((external_id ?? external_code) !== undefined || typeof phone !== 'string' || !Array.isArray(lines))
    return undefined;
  const goods = lines.map(fieldsIn).map(({ product_name: name, quantity }) => [name, quantity]);
  return `parcel ${phone.replaceAll(/\D/g, '').slice(-9)} ${JSON.stringify(goods)}`;
}

const ON_ANOTHER = 'the parcel of another sheet, with other cells';

/** What a row is told by on another sheet: all that it says, and its parcel. */
const marksOf = ({ value }: SourceRow): readonly string[] =>
  [hash('sha256', JSON.stringify(value), 'base64'), parcelOf(value)].filter((mark) => mark !== undefined);

/** Where a row stands on an earlier sheet as well, what is asked of one whose other cells differ, and whether it is left out. */
function repeatOf(row: SourceRow, earlier: ReadonlyMap<string, string>, { answers }: Account) {
  const marks = marksOf(row);
  const [content = '', parcel = ''] = marks;
  const same = earlier.get(content);
  const at = same ?? earlier.get(parcel);
  const answer = answerAbout(ON_ANOTHER, answers);
  const isOther = at !== undefined && same === undefined;
  const asks: readonly RowQuestion[] = isOther ? [{ id: 'status', name: ON_ANOTHER, cell: row.place, answer }] : [];
  return { marks, at, asks, isLeft: same !== undefined || (isOther && answer === 'skip') };
}

/** The rows of several sheets: an order that stands on two of them alike is one; of a parcel whose other cells differ it is asked. */
async function* rowsOfAll(
  sheets: readonly AsyncIterable<SourceRow>[],
  account: Account,
): AsyncGenerator<SourceRow, void, undefined> {
  const earlier = new Map<string, string>();
  for (const rows of sheets) {
    const own = new Map<string, string>();
    for await (const row of rows) {
      const { marks, at, asks, isLeft } = repeatOf(row, earlier, account);
      if (isLeft) {
        account.leaveOut(row.place, say().plan.standsAt({ place: placeText(at ?? '') }), row.cells.length);
        account.ask(...asks);
        continue;
      }
      for (const mark of marks) own.set(mark, row.place);
      yield asks.length === 0 ? row : { ...row, asks: [...(row.asks ?? []), ...asks] };
    }
    for (const [mark, place] of own) if (!earlier.has(mark)) earlier.set(mark, place);
  }
}

/** A code that is no quantity, price or weight: it has a letter, or many digits. */
const SURE_CODE = /\p{L}|\d{5}/u;

/** The end of a phone number, by which it is known however it begins; undefined for any other text. */
const phoneIn = (text: string) => (/^[+\d\s().-]{9,}$/.test(text) ? text.replaceAll(/\D/g, '').slice(-9) : undefined);

/** A sheet, and the first cell of one of its lines. */
type HeldAt = readonly [sheet: string, place: string];

/** The orders on sheets whose names say that theirs are not to be sent, such as "Khách hủy", by their codes, and their phones and goods. */
class HeldOrders {
  readonly #codes = new Map<string, HeldAt>();
  readonly #parcels = new Map<string, { readonly at: HeldAt; readonly forms: ReadonlySet<string> }[]>();

  /** Reads such a sheet, as far as it can be read. */
  async add(sheet: TableSheet): Promise<void> {
    for await (const { line, cells } of sheet.lines) {
      const at = [sheet.tab ?? '', sheet.cellName(line, 0)] as const;
      const texts = cells.map(textOf).filter((text) => text !== '');
      const forms = new Set(texts.map(normalForm));
      for (const text of texts) {
        if (!this.#codes.has(text)) this.#codes.set(text, at);
        const phone = phoneIn(text);
        if (phone === undefined) continue;
        const parcels = this.#parcels.get(phone) ?? [];
        this.#parcels.set(phone, parcels);
        parcels.push({ at, forms });
      }
    }
  }

  /** The sheet on which an order stands, and where; undefined for one that stands on none. */
  placeOf({ value }: SourceRow): HeldAt | undefined {
    const { external_id, external_code, shipping_address, lines } = value;
    for (const code of [external_id, external_code]) {
      const at = typeof code === 'string' && SURE_CODE.test(code) ? this.#codes.get(code) : undefined;
      if (at !== undefined) return at;
    }
    const { phone } = fieldsIn(shipping_address);
    const parcels = (typeof phone === 'string' && this.#parcels.get(phoneIn(phone) ?? '')) || [];
    const goods = (Array.isArray(lines) ? lines : []).map((line) =>
      normalForm(String(fieldsIn(line).product_name ?? '')),
    );
    return parcels.find(({ forms }) => goods.some((name) => name !== '' && forms.has(name)))?.at;
  }

  /** The rows of a sheet: of an order that stands on one of those, a person says whether it is sent. */
  async *asked(rows: AsyncIterable<SourceRow>, account: Account): AsyncGenerator<SourceRow, void, undefined> {
    for await (const row of rows) {
      const [name, place] = this.placeOf(row) ?? [];
      if (name === undefined || place === undefined) {
        yield row;
        continue;
      }
      const answer = answerAbout(name, account.answers);
      const cell = `${placeText(row.place)} = ${placeText(place)}`;
      const question: RowQuestion = { id: 'status', name, cell, answer };
      if (answer === 'skip') {
        account.leaveOut(row.place, say().plan.standsAt({ place: placeText(place) }), row.cells.length);
        account.ask(question);
      } else yield { ...row, asks: [...(row.asks ?? []), question] };
    }
  }
}

/** The orders on such sheets of a workbook of orders, whichever of its sheets are read; undefined without such a sheet. */
async function heldOrders(
  sheet: Sheet,
  { do: command }: RowWork,
  read: (name: string) => Promise<Sheet>,
): Promise<HeldOrders | undefined> {
  const names =
    sheet.kind === 'table' && orderCommands.includes(command) ? (sheet.shown ?? []).filter(isSheetOfHeld) : [];
  if (names.length === 0) return undefined;
  const held = new HeldOrders();
  for (const name of names) {
    try {
      const other = await read(name);
      if (other.kind === 'table') await held.add(other);
    } catch (error) {
      // What is wrong with a sheet that is not sent does not stand in the way of one that is.
      if (!(error instanceof SheetError)) throw error;
    }
  }
  return held;
}

const whyRepeated = (table: TableSheet | undefined) =>
  [...(table?.repeated ?? [])].map(([name, { message }]) => [name, message] as const);

/** The rows, of which the first has readings that are of the whole sheet. */
async function* withReadings(
  rows: AsyncIterable<SourceRow>,
  readings: readonly CellFault[],
): AsyncGenerator<SourceRow, void, undefined> {
  let rest = readings;
  for await (const row of rows) {
    yield rest.length === 0 ? row : { ...row, notes: [...rest, ...row.notes] };
    rest = [];
  }
}

/** The rows of the sheets that are read, with what is said of them elsewhere. */
function rowsOfSheets(
  sheets: readonly (readonly [Sheet, SourceRows])[],
  held: HeldOrders | undefined,
  account: Account,
): AsyncIterable<SourceRow> {
  const all = sheets.map(([sheet, { rows }]) => {
    if (sheet.kind !== 'table') return rows;
    const readings = readingsOfRepeated(sheet);
    const own = readings.length === 0 ? rows : withReadings(rows, readings);
    return held === undefined || isSheetOfHeld(sheet.tab ?? '') ? own : held.asked(own, account);
  });
  return all.length === 1 ? entryAt(all, 0) : rowsOfAll(all, account);
}

/** The sheet that was chosen, and what its columns mean. */
async function openSheet(request: ReadRequest, saved: SavedMappings) {
  const { source, headerRow, mapping } = request;
  const format = sheetFormatOf(source.name, request.format);
  const open = async (answers: Answers) => {
    const account = new Account(answers);
    const score = headerScore(request, saved);
    const read = async (name: string | undefined, reported?: Account) => {
      const again = (account?: Account) => format.read(source, { sheet: name, headerRow, score, account });
      const sheet = await again(reported);
      return sheet.kind === 'table' ? withOneOfEach(sheet, again, answers.ignore_columns ?? []) : sheet;
    };
    const sheet = await read(answers.sheet, account);
    const ofRecords: MeantMapping = { mapping, title: null, own: mapping };
    const meant = sheet.kind === 'table' ? mappingFor(ownColumns(sheet), request, saved) : ofRecords;
    const held = () => heldOrders(sheet, request.work, read);
    return { account, sheet, meant, also: () => alsoRead(sheet, read), held };
  };
  const said = answersOf({ ...request.answers, sheet: request.answers?.sheet ?? request.sheet }, mapping?.answers);
  const first = await open(said);
  const known = answersOf(said, first.meant.own?.answers);
  // A mapping that was found by the columns may name the sheet, and answer what else would be asked.
  const again = JSON.stringify(known) === JSON.stringify(said) ? first : await open(known);
  return { ...again, format };
}

/**
 * The new columns of an export, and those of money, which are left out, as warnings; new ones that may say what is sent or
 * collected are asked about.
 */
function tellColumns(
  { title, unknown = [], named = {} }: MeantMapping,
  account: Account,
  ignored: readonly string[],
): void {
  for (const name of unknown) {
    const isSaid = ignored.includes('*') || ignored.includes(name);
    if (tellsOfOrders(name)) account.ask({ id: 'ignore_columns', name, cell: '', answer: isSaid ? 'skip' : undefined });
  }
  for (const [name, why] of Object.entries(named))
    account.warn('column_left_out', say().plan.columnLeftOut({ column: JSON.stringify(name), why }));
  if (unknown.length === 0) return;
  const columns = unknown.map((name) => JSON.stringify(name));
  account.warn('new_columns', say().plan.newColumns({ title: title ?? '', columns }));
}

/** Warns of each column with amounts that a mapping leaves out, whenever it is used: what it says is not collected. */
function tellAmounts({ own, isExport }: MeantMapping, sheet: Sheet, { work }: ReadRequest, account: Account): void {
  if (sheet.kind !== 'table' || isExport === true) return;
  const schema = rowSchemaOf(work);
  for (const name of sheet.columns)
    if (own?.columns[name] === null && isOfMoney(name, schema))
      account.warn('column_left_out', say().plan.columnLeftOutByMapping({ quoted: JSON.stringify(name) }));
}

/** How far the clocks of Vietnam are ahead of UTC, in milliseconds. */
const HOURS_OF_VIETNAM = 7 * 3_600_000;

/** How the rows of a file are read. */
function rowOptionsOf(
  context: BatchContext,
  { work, options }: ReadRequest,
  { mapping, account, ignored }: { mapping: Mapping | undefined; account: Account; ignored: readonly string[] },
) {
  return {
    schema: rowSchemaOf(work),
    shown: work.shown,
    ignored,
    nameFields: work.operation.effect === 'create' ? ['external_id', 'external_code'] : [],
    blankClears: options.blankClears && work.operation.effect === 'update',
    command: work.do,
    mapping,
    account,
    today: new Date(context.connection.clock.now() + HOURS_OF_VIETNAM).toISOString().slice(0, 10),
    cashOfCell,
    places: async () => context.tree,
  };
}

/** Opens the rows of a file by its header, which is looked for below titles and in other sheets. Throws a SheetError. */
export async function openRows(context: BatchContext, request: ReadRequest): Promise<OpenedRows> {
  const { source, saved: rowsOfPlan, headerRow } = request;
  if (rowsOfPlan !== undefined) return rowsOfPlan;
  const known = request.mapping === undefined ? ((await request.savedMappings?.()) ?? []) : [];
  const { account, sheet, meant, format, also, held } = await openSheet(request, known);
  const { mapping, title, isExport = false, own, saved } = meant;
  const { answers } = account;
  const repeated = sheet.kind === 'table' ? [...(sheet.repeated?.keys() ?? [])] : [];
  const ignored = [...request.ignored, ...(answers.ignore_columns ?? []), ...repeated];
  tellColumns(meant, account, ignored);
  tellAmounts(meant, sheet, request, account);
  const rowOptions = rowOptionsOf(context, request, { mapping, account, ignored });
  const counted = (one: Sheet): Sheet =>
    one.kind === 'table'
      ? { ...one, lines: account.counted(one.lines) }
      : { ...one, records: account.counted(one.records) };
  const read = await headerChecked(sheet, request, () => sourceRows(counted(sheet), rowOptions));
  const isIgnored = sheet.kind !== 'table' || [...read.leftOut.values()].includes(whyLeftOut('ignored'));
  if (isIgnored) account.raise([{ id: 'ignore_columns', name: '', cell: '' }]);
  const others = await also();
  const rows = rowsOfSheets(
    [[sheet, read], ...others.map((one) => [one, sourceRows(counted(one), rowOptions)] as const)],
    await held(),
    account,
  );
  const table = sheet.kind === 'table' ? sheet : undefined;
  const found = table?.found;
  const { sheet: asked, ...kept } = answers;
  return {
    read: {
      ...read,
      rows,
      // An export has dozens of columns that no order has.
      leftOut: isExport ? new Map() : new Map([...read.leftOut, ...whyRepeated(table)]),
      get reported() {
        return [...account.sheetsInWords, ...(found === undefined ? [] : [found]), ...account.leftOutInWords];
      },
    },
    account,
    mapping: saved,
    recognised: read.recognised ?? title,
    kept: {
      name: source.name,
      path: source.path,
      sheet: found === undefined ? asked : table?.tab,
      ...(found === undefined && headerRow === undefined ? {} : { headerRow: table?.headerLine }),
      format: format.name,
      columns: table?.written ?? read.header,
      style: table?.style ?? {},
      ...(own === undefined ? {} : { mapping: own }),
      ...(others.length === 0 ? {} : { isOfSheets: true as const }),
      ...(Object.values(kept).every((answer) => answer === undefined) ? {} : { answers: kept }),
    },
  };
}
