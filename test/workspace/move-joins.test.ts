import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import { tellOfChanges } from './move-joins.ts';
import type { Made } from './moved-changes.ts';
import { tellOfPayments } from './moved-payments.ts';

const directory = mkdtempSync(join(tmpdir(), 'shopctl-joins-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let count = 0;
const file: Made = {
  async place() {
    count += 1;
    return join(directory, `${count}`, 'workspace.db');
  },
  open: (place) => openSqliteWorkspace(place),
};

describe('a file that is moved into one in use', () => {
  tellOfChanges(file, file);
  tellOfPayments(file, file);
});
