import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite, SqliteUnavailableError } from '../../src/platform/sqlite/sqlite.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';

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

it('uses better-sqlite3 before Node 24, where it can be loaded, and Node’s own SQLite from there on', async () => {
  const database = await openSqlite(':memory:');
  onTestFinished(() => database.close());
  const isNew = Number(process.versions.node.split('.')[0]) >= 24;
  expect(database.driver).toBe(isNew ? 'node:sqlite' : sqliteDrivers[0]);
  if (isNew) await expect(openSqlite(':memory:', 'better-sqlite3')).rejects.toThrow('no SQLite');
});
