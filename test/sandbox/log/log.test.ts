import { describe, expect, it, onTestFinished } from 'vitest';
import * as operations from '../../../src/contract/control/operations.ts';
import { controlClient } from '../../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { quotedOrder, quoteFields } from '../../support/sandbox-order.ts';

const getOrder = 'partner.Shipping/GetOrder';
const createOrder = 'partner.Shipping/CreateAndConfirmOrder';

/** What the log holds beyond what the sandbox was opened with. */
async function opened() {
  const test = await openTestSandbox();
  const { next } = await test.sandbox.control.log({ limit: 0 });
  return { ...test, begin: next, log: test.sandbox.control.log };
}

function secretsOf({ shopKey, partner, shop }: TestSandbox): string[] {
  return [shopKey, partner.apiKey, shop.apiKey].map((key) => key.split(':')[1] ?? '');
}

describe('the log', () => {
  it('records who called what, and the result', async () => {
    const { log, begin, post, shopKey, shop, partner, clock } = await opened();
    clock.advance(1500);
    await post(getOrder, { id: '1' }, shopKey);
    const { entries } = await log({ since: begin });
    expect(entries).toEqual([
      {
        id: begin + 1,
        time: '2026-01-31T08:00:01.500Z',
        method: 'POST',
        path: `/v1/${getOrder}`,
        operation: getOrder,
        account: `shop ${shop.id} by partner ${partner.id}`,
        status: 404,
        code: 'not_found',
        duration_ms: 0,
        fault: null,
        arrived: true,
        request: { id: '1' },
        response: { code: 'not_found', msg: 'order not found' },
      },
    ]);
  });

  it('never shows a key', async () => {
    const test = await opened();
    const { post, partner, shop, log } = test;
    const answered = await post(
      'partner.Shop/AuthorizeShop',
      { redirect_url: 'http://127.0.0.1/back' },
      partner.apiKey,
    );
    await post('partner.Shop/AuthorizeShop', { shop_id: shop.id }, partner.apiKey);
    await post(
      `partner.Shop/AuthorizeShop`,
      { name: `my key is ${partner.apiKey}`, password: 'hunter2' },
      partner.apiKey,
    );
    await post(getOrder, `not JSON with ${shop.apiKey} in it`, shop.apiKey);
    await test.sandbox.handle({
      method: 'GET',
      url: String(answered.body.auth_url),
      headers: { authorization: `Bearer ${shop.apiKey}` },
      body: '',
    });
    const text = JSON.stringify(await log());
    const [, requestSecret = ''] = String(answered.body.auth_token).split(':');
    for (const secret of [...secretsOf(test), requestSecret, 'hunter2']) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('[redacted]');
    expect(text).toContain('not JSON with');
  });

  it('names the account of a key that opens nothing, and no account for what is not a key', async () => {
    const { log, begin, post, partner, shop } = await opened();
    await post(getOrder, {}, `shop${shop.id}:wrong`);
    await post('partner.Shop/AuthorizeShop', {}, `${partner.id}:wrong`);
    await post('shop.Order/GetOrder', {}, shop.apiKey);
    await post(getOrder, {}, 'nonsense');
    await post(getOrder, {});
    const { entries } = await log({ since: begin });
    expect(entries.map(({ account }) => account)).toEqual([
      `shop ${shop.id} (key not valid)`,
      `partner ${partner.id} (key not valid)`,
      `shop ${shop.id}`,
      null,
      null,
    ]);
  });

  it('tells a key that was accepted then and is revoked by now from one that was refused', async () => {
    const { log, begin, post, sandbox, shop, shopKey } = await opened();
    expect((await post('partner.Shipping/GetShippingServices', quoteFields, shopKey)).status).toBe(200);
    await sandbox.control.unlink(shop.id);
    await post(getOrder, { id: '1' }, shopKey);
    const { entries } = await log({ since: begin });
    expect(entries.map(({ account }) => account)).toEqual([
      `shop ${shop.id} (key not valid any more)`,
      `shop ${shop.id} (key not valid)`,
    ]);
  });

  it('keeps every digit of an id, and the length alone of a long body', async () => {
    const { log, begin, post, shopKey } = await opened();
    await post(getOrder, '{"id":1234567890123456789}', shopKey);
    await post(getOrder, JSON.stringify({ id: '1', note: 'x'.repeat(100_000) }), shopKey);
    const { entries } = await log({ since: begin });
    expect(entries.map(({ request }) => request)).toEqual([{ id: '1234567890123456789' }, '[100020 characters]']);
  });

  it('records which fault was applied to a call, and what the service had answered', async () => {
    const test = await opened();
    const { log, begin, post, shopKey, sandbox } = test;
    const order = await quotedOrder(test, { external_id: 'WEB-1' });
    for (const action of ['drop-before', 'drop-after-commit', 'half-answer', 'html', 'status=503', 'delay=5']) {
      await sandbox.control.faults.add({ operation: createOrder, once: true, do: action });
    }
    for (let round = 0; round < 7; round += 1) await post(createOrder, order, shopKey).catch(() => {});
    const { entries } = await log({ since: begin, operation: createOrder });
    expect(entries.map(({ fault, arrived, status, code }) => [fault, arrived, status, code])).toEqual([
      [1, false, null, null],
      [2, false, 200, 'ok'],
      [3, false, 409, 'already_exists'],
      [4, true, 502, null],
      [5, true, 503, 'unavailable'],
      [6, true, 409, 'already_exists'],
      [null, true, 409, 'already_exists'],
    ]);
    expect((await log({ fault: 'any' })).entries).toHaveLength(6);
    expect((await log({ fault: '3' })).entries.map(({ id }) => id)).toEqual([entries[2]?.id]);
  });

  it('filters by operation, status and code', async () => {
    const { log, begin, post, shopKey, partner } = await opened();
    await post(getOrder, { id: '1' }, shopKey);
    await post(getOrder, {}, shopKey);
    await post('partner.Shop/AuthorizeShop', {}, partner.apiKey);
    await post('partner.Shop/AuthorizeShop', {}, 'wrong');
    const idsOf = async (filter: object) =>
      (await log({ since: begin, ...filter })).entries.map(({ id }) => id - begin);
    expect(await idsOf({ operation: getOrder })).toEqual([1, 2]);
    expect(await idsOf({ operation: 'partner.Shop/*' })).toEqual([3, 4]);
    expect(await idsOf({ operation: '*' })).toEqual([1, 2, 3, 4]);
    expect(await idsOf({ status: '4xx' })).toEqual([1, 2, 4]);
    expect(await idsOf({ status: '404' })).toEqual([1]);
    expect(await idsOf({ status: 'ok' })).toEqual([3]);
    expect(await idsOf({ writes: true })).toEqual([3, 4]);
    expect(await idsOf({ writes: false })).toEqual([1, 2, 3, 4]);
    expect(await idsOf({ status: 'invalid_argument', operation: getOrder })).toEqual([2]);
  });

  it.each<[object, string]>([
    [{ operation: 'shop.Nothing/*' }, 'operation'],
    [{ status: '99' }, 'status'],
    [{ fault: 'none' }, 'fault'],
    [{ limit: 1001 }, 'limit'],
    [{ since: -1 }, 'since'],
    [{ waitMs: 30_001 }, 'wait_ms'],
  ])('refuses %o', async (request, field) => {
    const { log } = await opened();
    await expect(log(request)).rejects.toMatchObject({ code: 'invalid_argument', meta: { field } });
  });

  it('returns the newest entries by default, and continues from a given position', async () => {
    const { log, begin, post } = await opened();
    for (let round = 0; round < 5; round += 1) await post(getOrder, {});
    expect((await log({ limit: 2 })).entries.map(({ id }) => id - begin)).toEqual([4, 5]);
    const first = await log({ since: begin, limit: 2 });
    expect([first.entries.map(({ id }) => id - begin), first.next - begin]).toEqual([[1, 2], 2]);
    const second = await log({ since: first.next, limit: 100 });
    expect([second.entries.map(({ id }) => id - begin), second.next - begin]).toEqual([[3, 4, 5], 5]);
    expect(await log({ since: second.next })).toEqual({ entries: [], next: second.next, lost: 0 });
  });

  it('forgets the oldest, and says how many are lost', async () => {
    const { log, begin, sandbox } = await opened();
    const body = 'x'.repeat(1024 * 1024);
    for (let round = 0; round < 10; round += 1) {
      await sandbox.handle({ method: 'GET', url: 'http://127.0.0.1/v1/x', headers: {}, body });
    }
    const { entries, lost } = await log({ since: begin });
    expect(entries.length).toBeGreaterThan(5);
    expect(entries.length + lost).toBe(10);
    expect(lost).toBeGreaterThan(0);
  });
});

