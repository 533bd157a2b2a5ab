import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { batchesOf } from '../../src/batch/store/batches.ts';
import { openPostgresWorkspace } from '../../src/store/postgres-workspace.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { commitCutter } from '../support/commit-cutter.ts';
import { newBatch } from '../support/new-batch.ts';
import { postgresPrograms, type SharedPostgres, startPostgres } from '../support/postgres-cluster.ts';

describe.skipIf(postgresPrograms === undefined)('statements that are sent at once', () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  /** Batches on a server, and what they have reserved. */
  async function withBatches(count: number) {
    const address = server.newDatabase();
    const workspaceAt = async (place: string) => {
      const workspace = await openPostgresWorkspace(place);
      onTestFinished(() => workspace.close());
      return workspace;
    };
    const workspace = await workspaceAt(address);
    const batches = batchesOf(workspace);
    for (let number = 1; number <= count; number += 1) await batches.create({ ...newBatch, id: `batch-${number}` });
    const counted = (condition: string) =>
      Number(
        server.sql(
          `select count(*) from pg_stat_activity where datname = current_database() and ${condition}`,
          address,
        ),
      );
    return {
      address,
      workspace,
      workspaceAt,
      reserved: () => server.sql('select reserved from batches order by number', address).split('\n').map(Number),
      /** Resolves once so many sessions wait for a lock. */
      waiting: (sessions: number) => expect.poll(() => counted(`wait_event_type = 'Lock'`)).toBe(sessions),
      /** Resolves once the server is at nothing any more, neither for us nor for those who have left. */
      atRest: () => expect.poll(() => counted(`state <> 'idle' and pid <> pg_backend_pid()`)).toBe(0),
    };
  }

  /** Locks a batch until the returned function is called. */
  async function locked(address: string, number: number) {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await client.query('select from batches where number = $1 for update', [number]);
    return () => client.query('commit');
  }

  const reserving = (number: number) => ({
    query: CompiledQuery.raw('update batches set reserved = reserved + 1 where number = $1 returning number', [number]),
    expected: 1,
  });
  const fresh = (number: number, text = 'select 1 from batches where number = $1 and reserved = 0') => ({
    query: CompiledQuery.raw(text, [number]),
    expected: 1,
  });

  async function cutOff(address: string) {
    const port = Number(new URL(address).port);
    const cutter = await commitCutter(port);
    onTestFinished(() => cutter.close());
    return { cutter, through: address.replace(`:${port}/`, `:${cutter.port}/`) };
  }

  it('are done once where their connection breaks and the server ends them later', async () => {
    const { address, workspaceAt, waiting, reserved } = await withBatches(1);
    const { cutter, through } = await cutOff(address);
    const workspace = await workspaceAt(through);
    const unlock = await locked(address, 1);
    // The second attempt meets what the first one did.
    const text = 'update batches set reserved = 1 where number = $1 and reserved = 0 returning number';
    const writing = workspace.writeIf?.(() => [fresh(1, text)]);
    await waiting(1);
    cutter.cut();
    await waiting(2);
    await unlock();
    expect([await writing, reserved()]).toEqual([true, [1]]);
  });

  it('change nothing later once it was said that nothing has changed', async () => {
    const { address, workspace: other, workspaceAt, waiting, atRest, reserved } = await withBatches(2);
    const { cutter, through } = await cutOff(address);
    const workspace = await workspaceAt(through);
    const unlock = await locked(address, 1);
    const writing = workspace.writeIf?.(() => [fresh(2), reserving(1)]);
    await waiting(1);
    await other.writeIf?.(() => [reserving(2)]);
    cutter.cut();
    expect(await writing).toBe(false);
    // Writes that follow remove the marks of those before.
    await workspace.writeIf?.(() => [reserving(2)]);
    await unlock();
    await atRest();
    expect(reserved()).toEqual([0, 2]);
  });

  it('are sent again where the server ended their session, or broke a deadlock of two of them', async () => {
    const { address, workspace, waiting, reserved } = await withBatches(3);
    const unlock = await locked(address, 3);
    const first = workspace.writeIf?.(() => [reserving(1), reserving(3), reserving(2)]);
    await waiting(1);
    const own = `datname = current_database() and wait_event_type = 'Lock'`;
    server.sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${own}`, address);
    const second = workspace.writeIf?.(() => [reserving(2), reserving(3), reserving(1)]);
    await waiting(2);
    await unlock();
    expect([await first, await second, reserved()]).toEqual([true, true, [2, 2, 2]]);
  });

  it('are not waited for if the server is gone without a word', async () => {
    const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => asked.mockRestore());
    await withBatches(0);
    expect(asked.mock.calls).toContainEqual([true, 10_000]);
  });
});

it.skipIf(postgresPrograms === undefined)('a standby is refused, also where its database is a workspace', async () => {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.remove());
  const address = cluster.newDatabase();
  await (await openPostgresWorkspace(address)).close();
  await cluster.stop('fast');
  writeFileSync(join(cluster.directory, 'data', 'standby.signal'), '');
  await cluster.start();
  for (const place of [address, address.replace(/[^/]*$/, 'postgres')]) {
    await expect(openPostgresWorkspace(place)).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringMatching(/ is a standby, to which nothing can be written$/),
      hint: 'give the address of the primary server',
    });
  }
});
