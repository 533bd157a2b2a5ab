import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runQuery } from '../../src/mirror/store/query.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { openReadOnly } from '../../src/platform/sqlite/query-lines.ts';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { querySqlite } from '../../src/platform/sqlite/sqlite-query.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { type SyncedShop, syncedShop } from '../support/synced-shop.ts';

const writes = [
  "insert into customers (id, shop_id) values ('1', '1')",
  'update orders set total_amount = 0',
  'delete from orders',
  "attach database '/tmp/other.db' as other",
  "vacuum into '/tmp/copy.db'",
  'pragma journal_mode = delete',
  'explain pragma journal_mode = delete',
  "copy orders to '/tmp/orders.csv'",
  'select 1; delete from orders',
  'select 1; select 2',
  'with gone as (delete from orders returning id) select * from gone',
  'with one as (select 1) update orders set total_amount = 0',
  'set transaction read write',
  'pragma user_version = 7',
  'pragma writable_schema = 1',
  'explain insert into customers default values',
  "replace into customers (id, shop_id) values ('1', '1')",
  'vacuum',
  'detach database main',
  'create temp table mine as select 1',
  'with a as (select 1), b as (update orders set total_amount = 0 returning id) select * from b',
  'select 1; set transaction read write; delete from orders',
  'commit; delete from orders',
  'do $$ begin delete from orders; end $$',
  'lock table orders',
  'begin',
  '/* select */ drop table orders',
  '-- select\ndrop table orders',
  '',
];

const wrong = [
  "select load_extension('x')",
  "select readfile('/etc/passwd')",
  'select * from no_such_table',
  'select * form orders',
];

/** What one dialect refuses as a write, and the other does not know: nothing of it happens in either. */
const strange = [
  'select * from orders for update',
  'select id into copied from orders',
  "select set_config('transaction_read_only', 'off', false)",
  "select * from pragma_journal_mode('delete')",
  "select writefile('/tmp/shopctl-written', 'x')",
  "select lo_create(4711), pg_reload_conf(), nextval('orders')",
  'explain analyze delete from orders',
];

async function ask(place: string, sql: string, changes: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const signal = new AbortController().signal;
  const { rows, columns } = await runQuery({ place, sql, clock: systemClock, signal, ...changes });
  const found: unknown[][] = [];
  for await (const row of rows) found.push([...row]);
  return { columns, rows: found };
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`SQL on a mirror in ${kind.name}`, () => {
    let place = '';
    afterAll(() => kind.end());

    const prepared = async (): Promise<SyncedShop> => {
      place = await kind.place();
      const shop = await syncedShop(await openTestSandbox({ seed: 'demo' }), place);
      await shop.sync();
      return shop;
    };

    it('cannot change anything', async () => {
      const shop = await prepared();
      const count = async () =>
        (await shop.rows(`select count(*) as n from ${shop.mirror.dialect.table('orders')}`))[0]?.n;
      const before = await count();
      const codes: [string, unknown][] = [];
      for (const sql of writes) codes.push([sql, codeOf(await ask(place, sql).catch((error: unknown) => error))]);
      expect(codes.filter(([, code]) => code !== 'sql_not_a_read')).toEqual([]);
      for (const sql of strange) {
        const code = codeOf(await ask(place, sql).catch((error: unknown) => error));
        expect([sql, ['sql_not_a_read', 'sql_error'].includes(String(code))]).toEqual([sql, true]);
      }
      expect(['/tmp/other.db', '/tmp/copy.db', '/tmp/orders.csv', '/tmp/shopctl-written'].filter(existsSync)).toEqual(
        [],
      );
      expect(await count()).toBe(before);
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });

    it('reports what is wrong with a query', async () => {
      await prepared();
      for (const sql of wrong) {
        expect([sql, codeOf(await ask(place, sql).catch((error: unknown) => error))]).toEqual([sql, 'sql_error']);
      }
    });

    it('answers with names, whole numbers and texts', async () => {
      await prepared();
      expect(
        await ask(place, "select 9007199254740993 as big, 5 as five, 'a;b' as text, null as absent, 1 as five;"),
      ).toEqual({
        columns: ['big', 'five', 'text', 'absent', 'five_2'],
        rows: [['9007199254740993', 5, 'a;b', null, 1]],
      });
      expect((await ask(place, 'explain select 1')).rows.length).toBeGreaterThan(0);
      expect((await ask(place, 'select 1 as one where 1 = 0')).rows).toEqual([]);
    });
  });
}

