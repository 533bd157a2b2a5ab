import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { fieldsIn, isRecord, readOwn } from '../../domain/json/values.ts';
import type { RowWork } from '../../ledger/work.ts';
import { readParts } from '../../platform/files/file-parts.ts';
import { Account } from '../../sheets/account/account.ts';
import { answersOf, questionOf } from '../../sheets/account/questions.ts';
import { QuestionsOpen } from '../../sheets/account/questions-open.ts';
import { fieldNamed, ownColumns, withOneOfEach } from '../../sheets/fields.ts';
import { sheetFormatOf } from '../../sheets/formats/formats.ts';
import { placeText, type Sheet, type TableSheet } from '../../sheets/formats/sheet.ts';
import { questionsOf, textsOf } from '../../sheets/mapping/column-questions.ts';
import { exportOf } from '../../sheets/mapping/exports.ts';
import type { Mapping } from '../../sheets/mapping/mapping.ts';
import {
  isFor,
  mappingFrom,
  meaningsOf,
  type ProposedColumn,
  proposeMapping,
  resemblesMoney,
} from '../../sheets/mapping/propose-mapping.ts';
import { columnFields, recognised } from '../../sheets/service/service-rows.ts';
import { sourceRows } from '../../sheets/source-rows.ts';
import { addressLabel, isWhole } from '../../ship/shop-lists.ts';
import { headerScore } from '../plan/open-rows.ts';
import { rowSchemaOf } from '../plan/record-finders.ts';
import { findWork } from '../row-work.ts';
import { say } from '../texts.ts';
import { refused } from './answering.ts';
import { askColumns, begunColumns, correctColumn, fieldInWords, rememberingColumns } from './ask-columns.ts';
import {
  askConstants,
  INSURANCE,
  lacksInsurance,
  openConstants,
  PICKUP,
  pickupIn,
  TRY_ON,
  WEIGHT,
} from './ask-constants.ts';

import type { mappedSheet } from './mapped.ts';
import { isMappingName, mappingNameFor, refuseUnsaveable, savedMappings, saveMapping } from './mappings.ts';
import { pathFrom } from './plan/plan-file.ts';

interface Input {
  readonly file: string;
  readonly do?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly sheet?: string | null | undefined;
  readonly header_row?: number | null | undefined;
  readonly save?: string | null | undefined;
  readonly replace?: boolean | null | undefined;
  readonly ignore_columns?: boolean | null | undefined;
}

const SHOWN_ROWS = 3;

const MOST_EXAMPLES = 3;

/**
 * Where nobody can be asked, each filled column that no field takes is named; one that may be of money has to be answered. Throws a
 * Refusal.
 */
function tellUntaken(
  proposed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  { schema, isSaid }: { readonly schema: JsonSchema; readonly isSaid: boolean },
  ports: Ports,
): void {
  const untaken = proposed.flatMap(({ column, mapping }, index) => {
    const own = texts[index] ?? [];
    return mapping === undefined && own.length > 0 && column.trim() !== '' ? [{ column, own }] : [];
  });
  const isOfOrders = fieldNamed(schema, 'shipping.cod_amount') !== undefined;
  const ofMoney = untaken.filter(({ column, own }) => isOfOrders && resemblesMoney(column, own));
  for (const { column, own } of untaken) {
    const examples = own.slice(0, MOST_EXAMPLES).map((text) => JSON.stringify(text.slice(0, SHOWN_LETTERS)));
    ports.report.notice(say().columns.noField({ column, examples }));
  }
  if (ofMoney.length === 0 || isSaid) return;
  const subjects = ofMoney.map(({ column, own }) => ({ name: column, rows: [], count: own.length }));
  throw refused(new QuestionsOpen([questionOf('ignore_columns', subjects)]), ports);
}

/** Where nobody can be asked, the open questions are reported. */
export function tellDoubts(
  proposed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  schema: JsonSchema,
  { report }: Ports,
): void {
  proposed.forEach(({ column, mapping }, index) => {
    const meanings = mapping === undefined ? meaningsOf(column, schema) : [];
    const said = say().columns;
    if (meanings.length > 0) report.notice(said.mapItTo({ column, fields: meanings }));
    const questions = mapping === undefined ? [] : questionsOf(schema, mapping, texts[index] ?? []);
    for (const question of questions) {
      if (question.about === 'unit') report.notice(said.readIn({ column, unit: question.own }));
      if (question.about === 'word') report.notice(said.wordUnknown({ column, word: question.word }));
      if (question.about === 'dates') report.notice(said.datesOtherwise({ column }));
    }
  });
}

