import { type CsvManner, cellWriter, unguard } from '../../domain/csv-guard.ts';
import { escapeHidden, unescapeHidden } from '../../platform/terminal/text-safety.ts';

/**
 * The function that writes the text of a csv cell in this manner, before it is quoted: hidden characters are escaped, and
 * formulas guarded. `textInCell` reads it back.
 */
export function textWriter(manner: CsvManner): (text: string) => string {
  const written = cellWriter(manner);
  return (text) => written(escapeHidden(text));
}

/** The text that was passed to `textWriter`; a cell of another program is returned as it is, but for an escape of ours. */
export function textInCell(cell: string): string {
  return unescapeHidden(unguard(cell));
}