describe('a statement on SQLite whose text is not looked at', () => {
  it('is told to write by the driver', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'shopctl-read-only-')), 'some.db');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    const database = await openSqlite(path);
    database.exec('create table t (a)');
    database.close();
    const { prepare } = await openReadOnly(path);
    const onlyReads = (sql: string) => prepare(sql).onlyReads;
    expect(['select a from t', 'with one as (select 1) select * from one', 'values (1)'].map(onlyReads)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['insert into t values (1) returning a', 'update t set a = 1 returning a', 'delete from t'].map(onlyReads),
    ).toEqual([false, false, false]);
  });
});

const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

describe('an endless query on SQLite', () => {
  let directory = '';
  let program: URL;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'shopctl-query-'));
    // The native driver is found from where the program lies.
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    await build({
      entryPoints: { 'sqlite-query': resolve('src/platform/sqlite/sqlite-query-program.ts') },
      outdir: directory,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['better-sqlite3'],
      logLevel: 'error',
    });
    program = pathToFileURL(join(directory, 'sqlite-query.cjs'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('ends when it is told to, because its process is killed', async () => {
    const [sqlite] = mirrorKinds();
    const place = (await sqlite?.place()) ?? '';
    await syncedShop(await openTestSandbox(), place);
    const ending = new AbortController();
    const reading = (async () => {
      for await (const line of querySqlite(place, ENDLESS, ending.signal, program)) {
        expect(line).toHaveProperty('columns');
        ending.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    await sqlite?.end();
  });

  it('ends with whoever asked, even if that was killed: its stdin closes', async () => {
    const [sqlite] = mirrorKinds();
    const place = (await sqlite?.place()) ?? '';
    await syncedShop(await openTestSandbox(), place);
    const query = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(query, 'close');
    query.stdin.write(`${JSON.stringify([place, ENDLESS])}\n`);
    const [line] = await once(createInterface({ input: query.stdout }), 'line');
    expect(JSON.parse(line)).toHaveProperty('columns');
    query.stdin.end();
    expect(await closed).toEqual([null, 'SIGKILL']);
    await sqlite?.end();
  });
});

describe('an endless query on PostgreSQL', () => {
  const [, postgres] = mirrorKinds();
  afterAll(() => postgres?.end());

  it.skipIf(postgres?.missing !== undefined)('ends at its time limit, and when it is told to', async () => {
    const place = (await postgres?.place()) ?? '';
    await syncedShop(await openTestSandbox(), place);
    const late = await ask(place, ENDLESS, { timeoutMs: 500 }).catch((error: unknown) => error);
    expect(['timeout', 'sql_error']).toContain(codeOf(late));
    const ending = new AbortController();
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    onTestFinished(() => client.end());
    const asked = ask(place, ENDLESS, { signal: ending.signal });
    const active = `select count(*)::int as n from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
      and datname = current_database()`;
    await expect.poll(async () => (await client.query(active)).rows[0].n).toBeGreaterThan(0);
    ending.abort(new Error('Ctrl-C'));
    await expect(asked).rejects.toThrow('Ctrl-C');
  });
});

it.skipIf(process.getuid?.() === 0)('of a file that nobody may write beside says so', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-sql-'));
  onTestFinished(() => {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true });
  });
  const place = join(directory, 'mirror.db');
  const file = await openSqlite(place);
  file.exec('pragma journal_mode = wal; create table orders (id text)');
  file.close();
  chmodSync(directory, 0o500);
  const query = { place, sql: 'select * from orders', clock: systemClock, signal: new AbortController().signal };
  await expect(runQuery(query)).rejects.toThrow(`${place} cannot be read: SQLite writes beside it`);
});
