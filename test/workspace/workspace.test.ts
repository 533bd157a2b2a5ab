import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { takeUp } from '../../src/batch/retry.ts';
import { batchesOf } from '../../src/batch/store/batches.ts';
import { journalOf } from '../../src/batch/store/journal.ts';
import { rowsOf } from '../../src/batch/store/rows.ts';
import { keysAt } from '../../src/ledger/store/keys.ts';
import { openLedger } from '../../src/ledger/store/open-ledger.ts';
import { openSqliteHere, type SqliteConnection } from '../../src/platform/sqlite/sqlite-connection.ts';
import { backUpFile } from '../../src/store/backup-file.ts';
import { numberOfSteps, schemaNumber } from '../../src/store/event-tables-schema.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import { workerAt } from '../../src/store/leases.ts';
import { migrations } from '../../src/store/migrations.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import type { WorkspaceTables } from '../../src/store/tables.ts';
import { newBatch } from '../support/new-batch.ts';
import { plannedRow } from '../support/planned-row.ts';
import { creating } from '../support/row-rule.ts';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopctl-workspace-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function opened(path = join(directory(), 'workspace.db')) {
  const workspace = await openSqliteWorkspace(path);
  onTestFinished(() => workspace.close());
  return { workspace, batches: batchesOf(workspace), rows: rowsOf(workspace), path };
}

it('is a file of its user alone, written through to the disk with every commit', async () => {
  const { workspace, path } = await opened();
  await batchesOf(workspace).create(newBatch);
  for (const file of [path, `${path}-wal`]) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  const pragma = async (name: string) => {
    const { rows } = await workspace.read((database) => sql.raw(`PRAGMA ${name}`).execute(database));
    return Object.values(rows[0] as object)[0];
  };
  expect([await pragma('synchronous'), await pragma('journal_mode')]).toEqual([2, 'wal']);
});

it('has the number of the schema that a single command compares', () => {
  expect(schemaNumber).toBe(numberOfSteps(migrations.length));
});

it('of a shopctl from before the first release is refused and left as it is, by every command', async () => {
  const path = join(directory(), 'workspace.db');
  const before = await openSqliteHere(path);
  for (const text of [
    'create table schema_steps (name text primary key)',
    "insert into schema_steps values ('batch-tables'), ('ledger')",
    'create table meta (name text primary key, value text not null)',
    "insert into meta values ('ledger', 'l')",
    'pragma user_version = 17',
  ]) {
    await before.run(text);
  }
  for (const open of [openSqliteWorkspace, openLedger]) {
    await expect(open(path)).rejects.toMatchObject({
      code: 'workspace_older',
      message: `${path} was written by a version from before the first release; nothing was changed`,
    });
  }
  const { rows: tables } = await before.run("select name from sqlite_schema where type = 'table' order by name");
  expect(tables.map(({ name }) => name)).toEqual(['meta', 'schema_steps']);
  await before.close();
});

it('takes a step that is added later, once, opened by two at a time, and keeps what is there', async () => {
  const path = join(directory(), 'workspace.db');
  const { batches, workspace } = await opened(path);
  await batches.create(newBatch);
  await workspace.close();
  const up = async (database: WorkspaceTables) => {
    await sql`create table next (id text)`.execute(database);
  };
  const steps = [...migrations, { name: 'next', up }];
  const both = await Promise.all([openSqliteWorkspace(path, { steps }), openSqliteWorkspace(path, { steps })]);
  for (const one of both) {
    expect(await batchesOf(one).list({ states: ['planning'] })).toHaveLength(1);
    expect((await one.read((database) => sql`select * from next`.execute(database))).rows).toEqual([]);
    await one.close();
  }
  await expect(openLedger(path)).rejects.toMatchObject({ code: 'workspace_newer' });
});

it('takes each step of its schema once, opened by two at a time, and refuses what a newer version wrote', async () => {
  const path = join(directory(), 'workspace.db');
  const both = await Promise.all([openSqliteWorkspace(path), openSqliteWorkspace(path)]);
  for (const workspace of both) await workspace.close();
  const { workspace } = await opened(path);
  await workspace.write((database) => database.insertInto('schema_steps').values({ name: 'of-tomorrow' }).execute());
  const newer = { code: 'workspace_newer', message: expect.stringContaining(`${path} was written by a newer shopctl`) };
  await expect(openSqliteWorkspace(path)).rejects.toMatchObject(newer);
});

