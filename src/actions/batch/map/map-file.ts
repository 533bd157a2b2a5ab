import type { JsonSchema } from '../../../contract/schema/json-schema.ts';
import { rowSchemaOf } from '../../../flows/batch/complete/finders.ts';
import { findWork, type RowWork } from '../../../flows/batch/row-work.ts';
import { readParts } from '../../../platform/files/file-parts.ts';
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
import { refuseUnsaveable, saveMapping } from './mappings.ts';

interface Input {
  readonly file: string;
  readonly do?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly sheet?: string | null | undefined;
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

/**
 * Shows how the columns of a sheet are interpreted, and its first rows with that mapping; saves it if requested. Throws
 * a SheetError, a Refusal, a BatchError or a FileError.
 */
export async function mapFile(input: Input, ports: Ports): Promise<Mapped> {
  if (input.save) await refuseUnsaveable(input.save, input.replace === true, ports);
  const work = await findWork(input.do ?? 'ship', ports.settings.as?.value ?? 'partner');
  const format = sheetFormatOf(input.file, input.format ?? undefined);
  const read = () =>
    format.read(
      { name: input.file, bytes: readParts(pathFrom(ports.workingDirectory, input.file)), signal: ports.signal },
      { sheet: input.sheet ?? undefined },
    );
  const header = await read();
  if (header.kind !== 'table') throw new Refusal('no_columns', `${input.file} holds records without columns`);
  const known = recognised(header.columns);
  if (known?.sheet.commands.includes(work.do) === true) return ownSheet(input, known, { sheet: header, work }, ports);
  const schema = rowSchemaOf(work);
  const guessed = proposeMapping(header.columns, schema);
  const texts = await textsOf(header.lines, header.columns.length);
  const proposed = ports.person.isThere ? await askColumns(guessed, texts, schema, ports.person) : guessed;
  if (!ports.person.isThere) tellDoubts(guessed, texts, schema, ports);
  const mapping = mappingFrom(proposed, work.do);
  const rows = await firstRows(await read(), work, mapping, ports);
  if (input.save) ports.intend({ save: input.save });
  const saved = input.save ? await saveMapping(input.save, mapping, ports) : null;
  const columns = proposed.map(({ column, mapping: to }) => ({
    column,
    field: to?.field ?? null,
    unit: to?.unit ?? null,
  }));
  return { columns, rows, saved };
}
