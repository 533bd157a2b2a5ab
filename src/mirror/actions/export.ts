import { join, resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { int, list, oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import { listFileFormats } from '../../operations/actions/list-to-file.ts';
import { atMirror, requireMirror, requireNoOtherShop } from './place.ts';
import { rowsOfQuery, writeRows } from './sql.ts';

/** `mirror export`. */
export const exportMirror = action({
  id: 'mirror.export',
  words: ['mirror', 'export'],
  summary: 'Write every table of the mirror to a file of its own',
  description: 'The files are named TABLE.FORMAT; each one is complete or not there at all.',
  examples: ['shopctl mirror export --to backup --format csv'],
  effect: 'local',
  needs: ['key'],
  input: requiring(
    { to: text('the directory') },
    { format: oneOf(listFileFormats, 'the format of the files; csv when absent') },
  ),
  hints: { to: { placeholder: 'DIR', from: 'path' } },
  output: list(z.object({ file: text('The file'), rows: int('How many rows it has', 'rows') }), 'A file each'),
  async run({ to, format }, ports) {
    requireMirror(ports, 'export');
    await requireNoOtherShop(ports);
    ports.intend({ export: to, format: format ?? 'csv' });
    const { describedTables } = await import('../index.ts');
    // Creates what is missing of the schema, so that every table is there.
    await atMirror(ports, async () => {});
    const directory = resolve(ports.workingDirectory, to);
    const files: { file: string; rows: number }[] = [];
    for (const { name, kind } of describedTables()) {
      if (kind === 'view') continue;
      const file = join(directory, `${name}.${format ?? 'csv'}`);
      const { columns, rows } = await rowsOfQuery(`select * from "${name}"`, ports);
      files.push({ file, rows: await writeRows(file, columns, rows) });
    }
    return files;
  },
});
