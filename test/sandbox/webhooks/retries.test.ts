import { describe, expect, it } from 'vitest';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { rows } from '../../support/rows.ts';
import { openWebhookSandbox } from './webhook-sandbox.ts';

const groups = ['customer_group'];

/** Decisions, section 8: seconds after the 1st, 2nd, … failure. */
const gaps = [30, 60, 120, 240, 480, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 57_600];

describe('a receiver that is dead', () => {
  it('is tried again after 30 s, 1, 2, 4, 8, 15, 30 min, 1, 2, 4, 8, 12 and 16 h, and no more after the 14th failure', async () => {
    const { sandbox, register, makeGroups, advance, receiver, webhooks } = await openWebhookSandbox();
    await register(groups);
    receiver.answer(new Error('connect ECONNREFUSED 127.0.0.1:9'));
    await makeGroups(['one']);
    await advance('44h1m');

    const { deliveries } = await sandbox.control.deliveries();
    expect(deliveries[0]?.explanation).toBe(
      'nothing listens at this url: is the receiver running, and the port right?',
    );
    const moments = deliveries.map(({ sent_at }) => Date.parse(sent_at) / 1000).reverse();
    expect(moments.slice(1).map((moment, index) => moment - Number(moments[index]))).toEqual(gaps);
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(44 * 3600 + 30);
    expect(deliveries.map(({ attempt }) => attempt).reverse()).toEqual(Array.from({ length: 14 }, (_, at) => at + 1));
    expect((await webhooks())[0].states).toEqual({
      state: 'stop',
      last_sent_at: '2026-02-02T04:00:35Z',
      last_error: {
        error: 'connect ECONNREFUSED 127.0.0.1:9',
        resp_status: 0,
        resp_body: '',
        retried: 13,
        sent_at: '2026-02-02T04:00:35Z',
      },
    });
    await makeGroups(['two']);
    await advance('100d');
    expect(receiver.deliveries).toHaveLength(14);
  });

  it('leads to stop at the 14th failure, not a moment before', async () => {
    const { register, makeGroups, advance, receiver, webhooks } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('no');
    await makeGroups(['one']);
    await advance('5s');
    await advance('44h29s');
    expect(receiver.deliveries).toHaveLength(13);
    expect((await webhooks())[0].states.state).toBe('retry');
    await advance('1s');
    expect(receiver.deliveries).toHaveLength(14);
    expect((await webhooks())[0].states.state).toBe('stop');
  });

  it('is heard of again by a new webhook, with the changes after it was registered', async () => {
    const { shop, post, register, makeGroups, advance, receiver, delivered, webhooks } = await openWebhookSandbox();
    const id = await register(groups);
    receiver.answer('no');
    await makeGroups(['lost']);
    await advance('44h1m');
    receiver.answer('ok');
    await post('shop.Webhook/DeleteWebhook', { id }, shop.apiKey);
    await makeGroups(['in between']);
    await register(groups);
    await makeGroups(['new']);
    await advance('5s');
    expect(delivered().at(-1)).toEqual(['new']);
    expect((await webhooks()).map(({ states }) => states)).toMatchObject([{ state: 'ok', last_error: null }]);
  });
});

describe('a delivery that failed', () => {
  it('is sent again with the same changes under a new callback id, while later ones wait', async () => {
    const { register, makeGroups, advance, receiver, delivered } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('no');
    await makeGroups(['one', 'two']);
    await advance('5s');
    await makeGroups(['three']);
    await advance('30s');
    receiver.answer('ok');
    await advance('1m');
    expect(delivered()).toEqual([['one', 'two'], ['one', 'two'], ['one', 'two'], ['three']]);
    expect(new Set(receiver.deliveries.map(({ id }) => id)).size).toBe(4);
    const [first, second] = receiver.deliveries;
    expect(second?.changes).toEqual(first?.changes);
  });

  it('is told by GetWebhooks; the first success brings it back to ok, and the last error stays', async () => {
    const { register, makeGroups, advance, receiver, webhooks } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('Not quite ok');
    await makeGroups(['one']);
    await advance('5s');
    expect((await webhooks())[0].states).toEqual({
      state: 'retry',
      last_sent_at: '2026-01-31T08:00:05Z',
      last_error: {
        error: 'unexpected response',
        resp_status: 200,
        resp_body: 'Not quite ok',
        retried: 0,
        sent_at: '2026-01-31T08:00:05Z',
      },
    });
    receiver.answer({ status: 503, body: Buffer.from('busy') });
    await advance('30s');
    const last_error = {
      error: 'unexpected status: 503',
      resp_status: 503,
      resp_body: '',
      retried: 1,
      sent_at: '2026-01-31T08:00:35Z',
    };
    expect((await webhooks())[0].states).toMatchObject({ state: 'retry', last_error });
    receiver.answer('ok\n');
    await advance('1m');
    const recovered = { state: 'ok', last_sent_at: '2026-01-31T08:01:35Z', last_error };
    expect((await webhooks())[0].states).toEqual(recovered);

    // A new series begins at the first gap again.
    receiver.answer('no');
    await makeGroups(['two']);
    await advance('5s');
    expect((await webhooks())[0].states.last_error.retried).toBe(0);
    await advance('29s');
    expect(receiver.deliveries).toHaveLength(4);
    await advance('1s');
    expect(receiver.deliveries).toHaveLength(5);
  });
});