/** The result of proposing a mapping. */
interface Mapped {
  readonly columns: { column: string; field: string | null; unit: string | null }[];
  readonly rows: { place: string; read: string }[];
  readonly saved: string | null;
}

type MappedSheet = z.output<typeof mappedSheet>;

/** The values at a path; `*` is every entry of a list. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return value === undefined || value === null ? [] : [value];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return isRecord(value) ? valuesAt(value[step], rest) : [];
}

const SHOWN_LETTERS = 24;

/** A column with the values of its field in the first rows. */
function withValues(
  column: Mapped['columns'][number],
  rows: Mapped['rows'],
  schema: JsonSchema,
): MappedSheet['columns'][number] {
  const path = column.field === null ? undefined : fieldNamed(schema, column.field)?.path;
  const values = path === undefined ? [] : rows.flatMap(({ read }) => valuesAt(readOwn<unknown>(read), path));
  const shown = values.map((value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > SHOWN_LETTERS ? `${text.slice(0, SHOWN_LETTERS - 1)}…` : text;
  });
  return { ...column, read: shown.join(' | ') };
}

/** The first rows as they are understood. */
async function firstRows(
  sheet: Sheet,
  work: RowWork,
  mapping: Mapping | undefined,
  ports: Ports,
): Promise<Mapped['rows']> {
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const source = sourceRows(sheet, {
    schema: rowSchemaOf(work),
    shown: work.shown,
    ignored: sheet.kind === 'table' ? [...(sheet.repeated?.keys() ?? [])] : [],
    nameFields: work.operation.effect === 'create' ? ['external_id', 'external_code'] : [],
    blankClears: false,
    command: work.do,
    mapping,
    places: async () => locationTree,
  });
  const rows: Mapped['rows'] = [];
  for await (const { place, value, faults } of source.rows) {
    rows.push({ place, read: JSON.stringify(value) });
    for (const { cell, message } of faults) ports.report.notice(`${placeText(cell)} ${message}`);
    if (rows.length === SHOWN_ROWS) break;
  }
  return rows;
}

/** A sheet that is read as it is; only what it has in no column is asked for. */
interface KnownSheet {
  readonly title: string;
  readonly columns: readonly { readonly column: string; readonly field: string | null }[];
  readonly mapping: Mapping | undefined;
}

/** One of the service's own sheets, or an export; undefined for any other. */
function knownSheet(header: readonly string[], { do: command }: RowWork): KnownSheet | undefined {
  const own = recognised(header);
  if (own?.sheet.commands.includes(command) === true) {
    return { title: own.sheet.name, columns: columnFields(own, header), mapping: undefined };
  }
  const found = exportOf(header, command);
  if (found === undefined) return undefined;
  const { title, mapping } = found;
  const columns = header.map((column) => ({ column, field: mapping.columns[column]?.field ?? null }));
  return { title, columns, mapping };
}

/** Asks what no column of a known sheet has, and saves nothing else: a mapping of its columns would stand in the way. */
async function mapConstants(
  input: Input,
  { title, columns, mapping }: KnownSheet,
  { sheet, work }: { readonly sheet: TableSheet; readonly work: RowWork },
  ports: Ports,
) {
  if (input.save && !ports.person.isThere) {
    throw new Refusal('own_sheet', say().mapping.ownSheet({ title }));
  }
  const schema = rowSchemaOf(work);
  const fields = [...columns.flatMap(({ field }) => field ?? []), ...Object.keys(mapping?.constants ?? {})];
  ports.report.notice(say().mapping.noNeed({ title }));
  const isLacking = ports.person.isThere && openConstants(fields, schema).length > 0;
  const asked = input.save || isLacking ? await askConstants(fields, schema, ports) : {};
  const save = input.save || (isLacking ? await askName(input, undefined, ports) : undefined);
  const constants = { ...mapping?.constants, ...asked };
  const rows = await firstRows(sheet, work, { command: work.do, columns: mapping?.columns ?? {}, constants }, ports);
  if (save) ports.intend({ save });
  const saved = save ? await saveMapping(save, { command: work.do, columns: {}, constants: asked }, ports) : null;
  return { mapped: { columns: columns.map((column) => ({ ...column, unit: null })), rows, saved, save }, constants };
}

