import { wrapWords } from '../../../platform/terminal/word-wrap.ts';
import type { PrintColumn } from './columns.ts';

/** A value that stands below its row, or the heading of one. */
export interface BelowRow {
  readonly column: Pick<PrintColumn, 'below'>;
  readonly text: string;
}

const gap = '  ';

/** The most that lines below a row are indented. */
const mostIndent = 8;

/** The lines below a row, wrapped between words; the indentation is below the second column, if that is not far. */
export function linesBelow(values: readonly BelowRow[], first: number, available: number): string[] {
  const indent = Math.min(first + gap.length, mostIndent);
  const texts: string[] = [];
  for (const { column, text } of values) {
    if (text === '') continue;
    const before = column.below === 'same-line' ? texts.pop() : undefined;
    texts.push(before === undefined ? text : `${before}${gap}${text}`);
  }
  return texts.flatMap((text) => wrapWords(`${' '.repeat(indent)}${text}`, available, indent + gap.length));
}
