import type * as z from 'zod';
import type { JsonSchema } from '../../../contract/schema/json-schema.ts';
import { isRecord, readOwn } from '../../../domain/json/value-at.ts';
import { rowSchemaOf } from '../../../flows/batch/complete/finders.ts';
import { headerScore } from '../../../flows/batch/read/open-rows.ts';
import { findWork, type RowWork } from '../../../flows/batch/row-work.ts';
import { readParts } from '../../../platform/files/file-parts.ts';
import { fieldNamed } from '../../../sheets/fields.ts';
import { sheetFormatOf } from '../../../sheets/formats/formats.ts';
import type { Sheet, TableSheet } from '../../../sheets/formats/sheet.ts';
import { questionsOf, textsOf } from '../../../sheets/mapping/column-questions.ts';
import type { Mapping } from '../../../sheets/mapping/mapping.ts';
import { mappingFrom, type ProposedColumn, proposeMapping } from '../../../sheets/mapping/propose-mapping.ts';
import { columnFields, type Recognised, recognised } from '../../../sheets/service/service-rows.ts';
import { sourceRows } from '../../../sheets/source-rows.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../action/refusal.ts';
import { pathFrom } from '../plan/plan-file.ts';
import { askColumns } from './ask-columns.ts';
import { askConstants, openConstants } from './ask-constants.ts';
import { begunColumns, rememberingColumns } from './begun-mapping.ts';
import type { mappedSheet } from './mapped.ts';
import { refuseUnsaveable, saveMapping } from './mappings.ts';

interface Input {
  readonly file: string;
  readonly do?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly sheet?: string | null | undefined;
  readonly header_row?: number | null | undefined;
  readonly save?: string | null | undefined;
  readonly replace?: boolean | null | undefined;
}

const SHOWN_ROWS = 3;

/** Where nobody can be asked, the open questions are reported. */
export function tellDoubts(
  proposed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  schema: JsonSchema,
  { report }: Ports,
): void {
  proposed.forEach(({ column, mapping }, index) => {
    const questions = mapping === undefined ? [] : questionsOf(schema, mapping, texts[index] ?? []);
    for (const question of questions) {
      if (question.about === 'unit') report.notice(`column "${column}" is read in ${question.own}: is that right?`);
      if (question.about === 'word') report.notice(`column "${column}": the word "${question.word}" is not known`);
      if (question.about === 'dates')
        report.notice(`column "${column}" has dates that are not written like 2026-01-31`);
    }
  });
}

/** The result of proposing a mapping. */
export interface Mapped {
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
  const { locationTree } = await import('../../../domain/places/place-data.ts');
  const source = sourceRows(sheet, {
    schema: rowSchemaOf(work),
    shown: work.shown,
    ignored: [],
    nameFields: work.operation.effect === 'create' ? ['external_id', 'external_code'] : [],
    blankClears: false,
    command: work.do,
    mapping,
    places: async () => locationTree,
  });
  const rows: Mapped['rows'] = [];
  for await (const { place, value, faults } of source.rows) {
    rows.push({ place, read: JSON.stringify(value) });
    for (const { cell, message } of faults) ports.report.notice(`${cell} ${message}`);
    if (rows.length === SHOWN_ROWS) break;
  }
  return rows;
}

/** One of the service's own sheets, which is read as it is: a mapping of its columns would only stand in the way. */
async function ownSheet(
  { save }: Input,
  known: Recognised,
  { sheet, work }: { readonly sheet: TableSheet; readonly work: RowWork },
  ports: Ports,
): Promise<Mapped> {
  const { name } = known.sheet;
  if (save) {
    throw new Refusal('own_sheet', `this is the service's ${name}, which is read without a mapping; nothing was saved`);
  }
  ports.report.notice(`read as ${name}: no mapping is needed`);
  const columns = columnFields(known, sheet.columns).map((column) => ({ ...column, unit: null }));
  return { columns, rows: await firstRows(sheet, work, undefined, ports), saved: null };
}

