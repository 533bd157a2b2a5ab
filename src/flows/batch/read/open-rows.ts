import { sheetFormatOf } from '../../../sheets/formats/formats.ts';
import type { SheetSource } from '../../../sheets/formats/sheet.ts';
import type { Mapping } from '../../../sheets/mapping/mapping.ts';
import { isFor } from '../../../sheets/mapping/propose-mapping.ts';
import type { SourceRow, SourceRows } from '../../../sheets/source-row.ts';
import { sourceRows } from '../../../sheets/source-rows.ts';
import type { BatchDesk } from '../desk.ts';
import type { BatchOptions } from '../plan/batch-options.ts';
import type { RowWork } from '../row-work.ts';
import type { KeptSource } from './kept-source.ts';
import type { Meeting } from './names.ts';

/** The rows of a file or of a saved plan, and how they are stored with their batch. */
export interface OpenedRows {
  readonly read: SourceRows;
  /** The service's sheet or the mapping that it was recognised as; null for any other. */
  readonly recognised: string | null;
  readonly kept: KeptSource;
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
  readonly work: RowWork;
  readonly options: BatchOptions;
  /** How to read columns whose names are not fields. */
  readonly mapping?: Mapping | undefined;
  /** Saved mappings, by name: one made for this file's header is used, and reported. */
  readonly savedMappings?: () => Promise<readonly (readonly [string, Mapping])[]>;
  /** Columns to ignore, `*` for all that are not fields. */
  readonly ignored: readonly string[];
  readonly skipBad: boolean;
  readonly meeting: Meeting;
  /** The id of the batch that the rows belong to, if they are only read into another one first. */
  readonly namedAs?: string;
}

/** Opens the rows of a file by its header. Throws a SheetError. */
export async function openRows(desk: BatchDesk, request: ReadRequest): Promise<OpenedRows> {
  const { work, options, source, saved: rowsOfPlan } = request;
  if (rowsOfPlan !== undefined) return rowsOfPlan;
  const format = sheetFormatOf(source.name, request.format);
  const sheet = await format.read(source, { sheet: request.sheet });
  const saved =
    request.mapping === undefined && sheet.kind === 'table' ? ((await request.savedMappings?.()) ?? []) : [];
  const found = saved.find(
    ([, mapping]) => sheet.kind === 'table' && isFor(mapping, sheet.columns) && mapping.command === work.do,
  );
  const read = sourceRows(sheet, {
    schema: work.schema,
    shown: work.shown,
    ignored: request.ignored,
    nameFields: work.operation.effect === 'create' ? ['external_id', 'external_code'] : [],
    blankClears: options.blankClears && work.operation.effect === 'update',
    command: work.do,
    mapping: request.mapping ?? found?.[1],
    places: async () => desk.tree,
  });
  return {
    read,
    recognised: read.recognised ?? (found === undefined ? null : `mapping ${found[0]}`),
    kept: {
      name: source.name,
      path: source.path,
      sheet: request.sheet,
      format: format.name,
      columns: read.header,
      manner: sheet.kind === 'table' ? sheet.manner : {},
    },
  };
}
