import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as operations from '../../src/contract/control/operations.ts';
import { controlClient } from '../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { okAnswer } from '../support/receiver.ts';
import { frozenClock, openTestSandbox } from '../support/sandbox.ts';
import { openWebhookSandbox } from './webhooks/webhook-sandbox.ts';

const start = '2026-01-31T08:00:00Z';

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-clock-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

describe('the business clock', () => {
  it('follows the machine until it is changed', async () => {
    const { sandbox, clock } = await openTestSandbox();
    const real = { mode: 'real', time: start, machine_time: start, next_due: null };
    expect(await sandbox.control.clock.status()).toEqual(real);
    clock.advance(60_000);
    expect(await sandbox.control.clock.status()).toMatchObject({ mode: 'real', time: '2026-01-31T08:01:00Z' });
  });

  it('stops when it is frozen, and can still be moved', async () => {
    const { sandbox, clock } = await openTestSandbox();
    const { control } = sandbox;
    expect(await control.clock.freeze()).toMatchObject({ mode: 'frozen', time: start });
    clock.advance(60_000);
    expect(await control.clock.status()).toMatchObject({ time: start, machine_time: '2026-01-31T08:01:00Z' });
    expect(await control.clock.advance('1h')).toMatchObject({ mode: 'frozen', time: '2026-01-31T09:00:00Z' });
    expect(await control.clock.set('2027-01-01')).toMatchObject({ mode: 'frozen', time: '2027-01-01T00:00:00Z' });
    expect(await control.clock.real()).toMatchObject({ mode: 'real', time: '2026-01-31T08:01:00Z' });
  });

  it('continues from where it is set or moved to', async () => {
    const { sandbox, clock } = await openTestSandbox();
    const { control } = sandbox;
    expect(await control.clock.set('2026-03-01T00:00:00+07:00')).toMatchObject({
      mode: 'moved',
      time: '2026-02-28T17:00:00Z',
    });
    clock.advance(1000);
    expect(await control.clock.advance('2d')).toMatchObject({ mode: 'moved', time: '2026-03-02T17:00:01Z' });
    clock.advance(1000);
    const walked = await control.clock.advance('1m', { untilIdle: true });
    expect(walked).toMatchObject({ mode: 'moved', time: '2026-03-02T17:01:02Z' });
  });

  it('is stored with the data, so that a restarted sandbox keeps using it', async () => {
    const data = await temporaryDirectory();
    const first = await openTestSandbox({ data });
    await first.sandbox.control.clock.advance('2d');
    await first.sandbox.close();
    const clock = frozenClock();
    clock.advance(60_000);
    const second = await openTestSandbox({ data, clock });
    expect(await second.sandbox.control.clock.status()).toMatchObject({ mode: 'moved', time: '2026-02-02T08:01:00Z' });
    await second.sandbox.control.clock.freeze();
    await second.sandbox.close();
    clock.advance(60_000);
    const third = await openTestSandbox({ data, clock });
    expect(await third.sandbox.control.clock.status()).toMatchObject({ mode: 'frozen', time: '2026-02-02T08:01:00Z' });
  });

  it('refuses what is not a duration, no time or out of reach with 400', async () => {
    const { sandbox } = await openTestSandbox();
    const { clock } = sandbox.control;
    for (const by of ['', 'soon', '-1h']) {
      await expect(clock.advance(by)).rejects.toMatchObject({ code: 'invalid_argument', meta: { field: 'by' } });
    }
    await clock.set('9999-12-31T23:59:59Z');
    for (const untilIdle of [false, true]) await expect(clock.advance('1s', { untilIdle })).rejects.toThrow('9999');
    for (const time of ['', 'now', '2026-02-30', '1969-12-31']) {
      await expect(clock.set(time)).rejects.toMatchObject({ code: 'invalid_argument', meta: { field: 'time' } });
    }
  });

  it('moves the expiry of request tokens', async () => {
    const { sandbox, partner, shop, post } = await openTestSandbox();
    const { body } = await post('partner.Shop/AuthorizeShop', {}, partner.apiKey);
    await sandbox.control.clock.advance('15m');
    await expect(sandbox.control.signIn(body.auth_token, shop.id)).rejects.toThrow('has expired');
  });

  it('stamps what is written', async () => {
    const { core, shop, sandbox } = await openTestSandbox();
    await sandbox.control.clock.set('2030-05-05');
    const made = await core.write((work) => work.records('product_collection', shop.id).insert({ name: 'Tea' }));
    expect(made.record.created_at).toBe('2030-05-05T00:00:00Z');
  });
});