it.skipIf(!existsSync('/proc/locks'))('keeps its locks where the same process opens its file once more', async () => {
  const { path } = await opened();
  const { ino } = statSync(path);
  // A file that is closed loses the locks of its process, whoever has opened it.
  const locks = () =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
  expect(locks()).toBe(1);
  await opened(path);
  expect(locks()).toBe(1);
});

it('takes the keys of rows that a backup had as planned before they are looked up', async () => {
  const { workspace, batches, rows } = await opened();
  const { number } = await batches.create(newBatch);
  await rows.add([plannedRow(number, 1)]);
  await batches.move(number, 'open', null);
  const copy = join(directory(), 'workspace.db');
  await backUpFile(workspace, copy);
  const { workspace: restored } = await opened(copy);
  const worker = workerAt(restored, number);
  const left = await journalOf(restored, number, creating).claimLeft(worker, 9);
  const { account, resource } = creating;
  const key = (await restored.read((database) => keysAt(sqlOf(database, false), account, resource, ['key of 1']))).get(
    'key of 1',
  );
  expect([restored.restored, left.length, key?.state, key?.holder]).toEqual([1, 1, 'sending', `batch ${number} 1 0`]);
  await worker.end();
});

it('waits for a lock as long as ever where the clock is set meanwhile', async () => {
  const { path } = await opened();
  const holder = await openSqliteHere(path);
  onTestFinished(() => holder.close());
  await holder.run('begin immediate');
  let now = Date.parse('2026-01-31T08:00:00Z');
  let waits = 0;
  const clock = {
    now: () => {
      now += 3_600_000;
      return now;
    },
    wait: async () => {
      waits += 1;
      if (waits === 3) await holder.run('commit');
    },
  };
  const workspace = await openSqliteWorkspace(path, { clock });
  onTestFinished(() => workspace.close());
  expect(waits).toBe(3);
});

it('says of a damaged file that it is one, and leaves it as it is', async () => {
  const path = join(directory(), 'workspace.db');
  writeFileSync(
    path,
    'this is not a database, and longer than the hundred bytes that its header would have '.repeat(9),
  );
  const before = readFileSync(path);
  await expect(openSqliteWorkspace(path)).rejects.toMatchObject({ code: 'workspace_damaged' });
  expect(readFileSync(path)).toEqual(before);
});

it('removes a batch that is being planned, and none that has been opened since somebody looked', async () => {
  const { batches, rows } = await opened();
  const [planned, begun] = [
    await batches.create(newBatch),
    await batches.create({ ...newBatch, id: '20260131-begun' }),
  ];
  await rows.add([plannedRow(planned.number, 1, {}), plannedRow(begun.number, 1, {})]);
  await batches.move(begun.number, 'open', null);
  for (const { number } of [planned, begun]) await batches.remove(number);
  expect(await batches.list({ states: ['planning', 'open'] })).toMatchObject([{ id: begun.id }]);
  expect(await rows.any(begun.number, ['planned'])).toBe(true);
});

it('gives every row back as it was added and chosen, however many share a statement', async () => {
  const { batches, rows } = await opened();
  const { number } = await batches.create(newBatch);
  const all = Array.from({ length: 1203 }, (_, index) =>
    plannedRow(number, index + 1, {
      named: index % 2 === 0 ? 1 : 0,
      recipient: index % 3 === 0 ? null : `recipient-${index}`,
      carrier: null,
      fee: null,
      cells: `["${index}"]`,
      payload: `{"of":${index}}`,
    }),
  );
  await rows.add(all);
  const next = () => rows.next({ batch: number, after: 0, limit: 2000 });
  expect(await next()).toEqual(all.map((one) => ({ ...one, worker: null })));
  const chosen = all.map(({ row: place }, index) => ({
    row: place,
    payload: `{"chosen":${index}}`,
    carrier: index % 5 === 0 ? null : `carrier ${index}`,
    fee: 9_000_000_000 + index,
  }));
  await rows.choose(number, chosen);
  expect(await next()).toEqual(all.map((one, index) => ({ ...one, ...chosen[index], worker: null })));
});

