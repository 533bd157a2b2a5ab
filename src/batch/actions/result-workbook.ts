import type { Ports } from '../../action/ports.ts';
import { readParts } from '../../platform/files/file-parts.ts';
import { FileError } from '../../platform/files/files.ts';
import { type Cell, SheetError, type TableSheet } from '../../sheets/formats/sheet.ts';
import type { NewCells } from '../../sheets/xlsx/edit-xlsx.ts';
import { type ResultLine, resultLines, resultNames, storedColumns, titlesOf } from '../result-table.ts';
import type { Batch } from '../store/batches.ts';
import type { Rows } from '../store/rows.ts';
import { sourceOf } from '../stored-source.ts';
import { say } from '../texts.ts';
import { pathFrom } from './plan/plan-file.ts';

/** The workbook that a batch was read from with its results, or why it cannot have them. */
export type ResultWorkbook =
  | { readonly kind: 'there'; readonly lines: number; readonly bytes: AsyncGenerator<Uint8Array, void, undefined> }
  | { readonly kind: 'changed'; readonly path: string; readonly why: string };

type Results = ResultLine['results'];

const keyOf = (cells: readonly Cell[]) => JSON.stringify(cells);

/** The file as a whole; undefined if it is not there. A workbook has at most 50 MB. */
async function contentOf(path: string): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readParts(path)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof FileError && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

/** The lines of a sheet by their cells, without those of an earlier result. */
async function standingIn({ columns, lines }: TableSheet): Promise<ReadonlyMap<string, number[]>> {
  const kept = storedColumns(columns);
  const standing = new Map<string, number[]>();
  for await (const { line, cells } of lines) {
    const key = keyOf(kept.map((index) => cells[index] ?? ''));
    const same = standing.get(key);
    if (same === undefined) standing.set(key, [line]);
    else same.push(line);
  }
  return standing;
}

/** The results by line number; undefined if a line of the batch stands nowhere in the sheet. */
async function byLine(results: AsyncIterable<ResultLine>, standing: ReadonlyMap<string, number[]>) {
  const found = new Map<number, Results>();
  for await (const { cells, results: values } of results) {
    const line = standing.get(keyOf(cells))?.shift();
    if (line === undefined) return undefined;
    found.set(line, values);
  }
  return found;
}

/** The columns of the results: those of an earlier result, else new ones behind the last named one. */
function targetsIn(columns: readonly string[]): readonly number[] {
  const known = columns.map((name) => name.normalize('NFC').trim().toLowerCase());
  let next = columns.length;
  return resultNames.map((name) => {
    const titles = titlesOf(name).map((title) => title.toLowerCase());
    const old = known.findIndex((column) => titles.includes(column));
    if (old >= 0) return old;
    next += 1;
    return next - 1;
  });
}

const isOpen = (error: unknown): error is SheetError => error instanceof SheetError;

/**
 * The workbook of a batch with the result beside each line, and everything else in it as it is. It may have been changed
 * since, but must have the columns and the lines of the batch. Undefined for a batch of another kind of file. Throws a
 * FileError.
 */
export async function resultWorkbook(
  { rows, batch }: { readonly rows: Rows; readonly batch: Batch },
  ports: Ports,
  visible: (cell: Cell) => Cell,
): Promise<ResultWorkbook | undefined> {
  const { name, path: from, sheet: tab, headerRow, format, columns, isOfSheets } = sourceOf(batch);
  if (format !== 'xlsx' || name === '-') return undefined;
  const path = from ?? pathFrom(ports.workingDirectory, name);
  const changed = (why: string) => ({ kind: 'changed', path, why }) as const;
  const { workbook } = say().result;
  if (isOfSheets === true) return changed(workbook.severalSheets({ path }));
  const content = await contentOf(path);
  if (content === undefined) return changed(workbook.gone({ path }));
  const source = () => ({
    name,
    signal: ports.signal,
    bytes: (async function* () {
      yield content;
    })(),
  });
  let sheet: TableSheet;
  let lines: ReadonlyMap<number, Results> | undefined;
  try {
    const { readXlsx } = await import('../../sheets/xlsx/read-xlsx.ts');
    sheet = await readXlsx(source(), { sheet: tab, headerRow });
    const named = (titles: readonly string[]) => keyOf(storedColumns(titles).map((index) => titles[index] ?? ''));
    if (named(sheet.columns) !== named(columns)) return changed(workbook.otherColumns({ path }));
    lines = await byLine(resultLines(rows, batch, 'person'), await standingIn(sheet));
  } catch (error) {
    if (!isOpen(error)) throw error;
    return changed(workbook.unreadable({ path, message: error.message }));
  }
  if (lines === undefined) return changed(workbook.otherLines({ path }));
  const targets = targetsIn(sheet.columns);
  const header: NewCells = {
    cells: new Map(resultNames.map((one, at) => [targets[at] ?? 0, titlesOf(one)[0]])),
    likeBefore: true,
  };
  const found = lines;
  const cellsOf = (line: number): NewCells | undefined => {
    if (line === sheet.headerLine) return header;
    const results = found.get(line);
    return (
      results && { cells: new Map(results.map((value, at) => [targets[at] ?? 0, visible(value)])), likeBefore: false }
    );
  };
  const [{ editedXlsx }, { widthsOf, wouldRun }] = await Promise.all([
    import('../../sheets/xlsx/edit-xlsx.ts'),
    import('../../sheets/xlsx/write-xlsx.ts'),
  ]);
  const shown = [...found.values()].map((results) => results.map(visible));
  const hasFormulas = shown.some((results) => results.some(wouldRun));
  const wide = widthsOf([...header.cells.values()].map(String), shown);
  const isNew = ([column]: readonly [number, number]) => column >= sheet.columns.length;
  const widths = new Map(wide.map((width, at) => [targets[at] ?? 0, width] as const).filter(isNew));
  const edit = { cells: cellsOf, hasFormulas, widths };
  return { kind: 'there', lines: found.size, bytes: editedXlsx(source(), tab, edit) };
}
