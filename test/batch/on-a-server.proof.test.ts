import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, help } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { firstOf } from '../../src/ledger/identity.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { type BatchWorld, batchWorld, manyOrders } from './batch-world.ts';

const lease = { leaseMs: 20_000, heartbeatMs: 5_000 };
const create = '/shop.Shipping/CreateAndConfirmOrder';

describe.skipIf(postgresPrograms === undefined)('a batch on a server', () => {
  let cluster: PostgresCluster;
  let rules: string;
  beforeAll(async () => {
    rules = mkdtempSync(join(tmpdir(), 'shopctl-hba-'));
    const file = join(rules, 'pg_hba.conf');
    const lines = [
      'local all all trust',
      'host all postgres 127.0.0.1/32 trust',
      'host all all 127.0.0.1/32 scram-sha-256',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    // The server runs as another user, and only reads it.
    chmodSync(rules, 0o755);
    chmodSync(file, 0o644);
    cluster = await startPostgres({ hba_file: file });
    cluster.sql("create role shop login password 'of today'");
    cluster.sql("create role looker login password 'looks'");
    cluster.sql('grant pg_read_all_data to looker');
  });
  afterAll(async () => {
    await cluster?.remove();
    rmSync(rules, { recursive: true, force: true });
  });

  /** A world whose batch is in a database that the role `shop` owns. */
  async function world() {
    const own = await batchWorld('shop');
    const admin = cluster.newDatabase();
    const name = admin.slice(admin.lastIndexOf('/') + 1);
    cluster.sql(`alter database ${name} owner to shop`);
    const as = (role: string, password: string) =>
      admin.replace('postgres@', `${role}:${encodeURIComponent(password)}@`);
    return { own, admin, name, as };
  }

  /** Does something once, when so many orders have been asked for. */
  const whenSent = (count: number, deed: () => void) => {
    let sent = 0;
    return (transport: Transport): Transport =>
      async (request) => {
        const isOrder = request.url.endsWith(create);
        sent += isOrder ? 1 : 0;
        if (isOrder && sent === count) deed();
        return transport(request);
      };
  };
  const untouched = (transport: Transport) => transport;

  const run = async (own: BatchWorld, workspace: string, rows: number) => {
    const context = await own.context({ workspace, lease, concurrency: 2 });
    try {
      return await own.run(manyOrders(rows), { context });
    } finally {
      await context.close().catch(() => {});
    }
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error) => error,
    );

  /** Whoever was at it has ended and gives nothing back: its lease is over now, and nobody waits for that. */
  const passLeases = (name: string) => cluster.sql('update batch_workers set lease_until = 0', name);

  const judged = async (own: BatchWorld) => {
    const orders = await own.orders();
    return { orders: orders.length, different: new Set(orders.map((order) => order.shipping_address.phone)).size };
  };

  it.each([
    ['was changed', "alter role shop password 'of tomorrow'", 'of tomorrow'],
    ['has expired', "alter role shop valid until '2001-01-01'", 'of today'],
  ])('whose password %s in the middle stops and says so, and goes on with the right one', async (_, change, right) => {
    cluster.sql("alter role shop password 'of today' valid until 'infinity'");
    const { own, as, name } = await world();
    const place = as('shop', 'of today');
    own.between = whenSent(7, () => {
      cluster.sql(change);
      // Whoever is in stays in: the server asks where somebody comes anew.
      cluster.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    });
    const error = await failureOf(run(own, place, 200));
    expect(error).toMatchObject({ code: 'workspace_unusable', hint: expect.stringContaining('PGPASSWORD') });
    expect(error.message).toMatch(/refuses the login: password authentication failed for user "shop"/);
    expect(error.message).not.toContain('today');
    expect((await judged(own)).orders).toBeLessThan(200);
    own.between = untouched;
    cluster.sql("alter role shop valid until 'infinity'");
    passLeases(name);
    const { summary } = await run(own, as('shop', right), 200);
    expect(summary).toMatchObject({ state: 'finished', counts: { rows: 200, done: 200, left: 0 } });
    expect(await judged(own)).toEqual({ orders: 200, different: 200 });
  });

  it('whose disk is full stops before the next send, says so, and a resume makes the rest', async () => {
    const { own, admin, name } = await world();
    own.between = whenSent(5, () =>
      cluster.sql(
        `create function full_disk() returns trigger language plpgsql as $$ begin
           raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
         end $$;
         create trigger full_disk before update on batch_rows execute function full_disk()`,
        name,
      ),
    );
    const error = await failureOf(run(own, admin, 200));
    expect(error).toMatchObject({
      code: 'workspace_full',
      message: expect.stringContaining(`no space left at ${admin}`),
    });
    expect((await judged(own)).orders).toBeLessThan(200);
    cluster.sql('drop trigger full_disk on batch_rows', name);
    passLeases(name);
    own.between = untouched;
    const { summary } = await run(own, admin, 200);
    expect(summary).toMatchObject({ state: 'finished', counts: { rows: 200, done: 200, unclear: 0, left: 0 } });
    expect(await judged(own)).toEqual({ orders: 200, different: 200 });
  });

  it('that a newer program has moved on is refused to whoever works at it, and nothing is sent any more', async () => {
    const { own, admin, name } = await world();
    own.between = whenSent(5, () => cluster.sql("insert into schema_steps (name) values ('of-tomorrow')", name));
    const error = await failureOf(run(own, admin, 300));
    expect(error).toMatchObject({
      code: 'workspace_newer',
      message: expect.stringContaining('written by a newer shopctl (it knows of-tomorrow)'),
    });
    expect((await judged(own)).orders).toBeLessThan(300);
    await expect(openWorkspace(admin)).rejects.toMatchObject({ code: 'workspace_newer' });
    cluster.sql("delete from schema_steps where name = 'of-tomorrow'", name);
    passLeases(name);
    own.between = untouched;
    expect((await run(own, admin, 300)).summary.counts).toMatchObject({ done: 300, left: 0 });
    expect(await judged(own)).toEqual({ orders: 300, different: 300 });
  });

  it('is looked at by a role that may only read, and not worked at', async () => {
    const { own, admin, as, name } = await world();
    await run(own, admin, 3);
    const { batches, workspace } = await openBatches(as('looker', 'looks'));
    onTestFinished(() => workspace.close());
    const [batch] = await batches.list({});
    expect(batch?.state).toBe('finished');
    await expect(batches.move(batch?.number ?? 0, 'open', null)).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringMatching(new RegExp(`^the role at .*/${name} may not write: permission denied`)),
    });
  });

  it('sends nothing under a lease that has run out: what it had marked is claimed anew', async () => {
    const { own, admin, name } = await world();
    const leases = () =>
      cluster.sql(
        'select count(*) from batch_workers where lease_until > extract(epoch from clock_timestamp()) * 1000',
        name,
      );
    const sent: string[] = [];
    own.between = (transport) => async (request) => {
      const { external_id: order = '' } = JSON.parse(String(request.body ?? '{}'));
      if (request.url.endsWith(create)) sent.push(`${order.slice(-4)} under ${leases()} lease`);
      const answer = await transport(request);
      // Of three rows marked at once, the first one's answer takes longer than the lease.
      if (sent.length === 1) await expect.poll(leases).toBe('0');
      return answer;
    };
    const brief = { leaseMs: 20_000, heartbeatMs: 3_600_000 };
    const context = await own.context({ workspace: admin, lease: brief, concurrency: 1 });
    onTestFinished(() => context.close());
    const { summary } = await own.run(manyOrders(3), { context });
    expect(summary.counts).toMatchObject({ done: 3, unclear: 0, left: 0 });
    expect(sent).toEqual(['SO-1 under 1 lease', 'SO-2 under 1 lease', 'SO-3 under 1 lease']);
    expect(await judged(own)).toEqual({ orders: 3, different: 3 });
  });

  it('is neither forgotten nor undone while a helper is between two claims', async () => {
    const { own, admin } = await world();
    const context = await own.context({ workspace: admin, lease });
    onTestFinished(() => context.close());
    const planned = await own.plan(manyOrders(80), { context });
    const { batch } = planned;
    await context.batches.move(batch.number, 'open', null);
    planned.release();
    const tried: string[] = [];
    own.between = (transport) => async (request) => {
      const answer = await transport(request);
      // By whoever looks from elsewhere, once, in the middle of the helper's work.
      if (request.url.endsWith(create) && tried.length === 0) {
        tried.push('');
        const fates = [
          await context.batches.forget(batch.number, firstOf),
          await planUndo(context, await batchNamed(context, batch.id), undefined).then(String, (error) => error.code),
        ];
        tried.splice(0, 1, ...fates);
      }
      return answer;
    };
    const helper = await own.context({ workspace: admin, lease, concurrency: 2 });
    onTestFinished(() => helper.close());
    const { summary } = await help(helper, batch, await findWork(batch.do, helper.account.family));
    expect(tried).toEqual(['worked at', 'batch_open']);
    expect(summary.counts).toMatchObject({ done: 80, left: 0 });
    expect(await judged(own)).toEqual({ orders: 80, different: 80 });
    expect(await context.batches.forget(batch.number, firstOf)).toBe('forgotten');
    expect(await context.batches.list({})).toEqual([]);
  });

  it('that was sent as one more is recognised once it is forgotten', async () => {
    const { own, admin } = await world();
    const context = await own.context({ workspace: admin, lease });
    onTestFinished(() => context.close());
    const orders = manyOrders(600, false);
    const { summary } = await own.run(orders, { context, meeting: { again: true } });
    const batch = await batchNamed(context, summary.batch);
    expect(summary.counts).toMatchObject({ done: 600 });
    expect(await context.batches.forget(batch.number, firstOf)).toBe('forgotten');
    expect(await failureOf(own.run(orders, { context }))).toMatchObject({ code: 'rows_shared', meta: { same: '600' } });
    expect((await own.orders()).length).toBe(600);
  });
});