it('writes the outcomes of a commit that failed with the next one', async () => {
  const { workspace, batches, rows } = await opened();
  const { number } = await batches.create(newBatch);
  await rows.add([plannedRow(number, 1)]);
  let failing = true;
  const write: typeof workspace.write = (work) => (failing ? Promise.reject(new Error('full')) : workspace.write(work));
  const worker = workerAt(workspace, number);
  onTestFinished(() => worker.end());
  const journal = journalOf({ ...workspace, write }, number, creating);
  failing = false;
  const { rows: claimed } = await journal.claimPlanned(worker, { after: 0, limit: 1 });
  for (const one of claimed) journal.tell({ row: { ...one, state: 'done', id: '7' }, release: 0 });
  failing = true;
  await expect(journal.flush()).rejects.toThrow('full');
  failing = false;
  await journal.flush();
  expect(await rows.one(number, 1)).toMatchObject({ state: 'done', id: '7' });
});

/** Two batches whose first rows want the same key; the one has it. */
async function twoBatches() {
  const { workspace, batches, rows } = await opened();
  const [first, second] = [await batches.create(newBatch), await batches.create({ ...newBatch, id: '20260131-c3d4' })];
  await rows.add([plannedRow(first.number, 1), plannedRow(first.number, 2), plannedRow(second.number, 1)]);
  const worker = workerAt(workspace, first.number);
  onTestFinished(() => worker.end());
  const [one, other] = [first, second].map(({ number }) => journalOf(workspace, number, creating));
  const [mine] = (await one?.claimPlanned(worker, { after: 0, limit: 1 }))?.rows ?? [];
  if (mine === undefined) throw new TypeError('nothing was claimed');
  return { first, second, rows, worker, one, other, mine };
}

it('says so where a record is there twice: somebody took its key while it was thought to have failed', async () => {
  const { first, second, rows, worker, one, other, mine } = await twoBatches();
  one?.tell({ row: { ...mine, state: 'failed' }, release: 0 });
  await one?.flush();
  const [theirs] = (await other?.claimPlanned(worker, { after: 0, limit: 1 }))?.rows ?? [];
  if (theirs === undefined) throw new TypeError('the key was not given back');
  other?.tell({ row: { ...theirs, state: 'done', id: '8' }, release: 0 });
  await other?.flush();
  one?.tell({ row: { ...mine, state: 'done', id: '7' }, release: 0 });
  await one?.claimPlanned(worker, { after: 1, limit: 1 });
  expect(await rows.one(first.number, 1)).toMatchObject({ state: 'done', id: '7', error_code: 'made_twice' });
  expect(await rows.one(second.number, 1)).toMatchObject({ state: 'done', id: '8', error_code: null });
});

it('keeps the key of a row whose cheaper service is stored while it is on its way', async () => {
  const { worker, one, other, mine } = await twoBatches();
  one?.tell({ row: { ...mine, state: 'sending' }, release: 20 });
  await one?.claimPlanned(worker, { after: 1, limit: 1 });
  one?.tell({ row: { ...mine, state: 'sending' }, release: 20 });
  await one?.flush();
  expect((await other?.claimPlanned(worker, { after: 0, limit: 1 }))?.rows).toEqual([]);
});

it('takes up a row that was prepared for its generation, and no other one', async () => {
  const { workspace, batches, rows } = await opened();
  const [batch, prepared] = [await batches.create(newBatch), await batches.create({ ...newBatch, id: 'aside' })];
  const failed = { state: 'failed' as const, payload: '{"as":"it was"}' };
  // Somebody has made it since it was prepared.
  const late = { ...failed, state: 'done' as const };
  await rows.add([
    plannedRow(batch.number, 1, failed),
    plannedRow(batch.number, 2, { ...failed, generation: 1 }),
    plannedRow(batch.number, 3, late),
  ]);
  const next = { generation: 1, payload: '{"as":"prepared"}' };
  await rows.add([1, 2, 3].map((row) => plannedRow(prepared.number, row, next)));
  await takeUp(workspace, batch, prepared, {});
  const found = await rows.next({ batch: batch.number, after: 0, limit: 10 });
  expect(found.map(({ state, payload }) => [state, payload])).toEqual([
    ['planned', next.payload],
    ['failed', failed.payload],
    ['done', late.payload],
  ]);
});