const fieldsOf = (columns: readonly ProposedColumn[]) => columns.flatMap(({ mapping }) => mapping?.field ?? []);

/** Whether the goods of orders have no price in any column, and are none of the catalogue either. */
const lacksPrice = (fields: readonly string[], schema: JsonSchema) =>
  fieldNamed(schema, 'lines.retail_price') !== undefined &&
  !fields.some((field) => field === 'lines.retail_price' || field.startsWith('lines.variant'));

/** A saved mapping, with its name. */
type Saved = readonly [name: string, mapping: Mapping];

/** What a person has to know of a sheet to map it: the answers of a saved mapping are those of its columns, too. */
interface Meaning {
  readonly input: Input;
  readonly work: RowWork;
  readonly schema: JsonSchema;
  readonly former: Saved | undefined;
}

/** A column as a saved mapping has it. */
function columnOf({ columns }: Mapping, column: string): ProposedColumn | undefined {
  if (!Object.hasOwn(columns, column)) return undefined;
  const mapping = columns[column];
  return mapping ? { column, mapping } : { column };
}

/** The constants of a saved mapping that a person keeps. */
async function keptConstants({ constants }: Mapping, schema: JsonSchema, { person }: Ports) {
  if (Object.keys(constants).length === 0) return constants;
  const { choice, field, insuredIs, tryOnIs } = say().constants;
  const named = Object.entries(constants).flatMap(([name, value]) => {
    if (name.startsWith(`${PICKUP}.`)) return [];
    const said = { value: choice(typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)) };
    if (name === TRY_ON) return [tryOnIs(said)];
    return [name === INSURANCE ? insuredIs(said) : field({ field: fieldInWords(schema, name), value })];
  });
  const address = pickupIn(constants);
  const each = isWhole(address) ? [say().constants.pickedUp({ address: addressLabel(address) }), ...named] : named;
  const isKept = await person.ask({
    name: 'constants',
    message: say().constants.keep({ each }),
    schema: z.boolean(),
    initial: true,
  });
  return isKept ? constants : {};
}

/** Asks for the name under which answers are saved; one that is taken is told once. */
async function askName({ file }: Input, former: Saved | undefined, ports: Ports): Promise<string> {
  const taken = (await savedMappings(ports)).map(([name]) => name);
  const name = mappingNameFor(file);
  let free = name;
  for (let at = 2; taken.includes(free); at += 1) free = `${name}-${at}`;
  const { saveAs, badName, taken: isTaken } = say().mapping;
  return ports.person.ask({
    name: 'save',
    message: saveAs,
    schema: z
      .string()
      .trim()
      .superRefine((answer, check) => {
        if (!isMappingName(answer)) check.addIssue(badName({ name: answer }));
      }),
    initial: former?.[0] ?? free,
    doubt: (answer) =>
      answer !== former?.[0] && taken.includes(answer.trim()) ? isTaken({ name: answer.trim() }) : undefined,
  });
}

