import { placeText } from '../../../sheets/formats/sheet.ts';
import type { ReadFacts } from '../../plan/read-rows.ts';
import { SENT_TO_PHONE, UNREAD_NOTE, type WarningKind } from '../../plan/remarks.ts';
import { say } from '../../texts.ts';
import { faultLine } from '../fault-lines.ts';

/** So many cells with warnings of a kind are shown one by one: as many as a screen has rows of a plan. */
const MOST_OF_A_KIND = 50;
/** So many rows are shown for their warnings. */
const MOST_ROWS = 100;
const MOST_READINGS = 10;

/** Whether more than half of the rows have it: then it says nothing of any of them. */
const isCommon = ({ code, inRows }: WarningKind, rows: number) =>
  code !== SENT_TO_PHONE && code !== UNREAD_NOTE && inRows > 1 && inRows > rows / 2;

function linesOfKind(kind: WarningKind, rows: number): string[] {
  const { cells, count, inRows } = kind;
  const [first] = cells;
  if (first !== undefined && isCommon(kind, rows)) {
    return [say().faults.ofRowsSuch({ count: inRows, rows, fault: faultLine(first) })];
  }
  const shown = cells.slice(0, MOST_OF_A_KIND).map(faultLine);
  const more = count - shown.length;
  return more === 0 ? shown : [...shown, say().faults.cellsLikeThis({ count: more })];
}

const asWarning = (line: string) => say().faults.warning({ line });

/**
 * What is unusual about a file, one line each: of the file as a whole; of what more than half of the rows have, the first
 * cell; of everything else, each cell, by its kind.
 */
export function warningLines({
  read,
  remarks,
  rows,
}: Pick<ReadFacts, 'remarks' | 'rows'> & { readonly read: Pick<ReadFacts['read'], 'warnings'> }): string[] {
  const lines = remarks.kinds.flatMap((kind) => linesOfKind(kind, rows));
  return [...read.warnings.map(({ message }) => message), ...lines].map(asWarning);
}

/** The lines that say which parcels may have gone to their phones before, and of how many rows. */
export function sentBefore({ remarks, rows }: Pick<ReadFacts, 'remarks' | 'rows'>) {
  const kinds = remarks.kinds.filter(({ code }) => code === SENT_TO_PHONE);
  const lines = kinds.flatMap((kind) => linesOfKind(kind, rows)).map(asWarning);
  return { lines, inRows: kinds.reduce((sum, { inRows }) => sum + inRows, 0) };
}

/** What may send a parcel to the wrong person or place, or collect the wrong amount, by the kinds of warnings. */
const risky = {
  phone: ['unusual_phone', 'unusual_phone_84', 'foreign_phone', 'call_centre_phone'],
  place: ['unknown_place', 'ambiguous_place'],
  cash: ['cash_a_tenth', 'cash_below', 'cash_above_total', 'cash_in_note', 'deposit_differs'],
  text: ['lost_letter', 'made_a_date'],
} as const;

/** So many cells, and letters of one, are named in a question. */
const MOST_NAMED = 3;
const MOST_LETTERS = 24;

/** What a question names of the rows that may go wrong: how many, and the first cells. */
export interface Risk {
  readonly kind: keyof typeof risky;
  readonly count: number;
  readonly cells: readonly string[];
  readonly rest: number;
}

/** The rows that may go wrong, by what is wrong, with the lines that say it; nothing of what most rows have. */
export function risksIn({ remarks, rows }: Pick<ReadFacts, 'remarks' | 'rows'>) {
  const found = (['phone', 'place', 'cash', 'text'] as const).flatMap((kind) => {
    const codes: readonly string[] = risky[kind];
    const kinds = remarks.kinds.filter((one) => codes.includes(one.code) && !isCommon(one, rows));
    const cells = kinds.flatMap((one) => one.cells).slice(0, MOST_NAMED);
    const count = kinds.reduce((sum, { inRows }) => sum + inRows, 0);
    const named = cells.map(({ cell, value }) => `${placeText(cell)} ${JSON.stringify(value.slice(0, MOST_LETTERS))}`);
    const rest = kinds.reduce((sum, one) => sum + one.count, 0) - cells.length;
    const lines = kinds.flatMap((one) => linesOfKind(one, rows)).map(asWarning);
    return count === 0 ? [] : [{ risk: { kind, count, cells: named, rest }, lines }];
  });
  return { risks: found.map(({ risk }): Risk => risk), lines: found.flatMap(({ lines }) => lines) };
}

/** The numbers of the first rows with warnings that not most rows have. */
export function warnedRows(
  { remarks, rows }: Pick<ReadFacts, 'remarks' | 'rows'>,
  others: readonly number[],
): number[] {
  const own = remarks.kinds.flatMap((kind) => (isCommon(kind, rows) ? [] : kind.rows));
  return [...new Set([...own, ...others])].sort((one, other) => one - other).slice(0, MOST_ROWS);
}

/** How cells were read otherwise than they are written, the first few. */
export function readingLines({ readings, readingCount }: ReadFacts['remarks']): string[] {
  const lines = readings.slice(0, MOST_READINGS).map(faultLine);
  const more = readingCount - lines.length;
  return more === 0 ? lines : [...lines, say().faults.cellsMore({ count: more })];
}
