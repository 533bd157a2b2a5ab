import type { Account, RowQuestion } from '../../sheets/account/account.ts';
import { chosenSheets, type NamedSheet, type SheetLook } from '../../sheets/account/choose-sheet.ts';
import type { SheetFormat } from '../../sheets/formats/formats.ts';
import { type Grid, SheetError, type SheetLine, type SheetSource } from '../../sheets/formats/sheet.ts';
import { textOf } from '../../sheets/service/cells.ts';
import { say } from '../texts.ts';
import type { PaymentLayout } from './layout.ts';
import type { PaymentFile } from './payment-cells.ts';
import { IN_WORDS, plainCell, readAmount, readCode } from './payment-cells.ts';
import { isByPosition, isNearly, type Placed, placedByHeader, placedByPosition } from './place-columns.ts';

/** A payment file to be read. */
export interface PaymentSource {
  readonly name: string;
  readonly format: SheetFormat;
  /** Opens the file; several times if it takes several looks. */
  readonly open: () => SheetSource;
  /** The layouts that it may have. */
  readonly layouts: readonly PaymentLayout[];
  /** The sheet to read; the only one that is seen and has rows below the header of a layout when absent. */
  readonly sheet?: string | undefined;
  /** What else is asked about a file whose reading is in question. */
  readonly asks?: ((file: PaymentFile) => Promise<readonly RowQuestion[]>) | undefined;
  /** Keeps account of the reading. */
  readonly account?: Account | undefined;
}

/** How far down a header may stand. */
const MOST_TITLES = 60;

/** A payment file whose layout is known. */
export interface Opened {
  readonly grid: Grid;
  readonly placed: Placed;
  /** How many columns the header has; undefined where there is none. */
  readonly width?: number | undefined;
  /** The headers by column, as far as there are any. */
  readonly heads: readonly string[];
  /** The lines above the first row, by number. */
  readonly titles: readonly number[];
  /** Lines below the header that were read while looking for it; the others follow in `rest`. */
  readonly first: readonly SheetLine[];
  readonly rest: AsyncIterator<SheetLine>;
}

type Found = Pick<Opened, 'placed' | 'width' | 'heads' | 'titles' | 'first'>;

/** The first line that is the header of a layout; of several layouts the one that knows most of it. */
function headerIn(lines: readonly SheetLine[], layouts: readonly PaymentLayout[]): Found | undefined {
  for (const [index, line] of lines.entries()) {
    const [best] = layouts
      .map((layout) => placedByHeader(layout, line))
      .filter(({ missing }) => missing.length === 0)
      .sort((one, other) => other.columns.length - one.columns.length);
    if (best === undefined) continue;
    const width = line.cells.findLastIndex((cell) => textOf(cell) !== '') + 1;
    return {
      placed: best,
      width,
      heads: line.cells.map(textOf),
      titles: lines.slice(0, index).map(({ line }) => line),
      first: lines.slice(index + 1),
    };
  }
  return undefined;
}

/** The first line in which a layout by position finds a parcel with an amount; lines with digits in its columns stay. */
function positionIn(
  lines: readonly SheetLine[],
  layout: PaymentLayout,
  { mayBeGuarded }: Pick<Grid, 'mayBeGuarded'>,
): Found | undefined {
  const { columns } = placedByPosition(layout, []);
  const code = columns.find(({ field }) => field === 'shipping_code');
  const amounts = columns.filter(({ field }) => field === 'cod' || field === 'net');
  const cell = (line: SheetLine, index: number) => plainCell(line.cells[index], mayBeGuarded);
  const isCode = (read: ReturnType<typeof readCode>) => read.kind === 'value' && !IN_WORDS.test(read.value);
  const isRow = (line: SheetLine) =>
    code !== undefined &&
    isCode(readCode(cell(line, code.index), code)) &&
    amounts.every((column) => readAmount(cell(line, column.index), column).kind === 'value');
  if (!lines.some(isRow)) return undefined;
  const isTitle = (line: SheetLine) => amounts.every(({ index }) => !/\d/.test(String(cell(line, index))));
  const begin = lines.findIndex((line) => !isTitle(line));
  const titles = lines.slice(0, begin);
  return {
    placed: placedByPosition(layout, titles),
    // Of several lines above the rows the last one.
    heads: Object.assign([], ...titles.map(({ cells }) => cells.map(textOf))),
    titles: titles.map(({ line }) => line),
    first: lines.slice(begin),
  };
}

async function firstOf(lines: AsyncIterator<SheetLine>): Promise<SheetLine[]> {
  const first: SheetLine[] = [];
  while (first.length < MOST_TITLES) {
    const { value, done } = await lines.next();
    if (done) break;
    first.push(value);
  }
  return first;
}