/** What a person says about the columns of a header and about what no column has, and the name to save it under. */
async function askedMapping(
  guessed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  { input, work, schema, former }: Meaning,
  ports: Ports,
) {
  const { person } = ports;
  const of = { command: work.do, header: guessed.map(({ column }) => column) };
  const begun = await begunColumns(of, ports);
  if (begun.length > 0) ports.report.say(say().columns.fromLastTime({ count: begun.length }));
  const earlier = former?.[1];
  const before = guessed.map(({ column }, index) => begun[index] ?? (earlier && columnOf(earlier, column)));
  if (former !== undefined && !input.save) ports.report.say(say().columns.fromMapping({ name: former[0] }));
  const reported: ProposedColumn[] = [];
  return rememberingColumns(of, reported, ports, async () => {
    let proposed: readonly ProposedColumn[] = await askColumns(guessed, texts, { schema, person }, reported, before);
    for (let isOpen = earlier !== undefined; isOpen; ) {
      const corrected = await correctColumn(proposed, texts, { schema, person });
      proposed = corrected ?? proposed;
      isOpen = corrected !== undefined;
    }
    const kept = earlier === undefined ? {} : await keptConstants(earlier, schema, ports);
    const same = Object.keys(kept);
    // With what is kept, a weight that was left blank stays so.
    const known = same.length === 0 ? [] : [...same, WEIGHT];
    const asked = await askConstants([...fieldsOf(proposed), ...known], schema, ports);
    if (lacksPrice(fieldsOf(proposed), schema)) ports.report.notice(say().constants.noPrice);
    const { answers, ...mapping } = mappingFrom(proposed, work.do, { ...kept, ...asked });
    const save = input.save || (await askName(input, former, ports));
    const all = answersOf(answers, earlier?.answers);
    const whole = { ...mapping, leaveOut: earlier?.leaveOut, ...(Object.keys(all).length > 0 && { answers: all }) };
    return { proposed, mapping: whole, save };
  });
}

/** What a person says about the columns of a header and about what no column has; else what the header tells. */
async function meantMapping(
  guessed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  meaning: Meaning,
  ports: Ports,
): Promise<{
  readonly proposed: readonly ProposedColumn[];
  readonly mapping: Mapping;
  readonly save?: string | undefined;
}> {
  const { input, work, schema } = meaning;
  const isSaid = input.ignore_columns === true;
  if (!ports.person.isThere) {
    tellDoubts(guessed, texts, schema, ports);
    tellUntaken(guessed, texts, { schema, isSaid }, ports);
    for (const field of openConstants(fieldsOf(guessed), schema)) {
      ports.report.notice(say().constants.lacking({ field }));
    }
    if (lacksPrice(fieldsOf(guessed), schema)) ports.report.notice(say().constants.noPrice);
    if (lacksInsurance(fieldsOf(guessed), schema)) ports.report.notice(say().constants.noInsurance);
    return { proposed: guessed, mapping: mappingFrom(guessed, work.do), save: input.save ?? undefined };
  }
  return askedMapping(guessed, texts, meaning, ports);
}

/** The columns of a sheet by a mapping, and its first rows, saved if requested. */
async function mapSheet(
  input: Input,
  work: RowWork,
  { header, read }: { readonly header: TableSheet; readonly read: () => Promise<Sheet> },
  ports: Ports,
) {
  const schema = rowSchemaOf(work);
  const all = await textsOf(header.lines, header.columns.length);
  const texts = all.filter((_, at) => header.repeated?.has(header.columns[at] ?? '') !== true);
  const guessed = proposeMapping(ownColumns(header), schema);
  const former = await changedMapping(input, work, header.columns, ports);
  const { proposed, mapping, save } = await meantMapping(guessed, texts, { input, work, schema, former }, ports);
  const rows = await firstRows(await read(), work, mapping, ports);
  if (save) ports.intend({ save });
  const saved = save ? await saveMapping(save, mapping, ports) : null;
  const columns = proposed.map(({ column, mapping: to }) => ({
    column,
    field: to?.field ?? null,
    unit: to?.unit ?? null,
  }));
  return { mapped: { columns, rows, saved, save }, constants: mapping.constants };
}

/** Refuses a name under which nothing can be saved; a person may say that what has it is changed. */
async function requireSaveable({ save, replace }: Input, ports: Ports): Promise<void> {
  if (!save) return;
  const isTaken = ports.person.isThere && replace !== true && (await namedMapping(save, ports)) !== undefined;
  const message = say().mapping.change({ name: save });
  const isChanged =
    isTaken && (await ports.person.ask({ name: 'replace', message, schema: z.boolean(), initial: true }));
  await refuseUnsaveable(save, isChanged || replace === true, ports);
}

const namedMapping = async (save: string, ports: Ports) => (await savedMappings(ports)).find(([name]) => name === save);

