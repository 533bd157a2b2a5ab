import type { Rows } from '../../action/action.ts';
import { isComing } from '../../domain/coming-lists.ts';
import { fieldsIn, writeJson } from '../../domain/json/values.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import { jsonSafe } from '../../platform/terminal/text-safety.ts';
import type { Writer } from './rows.ts';
import { mapped, projectionOf, writeEach, writeOne } from './rows.ts';

/** The value as JSON, with control and bidi characters escaped; `null` for what JSON cannot express. */
export function toJson(value: unknown, indent?: number): string {
  return jsonSafe(writeJson(value, indent));
}

/** One value, indented. */
export function jsonRecord(value: unknown): string {
  return `${toJson(value, 2)}\n`;
}

/**
 * One array, written row by row; returns how many rows stdout accepted. If reading the rows fails, the closing bracket
 * is omitted, so that nobody takes a part for the whole, and the error is passed to the caller.
 */
export async function printJsonList(rows: AsyncIterable<unknown> | Iterable<unknown>, stdout: Sink): Promise<number> {
  const count = await printItems(rows, '\n', stdout);
  if (!stdout.closed) await stdout.write('\n');
  return count;
}

/** An array without a line end; `line` begins each line at its depth. */
async function printItems(rows: Rows<unknown>, line: string, stdout: Sink): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    await stdout.write(`${count === 0 ? '[' : ','}${line}  ${toJson(row, 2).replaceAll('\n', `${line}  `)}`);
    if (stdout.closed) return count;
    count += 1;
  }
  await stdout.write(count === 0 ? '[]' : `${line}]`);
  return count;
}

/** One record with lists that are still coming, as `jsonRecord` writes it: their rows are written as they come. */
export async function printComing(record: unknown, stdout: Sink): Promise<number> {
  let before = '{\n  ';
  for (const [name, value] of Object.entries(fieldsIn(record))) {
    if (value === undefined) continue;
    await stdout.write(`${before}${toJson(name)}: `);
    before = ',\n  ';
    if (isComing(value)) await printItems(value, '\n  ', stdout);
    else await stdout.write(toJson(value, 2).replaceAll('\n', '\n  '));
    if (stdout.closed) return 0;
  }
  return writeOne('\n}\n', stdout);
}

/** One value on one line. */
export function jsonLine(value: unknown): string {
  return `${toJson(value)}\n`;
}

/** Results as JSON. */
export const json: Writer = {
  list({ rows, live }, settings, stdout) {
    const project = projectionOf(settings);
    if (live === true) return writeEach(rows, (row) => jsonLine(project(row)), stdout);
    return printJsonList(mapped(rows, project), stdout);
  },
  record: ({ value }, settings, stdout) => writeOne(jsonRecord(projectionOf(settings)(value)), stdout),
};

/** Results as JSON lines. */
export const jsonLines: Writer = {
  list({ rows }, settings, stdout) {
    const project = projectionOf(settings);
    return writeEach(rows, (row) => jsonLine(project(row)), stdout);
  },
  record: ({ value }, settings, stdout) => writeOne(jsonLine(projectionOf(settings)(value)), stdout),
};