/** Cells of a file that may be our own csv. */
const ESCAPED = { mayBeGuarded: true };

/** What is wrong with a file whose headers no layout knows. */
function unknown(
  name: string,
  heads: readonly (readonly SheetLine[])[],
  layouts: readonly PaymentLayout[],
): SheetError {
  const texts = say().file;
  const nearly = heads
    .flatMap((lines) =>
      lines.flatMap((line) => layouts.map((layout) => ({ line, placed: placedByHeader(layout, line) }))),
    )
    .filter(({ placed }) => !isByPosition(placed.layout) && isNearly(placed))
    .sort((one, other) => one.placed.missing.length - other.placed.missing.length)[0];
  if (nearly !== undefined) {
    const { layout, missing } = nearly.placed;
    const columns = missing.map((one) => JSON.stringify(one)).join(', ');
    const of = { name, title: layout.title, layout: layout.name, row: nearly.line.line, columns };
    return new SheetError(texts.nearly(of), { hint: texts.nearlyHint });
  }
  const names = layouts.map((layout) => layout.name).join(', ');
  const byPlace = layouts.filter(isByPosition);
  const fitting = byPlace.find((layout) => heads.some((lines) => positionIn(lines, layout, ESCAPED) !== undefined));
  const message =
    fitting === undefined
      ? texts.unknown({ name, layouts: names })
      : texts.unknownButPlaced({ name, layouts: names, title: fitting.title, layout: fitting.name });
  return new SheetError(message, {
    facts: { layouts: names, file: name, ...(fitting && { places: fitting.name }) },
  });
}

/** A table without its header: the lines that were looked at, and what was wrong with it. */
interface Unknown {
  readonly heads: readonly (readonly SheetLine[])[];
  readonly failed: unknown;
}

/** Looks for a layout in one sheet, in each way in which its cells may be separated. */
async function openedSheet(
  { format, open, layouts }: PaymentSource,
  sheet: string | undefined,
): Promise<Opened | Unknown> {
  const heads: SheetLine[][] = [];
  let failed: unknown;
  for (const readGrid of format.grids ?? []) {
    try {
      const grid = await readGrid(open(), { sheet });
      const rest = grid.lines[Symbol.asyncIterator]();
      const lines = await firstOf(rest);
      const positional = layouts.filter(
        (layout) => isByPosition(layout) && (layouts.length === 1 || !layout.onlyByName),
      );
      const byHeader = layouts.filter((layout) => !isByPosition(layout));
      const found =
        headerIn(lines, byHeader) ??
        positional.map((layout) => positionIn(lines, layout, grid)).find((one) => one !== undefined);
      if (found !== undefined) return { grid, rest, ...found };
      heads.push(lines);
      await rest.return?.();
    } catch (error) {
      if (!(error instanceof SheetError)) throw error;
      failed ??= error;
    }
  }
  return { heads, failed };
}

/** The sheets of a workbook that are read: of several with rows below a header the first, and it is asked. */
async function sheetsFor(source: PaymentSource): Promise<readonly (string | undefined)[]> {
  const { format, open, sheet, account } = source;
  const sheets = (await format.sheets?.(open())) ?? [];
  if (sheets.length === 0) return [undefined];
  const asked = sheets.find(({ name }) => name === sheet);
  // Whoever opens the sheet says which ones there are.
  if (sheet !== undefined && asked === undefined) return [sheet];
  const look = async ({ name }: NamedSheet): Promise<SheetLook> => {
    const opened = await openedSheet(source, name);
    if (!('rest' in opened)) return 'no header that is known';
    const isEmpty = opened.first.length === 0 && (await opened.rest.next()).done === true;
    await opened.rest.return?.();
    return isEmpty ? 'no rows below its header' : 'fits';
  };
  return (await chosenSheets(sheets, asked, look, account)).map((one) => one.name);
}

/** Finds the layout of a payment file, and opens each sheet of it behind its header. Throws a SheetError. */
export async function* openPayments(source: PaymentSource): AsyncGenerator<Opened, void, undefined> {
  const { name, format, layouts } = source;
  if (format.grids === undefined) throw new SheetError(say().file.records({ name }));
  for (const sheet of await sheetsFor(source)) {
    const opened = await openedSheet(source, sheet);
    if ('rest' in opened) {
      yield opened;
      continue;
    }
    if (opened.heads.every((lines) => lines.length === 0))
      throw opened.failed ?? new SheetError(say().file.empty({ name }));
    throw unknown(name, opened.heads, layouts);
  }
}
