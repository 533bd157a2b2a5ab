import { describe, expect, it, onTestFinished } from 'vitest';
import { TransportError, type WireRequest } from '../../../src/platform/http/transport.ts';
import { frozenClock, openTestSandbox, type TestClock, type TestSandbox } from '../../support/sandbox.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';

const createOrder = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';

/** Calls an operation as the client's transport would, and answers all that came back. */
function calling({ sandbox, shopKey }: TestSandbox) {
  return (operation: string, body: object, rest: Partial<WireRequest> = {}) =>
    sandbox.handle({
      method: 'POST',
      url: `http://127.0.0.1:4010/v1/${operation}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${shopKey}` },
      body: JSON.stringify(body),
      ...rest,
    });
}

/** A clock that notes how long it was asked to wait, and waits for nothing else than an abort or its own word. */
function notingClock(): TestClock & { readonly waits: number[]; readonly holds: (hold: boolean) => void } {
  const waits: number[] = [];
  let held = false;
  return {
    ...frozenClock(),
    waits,
    holds(hold) {
      held = hold;
    },
    wait: (milliseconds, signal) => {
      waits.push(milliseconds);
      if (!held) return Promise.resolve();
      return new Promise((_, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}

describe('a fault that drops', () => {
  it('before the work: nothing happened, and the caller cannot know that', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test, { external_id: 'LOST' });
    await test.sandbox.control.faults.add({ operation: createOrder, once: true, do: 'drop-before' });
    const broken = calling(test)(createOrder, order);
    await expect(broken).rejects.toBeInstanceOf(TransportError);
    await expect(broken).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
    expect((await test.post(getOrder, { external_id: 'LOST' }, test.shopKey)).status).toBe(404);
  });

  it('after the work: the order is there, and the same order again is a conflict', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test, { external_id: 'LOST' });
    await test.sandbox.control.faults.add({ operation: createOrder, once: true, do: 'drop-after-commit' });
    await expect(calling(test)(createOrder, order)).rejects.toMatchObject({ failure: 'closed', sent: 'maybe' });
    expect((await test.post(getOrder, { external_id: 'LOST' }, test.shopKey)).body.order.status).toBe('S');
    expect((await test.post(createOrder, order, test.shopKey)).status).toBe(409);
  });

  it('half of the answer: the order is there', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test, { external_id: 'HALF' });
    await test.sandbox.control.faults.add({ operation: createOrder, once: true, do: 'half-answer' });
    await expect(calling(test)(createOrder, order)).rejects.toMatchObject({
      failure: 'closed',
      sent: 'maybe',
      half: true,
      answer: { status: 200 },
    });
    expect((await test.post(getOrder, { external_id: 'HALF' }, test.shopKey)).status).toBe(200);
  });
});

describe('a fault that takes its time', () => {
  it('answers late in real time, while the business clock does not move', async () => {
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    await test.sandbox.control.faults.add({ operation: '*', every: 1, do: 'late-after-commit=2500' });
    const { status, headers } = await calling(test)(getOrder, { id: '1' });
    expect([status, headers['sandbox-fault'], clock.waits]).toEqual([404, '1', [2500]]);
    expect(test.core.clock.now()).toBe(clock.now());
  });

  it('has done the work when the patience of the caller ends first', async () => {
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    const order = await quotedOrder(test, { external_id: 'LATE' });
    await test.sandbox.control.faults.add({ operation: createOrder, once: true, do: 'late-after-commit' });
    const late = calling(test)(createOrder, order, { timeoutMs: 30_000 });
    await expect(late).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
    expect(clock.waits).toEqual([30_000]);
    expect((await test.post(getOrder, { external_id: 'LATE' }, test.shopKey)).status).toBe(200);
  });

  it('waits before the work where it is a delay', async () => {
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    const order = await quotedOrder(test, { external_id: 'SLOW' });
    await test.sandbox.control.faults.add({ operation: createOrder, once: true, do: 'delay=400' });
    clock.holds(true);
    const slow = calling(test)(createOrder, order);
    expect((await test.post(getOrder, { external_id: 'SLOW' }, test.shopKey)).status).toBe(404);
    test.sandbox.interrupt();
    expect((await slow).status).toBe(200);
  });

  it('holds back many calls at once without a warning from Node', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    await test.sandbox.control.faults.add({ operation: getOrder, every: 1, do: 'delay=400' });
    clock.holds(true);
    const slow = Array.from({ length: 12 }, () => calling(test)(getOrder, { id: '1' }));
    while (clock.waits.length < slow.length) await new Promise(setImmediate);
    test.sandbox.interrupt();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 404));
    expect(warnings).toEqual([]);
  });

  it('ends when the caller gives up', async () => {
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    await test.sandbox.control.faults.add({ operation: '*', once: true, do: 'delay=400' });
    clock.holds(true);
    const abort = new AbortController();
    const slow = calling(test)(getOrder, { id: '1' }, { signal: abort.signal });
    abort.abort();
    await expect(slow).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  });

  it('does not keep the sandbox from closing', async () => {
    const clock = notingClock();
    const test = await openTestSandbox({ clock });
    await test.sandbox.control.faults.add({ operation: '*', once: true, do: 'late-after-commit' });
    clock.holds(true);
    const slow = calling(test)(getOrder, { id: '1' });
    await test.sandbox.close();
    expect((await slow).status).toBe(404);
  });
});