/** What a person says about the columns of a header and about what no column has; else what the header tells. */
async function meantMapping(
  guessed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  { work, schema }: { readonly work: RowWork; readonly schema: JsonSchema },
  ports: Ports,
): Promise<{ readonly proposed: readonly ProposedColumn[]; readonly mapping: Mapping }> {
  if (!ports.person.isThere) {
    tellDoubts(guessed, texts, schema, ports);
    for (const field of openConstants(guessed, schema)) {
      ports.report.notice(`no column has ${field}, which every row needs: add it to the mapping, below constants`);
    }
    return { proposed: guessed, mapping: mappingFrom(guessed, work.do) };
  }
  const of = { command: work.do, header: guessed.map(({ column }) => column) };
  const told = [...(await begunColumns(of, ports))];
  if (told.length > 0) ports.report.say(`${told.length} columns are answered from the last time`);
  return rememberingColumns(of, told, ports, async () => {
    const proposed = await askColumns(guessed, texts, { schema, person: ports.person }, told);
    const constants = await askConstants(proposed, schema, ports);
    return { proposed, mapping: mappingFrom(proposed, work.do, constants) };
  });
}

/** The columns of a sheet by a mapping, and its first rows, saved if requested. */
async function mapSheet(
  input: Input,
  work: RowWork,
  { header, read }: { readonly header: TableSheet; readonly read: () => Promise<Sheet> },
  ports: Ports,
) {
  const schema = rowSchemaOf(work);
  const texts = await textsOf(header.lines, header.columns.length);
  const guessed = proposeMapping(header.columns, schema);
  const { proposed, mapping } = await meantMapping(guessed, texts, { work, schema }, ports);
  const rows = await firstRows(await read(), work, mapping, ports);
  if (input.save) ports.intend({ save: input.save });
  const saved = input.save ? await saveMapping(input.save, mapping, ports) : null;
  const columns = proposed.map(({ column, mapping: to }) => ({
    column,
    field: to?.field ?? null,
    unit: to?.unit ?? null,
  }));
  return { mapped: { columns, rows, saved }, mapping };
}

/**
 * Shows how the columns of a sheet are interpreted, and its first rows with that mapping; saves it if requested. Throws
 * a SheetError, a Refusal, a BatchError or a FileError.
 */
export async function mapFile(input: Input, ports: Ports): Promise<MappedSheet> {
  if (input.save) await refuseUnsaveable(input.save, input.replace === true, ports);
  const work = await findWork(input.do ?? 'ship', ports.settings.as?.value ?? 'partner');
  const format = sheetFormatOf(input.file, input.format ?? undefined);
  const score = headerScore({ mapping: undefined, work }, []);
  const read = () =>
    format.read(
      { name: input.file, bytes: readParts(pathFrom(ports.workingDirectory, input.file)), signal: ports.signal },
      { sheet: input.sheet ?? undefined, headerRow: input.header_row ?? undefined, score },
    );
  const header = await read();
  if (header.kind !== 'table') throw new Refusal('no_columns', `${input.file} holds records without columns`);
  const known = recognised(header.columns);
  const isOwn = known?.sheet.commands.includes(work.do) === true;
  const { mapped, mapping } = isOwn
    ? { mapped: await ownSheet(input, known, { sheet: header, work }, ports), mapping: undefined }
    : await mapSheet(input, work, { header, read }, ports);
  const schema = rowSchemaOf(work);
  const file = { file: input.file, ...(work.do === 'ship' ? {} : { command: work.do }) };
  return {
    ...mapped,
    columns: mapped.columns.map((column) => withValues(column, mapped.rows, schema)),
    constants: Object.entries(mapping?.constants ?? {}).map(([field, value]) => ({ field, value: String(value) })),
    next: ports.front.advise('plan_file', file),
  };
}