describe('following the log', () => {
  /** Waits for nothing but an abort. */
  const patient = (_: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  async function openedPatiently() {
    const clock = { now: () => 0, wait: patient, advance: () => {} };
    const test = await openTestSandbox({ clock });
    const { next } = await test.sandbox.control.log({ limit: 0 });
    return { ...test, begin: next, log: test.sandbox.control.log };
  }

  it('waits for the next request that is wanted', async () => {
    const { log, begin, post } = await openedPatiently();
    const following = log({ since: begin, operation: getOrder, waitMs: 1000 });
    await post('shop.Order/GetOrder', {});
    await post(getOrder, {});
    const { entries, next } = await following;
    expect([entries.map(({ operation }) => operation), next]).toEqual([[getOrder], begin + 2]);
  });

  it('ends empty when the time is over', async () => {
    const { sandbox } = await openTestSandbox();
    const { next } = await sandbox.control.log({ limit: 0 });
    expect(await sandbox.control.log({ since: next, waitMs: 1000 })).toEqual({ entries: [], next, lost: 0 });
  });

  it('ends when the sandbox is about to close', async () => {
    const { log, begin, sandbox } = await openedPatiently();
    const following = log({ since: begin, waitMs: 1000 });
    sandbox.interrupt();
    expect((await following).entries).toEqual([]);
  });
});

it('is read and followed through the control plane', async () => {
  const { sandbox, post, shopKey } = await openTestSandbox();
  const server = await startServer(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const control = controlClient({ control_url: server.controlUrl, control_token: server.controlToken });
  const { next } = await control.call(operations.log, { limit: 0 });
  await post(getOrder, { id: '1' }, shopKey);
  const page = await control.call(operations.log, {
    since: next,
    status: '404',
    operation: 'partner.Shipping/*',
    wait_ms: 1000,
  });
  expect(page).toMatchObject({ entries: [{ operation: getOrder, status: 404 }], next: next + 1, lost: 0 });
  await expect(control.call(operations.log, { limit: -1 })).rejects.toMatchObject({ code: 'invalid_argument' });
});