describe('a fault that answers', () => {
  it('a status has its code and when to come again, and no work is done', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test, { external_id: 'BUSY' });
    await test.sandbox.control.faults.add({
      operation: createOrder,
      once: true,
      do: 'status=503,code=unavailable,retry-after=2',
    });
    const { status, headers, body } = await calling(test)(createOrder, order);
    expect([status, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '2', 'unavailable']);
    expect((await test.post(getOrder, { external_id: 'BUSY' }, test.shopKey)).status).toBe(404);
  });

  it('a page is not JSON', async () => {
    const test = await openTestSandbox();
    await test.sandbox.control.faults.add({ operation: '*', once: true, do: 'html=200' });
    const { status, headers, body } = await calling(test)(getOrder, { id: '1' });
    expect([status, headers['content-type'], body.slice(0, 15)]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype html>',
    ]);
  });
});

describe('the script', () => {
  it('counts the calls of its operations alone, and who was befallen', async () => {
    const test = await openTestSandbox();
    const { faults } = test.sandbox.control;
    await faults.add({ operation: 'partner.Shipping/*', every: 2, do: 'status=503' });
    const call = calling(test);
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      statuses.push((await call(getOrder, { id: '1' })).status);
      await call('partner.Shop/AuthorizeShop', {});
      await call('nonsense', {});
    }
    expect(statuses).toEqual([404, 503, 404, 503]);
    expect(faults.list().faults).toEqual([
      { id: 1, operation: 'partner.Shipping/*', when: 'every 2', do: 'status=503,code=unavailable', seen: 4, fired: 2 },
    ]);
  });

  it('lets the oldest of several due faults befall a call, and a once waits for the next', async () => {
    const test = await openTestSandbox();
    const { faults } = test.sandbox.control;
    await faults.add({ operation: getOrder, nth: 1, do: 'status=500' });
    await faults.add({ operation: '*', once: true, do: 'status=503' });
    await faults.add({ operation: '*', nth: 1, do: 'status=504' });
    const call = calling(test);
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await call(getOrder, { id: '1' })).status);
    expect(statuses).toEqual([500, 503, 404]);
    expect(faults.list().faults.map(({ seen, fired }) => [seen, fired])).toEqual([
      [3, 1],
      [3, 1],
      [3, 0],
    ]);
  });

  it('is cleared in part or as a whole', async () => {
    const test = await openTestSandbox();
    const { faults } = test.sandbox.control;
    for (const operation of ['*', getOrder, createOrder]) await faults.add({ operation, every: 1, do: 'status=503' });
    expect(faults.clear(2)).toEqual({ cleared: 1 });
    expect(faults.clear(2)).toEqual({ cleared: 0 });
    expect(faults.list().faults.map(({ id }) => id)).toEqual([1, 3]);
    expect(faults.clear()).toEqual({ cleared: 2 });
    expect((await calling(test)(getOrder, { id: '1' })).status).toBe(404);
    expect((await faults.add({ operation: '*', once: true, do: 'drop-before' })).id).toBe(4);
  });

  it('breaks nothing but operations', async () => {
    const test = await openTestSandbox();
    await test.sandbox.control.faults.add({ operation: '*', every: 1, do: 'drop-before' });
    const answer = await test.sandbox.handle({
      method: 'GET',
      url: 'http://127.0.0.1/sign-in/component.js',
      headers: {},
      body: '',
    });
    expect(answer.status).toBe(200);
  });
});
