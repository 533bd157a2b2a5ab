import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteProblem } from '../../src/platform/process/error-code.ts';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';

async function temporaryFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-problem-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'data.sqlite');
}

/** What an attempt throws. */
async function failureOf(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

describe.each(sqliteDrivers)('a failure of %s', (driver) => {
  it('is told apart: no database, a lock, a directory, a file that may not be written', async () => {
    const path = await temporaryFile();
    await writeFile(path, 'this is a text and no database, and it is long enough for a header '.repeat(9));
    const read = async () => (await openSqlite(path, driver)).exec('select * from sqlite_schema');
    expect(sqliteProblem(await failureOf(read))).toBe('damaged');
    expect(sqliteProblem(await failureOf(() => openSqlite(join(path, '..'), driver)))).toBe('unwritable');

    const locked = await temporaryFile();
    const holder = await openSqlite(locked, driver);
    const other = await openSqlite(locked, driver);
    onTestFinished(() => {
      holder.close();
      other.close();
    });
    holder.exec('create table one (value)');
    other.exec('pragma busy_timeout = 0');
    holder.exec('begin exclusive');
    expect(sqliteProblem(await failureOf(() => other.exec('begin immediate')))).toBe('busy');
    holder.exec('commit');
    other.exec('pragma query_only = on');
    expect(sqliteProblem(await failureOf(() => other.exec('insert into one values (1)')))).toBe('unwritable');
    expect(sqliteProblem(await failureOf(() => other.exec('select * from two')))).toBeUndefined();
  });
});

describe('a problem', () => {
  it.each([
    [{ errcode: 1544 }, 'unwritable'],
    [{ errcode: 517 }, 'busy'],
    [{ errcode: 778 }, 'io'],
    [{ code: 'SQLITE_IOERR_FSYNC' }, 'io'],
    [{ code: 'ENOSPC' }, 'full'],
    [{ code: 'EIO' }, 'io'],
    [{ code: 'EROFS' }, 'unwritable'],
    [{ code: 'ENOENT' }, undefined],
    [{ errcode: 19 }, undefined],
    [undefined, undefined],
  ])('of %o is %s: extended codes count as their primary one', (error, problem) => {
    expect(sqliteProblem(error)).toBe(problem);
  });
});
