import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { batchesOf } from '../../src/batch/store/batches.ts';
import { rowsOf } from '../../src/batch/store/rows.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { isPostgresAddress, postgresAddress } from '../../src/store/postgres-address.ts';
import { openPostgresWorkspace } from '../../src/store/postgres-workspace.ts';
import { commitCutter } from '../support/commit-cutter.ts';
import { newBatch } from '../support/new-batch.ts';
import { plannedRow } from '../support/planned-row.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';

it('has a server to test with where the tests of the whole project run', () => {
  expect(postgresPrograms !== undefined || process.env.CI === undefined).toBe(true);
});

describe.skipIf(postgresPrograms === undefined)('a workspace on PostgreSQL', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.remove());

  async function opened(address = cluster.newDatabase()) {
    const workspace = await openPostgresWorkspace(address);
    onTestFinished(() => workspace.close());
    return { workspace, batches: batchesOf(workspace), address };
  }

  it('keeps the marks of writes on their way, opened by a machine whose clock is ahead', async () => {
    const { workspace, address } = await opened();
    await workspace.write(async () => {});
    const marks = () => workspace.read((database) => database.selectFrom('write_marks').selectAll().execute());
    expect(await marks()).toHaveLength(1);
    const ahead = { ...systemClock, now: () => systemClock.now() + 3 * 86_400_000 };
    await (await openPostgresWorkspace(address, ahead)).close();
    expect(await marks()).toHaveLength(1);
    await workspace.read((database) => database.updateTable('write_marks').set({ written_at: '2020-01-01' }).execute());
    await (await openPostgresWorkspace(address)).close();
    expect(await marks()).toEqual([]);
  });

  it('takes each step of its schema once, opened by four at a time, and refuses what a newer version wrote', async () => {
    const address = cluster.newDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => openPostgresWorkspace(address)));
    for (const workspace of all) await workspace.close();
    const { workspace } = await opened(address);
    await workspace.write((database) => database.insertInto('schema_steps').values({ name: 'of-tomorrow' }).execute());
    const message = expect.stringContaining(`${workspace.place} was written by a newer shopctl`);
    await expect(openPostgresWorkspace(address)).rejects.toMatchObject({ code: 'workspace_newer', message });
  });

  it('is refused on a server that may lose commits', async () => {
    const address = cluster.newDatabase();
    const set = async (value: 'off' | 'on') => {
      cluster.sql(`alter system set fsync = ${value}`);
      cluster.sql('select pg_reload_conf()');
      await expect.poll(() => cluster.sql('show fsync')).toBe(value);
    };
    await set('off');
    onTestFinished(() => set('on'));
    const message = expect.stringContaining('its setting fsync is off');
    await expect(openPostgresWorkspace(address)).rejects.toMatchObject({ code: 'workspace_unusable', message });
    await set('on');
    await (await openPostgresWorkspace(address)).close();
  });

  it('gives amounts back as numbers, and is on disk when a write resolves, whatever the server says', async () => {
    const { workspace, batches } = await opened();
    await batches.create({ ...newBatch, max_total: 9_007_199_254_740_991 });
    const [batch] = await batches.list({ states: ['planning'] });
    expect(batch?.max_total).toBe(9_007_199_254_740_991);
    const { rows } = await workspace.read((database) =>
      sql<{ s: string }>`select current_setting('synchronous_commit') as s`.execute(database),
    );
    expect(rows).toEqual([{ s: 'on' }]);
  });

  it('goes on where its server is restarted, also at once and while it writes', async () => {
    const { batches } = await opened();
    await batches.create(newBatch);
    for (const mode of ['fast', 'immediate'] as const) {
      const writes = Array.from({ length: 20 }, (_, index) => batches.create({ ...newBatch, id: `${mode}-${index}` }));
      await cluster.stop(mode);
      await cluster.start();
      await Promise.all(writes);
    }
    expect(await batches.list({ states: ['planning'] })).toHaveLength(41);
  });

  it('asks what became of a write whose connection breaks while it commits: it is done once', async () => {
    const address = cluster.newDatabase();
    const cutter = await commitCutter(cluster.port);
    onTestFinished(() => cutter.close());
    const { workspace, batches } = await opened(address.replace(String(cluster.port), String(cutter.port)));
    for (const [index, fate] of (['before', 'after', 'after', 'before'] as const).entries()) {
      cutter.cutNext(fate);
      const { number } = await batches.create({ ...newBatch, id: `cut-${index}` });
      cutter.cutNext(fate);
      // Once, since a row that is there already would be refused.
      await rowsOf(workspace).add([plannedRow(number, 1)]);
      cutter.cutNext(fate);
      const text = 'update batches set reserved = reserved + 1 where number = $1 returning number';
      const reserving = { query: CompiledQuery.raw(text, [number]), expected: 1 };
      expect(await workspace.writeIf?.(() => [reserving])).toBe(true);
    }
    expect(cutter.cuts).toBe(12);
    expect((await batches.list({ states: ['planning'] })).map(({ reserved }) => reserved)).toEqual([1, 1, 1, 1]);
    expect((await batches.list({ states: ['planning'] })).map(({ id }) => id)).toEqual([
      'cut-3',
      'cut-2',
      'cut-1',
      'cut-0',
    ]);
  });

  it('changes nothing where one of several statements meets another number of rows than is expected', async () => {
    const { workspace, batches } = await opened();
    const { number } = await batches.create(newBatch);
    const reserving = (by: number, expected: number) => ({
      query: CompiledQuery.raw('update batches set reserved = reserved + $1 where number = $2 returning number', [
        by,
        number,
      ]),
      expected,
    });
    const none = { query: CompiledQuery.raw('select 1 from batches where reserved > $1', [100]), expected: 0 };
    const reserved = async () => (await batches.list({ states: ['planning'] })).map((batch) => batch.reserved);
    expect(await workspace.writeIf?.(() => [reserving(1, 1), reserving(2, 0), reserving(4, 1)])).toBe(false);
    expect(await workspace.writeIf?.(() => [none, reserving(200, 1), none])).toBe(false);
    expect(await reserved()).toEqual([0]);
    expect(await workspace.writeIf?.(() => [none, reserving(8, 1), reserving(16, 1)])).toBe(true);
    const wrong = { query: CompiledQuery.raw('select nothing', []) };
    await expect(workspace.writeIf?.(() => [reserving(32, 1), wrong])).rejects.toMatchObject({ code: '42703' });
    // A connection that met a failure is of use again.
    expect(await reserved()).toEqual([24]);
  });

  it('knows a dump that was restored: what was planned then may have been sent since', async () => {
    const { workspace, batches, address } = await opened();
    expect(workspace.restored).toBeUndefined();
    const { number } = await batches.create(newBatch);
    await rowsOf(workspace).add([plannedRow(number, 1), plannedRow(number, 2, { state: 'failed' })]);
    await batches.move(number, 'open', null);
    const dump = join(mkdtempSync(join(tmpdir(), 'shopctl-dump-')), 'dump');
    onTestFinished(() => rmSync(dirname(dump), { recursive: true }));
    const program = (name: string) => join(postgresPrograms ?? '', name);
    execFileSync(program('pg_dump'), ['-Fc', '-f', dump, '-d', address]);
    const copy = cluster.newDatabase();
    execFileSync(program('pg_restore'), ['-d', copy, dump]);
    const restored = await opened(copy);
    const rows = await rowsOf(restored.workspace).next({ batch: number, after: 0, limit: 9 });
    expect([restored.workspace.restored, rows.map(({ state }) => state)]).toEqual([1, ['sending', 'failed']]);
    const [batch] = await restored.batches.list({});
    expect(batch?.reserved).toBe(100);
    // It is said once, and the one that was dumped goes on.
    for (const again of [copy, address]) expect((await opened(again)).workspace.restored).toBeUndefined();
    expect(await rowsOf(workspace).any(number, ['planned'])).toBe(true);
  });

  it('is no longer sent from once it is another database, as after a standby took over', async () => {
    const { workspace, address } = await opened();
    expect([await workspace.keepEpoch(), await workspace.keepEpoch()]).toEqual([1, 2]);
    const other = ['alter table ledger_keys rename to former', 'create table ledger_keys (like former including all)'];
    await workspace.write(async (database) => {
      for (const statement of other) await database.executeQuery(CompiledQuery.raw(statement));
    });
    await expect(workspace.keepEpoch()).rejects.toMatchObject({ code: 'workspace_restored' });
    expect((await opened(address)).workspace.restored).toBe(0);
  });

  it('is held by one at a time, and by nobody once the holder is gone', async () => {
    const { workspace, address } = await opened();
    const { workspace: other } = await opened(address);
    const release = await workspace.tryHold('batch');
    expect(release).toBeDefined();
    expect(await other.tryHold('batch')).toBeUndefined();
    let reported = 0;
    const second = other.hold('batch', {
      onWait: () => {
        reported += 1;
        cluster.sql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
      },
    });
    (await second)();
    expect(reported).toBe(1);
    release?.();
  });

  it('is held by the next one where its holder has just let go', async () => {
    const { workspace, address } = await opened();
    let held = await workspace.tryHold('batch');
    const letGo = () => {
      held?.();
      held = undefined;
    };
    onTestFinished(letGo);
    let waits = 0;
    const clock = {
      now: () => systemClock.now(),
      wait: async () => {
        waits += 1;
        if (waits > 1) return;
        letGo();
        await expect
          .poll(() => cluster.sql("select count(*) from pg_locks where locktype = 'advisory'").trim())
          .toBe('0');
      },
    };
    const other = await openPostgresWorkspace(address, clock);
    onTestFinished(() => other.close());
    const release = await other.tryHold('batch');
    expect([typeof release, waits]).toEqual(['function', 1]);
    release?.();
  });

  it('says in words why it cannot be used: no database, no way in, no right to write', async () => {
    const base = `postgres://postgres@127.0.0.1:${cluster.port}`;
    await expect(openPostgresWorkspace(`${base}/nowhere`)).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: `there is no such database: ${base}/nowhere`,
    });
    const address = cluster.newDatabase();
    await (await openPostgresWorkspace(address)).close();
    cluster.sql('create role looker login');
    await expect(openPostgresWorkspace(address.replace('postgres@', 'looker@'))).rejects.toMatchObject({
      code: 'workspace_unusable',
    });
  });
});

