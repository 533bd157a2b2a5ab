import type { Account } from '../account/account.ts';
import { say } from '../texts.ts';
import { type Cell, SheetError, type SheetLine } from './sheet.ts';

/** How well a line fits as a header: how many of its cells name a column that is known. */
export type HeaderScore = (cells: readonly Cell[]) => number;

/** How a header is found in the lines of a table. */
export interface HeaderSearch {
  /** Its line; the first one that fits when absent. */
  readonly headerRow?: number | undefined;
  readonly score?: HeaderScore | undefined;
}

/** Options of a reader. */
export interface ReadOptions extends HeaderSearch {
  /** Name of the sheet, for files that have several. */
  readonly sheet?: string | undefined;
  /** Hears which sheets there are, and asks where several fit. */
  readonly account?: Account | undefined;
}

/** A header, and the lines below it. */
export interface FoundHeader {
  readonly header: SheetLine;
  /** The lines with something in them that stand above it. */
  readonly titles: readonly SheetLine[];
  /** Whether it has columns that are known. */
  readonly isKnown: boolean;
  readonly lines: AsyncGenerator<SheetLine, void, undefined>;
}

/** How far down a header may stand below titles and notes. */
export const MOST_TITLES = 40;
/** One known word may stand in any sentence. */
export const LEAST_KNOWN = 2;

const filledIn = ({ cells }: SheetLine) => cells.filter((cell) => String(cell ?? '').trim() !== '').length;

/** Whether a line is a header that is known: by several of its columns, or by the only one that it has. */
const isKnown = (line: SheetLine, known: number) => known >= LEAST_KNOWN || (known > 0 && known === filledIn(line));

const isFilled = (line: SheetLine) => filledIn(line) > 0;

async function* below(lines: readonly SheetLine[], rest: AsyncIterator<SheetLine>) {
  yield* lines;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

const nameIn = (cell: Cell | undefined) => String(cell ?? '').trim();

/** The cells of a header in composed form (NFC), whatever form a Mac wrote them in. */
const composed = (cells: readonly Cell[]): readonly Cell[] =>
  cells.map((cell) => (typeof cell === 'string' ? cell.normalize('NFC') : cell));

const withComposed = (header: SheetLine): SheetLine => ({ ...header, cells: composed(header.cells) });

/** The names of columns in a line, and in the one above it where it has none, as merged cells leave them. */
function wholeNames(groups: SheetLine, { line, cells }: SheetLine): readonly string[] {
  const isBelow = groups.line + 1 === line;
  const columns = Math.max(isBelow ? groups.cells.length : 0, cells.length);
  return Array.from({ length: columns }, (_, at) => nameIn(cells[at]) || (isBelow ? nameIn(groups.cells[at]) : ''));
}

/** A header with what a line of groups above it says: names of columns that it has none for, and which of equal ones is whose. */
function belowGroups(groups: SheetLine | undefined, header: SheetLine, score: HeaderScore): SheetLine {
  if (groups === undefined || groups.line + 1 !== header.line) return header;
  const names = wholeNames(groups, header);
  const own = header.cells.map(nameIn);
  const isTwice = (name: string) => name !== '' && own.indexOf(name) !== own.lastIndexOf(name);
  if (score(names) <= score(own) && !own.some(isTwice)) return header;
  let group = '';
  const cells = names.map((name, at) => {
    group = nameIn(groups.cells[at]) || group;
    return isTwice(name) ? `${name} ${group}`.trim() : name;
  });
  return { ...header, cells };
}

/** The line of a number; throws a SheetError if it has nothing in it. */
async function headerAt(number: number, lines: AsyncIterator<SheetLine>, score: HeaderScore): Promise<FoundHeader> {
  for (const titles: SheetLine[] = []; ; ) {
    const { value, done } = await lines.next();
    if (done || value.line > number) throw new SheetError(say().file.blankHeader({ line: number }));
    if (value.line === number) {
      const header = withComposed(belowGroups(titles.at(-1), value, score));
      return { header, titles, isKnown: isKnown(header, score(header.cells)), lines: below([], lines) };
    }
    titles.push(value);
  }
}

/**
 * Finds the header: the line that was asked for; else the first line, unless it names no column and one further down
 * does, below a title or notes. Undefined for a table without a line.
 */
export async function findHeader(
  lines: AsyncIterator<SheetLine>,
  { headerRow, score: given = () => LEAST_KNOWN }: HeaderSearch,
): Promise<FoundHeader | undefined> {
  const score: HeaderScore = (cells) => given(composed(cells));
  if (headerRow !== undefined) return headerAt(headerRow, lines, score);
  const seen: SheetLine[] = [];
  let best = { index: 0, known: 0 };
  while (seen.length <= MOST_TITLES) {
    const { value, done } = await lines.next();
    if (done) break;
    if (!isFilled(value)) continue;
    const known = score(value.cells);
    if (known > best.known && (known >= LEAST_KNOWN || seen.length === 0)) best = { index: seen.length, known };
    seen.push(value);
    // A first line that names columns is the header, or has the groups of the one below it, whatever stands below.
    if (best.known >= LEAST_KNOWN && best.index === 0 && seen.length === 2) break;
  }
  const [at, next] = [seen[best.index], seen[best.index + 1]];
  if (at === undefined) return undefined;
  // A line of data has numbers, whatever words stand beside them.
  const mayName = next?.cells.every((cell) => !/\d/.test(nameIn(cell))) === true;
  const isOfGroups = mayName && score(wholeNames(at, next)) > Math.max(best.known, 1);
  const index = isOfGroups ? best.index + 1 : best.index;
  const header = withComposed(belowGroups(seen[index - 1], isOfGroups ? next : at, score));
  return {
    header,
    titles: seen.slice(0, index),
    isKnown: isKnown(header, isOfGroups ? score(header.cells) : best.known),
    lines: below(seen.slice(index + 1), lines),
  };
}