it('has an intent on disk, seen by another process, before it may be sent', async () => {
  const { workspace, batches, rows, path } = await opened();
  const { number } = await batches.create(newBatch);
  const first = plannedRow(number, 1);
  await rows.add([first, plannedRow(number, 2)]);
  expect(await journalOf(workspace, number, creating).rewrite({ ...first, attempts: 1, payload: '{"a":1}' })).toBe(
    true,
  );
  const other = await opened(path);
  expect(await other.rows.one(number, 1)).toMatchObject({ state: 'sending', attempts: 1, payload: '{"a":1}' });
  expect(await other.rows.one(number, 2)).toMatchObject({ state: 'planned', attempts: 0 });
});

it('reserves the fees of a whole claim at once, and one by one where there is no room for all', async () => {
  const { workspace, batches, rows } = await opened();
  const { number } = await batches.create({ ...newBatch, max_total: 550 });
  await rows.add([100, 100, 200, 300, 50, 120].map((fee, place) => plannedRow(number, place + 1, { fee })));
  const journal = journalOf(workspace, number, creating);
  const worker = workerAt(workspace, number);
  const places = (given: readonly { readonly row: number }[]) => given.map(({ row: place }) => place);
  const first = await journal.claimPlanned(worker, { after: 0, limit: 2 });
  expect([places(first.rows), places(first.ended)]).toEqual([[1, 2], []]);
  const rest = await journal.claimPlanned(worker, { after: 0, limit: 10 });
  expect([places(rest.rows), places(rest.ended)]).toEqual([
    [3, 5],
    [4, 6],
  ]);
  expect(await rows.one(number, 4)).toMatchObject({ state: 'failed', error_code: 'over_max_total', attempts: 0 });
  await batches.move(number, 'open', null);
  expect(await batches.list({})).toMatchObject([{ reserved: 450 }]);
});

it('writes a chosen service into its own row alone, of thousands as of one', async () => {
  const { batches, rows } = await opened();
  const { number } = await batches.create(newBatch);
  const { number: other } = await batches.create({ ...newBatch, id: '20260131-a1b3' });
  const all = Array.from({ length: 1_203 }, (_, place) =>
    plannedRow(number, place + 1, { cells: `[[${place}]]`, fee: null }),
  );
  await rows.add([...all, plannedRow(other, 1)]);
  const chosen = all
    .filter(({ row: place }) => place !== 7)
    .map(({ row: place }) => ({
      row: place,
      payload: `{"place":${place}}`,
      carrier: place === 3 ? null : 'tortoise',
      fee: place === 4 ? Number.MAX_SAFE_INTEGER : place,
    }));
  await rows.choose(number, chosen);
  const expected = all.map((before) => ({ ...before, ...chosen.find(({ row: place }) => place === before.row) }));
  const kept = await rows.next({ batch: number, after: 0, limit: 2_000 });
  expect(kept).toEqual(expected.map((one) => ({ ...one, worker: null })));
  expect(await rows.one(other, 1)).toMatchObject({ payload: '{}', carrier: 'swift', fee: 100 });
  await rows.choose(number, []);
});

it('finds what is open by its index, and counts from an index alone', async () => {
  const { workspace, batches } = await opened();
  const { number } = await batches.create(newBatch);
  const plan = async (query: string) => {
    const { rows } = await workspace.read((database) => sql.raw(`EXPLAIN QUERY PLAN ${query}`).execute(database));
    return JSON.stringify(rows);
  };
  const open = `select * from batch_rows as r where batch = ${number} and row > 3 and state in ('planned', 'sending') order by row`;
  expect(await plan(open)).toContain('batch_rows_open');
  const shares = `select state, carrier, count(*), sum(fee) from batch_rows where batch = ${number} group by state, carrier`;
  expect(await plan(shares)).toContain('COVERING INDEX batch_rows_summary');
});

it('is held by one at a time; a second waits and is told so once', async () => {
  const { workspace } = await opened();
  const release = await workspace.hold('batch', {});
  let reported = 0;
  const second = workspace.hold('batch', {
    onWait: () => {
      reported += 1;
      release();
    },
  });
  (await second)();
  expect(reported).toBe(1);
  const held = await workspace.hold('batch', {});
  const left = new AbortController();
  const third = workspace.hold('batch', { signal: left.signal, onWait: () => left.abort(new Error('left')) });
  await expect(third).rejects.toThrow('left');
  held();
});

