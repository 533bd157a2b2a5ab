import { describe, expect, it } from 'vitest';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { rows } from '../../support/rows.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { openWebhookSandbox, type WebhookSandbox } from './webhook-sandbox.ts';

const groups = ['customer_group'];

/** `count` names. */
const names = (count: number, first = 0) => Array.from({ length: count }, (_, index) => `group ${first + index}`);

describe('a delivery', () => {
  it('is a Callback with the changes as the contract shows them', async () => {
    const { core, shop, register, advance, receiver } = await openWebhookSandbox();
    await register(groups);
    const made = await core.write((work) => work.records('customer_group', shop.id).insert({ name: 'One' }));
    await core.write((work) => work.records('customer_group', shop.id).update(made, { name: 'Two' }));
    await core.write((work) => work.records('customer_group', shop.id).remove(made));
    await advance('5s');
    const { id } = made;
    const group = (name: string, deleted = false) => ({ customer_group: { id, shop_id: shop.id, name, deleted } });
    const time = '2026-01-31T08:00:00Z';
    const entity = 'customer_group';
    expect(receiver.deliveries).toEqual([
      {
        url: 'http://127.0.0.1:9/hook',
        id: expect.stringMatching(/^\d{19}$/),
        changes: [
          { change_type: 'create', entity, time, changed: group('One'), latest: group('One') },
          {
            change_type: 'update',
            entity,
            time,
            changed: { customer_group: { id, shop_id: shop.id, name: 'Two' } },
            latest: group('Two'),
          },
          {
            change_type: 'delete',
            entity,
            time,
            changed: { customer_group: { id, deleted: true } },
            latest: group('One', true),
          },
        ],
      },
    ]);
  });

  it('goes off every 5 s of the business clock, with all that has come up by then', async () => {
    const { register, makeGroups, advance, delivered } = await openWebhookSandbox();
    await register(groups);
    await makeGroups(['at 0 s']);
    await advance('4s');
    await makeGroups(['at 4 s']);
    expect(delivered()).toEqual([]);
    await advance('1s');
    expect(delivered()).toEqual([['at 0 s', 'at 4 s']]);
    await makeGroups(['at 5 s']);
    await advance('4s');
    expect(delivered()).toHaveLength(1);
    await advance('1s');
    expect(delivered()[1]).toEqual(['at 5 s']);
    await advance('1h');
    expect(delivered()).toHaveLength(2);
  });

  it('holds at most 1000 changes; more come right after it, in order', async () => {
    const { register, makeGroups, advance, delivered } = await openWebhookSandbox();
    await register(groups);
    await makeGroups(names(2500));
    await advance('5s');
    expect(delivered().map((batch) => batch.length)).toEqual([1000, 1000, 500]);
    expect(delivered().flat()).toEqual(names(2500));
  });

  it('waits for the one before it, and never overtakes it', async () => {
    const { register, makeGroups, sandbox, receiver, delivered } = await openWebhookSandbox();
    await register(groups);
    const gates: (() => void)[] = [];
    receiver.answer(
      () => new Promise((resolve) => gates.push(() => resolve({ status: 200, body: Buffer.from('ok') }))),
    );
    await makeGroups(names(1500));
    const moved = sandbox.control.clock.advance('1m', { untilIdle: true });
    await expect.poll(() => gates.length).toBe(1);
    await makeGroups(['later']);
    expect(delivered()).toHaveLength(1);
    gates[0]?.();
    await expect.poll(() => gates.length).toBe(2);
    expect(delivered().map((batch) => batch.length)).toEqual([1000, 501]);
    gates[1]?.();
    await moved;
    expect(delivered().flat()).toEqual([...names(1500), 'later']);
  });

  it('to one webhook does not hold up another', async () => {
    const { register, makeGroups, sandbox, receiver } = await openWebhookSandbox();
    await register(groups, { url: 'http://127.0.0.1:9/slow' });
    await register(groups, { url: 'http://127.0.0.1:9/quick' });
    let release = () => {};
    receiver.answer(({ url }) =>
      url.endsWith('/slow')
        ? new Promise((resolve) => {
            release = () => resolve({ status: 200, body: Buffer.from('ok') });
          })
        : Promise.resolve({ status: 200, body: Buffer.from('ok') }),
    );
    await makeGroups(names(1001));
    const moved = sandbox.control.clock.advance('5s', { untilIdle: true });
    const to = (end: string) => receiver.deliveries.filter(({ url }) => url.endsWith(end)).length;
    await expect.poll(() => to('/quick')).toBe(2);
    expect(to('/slow')).toBe(1);
    release();
    await expect.poll(() => to('/slow')).toBe(2);
    release();
    await moved;
  });

  it('of an order tells all that its operation changed', async () => {
    const opened = await openWebhookSandbox();
    await opened.register(['order', 'fulfillment', 'customer', 'customer_address'], { key: opened.partner.apiKey });
    const request = await quotedOrder(opened);
    await opened.post('partner.Shipping/CreateAndConfirmOrder', request, opened.shopKey);
    await opened.advance('5s');
    const [delivery] = opened.receiver.deliveries;
    const changes = delivery?.changes.map(({ entity, change_type }) => `${entity} ${change_type}`);
    expect(changes).toContain('order create');
    expect(changes).toContain('fulfillment create');
    expect(changes?.at(-1)).toBe('order update');
    expect(delivery?.changes.at(-1)?.latest.order).toMatchObject({ status: 'S', confirm_status: 'P' });
  });
});

