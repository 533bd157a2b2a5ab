import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The rows of a table of this directory: a first line says what it is, the second names the columns. */
export function readTable(name: string): Record<string, string>[] {
  const text = readFileSync(resolve('test/contract', name), 'utf8');
  const [, header = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const columns = header.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}
