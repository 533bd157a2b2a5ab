import { describe, expect, it } from 'vitest';
import { plainOrder } from '../../support/plain-order.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { shopWorld } from '../../support/shop-world.ts';

/** A shop with two groups, and a receiver. */
async function worldWithGroups(...answering: Parameters<typeof listeningReceiver>) {
  const world = await shopWorld();
  const receiver = await listeningReceiver(...answering);
  const shop = ['--profile', 'shop', '--json'];
  const ids: string[] = [];
  for (const name of ['first', 'second']) {
    const { stdout } = await world.run(['groups', 'create', '--name', name, ...shop]);
    ids.push(String(JSON.parse(stdout).id));
  }
  const send = async (...words: string[]) => {
    const { exit, stdout, stderr } = await world.run(['webhooks', 'send', receiver.url, ...words, ...shop]);
    return { exit, stderr, answer: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  return { world, receiver, ids, send };
}

describe('webhooks send', () => {
  it('sends the named record as the service would, and shows the answer', async () => {
    const { receiver, ids, send } = await worldWithGroups();
    const [first = ''] = ids;
    const { exit, answer } = await send('--entity', 'customer_group', '--change', 'create', '--record', first);
    expect([exit, answer]).toEqual([
      0,
      {
        change: 'customer_group create',
        record_id: first,
        accepted: true,
        status: 200,
        milliseconds: expect.any(Number),
        answer: 'ok',
        reason: null,
      },
    ]);
    const [{ callback } = { callback: undefined }] = receiver.requests;
    expect(callback).toMatchObject({
      id: expect.stringMatching(/^[1-9]\d{18}$/),
      changes: [
        { change_type: 'create', entity: 'customer_group', latest: { customer_group: { id: first, name: 'first' } } },
      ],
    });
    expect(callback?.changes[0]?.changed).toEqual(callback?.changes[0]?.latest);
  });

  it('takes no user and no password in the address, and repeats none', async () => {
    const { world, receiver } = await worldWithGroups();
    const url = receiver.url.replace('http://', 'http://me:hush-hush@');
    for (const words of [
      ['webhooks', 'send', url, '--entity', 'order'],
      ['webhooks', 'create', '--url', url, '--entities', 'order'],
    ]) {
      const { exit, stdout, stderr } = await world.run([...words, '--profile', 'shop']);
      expect([exit, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringContaining('must not carry a user name or password'),
      ]);
      expect(stderr).not.toContain('hush');
    }
    expect(receiver.requests).toEqual([]);
  });

  it('takes the newest record, and of an update tells what identifies it', async () => {
    const { receiver, ids, send } = await worldWithGroups();
    expect((await send('--entity', 'customer_group')).answer).toMatchObject({
      change: 'customer_group update',
      record_id: ids[1],
    });
    const [change] = receiver.requests[0]?.callback.changes ?? [];
    expect(Object.keys(change?.changed.customer_group ?? {}).sort()).toEqual(['id', 'shop_id']);
  });

  it('ends with 11 and the reason where the service would not accept the answer', async () => {
    const { send } = await worldWithGroups((response) => response.writeHead(204).end());
    const { exit, answer } = await send('--entity', 'customer_group');
    expect([exit, answer]).toMatchObject([
      11,
      { accepted: false, status: 204, reason: 'answered status 204; the service accepts only 200' },
    ]);
  });

  it('refuses what there is not, and sends nothing in a dry run', async () => {
    const { receiver, send } = await worldWithGroups();
    expect((await send('--entity', 'order')).exit).toBe(3);
    expect((await send('--entity', 'customer_group', '--record', '1234567890123456789')).exit).toBe(3);
    expect((await send('--entity', 'customer_group', '--dry-run')).exit).toBe(0);
    expect(receiver.requests).toEqual([]);
  });

  it("reads an order with a partner's key, too", async () => {
    const { world, receiver } = await worldWithGroups();
    const shipping = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'];
    const { order } = JSON.parse((await world.run(shipping)).stdout);
    const words = ['webhooks', 'send', receiver.url, '--entity', 'fulfillment', '--record', String(order.id)];
    expect((await world.run(words)).exit).toBe(0);
    expect(receiver.requests[0]?.callback.changes[0]?.latest).toMatchObject({
      fulfillment: { order_id: String(order.id) },
    });
  });
});