describe('a shipment that moves by itself', () => {
  it('is told of step by step, with its order, while the clock is moved over all of it', async () => {
    const opened = await openWebhookSandbox();
    await opened.register(['order', 'fulfillment'], { key: opened.partner.apiKey });
    const { body } = await opened.post(
      'partner.Shipping/CreateAndConfirmOrder',
      await quotedOrder(opened),
      opened.shopKey,
    );
    await opened.sandbox.control.advance(body.order.id, { auto: true });
    await opened.advance('60d');
    const states = opened.receiver.deliveries.map(({ changes }) =>
      changes.flatMap(({ latest }) => latest.fulfillment?.shipping_state ?? []),
    );
    expect(states.flat().filter((state, index, all) => state !== all[index - 1])).toEqual([
      'created',
      'picking',
      'holding',
      'delivering',
      'delivered',
    ]);
    // Each step went off when it was taken, not all of them at the end.
    expect(states.length).toBeGreaterThanOrEqual(5);
    expect(opened.receiver.deliveries.at(-1)?.changes.at(-1)?.entity).toBe('order');
  });
});

describe('a webhook', () => {
  it('hears its entities only, and only changes after its registration', async () => {
    const { core, shop, register, makeGroups, advance, receiver, delivered } = await openWebhookSandbox();
    await makeGroups(['before']);
    await register(['product_collection'], { url: 'http://127.0.0.1:9/collections' });
    await register(groups);
    await makeGroups(['after']);
    await core.write((work) => work.records('product_collection', shop.id).insert({ name: 'Summer' }));
    await makeGroups(['last']);
    await advance('5s');
    expect(receiver.deliveries.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:9/collections',
      'http://127.0.0.1:9/hook',
    ]);
    expect(receiver.deliveries[0]?.changes.map(({ entity }) => entity)).toEqual(['product_collection']);
    expect(delivered()[1]).toEqual(['after', 'last']);
  });

  it('of a shop hears that shop; of a partner, every shop with a live link', async () => {
    const opened = await openWebhookSandbox();
    const { shop, otherShop, partner, register, makeGroups, advance, receiver, signIn } = opened;
    await register(groups, { url: 'http://127.0.0.1:9/shop' });
    await register(groups, { url: 'http://127.0.0.1:9/partner', key: partner.apiKey });
    await makeGroups(['mine'], shop.id);
    await makeGroups(['not linked yet'], otherShop.id);
    await signIn(otherShop.id);
    await makeGroups(['linked'], otherShop.id);
    await advance('5s');
    const heard = (end: string) =>
      receiver.deliveries
        .filter(({ url }) => url.endsWith(end))
        .flatMap(({ changes }) => changes.map(({ latest }) => latest.customer_group?.name));
    expect(heard('/shop')).toEqual(['mine']);
    expect(heard('/partner')).toEqual(['mine', 'linked']);
  });

  it('of a partner hears nothing more of a shop that removed its link, also of what has not been accepted yet', async () => {
    const opened = await openWebhookSandbox();
    const { shop, otherShop, partner, sandbox, register, makeGroups, advance, receiver, delivered, signIn } = opened;
    await signIn(otherShop.id);
    await register(groups, { key: partner.apiKey });
    receiver.answer('no');
    await makeGroups(['one'], shop.id);
    await makeGroups(['two'], otherShop.id);
    await advance('5s');
    await sandbox.control.unlink(shop.id);
    await makeGroups(['three'], shop.id);
    await makeGroups(['four'], otherShop.id);
    receiver.answer('ok');
    await signIn(shop.id);
    await makeGroups(['five'], shop.id);
    await advance('1m');
    expect(delivered()).toEqual([['one', 'two'], ['two'], ['four', 'five']]);
  });

  it('that has nothing left to say again, since the link was removed, goes on with what follows', async () => {
    const { shop, partner, sandbox, register, makeGroups, advance, receiver, delivered, signIn, webhooks } =
      await openWebhookSandbox();
    await register(groups, { key: partner.apiKey });
    receiver.answer(new Error('connect ECONNREFUSED'));
    await makeGroups(['one'], shop.id);
    await advance('5s');
    await sandbox.control.unlink(shop.id);
    await advance('44h1m');
    expect(delivered()).toEqual([['one']]);
    receiver.answer('ok');
    await signIn(shop.id);
    await makeGroups(['two'], shop.id);
    await advance('5s');
    expect(delivered()).toEqual([['one'], ['two']]);
    expect((await webhooks(partner.apiKey))[0].states.state).toBe('ok');
  });

  it('that is deleted while it is being delivered to is gone, and its place is clean', async () => {
    const { shop, post, sandbox, register, makeGroups, receiver, delivered, webhooks } = await openWebhookSandbox();
    const id = await register(groups);
    let release = () => {};
    receiver.answer(
      () =>
        new Promise((resolve) => {
          release = () => resolve({ status: 200, body: Buffer.from('ok') });
        }),
    );
    await makeGroups(['one']);
    const moved = sandbox.control.clock.advance('5s', { untilIdle: true });
    await expect.poll(() => delivered().length).toBe(1);
    await post('shop.Webhook/DeleteWebhook', { id }, shop.apiKey);
    release();
    await moved;
    expect(await webhooks()).toEqual([]);
  });
});