/** The saved mapping that a person changes: the one of that name, else the one that is for this header. */
async function changedMapping({ save }: Input, { do: command }: RowWork, header: readonly string[], ports: Ports) {
  if (!ports.person.isThere) return undefined;
  const found = save
    ? await namedMapping(save, ports)
    : (await savedMappings(ports)).find(([, one]) => isFor(one, header));
  return found?.[1].command === command ? found : undefined;
}

/** Whether a sheet is read as it is, without a mapping that nobody has saved. */
async function isReadable(
  columns: Mapped['columns'],
  constants: Mapping['constants'],
  { work, header }: { readonly work: RowWork; readonly header: readonly string[] },
  ports: Ports,
): Promise<boolean> {
  const saved = await savedMappings(ports);
  if (saved.some(([, one]) => isFor(one, header) && one.command === work.do)) return true;
  const isOwn = columns.every(({ column, field, unit }) => column.trim() === '' || (column === field && unit === null));
  return isOwn && Object.keys(constants).length === 0;
}

/**
 * Shows how the columns of a sheet are interpreted, and its first rows with that mapping; saves it if requested, and for a
 * person under a name that is asked for. Throws a SheetError, a Refusal, a BatchError or a FileError.
 */
export async function mapFile(input: Input, ports: Ports): Promise<MappedSheet> {
  await requireSaveable(input, ports);
  const work = await findWork(input.do ?? 'ship', ports.settings.as?.value ?? 'partner');
  const format = sheetFormatOf(input.file, input.format ?? undefined);
  const score = headerScore({ mapping: undefined, work }, []);
  const again = (account?: Account) =>
    format.read(
      { name: input.file, bytes: readParts(pathFrom(ports.workingDirectory, input.file)), signal: ports.signal },
      { sheet: input.sheet ?? undefined, headerRow: input.header_row ?? undefined, score, account },
    );
  const read = async (account?: Account) => {
    const sheet = await again(account);
    return sheet.kind === 'table' ? withOneOfEach(sheet, again, []) : sheet;
  };
  // How columns are read is the same on every sheet that has them; which sheets are sent is asked by what sends them.
  const account = new Account({ all_sheets: true });
  const header = await read(account);
  if (account.sheets.length > 1) for (const line of account.sheetsInWords) ports.report.notice(line);
  if (header.kind !== 'table') throw new Refusal('no_columns', say().mapping.noColumns(input));
  const known = knownSheet(header.columns, work);
  const { mapped, constants } =
    known === undefined
      ? await mapSheet(input, work, { header, read }, ports)
      : await mapConstants(input, known, { sheet: header, work }, ports);
  const schema = rowSchemaOf(work);
  const { save, ...shown } = mapped;
  const next = {
    file: input.file,
    ...(work.do === 'ship' ? {} : { command: work.do }),
    // Other mappings are found by the columns that they are for.
    ...(known !== undefined && save ? { map: save } : {}),
  };
  const isNext =
    known !== undefined ||
    save ||
    (await isReadable(shown.columns, constants, { work, header: header.columns }, ports));
  return {
    ...shown,
    columns: shown.columns.map((column) => withValues(column, shown.rows, schema)),
    constants: Object.entries(constants).map(([field, value]) => ({ field, value: String(value) })),
    next: ports.ui.advise(isNext ? 'plan_file' : 'map_file', next),
  };
}

/** What is said of columns of which no field is known: no saved mapping is for them. */
const isUnmapped = (error: unknown) => {
  const { unmapped, fits } = fieldsIn(fieldsIn(error).facts);
  return (unmapped === 'all' || unmapped === 'some') && fits === undefined;
};

/** Reads a sheet; if no mapping is for its columns, a person may say what they are, and it is read again. */
export async function mappedFirst<Result>(
  input: Omit<Input, 'save' | 'replace'> & { readonly map?: string | null | undefined },
  ports: Ports,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { isThere, hasAgreed } = ports.person;
    if (!isThere || hasAgreed || input.map || input.file === '-' || !isUnmapped(error)) throw error;
    const { file, do: command, format, sheet, header_row } = input;
    const about = error instanceof Error ? error.message : '';
    const message = say().mapping.mapNow({ about });
    if (!(await ports.person.ask({ name: 'map', message, schema: z.boolean(), initial: true }))) throw error;
    await mapFile({ file, do: command, format, sheet, header_row }, ports);
  }
  return read();
}
