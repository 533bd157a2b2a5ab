import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { askColumns, correctColumn, fieldInWords } from '../../batch/actions/ask-columns.ts';
import { tellDoubts } from '../../batch/actions/map-file.ts';
import type { mappedPayments } from '../../batch/actions/mapped.ts';
import { refuseUnsaveable, saveMapping } from '../../batch/actions/mappings.ts';
import { pathFrom } from '../../batch/actions/plan/plan-file.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { readAmountText } from '../../domain/amounts/money.ts';
import { isPaymentKind, paymentKinds, writtenKinds } from '../../domain/amounts/payment-kinds.ts';
import { readParts } from '../../platform/files/file-parts.ts';
import { Account } from '../../sheets/account/account.ts';
import { type SheetFormat, sheetFormatOf } from '../../sheets/formats/formats.ts';
import { type Cell, SheetError, type SheetLine, type SheetSource } from '../../sheets/formats/sheet.ts';
import { questionsOf, textsOf } from '../../sheets/mapping/column-questions.ts';
import { type Mapping, mappingContent } from '../../sheets/mapping/mapping.ts';
import { mappingFrom, type ProposedColumn, proposeMapping } from '../../sheets/mapping/propose-mapping.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { layoutFields, layoutOf } from '../sheet/layout.ts';
import { paymentDayText } from '../sheet/payment-cells.ts';
import { readPayments } from '../sheet/read-payments.ts';
import { say } from '../texts.ts';

interface Input {
  readonly file: string;
  readonly format?: string | null | undefined;
  readonly sheet?: string | null | undefined;
  readonly header_row?: number | null | undefined;
  readonly save?: string | null | undefined;
  readonly replace?: boolean | null | undefined;
}

type Mapped = z.output<typeof mappedPayments>;

const MOST_TITLES = 60;
const SHOWN_LINES = 3;

/** So many rows are offered as the header. */
const MOST_ROWS = 12;

/** An amount of this many units is in units, and so is everything else in its file: a carrier writes it by a program. */
const SURELY_WHOLE = 10_000;

/** What a column of a payment file can be; amounts whose unit is sure have none to ask about. */
function columnSchema(isWhole = false): JsonSchema {
  const unit = isWhole ? {} : { unit: 'currency units' };
  const amount = (description: string): JsonSchema => ({ type: 'integer', ...unit, description });
  const { ofKind, ...fields } = say().field;
  const titles: Readonly<Record<string, string>> = say().column;
  const titled = (properties: Readonly<Record<string, JsonSchema>>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, { ...schema, title: titles[name] ?? name }]),
    );
  const kinds = say().kind;
  return {
    type: 'object',
    properties: titled({
      ...Object.fromEntries(
        layoutFields.map((name): [string, JsonSchema] => [
          name,
          name === 'net' || name === 'amount' ? amount(fields[name]) : { type: 'string', description: fields[name] },
        ]),
      ),
      delivered_on: { type: 'string', format: 'date', description: fields.delivered_on },
      kind: { type: 'string', enum: writtenKinds, description: fields.kind },
      ...Object.fromEntries(writtenKinds.map((kind) => [kind, amount(ofKind({ kind: kinds[kind] ?? kind }))])),
    }),
  };
}

/** A header that was found, and the lines below it. */
interface Header {
  readonly columns: readonly string[];
  readonly lines: readonly SheetLine[];
  readonly known: number;
}

const texts = (cells: readonly Cell[]) => cells.map((cell) => String(cell ?? '').trim());

/** The first lines of a sheet, in each way in which its cells may be separated. */
async function firstLinesOf(source: () => SheetSource, { grids = [] }: SheetFormat, sheet: string | undefined) {
  const all: SheetLine[][] = [];
  for (const readGrid of grids) {
    const lines: SheetLine[] = [];
    for await (const line of (await readGrid(source(), { sheet })).lines) {
      lines.push(line);
      if (lines.length === MOST_TITLES) break;
    }
    all.push(lines);
  }
  return all;
}

const hasNumbers = (all: readonly string[]) => all.some((text) => /\d/.test(text));

/** The lines that may be headers whatever their words are: of several texts without a number, above a line with numbers below most of them. */
const plainHeaders = (lines: readonly SheetLine[]): readonly Header[] =>
  lines.flatMap(({ cells }, index) => {
    const [columns, below] = [texts(cells), texts(lines[index + 1]?.cells ?? [])];
    const filled = columns.flatMap((text, at) => (text === '' ? [] : [at]));
    const isAbove = filled.filter((at) => (below[at] ?? '') !== '').length * 2 > filled.length;
    const isPlain = filled.length > 1 && !hasNumbers(columns) && hasNumbers(below) && isAbove;
    return isPlain ? [{ columns, lines: lines.slice(index + 1), known: filled.length }] : [];
  });

