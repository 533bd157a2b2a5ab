import type { Rows } from '../../../action/action.ts';
import type { Sink } from '../../../platform/terminal/streams.ts';
import type { PrintSettings } from '../print-settings.ts';
import { projectTo } from '../select/projection.ts';

/** What is printed of a record: all of it, or the requested fields. */
export function projectionOf({ fields }: Pick<PrintSettings, 'fields'>): (record: unknown) => unknown {
  return fields === undefined ? (record) => record : projectTo(fields);
}

/** Writes a text for each row as it arrives; returns how many rows stdout accepted. */
export async function writeEach(rows: Rows<unknown>, textOf: (row: unknown) => string, stdout: Sink): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    await stdout.write(textOf(row));
    if (stdout.closed) return count;
    count += 1;
  }
  return count;
}

/** Writes the text of one record; returns 1 unless stdout did not accept it. */
export async function writeOne(text: string, stdout: Sink): Promise<number> {
  await stdout.write(text);
  return stdout.closed ? 0 : 1;
}

/** Maps each row as it arrives. */
export async function* mapped(rows: Rows<unknown>, change: (row: unknown) => unknown): AsyncGenerator<unknown, void> {
  for await (const row of rows) yield change(row);
}