describe('the address of a server', () => {
  it('is told apart from a file, and shown without its password', () => {
    expect([
      isPostgresAddress('postgres://h/d'),
      isPostgresAddress('/a/b.db'),
      isPostgresAddress('postgres.db'),
    ]).toEqual([true, false, false]);
    expect(postgresAddress('postgres://me:secret@127.0.0.1/shop').place).toBe('postgres://me@127.0.0.1/shop');
  });

  it('means TLS, unless it is this machine', () => {
    expect(postgresAddress('postgres://127.0.0.1/shop').tls).toBe(false);
    expect(postgresAddress('postgres:///shop?host=/var/run/postgresql').tls).toBe(false);
    expect(postgresAddress('postgres://db.example/shop').tls).toBe(true);
    for (const mode of ['disable', 'prefer', 'no-verify', 'require']) {
      expect(() => postgresAddress(`postgres://db.example/shop?sslmode=${mode}`)).toThrow('on another machine');
    }
  });

  it.each([
    ['postgres://host', 'must be like postgres://user@host:5432/database'],
    ['postgres://', 'must be like postgres://user@host:5432/database'],
    ['mysql://h/d', 'it starts with mysql://, and only postgres:// and postgresql:// can be used'],
    ['nothing', 'is not a URL'],
  ])('is not %s', (address, why) => {
    expect(() => postgresAddress(address)).toThrow(why);
  });
});