/**
 * The line that names the columns: the one that is given, else the one in which most columns are known, else the only one that may be
 * it; whoever is at a terminal is asked where that is unsure. Throws a SheetError.
 */
async function headerOf(
  source: () => SheetSource,
  format: SheetFormat,
  input: Input,
  person: Ports['person'],
): Promise<Header> {
  const { header_row: given, sheet } = input;
  const sheets = await firstLinesOf(source, format, sheet ?? undefined);
  const at = (number: number): Header | undefined => {
    const [widest] = sheets
      .flatMap((lines) =>
        lines.flatMap(({ line, cells }, index) =>
          line === number ? [{ columns: texts(cells), known: 0, lines: lines.slice(index + 1) }] : [],
        ),
      )
      .sort((one, other) => other.columns.length - one.columns.length);
    return widest;
  };
  const { noneKnown, noneKnownHint, whichRow } = say().file;
  const unfit = () =>
    new SheetError(`${noneKnown({ name: source().name })}: ${noneKnownHint}`, { facts: { header_row: 'unsure' } });
  if (typeof given === 'number') {
    const found = at(given);
    if (found === undefined) throw unfit();
    return found;
  }
  let best: Header | undefined;
  for (const lines of sheets) {
    for (const [index, { cells }] of lines.entries()) {
      const columns = texts(cells);
      const known = proposeMapping(columns, columnSchema()).filter(({ mapping }) => mapping !== undefined).length;
      if (known > (best?.known ?? 1)) best = { columns, known, lines: lines.slice(index + 1) };
    }
  }
  if (best !== undefined) return best;
  const [plain = []] = sheets.map(plainHeaders).sort((one, other) => (other[0]?.known ?? 0) - (one[0]?.known ?? 0));
  const [only, another] = plain;
  if (only !== undefined && another === undefined) return only;
  const [widest = []] = sheets.toSorted((one, other) => widthOf(other) - widthOf(one));
  const choices = widest.slice(0, MOST_ROWS).map(({ line, cells }) => ({
    name: `${line}: ${texts(cells)
      .filter((text) => text !== '')
      .join(' | ')}`,
    value: String(line),
  }));
  if (!person.isThere || choices.length === 0) throw unfit();
  const chosen = await person.ask({ name: 'header_row', message: whichRow, schema: z.string(), choices });
  const found = at(Number(chosen));
  if (found === undefined) throw unfit();
  return found;
}

const widthOf = (lines: readonly SheetLine[]) => Math.max(0, ...lines.map(({ cells }) => cells.length));

async function* iterated(lines: readonly SheetLine[]) {
  yield* lines;
}

const isAmount = (field = '') => field === 'net' || field === 'amount' || writtenKinds.some((kind) => kind === field);

const isLarge = (text: string) => {
  const read = readAmountText(text.replace(/^-/, ''));
  return read.ok && read.amount >= SURELY_WHOLE;
};

/** Columns whose headers tell what they are, with the one way in which all of their days can be read. */
function withDays(
  proposed: readonly ProposedColumn[],
  samples: readonly (readonly string[])[],
  schema: JsonSchema,
): ProposedColumn[] {
  return proposed.map((one, index) => {
    const questions = one.mapping === undefined ? [] : questionsOf(schema, one.mapping, samples[index] ?? []);
    const [layouts] = questions.flatMap((question) => (question.about === 'dates' ? [question.layouts] : []));
    const [only, another] = layouts ?? [];
    return one.mapping === undefined || only === undefined || another !== undefined
      ? one
      : { ...one, mapping: { ...one.mapping, dates: only } };
  });
}

/**
 * Columns as they are saved: amounts of several kinds, of which all that the carrier keeps are below zero and all others above
 * it, are written as they count.
 */
function withSigns(columns: readonly ProposedColumn[], lines: readonly SheetLine[]): readonly ProposedColumn[] {
  const kindAt = columns.findIndex(({ mapping }) => mapping?.field === 'kind');
  const words = Object.entries(columns[kindAt]?.mapping?.words ?? {});
  const meant = new Map(words.map(([word, kind]) => [normalForm(word), kind]));
  return columns.map((one, index) => {
    if (one.mapping?.field !== 'amount') return one;
    const signs = { kept: new Set<boolean>(), given: new Set<boolean>() };
    for (const { cells } of lines) {
      const [amount = '', word = ''] = texts([cells[index] ?? '', cells[kindAt] ?? '']);
      const kind = meant.get(normalForm(word)) ?? '';
      if (!isPaymentKind(kind) || !/[1-9]/.test(amount)) continue;
      signs[paymentKinds[kind] < 0 ? 'kept' : 'given'].add(/^[-\u2212]/.test(amount));
    }
    const isAsItCounts = [...signs.kept].join() === 'true' && [...signs.given].join() === 'false';
    const mapping = { ...one.mapping, negative: true };
    return isAsItCounts ? { ...one, mapping } : one;
  });
}

