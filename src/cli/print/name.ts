import { isRecord, valueAt } from '../../domain/json/values.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { plainText } from './cell.ts';
import type { View } from './document.ts';
import type { Writer } from './rows.ts';
import { writeEach, writeOne } from './rows.ts';

/**
 * The id of a record on a line; one per entry if the path leads through a list; a bare value itself. Empty without one.
 */
export function nameLines(row: unknown, view: View): string {
  const found = isRecord(row) ? valueAt(row, view.name ?? 'id') : row;
  return [found]
    .flat(Number.POSITIVE_INFINITY)
    .filter((name) => name !== null && name !== undefined && name !== '')
    .map((name) => `${makeSafe(plainText(name))}\n`)
    .join('');
}

/** Results as the names of their records. */
export const name: Writer = {
  list: ({ rows, view }, _settings, stdout) => writeEach(rows, (row) => nameLines(row, view), stdout),
  record: ({ value, view }, _settings, stdout) => writeOne(nameLines(value, view), stdout),
};
