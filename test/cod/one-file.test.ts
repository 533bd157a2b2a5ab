import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countsFiles } from './counted-files.ts';

const directory = mkdtempSync(join(tmpdir(), 'shopctl-counted-'));

countsFiles({
  name: 'SQLite',
  missing: undefined,
  place: async () => join(directory, 'mirror.db'),
  end: async () => rmSync(directory, { recursive: true, force: true }),
});
