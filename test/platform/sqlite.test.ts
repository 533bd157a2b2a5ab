import { once } from 'node:events';
import { expect, it } from 'vitest';
import { openSqlite, SqliteUnavailableError } from '../../src/platform/sqlite/sqlite.ts';

const isBuiltIn = process.getBuiltinModule?.('node:module').isBuiltin('node:sqlite') === true;

it(`Node's own SQLite ${isBuiltIn ? 'is opened without a word' : 'is said to be missing where it is'}`, async () => {
  if (!isBuiltIn) {
    const refusal = await openSqlite(':memory:', 'node:sqlite').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SqliteUnavailableError);
    // A missing driver is the machine's, and no bug of ours.
    expect(refusal).toMatchObject({ kind: 'configuration', code: 'sqlite_unavailable' });
    return;
  }
  const heard = once(process, 'warning');
  const database = await openSqlite(':memory:', 'node:sqlite');
  expect(database.prepare('SELECT 1 AS one').all([])).toEqual([{ one: 1 }]);
  database.close();
  // Warnings come in order: had there been one, it would be heard before this.
  process.emitWarning('and nothing before it', 'ExpectedWarning');
  expect((await heard)[0]).toMatchObject({ name: 'ExpectedWarning' });
});