it('says that the disk is full where it is full in the middle of a write, and goes on once there is room', async () => {
  const { workspace, batches, rows } = await opened();
  const { number } = await batches.create(newBatch);
  const pragma = (text: string) => workspace.read((database) => sql.raw(`PRAGMA ${text}`).execute(database));
  const pages = Object.values((await pragma('page_count')).rows[0] as object)[0];
  await pragma(`max_page_count = ${pages}`);
  const many = Array.from({ length: 1_000 }, (_, place) => plannedRow(number, place + 1));
  await expect(rows.add(many)).rejects.toMatchObject({ code: 'workspace_full' });
  expect(await rows.any(number, ['planned'])).toBe(false);
  await pragma('max_page_count = 100000');
  await rows.add(many);
  expect(await rows.next({ batch: number, after: 0, limit: 2_000 })).toHaveLength(1_000);
});

it('says why a write failed, also where SQLite has ended the transaction by itself', async () => {
  const { workspace, batches } = await opened();
  const failing = workspace.write(async (database) => {
    await batchesOf({ ...workspace, write: (work) => work(database) }).create(newBatch);
    // As it does if a full disk is met before the commit.
    await sql.raw('rollback').execute(database);
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  });
  await expect(failing).rejects.toMatchObject({ code: 'workspace_full' });
  expect(await batches.list({ states: ['planning'] })).toEqual([]);
  await batches.create(newBatch);
  expect(await batches.list({ states: ['planning'] })).toHaveLength(1);
});

/** A workspace whose statements are noted, and how SQLite goes about the first of those that `look` runs. */
async function planned() {
  const asked: (readonly [string, readonly unknown[]])[] = [];
  const path = join(directory(), 'workspace.db');
  const connection = await openSqliteHere(path);
  const watched: SqliteConnection = {
    ...connection,
    run: (text, parameters = []) => {
      asked.push([text, parameters]);
      return connection.run(text, parameters);
    },
  };
  const workspace = await openSqliteWorkspace(path, { open: async () => watched });
  onTestFinished(() => workspace.close());
  const planOf = async (look: () => Promise<unknown>) => {
    asked.length = 0;
    await look();
    // The facts of a ledger, such as its salts, are a few rows.
    const [text, parameters] = asked.find(([one]) => !one.includes(' from meta ')) ?? ['', []];
    const { rows } = await connection.run(`explain query plan ${text}`, parameters);
    return rows.map(({ detail }) => String(detail));
  };
  return { rows: rowsOf(workspace), planOf };
}

it('looks up earlier rows by an index over what is asked for, however many rows the account has', async () => {
  const { rows, planOf } = await planned();
  const { account, operation } = newBatch;
  // As many as a file has at once: with a few SQLite would choose the index anyway.
  const many = Array.from({ length: 1_000 }, (_, number) => `value-${number}`);
  const plans: string[] = [];
  for (const look of [
    () => rows.keysAt(account, 'order', many),
    () => rows.ofContents(account, [operation], many),
    () => rows.contentsIn(1, many),
    () => rows.knownRecipients(account, many),
    () => rows.called('1234567890123456789'),
  ]) {
    plans.push(String((await planOf(look))[0]));
  }
  expect(plans).toEqual([
    expect.stringMatching(
      /^SEARCH ledger_keys USING INDEX sqlite_autoindex_ledger_keys_1 \(account=\? AND resource=\? AND identity=\?\)/,
    ),
    'SEARCH r USING INDEX batch_rows_content (content=?)',
    'SEARCH batch_rows USING COVERING INDEX batch_rows_content (content=? AND batch=?)',
    'SEARCH r USING INDEX batch_rows_recipient (recipient=?)',
    'SEARCH r USING INDEX batch_rows_record (id=?)',
  ]);
});

it('looks for repeated rows without looking at every two of a file', async () => {
  const { rows, planOf } = await planned();
  for (const by of ['name', 'goods'] as const) {
    const steps = await planOf(() => rows.repeated(1, by, 0, 10));
    expect(steps.slice(-4).map((step) => step.replace(/ USING .*?(?= \()/, ''))).toEqual([
      'SEARCH r (batch=? AND row>?)',
      'SEARCH d (same=?)',
      'SEARCH f (batch=? AND row=?)',
      'SEARCH c (batch=? AND row=?)',
    ]);
  }
});
