import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCore } from '../../../src/sandbox/engine/core.ts';
import { createSchedule } from '../../../src/sandbox/engine/schedule.ts';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { seedOnce } from '../../../src/sandbox/lab/snapshot-part.ts';
import { createWebhook } from '../../../src/sandbox/service/webhooks/subscriptions.ts';
import type { ReceiverAnswer } from '../../../src/sandbox/service/webhooks/verdict.ts';
import { type DeliveryLimits, startDeliveryWorker } from '../../../src/sandbox/service/webhooks/worker.ts';
import { okAnswer, scriptedReceiver } from '../../support/receiver.ts';
import { rows } from '../../support/rows.ts';
import { fixedRandom, frozenClock } from '../../support/sandbox.ts';

/** A core with a shop's webhook, and workers on it that are told when to work. */
async function openCoreWithWebhook(data?: string) {
  const clock = frozenClock();
  const core = await openCore({ data, clock, random: fixedRandom() });
  await seedOnce(core, 'none');
  const shopId = core.read(({ database }) => String(rows(database, tables.selectFrom('shops').select('id'))[0]?.id));
  const owner = { owner: 'shop', owner_id: shopId } as const;
  const webhookRow = async () => {
    const [row] = core.read(({ database }) => rows(database, tables.selectFrom('webhooks').selectAll()));
    if (row === undefined) throw new Error('there is no webhook');
    return row;
  };
  const closing: (() => Promise<void>)[] = [() => core.close()];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closing.reduceRight((before, step) => before.then(step), Promise.resolve());
    return closed;
  };
  onTestFinished(close);
  return {
    core,
    clock,
    webhookRow,
    close,
    register: () =>
      core.write((work) =>
        createWebhook(work, owner, { url: 'http://127.0.0.1:9/', entities: ['customer_group'], fields: [] }),
      ),
    makeGroup: (name: string) => core.write((work) => work.records('customer_group', shopId).insert({ name })),
    /** Another worker, with a receiver and a schedule of its own. */
    async addWorker(limits: Partial<DeliveryLimits> = {}) {
      const receiver = scriptedReceiver();
      const schedule = createSchedule(core.clock);
      const worker = await startDeliveryWorker(core, schedule, receiver.deliver, { closeGraceMs: 10, ...limits });
      closing.push(async () => {
        await schedule.close();
        await worker.close();
      });
      return { receiver, settle: () => schedule.settle(), close: () => worker.close() };
    },
  };
}

/** An answer that the test gives when it wants to. */
function heldAnswer() {
  let give: (answer: ReceiverAnswer) => void = () => {};
  const answer = new Promise<ReceiverAnswer>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

describe('a delivery worker', () => {
  it('does not take a webhook that another one is at', async () => {
    const { clock, register, makeGroup, addWorker } = await openCoreWithWebhook();
    const [one, other] = [await addWorker(), await addWorker()];
    await register();
    await makeGroup('one');
    clock.advance(5000);
    const held = heldAnswer();
    one.receiver.answer(() => held.answer);
    const settled = one.settle();
    await expect.poll(() => one.receiver.deliveries.length).toBe(1);
    clock.advance(89_999);
    await other.settle();
    expect(other.receiver.deliveries).toEqual([]);
    held.give(okAnswer());
    await settled;
  });

  it('that lost its lease writes nothing: what the other one wrote stands', async () => {
    const { clock, register, makeGroup, addWorker, webhookRow } = await openCoreWithWebhook();
    const [slow, quick] = [await addWorker(), await addWorker()];
    await register();
    await makeGroup('one');
    clock.advance(5000);
    const held = heldAnswer();
    slow.receiver.answer(() => held.answer);
    const settled = slow.settle();
    await expect.poll(() => slow.receiver.deliveries.length).toBe(1);
    // As after a night in which the machine slept.
    clock.advance(90_000);
    await quick.settle();
    expect(quick.receiver.deliveries).toEqual(slow.receiver.deliveries);
    const written = await webhookRow();
    expect(written).toMatchObject({ state: 'ok', failures: 0, batch_until: null, lease_token: null });
    held.give({ status: 500, body: Buffer.from('') });
    await settled;
    expect(await webhookRow()).toEqual(written);
  });

  it('never makes a second delivery to a webhook, however old its own lease is', async () => {
    const { clock, register, makeGroup, addWorker } = await openCoreWithWebhook();
    const { receiver, settle } = await addWorker();
    await register();
    await makeGroup('one');
    clock.advance(5000);
    const held = heldAnswer();
    receiver.answer(() => held.answer);
    const settled = settle();
    await expect.poll(() => receiver.deliveries.length).toBe(1);
    clock.advance(10 * 90_000);
    const again = settle();
    held.give(okAnswer());
    await Promise.all([settled, again]);
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('gives a receiver so long of real time, whatever the business clock does', async () => {
    const { core, clock, register, makeGroup, addWorker, webhookRow } = await openCoreWithWebhook();
    const { receiver, settle } = await addWorker({ timeoutMs: 300 });
    await register();
    await makeGroup('one');
    clock.advance(5000);
    let aborted = false;
    // Nothing else comes between: neither a timer nor another delivery.
    const asked = new Promise<boolean>((resolve) => {
      receiver.answer(({ signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        core.clock.set({ mode: 'moved', ahead_ms: 44 * 3_600_000 });
        resolve(signal.aborted);
        return new Promise(() => {});
      });
    });
    const settled = settle();
    expect(await asked).toBe(false);
    await settled;
    expect(aborted).toBe(true);
    const { state, last_error } = await webhookRow();
    expect([state, JSON.parse(last_error ?? '')]).toMatchObject([
      'retry',
      { error: 'no answer within 0.3 s', resp_status: 0 },
    ]);
  });

  it('that is closed in the middle sends the same again after a restart, under the same callback id', async () => {
    const data = await mkdtemp(join(tmpdir(), 'shopctl-worker-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const first = await openCoreWithWebhook(data);
    const one = await first.addWorker();
    await first.register();
    await first.makeGroup('one');
    first.clock.advance(5000);
    one.receiver.answer(() => new Promise(() => {}));
    const settled = expect(one.settle()).rejects.toThrow('closed meanwhile');
    await expect.poll(() => one.receiver.deliveries.length).toBe(1);
    await first.makeGroup('two');
    await first.close();
    await settled;

    const second = await openCoreWithWebhook(data);
    const { receiver, settle } = await second.addWorker();
    second.clock.advance(10_000);
    await settle();
    expect(receiver.deliveries[0]).toEqual(one.receiver.deliveries[0]);
    expect(receiver.deliveries[1]?.changes.map(({ latest }) => latest.customer_group?.name)).toEqual(['two']);
    expect(receiver.deliveries[1]?.id).not.toBe(receiver.deliveries[0]?.id);
  });
});