describe('deliveries', () => {
  const groups = ['customer_group'];

  it('are what the clock says is due next', async () => {
    const { sandbox, register, makeGroups, receiver, advance } = await openWebhookSandbox();
    const due = async () => (await sandbox.control.clock.status()).next_due;
    await register(groups);
    await advance('1s');
    expect(await due()).toBeNull();
    await makeGroups(['one']);
    expect(await due()).toBe('2026-01-31T08:00:05Z');
    receiver.answer('no');
    await advance('4s');
    expect(await due()).toBe('2026-01-31T08:00:35Z');
  });

  it('that fell due during a jump are made once, when it is over', async () => {
    const { sandbox, register, makeGroups, receiver, webhooks } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('no');
    await makeGroups(['one']);
    await sandbox.control.clock.advance('44h');
    await expect.poll(async () => (await webhooks())[0].states.state).toBe('retry');
    expect(receiver.deliveries).toHaveLength(1);
    expect((await sandbox.control.clock.status()).next_due).toBe('2026-02-02T04:00:30Z');
  });

  it('are not made while the clock stands', async () => {
    const { sandbox, clock, register, makeGroups, receiver, advance } = await openWebhookSandbox();
    await register(groups);
    await sandbox.control.clock.freeze();
    await makeGroups(['one']);
    clock.advance(3_600_000);
    await advance('4s');
    expect(receiver.deliveries).toEqual([]);
    await sandbox.control.clock.real();
    await expect.poll(() => receiver.deliveries.length).toBe(1);
  });

  it('that wait for a moment far ahead go off at once when the clock is set back', async () => {
    const { sandbox, register, makeGroups, receiver, advance, delivered } = await openWebhookSandbox();
    await register(groups);
    receiver.answer('no');
    await makeGroups(['one']);
    await advance('30h');
    const tried = receiver.deliveries.length;
    receiver.answer('ok');
    await sandbox.control.clock.real();
    await expect.poll(() => receiver.deliveries.length).toBe(tried + 1);
    await sandbox.control.clock.advance('30h');
    await makeGroups(['two']);
    await sandbox.control.clock.real();
    await expect.poll(() => delivered().at(-1)).toEqual(['two']);
  });

  it('go on at the frozen moment where two are moving the clock, one after the other', async () => {
    const { sandbox, register, makeGroups, receiver } = await openWebhookSandbox();
    const { clock } = sandbox.control;
    await register(groups);
    await makeGroups(['one']);
    const release: (() => void)[] = [];
    receiver.answer(() => new Promise((resolve) => release.push(() => resolve(okAnswer()))));
    const first = clock.advance('10s', { untilIdle: true });
    const second = clock.advance('1h');
    await expect.poll(() => release.length).toBe(1);
    expect((await clock.status()).time).toBe('2026-01-31T08:00:05Z');
    release[0]?.();
    expect((await first).mode).toBe('moved');
    expect((await second).time).toBe('2026-01-31T09:00:10Z');
  });
});

describe('a sandbox that is closed while its clock is being moved', () => {
  it('stops moving it, and the delivery continues after a restart', async () => {
    const data = await temporaryDirectory();
    const { sandbox, register, makeGroups, receiver } = await openWebhookSandbox({ data });
    await register(['customer_group']);
    await makeGroups(['one']);
    receiver.answer(() => new Promise(() => {}));
    const moved = expect(sandbox.control.clock.advance('1h', { untilIdle: true })).rejects.toBeInstanceOf(Error);
    await expect.poll(() => receiver.deliveries.length).toBe(1);
    await sandbox.close();
    await moved;

    const second = await openWebhookSandbox({ data });
    expect(await second.sandbox.control.clock.status()).toMatchObject({ mode: 'moved', time: '2026-01-31T08:00:05Z' });
    await expect.poll(() => second.receiver.deliveries).toEqual(receiver.deliveries);
  });
});

describe('the control plane', () => {
  it('reads and moves the clock and shows the deliveries, as its client asks', async () => {
    const { sandbox, register, makeGroups } = await openWebhookSandbox();
    const server = await startServer(sandbox, { port: 0 });
    onTestFinished(() => server.close());
    const client = controlClient({ control_url: server.controlUrl, control_token: server.controlToken });

    const id = await register(['customer_group']);
    await makeGroups(['one']);
    expect(await client.call(operations.clockStatus, {})).toMatchObject({
      mode: 'real',
      time: start,
      next_due: '2026-01-31T08:00:05Z',
    });
    expect(await client.call(operations.freezeClock, {})).toMatchObject({ mode: 'frozen' });
    expect(await client.call(operations.advanceClock, { by: '44h1m', until_idle: true })).toMatchObject({
      time: '2026-02-02T04:01:00Z',
    });
    expect(await client.call(operations.advanceClock, { by: '1m' })).toMatchObject({ time: '2026-02-02T04:02:00Z' });
    expect(await client.call(operations.setClock, { time: '2026-03-01' })).toMatchObject({
      time: '2026-03-01T00:00:00Z',
    });
    expect(await client.call(operations.runClock, {})).toMatchObject({ mode: 'real' });
    const { deliveries } = await client.call(operations.deliveries, { webhook_id: id, limit: 10 });
    expect(deliveries).toMatchObject([{ webhook_id: id, changes: 1, outcome: 'ok', status: 200 }]);
    expect(await client.call(operations.deliveries, {})).toEqual({ deliveries, waiting: 0 });
    expect(await client.call(operations.deliveries, { webhook_id: '1' })).toEqual({ deliveries: [], waiting: 0 });

    const refused = { code: 'invalid_argument' };
    await expect(client.call(operations.advanceClock, { by: 'soon' })).rejects.toMatchObject(refused);
    await expect(client.send('POST', 'clock/advance', { by: '1s', until_idle: 'yes' })).rejects.toMatchObject(refused);
    await expect(client.send('POST', 'deliveries', { limit: '5' })).rejects.toMatchObject(refused);
    await expect(client.send('POST', 'deliveries', { webhook_id: 5 })).rejects.toMatchObject(refused);
  });
});
