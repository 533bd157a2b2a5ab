import { execFileSync, spawnSync } from 'node:child_process';

/** Another program that writes and reads workbooks, Debian's python3-openpyxl; undefined where it is not installed. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import openpyxl']).status === 0,
);

/** A sheet as another program reads it: its name, its cells, and how each number is shown. */
export interface SheetElsewhere {
  readonly title: string;
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly formats: readonly (readonly string[])[];
}

/** Reads workbooks with another program. */
export function readElsewhere(paths: readonly string[]): SheetElsewhere[][] {
  const program = `import openpyxl, datetime, json, sys
when = lambda v: v.date().isoformat() if isinstance(v, datetime.datetime) else str(v)
print(json.dumps([[{
  "title": ws.title,
  "rows": [[c.value for c in row] for row in ws.iter_rows()],
  "formats": [[c.number_format for c in row] for row in ws.iter_rows()],
} for ws in openpyxl.load_workbook(path)] for path in sys.argv[1:]], default=when))`;
  return JSON.parse(execFileSync(python ?? 'python3', ['-c', program, ...paths], { encoding: 'utf8' }));
}