describe('the attempts', () => {
  it('are shown with their outcome, the newest first, all or those of one webhook', async () => {
    const { sandbox, register, makeGroups, advance, receiver } = await openWebhookSandbox();
    const one = await register(groups, { url: 'http://127.0.0.1:9/one' });
    const two = await register(groups, { url: 'http://127.0.0.1:9/two' });
    receiver.answer(async ({ url }) => ({ status: url.endsWith('/one') ? 200 : 500, body: Buffer.from('ok') }));
    await makeGroups(['a', 'b']);
    await advance('35s');
    const { deliveries, waiting } = await sandbox.control.deliveries();
    // Nothing is left but a retry, which holds no new change.
    expect(waiting).toBe(0);
    const failed = {
      milliseconds: 0,
      webhook_id: two,
      url: 'http://127.0.0.1:9/two',
      changes: 2,
      outcome: 'failed',
      status: 500,
      error: 'unexpected status: 500',
    };
    const explanation = 'only status 200 with a body of ok is an acknowledgement';
    const again = { explanation, next_attempt_at: '2026-01-31T08:01:35Z' };
    const before = { explanation, next_attempt_at: null };
    expect(deliveries).toEqual([
      { ...failed, ...again, callback_id: receiver.deliveries[2]?.id, attempt: 2, sent_at: '2026-01-31T08:00:35Z' },
      { ...failed, ...before, callback_id: receiver.deliveries[1]?.id, attempt: 1, sent_at: '2026-01-31T08:00:05Z' },
      {
        callback_id: receiver.deliveries[0]?.id,
        webhook_id: one,
        url: 'http://127.0.0.1:9/one',
        changes: 2,
        attempt: 1,
        sent_at: '2026-01-31T08:00:05Z',
        milliseconds: 0,
        outcome: 'ok',
        status: 200,
        error: null,
        explanation: null,
        next_attempt_at: null,
      },
    ]);
    expect((await sandbox.control.deliveries({ webhookId: one })).deliveries).toEqual(deliveries.slice(2));
    expect((await sandbox.control.deliveries({ limit: 1 })).deliveries).toEqual(deliveries.slice(0, 1));
    for (const limit of [0, 1001, 1.5]) await expect(sandbox.control.deliveries({ limit })).rejects.toThrow('limit');
  });

  it('are shown whole by their id: what was sent, what was answered, and what is wrong with it', async () => {
    const { sandbox, register, makeGroups, advance, receiver } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('OK, thank you');
    await makeGroups(['a']);
    await advance('6s');
    const [sent] = receiver.deliveries;
    const { deliveries } = await sandbox.control.deliveries({ show: sent?.id });
    expect(deliveries).toMatchObject([
      {
        callback_id: sent?.id,
        error: 'unexpected response',
        explanation: 'the status was 200, but the body must be exactly ok',
        next_attempt_at: '2026-01-31T08:00:35Z',
        payload: { id: sent?.id, changes: sent?.changes },
        answer: 'OK, thank you',
      },
    ]);
    await expect(sandbox.control.deliveries({ show: '1000000000000000001' })).rejects.toThrow('delivery');
  });

  it('are those of a record if it is named: those whose payload has its id', async () => {
    const { sandbox, register, makeGroups, advance, receiver } = await openWebhookSandbox();
    await register(groups);
    await makeGroups(['a']);
    await advance('6s');
    await makeGroups(['b']);
    await advance('6s');
    const [first, second] = receiver.deliveries;
    const idOf = (delivery: typeof first) => String(delivery?.changes[0]?.latest.customer_group?.id);
    expect(idOf(second)).not.toBe(idOf(first));
    expect((await sandbox.control.deliveries({ record: idOf(first) })).deliveries).toMatchObject([
      { callback_id: first?.id },
    ]);
    expect((await sandbox.control.deliveries({ record: '1' })).deliveries).toEqual([]);
  });

  it('are sent again when asked, under a new id, beside what the webhook does by itself', async () => {
    const { sandbox, register, makeGroups, advance, receiver, webhooks } = await openWebhookSandbox();
    await register(groups);
    await makeGroups(['a']);
    await advance('6s');
    const [before] = await webhooks();
    const again = await sandbox.control.redeliver(receiver.deliveries[0]?.id ?? '');
    expect(receiver.deliveries).toHaveLength(2);
    expect(receiver.deliveries[1]?.changes).toEqual(receiver.deliveries[0]?.changes);
    expect(receiver.deliveries[1]?.id).not.toBe(receiver.deliveries[0]?.id);
    expect(again).toMatchObject({ callback_id: receiver.deliveries[1]?.id, outcome: 'ok', answer: 'ok', changes: 1 });
    receiver.answer('nope');
    const failed = await sandbox.control.redeliver(again.callback_id);
    expect(failed).toMatchObject({
      outcome: 'failed',
      error: 'unexpected response',
      answer: 'nope',
      next_attempt_at: null,
    });
    expect((await webhooks())[0]).toEqual(before);
    await makeGroups(['b']);
    receiver.answer('ok');
    await advance('6s');
    expect(receiver.deliveries.at(-1)?.changes).toHaveLength(1);
    await expect(sandbox.control.redeliver('1000000000000000001')).rejects.toThrow('delivery');
  });

  it('are remembered up to a thousand', async () => {
    const { core, sandbox, register, makeGroups, advance } = await openWebhookSandbox();
    await register(groups);
    for (let round = 0; round < 1003; round += 1) {
      await makeGroups([`${round}`]);
      await advance('5s');
    }
    const remembered = core.read(({ database }) => rows(database, tables.selectFrom('deliveries').select('id')));
    expect(remembered).toHaveLength(1000);
    const { deliveries } = await sandbox.control.deliveries({ limit: 1000 });
    expect(deliveries[0]?.sent_at).toBe('2026-01-31T09:23:35Z');
  });
});
