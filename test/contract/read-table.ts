import { readFileSync } from 'node:fs';

/** The rows of a table beside the tests: a first line says what it is, the second names the columns. */
export function readTable(name: string): Record<string, string>[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const [, header = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const columns = header.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}
