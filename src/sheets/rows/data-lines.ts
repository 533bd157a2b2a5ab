import type { LineRule, LineVerdict } from '../account/judge-lines.ts';
import type { Cell, SheetLine, TableSheet } from '../formats/sheet.ts';
import { normalForm } from '../service/normal-form.ts';
import type { FieldColumn, RowOptions } from './row-options.ts';

/** The lines of a sheet that are data, and what was left out of it, which grows while they are read. */
export interface DataLines {
  readonly lines: AsyncGenerator<SheetLine, void, undefined>;
  readonly told: readonly string[];
}

const textIn = (cell: Cell | undefined) => String(cell ?? '').trim();

/** How a row of sums begins. */
const TOTAL = /^(?:tong(?: cong| so| tien)?|cong|total|grand total|sum)\b/;

const isNumeric = ({ field: { schema } }: FieldColumn) => schema.type === 'integer' || schema.type === 'number';

/**
 * Whether a line begins like a row of sums, and has nothing else but numbers: "Công ty" and "Tống" are how names begin.
 */
function isTotal({ cells }: SheetLine, used: readonly FieldColumn[]): boolean {
  const label = cells.findIndex((cell) => typeof cell === 'string' && cell.trim() !== '');
  const isSum = (index: number) => TOTAL.test(normalForm(textIn(cells[index])));
  const isBeside = (column: FieldColumn) =>
    isNumeric(column) || textIn(cells[column.index]) === '' || isSum(column.index);
  return isSum(label) && used.every(isBeside);
}

/** The fewest cells that a row of explanations has. */
const FEWEST_EXPLAINED = 4;

/** Whether a line explains the columns: nothing but words, also where numbers are due. */
function explains({ cells }: SheetLine, columns: readonly FieldColumn[]): boolean {
  const numbers = columns.filter((column) => isNumeric(column) && textIn(cells[column.index]) !== '');
  const texts = cells.map(textIn).filter((text) => text !== '');
  const isWords = (text: string) => !/\d/.test(text) && /\p{L}{3}/u.test(text);
  return numbers.length > 1 && texts.length >= FEWEST_EXPLAINED && texts.every(isWords);
}

/** Leaves out the lines with one of the words of a mapping; a blank cell says what the first line of the record does. */
export function leaveOutRule({ columns }: TableSheet, { mapping }: RowOptions): LineRule {
  const by = Object.entries(mapping?.leaveOut ?? {}).flatMap(([name, words]) => {
    const index = columns.indexOf(name);
    return index < 0 ? [] : [{ index, name, words: new Set(words.map(normalForm)) }];
  });
  return (line, first) =>
    by.flatMap(({ index, name, words }): LineVerdict[] => {
      const text = textIn(line.cells[index]) || textIn(first.cells[index]);
      return words.has(normalForm(text)) ? [{ kind: 'leave', reason: `${name} "${text}"` }] : [];
    });
}

/**
 * The lines of a sheet that are data: without a second header row below the header and without a row of sums at the end.
 * What is left out is told.
 */
export function dataLines(
  sheet: TableSheet,
  options: RowOptions,
  used: readonly FieldColumn[],
  naming: readonly FieldColumn[],
): DataLines {
  const told: string[] = [];
  const nameOf = ({ line }: SheetLine) => sheet.cellName(line, used[0]?.index ?? 0);
  /** The lines below a second header row. */
  async function* belowHeader(): AsyncGenerator<SheetLine, void, undefined> {
    let first: SheetLine | undefined;
    // Nobody explains the columns of a sheet in our own layout.
    let isBelow = Object.keys(options.mapping?.columns ?? {}).length > 0;
    for await (const line of sheet.lines) {
      if (isBelow && first === undefined && explains(line, used)) {
        first = line;
        continue;
      }
      isBelow = false;
      // One that no data follow may be a row with nothing but wrong cells.
      if (first !== undefined && explains(line, used)) yield first;
      else if (first !== undefined)
        told.push(`${nameOf(first)}: the row below the header explains the columns, and is left out`);
      first = undefined;
      yield line;
    }
    if (first !== undefined) yield first;
  }
  async function* lines(): AsyncGenerator<SheetLine, void, undefined> {
    let held: SheetLine[] = [];
    for await (const line of belowHeader()) {
      if (naming.length > 0 && isTotal(line, used)) {
        held.push(line);
        continue;
      }
      // Only a row of sums at the end is none of the data.
      yield* held;
      held = [];
      yield line;
    }
    for (const line of held) told.push(`${nameOf(line)}: a row of sums is left out`);
  }
  return { lines: lines(), told };
}
