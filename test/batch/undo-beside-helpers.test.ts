import { beforeAll, describe, expect, it } from 'vitest';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, help, resume } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { workerAt } from '../../src/store/leases.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms, type SharedPostgres } from '../support/postgres-cluster.ts';
import { batchWorld, manyOrders } from './batch-world.ts';

describe.skipIf(postgresPrograms === undefined)('an undo beside those who help with its batch', () => {
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });

  /** A batch of four orders of which one could not be sent yet: it is open. */
  async function halfSent() {
    const world = await batchWorld();
    const workspace = cluster.newDatabase();
    const stop = new AbortController();
    const context = await world.context({ workspace, concurrency: 1, signal: stop.signal });
    let sent = 0;
    world.between = (transport) => async (request) => {
      if (request.url.endsWith('CreateAndConfirmOrder')) {
        sent += 1;
        if (sent === 3) stop.abort('SIGINT');
      }
      return transport(request);
    };
    const { summary } = await world.run(manyOrders(4), { context });
    await context.close();
    expect(summary.counts).toMatchObject({ done: 3, left: 1 });
    const other = await world.context({ workspace });
    return { world, context: other, batch: await batchNamed(other, summary.batch) };
  }

  it('does not begin while a helper is between two rows, and begins once it has gone', async () => {
    const { world, context, batch } = await halfSent();
    const helper = workerAt(context.workspace, batch.number);
    await helper.beat();
    await expect(planUndo(context, batch, undefined)).rejects.toMatchObject({ code: 'batch_open' });
    await helper.end();
    const planned = await planUndo(context, batch, undefined);
    expect(planned.batch.id).not.toBe(batch.id);
    expect((await world.orders()).length).toBe(3);
    planned.release();
    await context.close();
  });

  it('keeps helpers away while it is planned and while it is under way', async () => {
    const { world, context, batch } = await halfSent();
    const planned = await planUndo(context, batch, undefined);
    const work = await findWork('ship', 'partner');
    await expect(help(context, batch, work)).rejects.toMatchObject({ code: 'batch_open' });
    await context.batches.move(planned.batch.number, 'open', null);
    await expect(help(context, batch, work)).rejects.toMatchObject({ code: 'batch_open' });
    expect((await world.orders()).length).toBe(3);
    planned.release();
    await context.close();
  });

  it('that was killed while it read its records keeps nobody away', async () => {
    const { world, context, batch } = await halfSent();
    const killed = await planUndo(context, batch, undefined);
    // Its process is gone: nobody holds its locks.
    killed.release();
    const { summary } = await resume(context, batch, await findWork('ship', 'partner'));
    expect(summary.counts).toMatchObject({ done: 4, left: 0 });
    expect((await world.orders()).length).toBe(4);
    await context.close();
  });

  it('leaves the rows of its batch as they were, whoever goes on with that meanwhile', async () => {
    const { world, context, batch } = await halfSent();
    const planned = await planUndo(context, batch, undefined);
    await context.batches.move(planned.batch.number, 'open', null);
    planned.release();
    const [first, second] = await context.rows.next({ batch: batch.number, after: 0, limit: 100 });
    if (first === undefined || second === undefined) throw new Error('no rows');
    const work = await findWork('ship', 'partner');
    await context.workspace.write(async (database) => {
      const set = database.updateTable('batch_rows').where('batch', '=', batch.number);
      await set.where('row', '=', first.row).set({ state: 'unclear' }).execute();
      await set.where('row', '=', second.row).set({ state: 'failed' }).execute();
    });
    const states = async () =>
      (await context.rows.next({ batch: batch.number, after: 0, limit: 100 })).map(({ state }) => state);
    const before = await states();
    expect(before).toEqual(['unclear', 'failed', 'done', 'planned']);
    await expect(resume(context, batch, work)).rejects.toMatchObject({ code: 'batch_open' });
    await expect(retry(context, batch, work)).rejects.toMatchObject({ code: 'batch_open' });
    expect(await states()).toEqual(before);
    expect((await world.orders()).length).toBe(3);
    await context.close();
  });
});
