import type { NamedSheet } from '../account/choose-sheet.ts';
import { say } from '../texts.ts';
import type { ReadOptions } from './find-header.ts';
import { type Grid, type Sheet, SheetError, type SheetSource } from './sheet.ts';
import { kindByEnding } from './text-of.ts';

/** A file format that holds rows. */
export interface SheetFormat {
  readonly name: string;
  /** File name extensions, without the dot. */
  readonly extensions: readonly string[];
  /** Reads a file; its dependencies are loaded with the first one. Throws a SheetError. */
  readonly read: (source: SheetSource, options: ReadOptions) => Promise<Sheet>;
  /**
   * Reads a file as lines of cells, in each way in which they may be separated; absent for formats without cells. Throws
   * a SheetError.
   */
  readonly grids?: readonly ((source: SheetSource, options: ReadOptions) => Promise<Grid>)[];
  /** The sheets of a file; absent for formats that have none. Throws a SheetError. */
  readonly sheets?: (source: SheetSource) => Promise<readonly NamedSheet[]>;
}

const delimitedBy = (mark: string) => async (source: SheetSource) =>
  (await import('./delimited.ts')).readDelimitedGrid(source, mark);

/** The one list of formats. To add one, add a file and an entry. */
export const sheetFormats: readonly SheetFormat[] = [
  {
    name: 'csv',
    extensions: ['csv', 'txt'],
    read: async (source, options) => (await import('./delimited.ts')).readDelimited(source, options),
    grids: [',', ';', '\t'].map(delimitedBy),
  },
  {
    name: 'tsv',
    extensions: ['tsv', 'tab'],
    read: async (source, options) => (await import('./delimited.ts')).readDelimited(source, options, '\t'),
    grids: [delimitedBy('\t')],
  },
  {
    name: 'xlsx',
    extensions: ['xlsx'],
    read: async (source, options) => (await import('../xlsx/read-xlsx.ts')).readXlsx(source, options),
    grids: [async (source, options) => (await import('../xlsx/read-xlsx.ts')).readXlsxGrid(source, options)],
    sheets: async (source) => (await import('../xlsx/read-xlsx.ts')).sheetsOf(source),
  },
  {
    name: 'jsonl',
    extensions: ['jsonl', 'ndjson'],
    read: async (source) => (await import('./json-list.ts')).readJsonLines(source),
  },
  {
    name: 'json',
    extensions: ['json'],
    read: async (source) => (await import('./json-list.ts')).readJsonList(source),
  },
  {
    name: 'yaml',
    extensions: ['yaml', 'yml'],
    read: async (source) => (await import('./yaml-list.ts')).readYamlList(source),
  },
];

/** The format of that name, or of a file of that name. Throws a SheetError that lists the formats there are. */
export function sheetFormatOf(fileName: string, given?: string): SheetFormat {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase();
  const found = sheetFormats.find(({ name, extensions }) =>
    given === undefined ? extension !== undefined && extensions.includes(extension) : name === given,
  );
  if (found !== undefined) return found;
  const names = sheetFormats.map(({ name }) => name);
  if (given !== undefined) throw new SheetError(say().file.noFormat({ given, names }));
  const other = kindByEnding(extension ?? '');
  if (other !== undefined)
    throw new SheetError(say().file.otherKind({ name: fileName, is: say().kind[other], hint: say().kindHint[other] }));
  throw new SheetError(say().file.untold({ name: fileName === '-' ? 'stdin' : fileName }), {
    facts: { formats: names.join(', ') },
  });
}
