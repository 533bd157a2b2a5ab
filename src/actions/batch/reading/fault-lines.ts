import type { FieldError } from '../../../contract/operation.ts';
import { formatMoney } from '../../../domain/amounts/money.ts';
import type { CellFault } from '../../../sheets/source-row.ts';

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
  return `${fault.cell}: ${wrongOf(fault)}`;
}

/** The first faulty cells, one line each, and how many more there are. */
export function faultLines(faults: readonly CellFault[]): string[] {
  const lines = faults.slice(0, MOST_LINES).map(faultLine);
  const more = faults.length - lines.length;
  return more === 0 ? lines : [...lines, `… and ${formatMoney(more)} more; -o json lists all of them`];
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
