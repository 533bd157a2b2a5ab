import type { FieldError } from '../../contract/operation.ts';
import { isOfWholeColumn } from '../../domain/damaged-text.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import type { CellFault } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';

const MOST_LINES = 20;
const MOST_CHARACTERS = 200;

/** A text that may be a whole cell, or quote one, short enough for a line. */
function short(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** A faulty cell's value with what is wrong with it. */
function wrongOf({ value, message }: CellFault): string {
  return `${value === '' ? '' : `${JSON.stringify(short(value))} `}${short(message)}`;
}

/** A faulty or unusual cell as one line for a person. */
export function faultLine(fault: CellFault): string {
  return `${placeText(fault.cell)}: ${wrongOf(fault)}`;
}

/** A row with its place as a person reads it. */
export const placed = <Row extends { readonly cell: string }>(row: Row): Row => ({ ...row, cell: placeText(row.cell) });

/** The column of a cell: `column phone` of `line 12, column phone`, and `Orders!F` of `Orders!F12`. */
const columnOf = (cell: string) => cell.replace(/^line \d+, |(?<=![A-Z]+)\d+$/, '');

/** A row without any of its cells: what is wrong with it is in no column, and of other rows alike. */
const WHOLE_ROW = /^(?:line|row) \d+$/;

/** Faults of which there is a line: one each, or all that the cells of a column have for one reason of the whole file. */
function groupsOf(faults: readonly CellFault[]): CellFault[][] {
  const groups: CellFault[][] = [];
  const columns = new Map<string, CellFault[]>();
  for (const fault of faults) {
    const isOfFile = isOfWholeColumn(fault.message) || WHOLE_ROW.test(fault.cell);
    const key = isOfFile ? `${columnOf(fault.cell).replace(WHOLE_ROW, '')} ${wrongOf(fault)}` : undefined;
    const known = key === undefined ? undefined : columns.get(key);
    if (known !== undefined) {
      known.push(fault);
      continue;
    }
    const group = [fault];
    groups.push(group);
    if (key !== undefined) columns.set(key, group);
  }
  return groups;
}

/**
 * The first faulty cells, one line each, and how many more there are; what is wrong with a column of the file, such as
 * names that are hidden, is one line. `rows` is how many rows the file has.
 */
export function faultLines(faults: readonly CellFault[], rows?: number): string[] {
  const groups = groupsOf(faults);
  const shown = groups.slice(0, MOST_LINES);
  const lines = shown.flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first === undefined ? [] : [faultLine(first)];
    const count = new Set([first, ...others].map(({ row, cell }) => row ?? cell)).size;
    return [say().faults.rowsSuch({ count, of: rows, fault: faultLine(first) })];
  });
  const more = faults.length - shown.reduce((sum, group) => sum + group.length, 0);
  return more === 0 ? lines : [...lines, say().faults.more({ count: more })];
}

/** Faulty cells for a program. */
export function faultErrors(faults: readonly CellFault[]): FieldError[] {
  return faults.map((fault) => ({ path: fault.cell, message: wrongOf(fault) }));
}

/** GitHub shows ten of a step; more would be text that nobody reads. */
const MOST_ANNOTATIONS = 10;

/** A text within a workflow command of GitHub Actions: its separators are escaped. */
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Faulty cells as annotations of the file, if GitHub Actions runs this. */
export function annotations(
  faults: readonly CellFault[],
  file: string | null | undefined,
  { GITHUB_ACTIONS }: Readonly<Record<string, string | undefined>>,
): string[] {
  if (GITHUB_ACTIONS !== 'true' || !file || file === '-') return [];
  return faults.slice(0, MOST_ANNOTATIONS).map((fault) => {
    const [, line] = /^line (\d+)/.exec(fault.cell) ?? /![A-Z]+(\d+)$/.exec(fault.cell) ?? [];
    const at = line === undefined ? '' : `,line=${line}`;
    return `::error file=${escapedProperty(file)}${at}::${escaped(faultLine(fault))}`;
  });
}
