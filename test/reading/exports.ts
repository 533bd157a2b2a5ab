import { readFileSync } from 'node:fs';

type Cells = Readonly<Record<string, string>>;

/** The header of an example export, and its lines as cells by their columns. */
export function exampleExport(name: string): { readonly columns: readonly string[]; readonly lines: readonly Cells[] } {
  const text = readFileSync(new URL(`../../examples/exports/${name}`, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head.split(',');
  return {
    columns,
    lines: lines.map((line) => {
      const own = line.match(/"[^"]*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? [];
      return Object.fromEntries(columns.map((column, at) => [column, (own[at] ?? '').replaceAll('"', '')]));
    }),
  };
}

const written = (columns: readonly string[], lines: readonly Cells[]) =>
  [columns, ...lines.map((line) => columns.map((column) => line[column] ?? ''))]
    .map(
      (cells) => `${cells.map((cell) => (/[,"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`,
    )
    .join('');

/** An example export with other cells, by line, and with more columns. */
export function exportWith(name: string, cells: Readonly<Record<number, Cells>>, added: readonly string[] = []) {
  const { columns, lines } = exampleExport(name);
  return written(
    [...columns, ...added],
    lines.map((line, index) => ({ ...line, ...cells[index + 1] })),
  );
}

/** An export with these lines, each of which is the first order of the example but for these cells. */
export function exportWithLines(name: string, given: readonly Cells[]) {
  const { columns, lines } = exampleExport(name);
  // The second line of TikTok Shop explains the columns.
  const [first = {}, second = {}] = lines;
  const pattern = /\.$/.test(Object.values(first)[0] ?? '') ? second : first;
  const added = given.flatMap((cells) => Object.keys(cells)).filter((column) => !columns.includes(column));
  return written(
    [...columns, ...new Set(added)],
    given.map((cells) => ({ ...pattern, ...cells })),
  );
}
