import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isTaken, sqliteProblem } from '../../src/platform/process/error-code.ts';
import { takeWarnings } from '../../src/platform/process/node-warnings.ts';
import { openSqliteHere, type SqliteConnection } from '../../src/platform/sqlite/sqlite-connection.ts';
import { openSqliteInThread } from '../../src/platform/sqlite/sqlite-thread.ts';
import { type BuiltThread, buildThread, builtThread } from '../support/sqlite-in-thread.ts';

let thread: BuiltThread;
beforeAll(async () => {
  thread = await builtThread();
});
afterAll(() => thread.remove());

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-sqlite-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function opened(open: (path: string) => Promise<SqliteConnection>, path = join(scratch(), 'a.db')) {
  const connection = await open(path);
  onTestFinished(() => connection.close());
  return connection;
}

const values = { text: 'Áo "dài"', id: '1900000000000000607', number: 26_500, empty: null };

describe.each([
  ['in this thread', openSqliteHere],
  ['in a thread of its own', (path: string) => thread.open(path)],
])('a connection %s', (_, open) => {
  it('returns rows as they are, and how many were changed', async () => {
    const { run } = await opened(open);
    await run('create table t (text text, id text, number integer, empty text)');
    expect(
      await run('insert into t values (?, ?, ?, ?), (?, ?, ?, ?)', [...Object.values(values), 'b', '2', 2, null]),
    ).toEqual({ rows: [], changes: 2 });
    expect(await run('select * from t order by number desc')).toEqual({
      rows: [values, { text: 'b', id: '2', number: 2, empty: null }],
    });
    expect(await run('select * from t where number = ?', [7])).toEqual({ rows: [] });
    expect(await run('update t set number = 3 returning number')).toEqual({ rows: [{ number: 3 }, { number: 3 }] });
  });

  it('runs statements in the order in which they are given, also without waiting for those before', async () => {
    const { run } = await opened(open);
    const given = [
      run('create table t (number integer)'),
      run('begin immediate'),
      ...Array.from({ length: 50 }, (_, number) => run('insert into t values (?)', [number])),
      run('commit'),
      run('select count(*) as rows, group_concat(number) as numbers from t'),
    ];
    const { rows } = (await Promise.all(given)).at(-1) ?? {};
    expect(rows).toEqual([{ rows: 50, numbers: Array.from({ length: 50 }, (_, number) => number).join(',') }]);
  });

  it('runs statements together, all or none, and is free afterwards', async () => {
    const { run, runAll } = await opened(open);
    await run('create table t (number integer primary key)');
    const insert = (number: number) => ({ sql: 'insert into t values (?)', parameters: [number] });
    await runAll([insert(1), insert(2)]);
    await expect(runAll([insert(3), insert(1), insert(4)])).rejects.toSatisfy(isTaken);
    // As SQLite does by itself if the disk is full.
    await expect(runAll([insert(3), { sql: 'rollback', parameters: [] }, insert(1)])).rejects.toSatisfy(isTaken);
    const both = [runAll([insert(5), insert(6)]), run('select group_concat(number) as numbers from t')] as const;
    expect((await Promise.all(both))[1]).toEqual({ rows: [{ numbers: '1,2,5,6' }] });
    await run('begin immediate');
    await expect(runAll([insert(7)])).rejects.toMatchObject({ message: expect.stringContaining('transaction') });
    await run('commit');
    expect(await run('select count(*) as rows from t')).toEqual({ rows: [{ rows: 4 }] });
  });

  it('fails with what the driver says, by code, and goes on after it', async () => {
    const { run } = await opened(open);
    await run('create table t (number integer primary key)');
    await run('insert into t values (1)');
    const refused = run('insert into t values (1)');
    await expect(refused).rejects.toSatisfy(isTaken);
    await expect(refused).rejects.toThrow('UNIQUE constraint failed');
    await expect(run('selec 1')).rejects.toMatchObject({ message: expect.stringContaining('syntax error') });
    expect(await run('select * from t')).toEqual({ rows: [{ number: 1 }] });
    const pages = await run('pragma page_count');
    await run(`pragma max_page_count = ${Object.values(pages.rows[0] ?? {})[0]}`);
    await run('create table u (text text)').catch(() => {});
    await expect(
      run(
        'with recursive n(i) as (select 2 union all select i + 1 from n where i < 100000) insert into t select i from n',
      ),
    ).rejects.toSatisfy((error) => sqliteProblem(error) === 'full');
    expect(await run('select * from t')).toEqual({ rows: [{ number: 1 }] });
  });

  it('fails to open what is not a database, or not there', async () => {
    const directory = scratch();
    const path = join(directory, 'text.db');
    writeFileSync(path, 'not a database, but a text that is long enough to be looked at as one'.repeat(20));
    const { run } = await opened(open, path);
    await expect(run('select * from sqlite_schema')).rejects.toSatisfy((error) => sqliteProblem(error) === 'damaged');
    await expect(open(join(directory, 'nowhere', 'a.db'))).rejects.toBeInstanceOf(Error);
  });
});

it('a connection whose thread ends fails what was asked and all that is asked later, and can be closed', async () => {
  const program = join(scratch(), 'ends.cjs');
  writeFileSync(
    program,
    `const { parentPort: port } = require('node:worker_threads');
     port.on('message', ({ number, sql }) => {
       if (sql === 'commit') process.exit(3);
       port.postMessage({ number, columns: [], values: [] });
     });`,
  );
  const { run, close } = await openSqliteInThread('a.db', pathToFileURL(program));
  expect(await run('begin')).toEqual({ rows: [] });
  const both = await Promise.allSettled([run('commit'), run('select 1')]);
  const failure = { status: 'rejected', reason: expect.objectContaining({ code: 'EIO' }) };
  expect(both).toEqual([failure, failure]);
  await expect(run('select 1')).rejects.toMatchObject({ code: 'EIO' });
  await close();
});

it('a warning in the thread of a connection is one of the thread that has opened it, and Node prints none', async () => {
  const place = scratch();
  const source = join(place, 'warns.ts');
  const path = (file: string) => JSON.stringify(resolve('src/platform', file));
  writeFileSync(
    source,
    `import { parentPort as port } from 'node:worker_threads';
     import { warnInParent } from ${path('process/node-warnings.ts')};
     warnInParent();
     port?.on('message', ({ number, sql }) => {
       if (sql === 'warn') process.emitWarning('old', 'DeprecationWarning', 'DEP9999');
       if (sql === 'print') console.error('a library says %s', 'no');
       port.postMessage({ number, columns: [], values: [] });
     });`,
  );
  await buildThread(place, source);
  const warnings = takeWarnings();
  onTestFinished(() => warnings.release());
  const heard: unknown[] = [];
  let waking = () => {};
  warnings.hear((warning) => {
    heard.push(warning);
    waking();
  });
  const { run, close } = await openSqliteInThread('a.db', pathToFileURL(join(place, 'sqlite-thread.cjs')));
  onTestFinished(close);
  for (const [sql, expected] of [
    ['warn', { name: 'DeprecationWarning', code: 'DEP9999', message: 'old' }],
    ['print', { name: 'Warning', message: 'a library says no' }],
  ] as const) {
    const next = new Promise<void>((resolved) => {
      waking = resolved;
    });
    await run(sql);
    await next;
    expect(heard.at(-1)).toMatchObject(expected);
  }
  expect(heard).toHaveLength(2);
});