describe('the outbox', () => {
  const remaining = async ({ core }: WebhookSandbox) =>
    core.read(({ database }) => rows(database, tables.selectFrom('outbox').select('seq'))).length;
  /** The newest ones stay, for whoever looks into what happened. */
  const kept = 1000;

  it('forgets a change once every webhook has passed it', async () => {
    const opened = await openWebhookSandbox();
    const { register, makeGroups, advance, receiver, partner } = opened;
    await register(groups, { url: 'http://127.0.0.1:9/dead' });
    await register(['order'], { key: partner.apiKey });
    receiver.answer('no');
    await makeGroups(names(1500));
    await advance('5s');
    expect(await remaining(opened)).toBeGreaterThanOrEqual(1500);
    receiver.answer('ok');
    await advance('30s');
    expect(await remaining(opened)).toBe(kept);
  });

  it('forgets what only a stopped or deleted webhook would have heard', async () => {
    const opened = await openWebhookSandbox();
    const { shop, post, register, makeGroups, advance, receiver } = opened;
    receiver.answer('no');
    const id = await register(groups);
    await makeGroups(names(1500));
    await advance('1h');
    expect(await remaining(opened)).toBeGreaterThanOrEqual(1500);
    await post('shop.Webhook/DeleteWebhook', { id }, shop.apiKey);
    await advance('5s');
    expect(await remaining(opened)).toBe(kept);
    await register(groups);
    await makeGroups(names(1500));
    await advance('45h');
    expect(await remaining(opened)).toBe(kept);
  });

  it('deletes a large number of changes without a recipient in small steps', async () => {
    const opened = await openWebhookSandbox();
    await opened.makeGroups(names(12_000));
    await opened.advance('5s');
    expect(await remaining(opened)).toBe(kept);
  });
});