/** The first lines as a layout reads them, and what is wrong with the file then. */
async function firstLines(
  input: Input,
  mapping: Mapping,
  source: () => SheetSource,
): Promise<{ readonly rows: Mapped['rows']; readonly problems: readonly string[] }> {
  const read = await readPayments({
    name: input.file,
    format: sheetFormatOf(input.file, input.format ?? undefined),
    open: source,
    layouts: [layoutOf(mappingContent(mapping), input.file)],
    sheet: input.sheet ?? undefined,
    // How columns are read is the same in rows that nobody may want to import.
    account: new Account({ all_sheets: true, hidden_rows: 'read', struck_rows: 'read', ignore_columns: ['*'] }),
  });
  const problems = read.problems.slice(0, SHOWN_LINES).map(({ cell, problem }) => `${cell}: ${problem}`);
  const rows = read.lines.slice(0, SHOWN_LINES).map(({ cell, shippingCode, fulfillmentId, kind, amount, day }) => ({
    place: cell,
    shipping_code: shippingCode || null,
    fulfillment_id: fulfillmentId || null,
    kind: say().kind[kind] ?? kind,
    amount,
    day: day ?? null,
  }));
  return { rows, problems };
}

/**
 * Asks about columns, and shows what follows from the answers until nothing more is to be corrected: a wrong answer costs one
 * question, not all of them.
 */
async function askedColumns(
  guessed: readonly ProposedColumn[],
  samples: readonly (readonly string[])[],
  read: (columns: readonly ProposedColumn[]) => ReturnType<typeof firstLines>,
  { schema, person }: { readonly schema: JsonSchema; readonly person: Ports['person'] },
): Promise<readonly ProposedColumn[]> {
  let columns: readonly ProposedColumn[] = await askColumns(guessed, samples, { schema, person });
  for (;;) {
    try {
      for (const problem of (await read(columns)).problems) await person.tell(problem);
    } catch (error) {
      if (!(error instanceof SheetError)) throw error;
      await person.tell(error.message);
    }
    const corrected = await correctColumn(columns, samples, { schema, person });
    if (corrected === undefined) return columns;
    columns = corrected;
  }
}

/**
 * Shows how the columns of a payment file are read, and its first lines; saves that as a layout if requested. Throws a
 * SheetError, a Refusal or a FileError.
 */
export async function mapPaymentFile(input: Input, ports: Ports): Promise<Mapped> {
  if (input.save) await refuseUnsaveable(input.save, input.replace === true, ports, 'layouts');
  const path = pathFrom(ports.workingDirectory, input.file);
  const source = (): SheetSource => ({ name: input.file, bytes: readParts(path), signal: ports.signal });
  const format = sheetFormatOf(input.file, input.format ?? undefined);
  const { columns: header, lines } = await headerOf(source, format, input, ports.person);
  // A time beside a day is not looked at.
  const samples = (await textsOf(iterated(lines), header.length)).map((own) => own.map(paymentDayText));
  const named = proposeMapping(header, columnSchema());
  const ofMoney = samples.filter((_, index) => isAmount(named[index]?.mapping?.field));
  const schema = columnSchema(ofMoney.flat().some(isLarge));
  const guessed = withDays(named, samples, schema);
  const mappingIn = (columns: readonly ProposedColumn[]) => mappingFrom(withSigns(columns, lines), 'cod import');
  const read = (columns: readonly ProposedColumn[]) => firstLines(input, mappingIn(columns), source);
  const proposed = ports.person.isThere
    ? await askedColumns(guessed, samples, read, { schema, person: ports.person })
    : guessed;
  if (!ports.person.isThere) tellDoubts(guessed, samples, schema, ports);
  const mapping = mappingIn(proposed);
  const { rows, problems } = await read(proposed);
  for (const problem of problems) ports.report.notice(problem);
  if (input.save) ports.intend({ save: input.save });
  const saved = input.save ? await saveMapping(input.save, mapping, ports, 'layouts') : null;
  // People read the words of a field, programs its name.
  const isForPeople = ports.settings.output.value === 'table';
  const fieldOf = (name: string) => (isForPeople ? fieldInWords(schema, name) : name);
  const columns = proposed.map(({ column, mapping: to }) => ({
    column,
    field: to === undefined ? null : fieldOf(to.field),
    unit: to?.unit ?? null,
  }));
  return { columns, rows, saved };
}
