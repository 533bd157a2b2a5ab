import * as z from 'zod';
import { findWork } from '../../flows/batch/row-work.ts';
import { readParts } from '../../platform/file-parts.ts';
import { fieldNamed } from '../../sheets/fields.ts';
import { sheetFormatOf } from '../../sheets/formats.ts';
import { mappingFrom, type ProposedColumn, proposeMapping } from '../../sheets/propose-mapping.ts';
import { sourceRows } from '../../sheets/source-rows.ts';
import type { Ports } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { saveMapping } from './mappings.ts';
import { pathFrom } from './plan-file.ts';

interface Input {
  readonly file: string;
  readonly do?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly sheet?: string | null | undefined;
  readonly save?: string | null | undefined;
}

const SHOWN_ROWS = 3;

/** What a mapping that was proposed looks like. */
export interface Mapped {
  readonly columns: { column: string; field: string | null; unit: string | null }[];
  readonly rows: { place: string; read: string }[];
  readonly saved: string | null;
}

/** Asks a person for the columns that nobody knows; an empty answer leaves one out. */
async function asked(
  proposed: readonly ProposedColumn[],
  isField: (name: string) => boolean,
  { person }: Ports,
): Promise<ProposedColumn[]> {
  const known: ProposedColumn[] = [];
  for (const one of proposed) {
    if (one.mapping !== undefined || one.column.trim() === '' || !person.isThere) {
      known.push(one);
      continue;
    }
    const schema = z.string().refine((text) => text.trim() === '' || isField(text.trim()), 'is no field');
    const message = `Which field is column "${one.column}"? Empty leaves it out.`;
    const field = (await person.ask({ name: one.column, message, schema, initial: '' })).trim();
    known.push(field === '' ? one : { column: one.column, mapping: { field } });
  }
  return known;
}

/**
 * Says how the columns of a sheet are understood, and its first rows with it; saves that where it is to be. Throws a
 * SheetError, a Refusal, a BatchError or a FileError.
 */
export async function mapFile(input: Input, ports: Ports): Promise<Mapped> {
  const work = await findWork(input.do ?? 'ship', ports.settings.as?.value ?? 'partner');
  const format = sheetFormatOf(input.file, input.format ?? undefined);
  const read = () =>
    format.read(
      { name: input.file, bytes: readParts(pathFrom(ports.workingDirectory, input.file)) },
      { sheet: input.sheet ?? undefined },
    );
  const header = await read();
  if (header.kind !== 'table') throw new Refusal('no_columns', `${input.file} holds records without columns`);
  const isField = (name: string) => fieldNamed(work.schema, name) !== undefined;
  const proposed = await asked(proposeMapping(header.columns, work.schema), isField, ports);
  const mapping = mappingFrom(proposed, work.do);
  const { locationTree } = await import('../../domain/place-data.ts');
  const source = sourceRows(await read(), {
    schema: work.schema,
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
  if (input.save) ports.intend({ save: input.save });
  const saved = input.save ? await saveMapping(input.save, mapping, ports) : null;
  const columns = proposed.map(({ column, mapping: to }) => ({
    column,
    field: to?.field ?? null,
    unit: to?.unit ?? null,
  }));
  return { columns, rows, saved };
}
