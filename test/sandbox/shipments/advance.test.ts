import { describe, expect, it } from 'vitest';
import type { Advance } from '../../../src/sandbox/service/shipments/shipment-part.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { changesOf, createShopOrder, shipPartnerOrder, shipShopOrder } from '../../support/shop-order.ts';

/** A shipped order; answers its id and its shipment's. */
async function shipped(test: TestSandbox) {
  const { body } = await shipShopOrder(test);
  const [{ id }] = body.fulfillments;
  const advance = (how: Advance) => test.sandbox.control.advance(id, how);
  const read = async () => {
    const { body: found } = await test.post('shop.Order/GetOrder', { id: body.order.id }, test.shop.apiKey);
    return { order: found.order, shipment: found.fulfillments[0] };
  };
  return { id: id as string, orderId: body.order.id as string, advance, read };
}

const refused = (code: string, meta: object = {}) =>
  expect.objectContaining({ code, meta: expect.objectContaining(meta) });
const named = (steps: readonly { state: string; substate: string }[]) =>
  steps.map(({ state, substate }) => (substate ? `${state}/${substate}` : state));

describe('advancing a shipment', () => {
  it('advances one step, and returns its state and the allowed next ones', async () => {
    const test = await openTestSandbox();
    const { id, orderId, advance } = await shipped(test);
    expect(await advance({ to: 'picking' })).toEqual({
      entity: 'fulfillment',
      id,
      shop_id: test.shop.id,
      order_ids: [orderId],
      shipping_state: 'picking',
      shipping_substate: '',
      shipping_status: 'S',
      status: 'S',
      steps: [{ state: 'picking', substate: '' }],
      allowed: [
        { state: 'holding', substate: '' },
        { state: 'cancelled', substate: '' },
        { state: 'picking', substate: 'pick_fail' },
        { state: 'picking', substate: 'cancelling' },
      ],
      next_due: null,
    });
  });

  it('goes over every step on the way, each of which is heard of', async () => {
    const test = await openTestSandbox();
    const { advance, read } = await shipped(test);
    const changes = await changesOf(test, async () => {
      const { steps } = await advance({ to: 'delivered' });
      expect(named(steps)).toEqual(['picking', 'holding', 'delivering', 'delivered']);
    });
    expect(changes).toEqual(Array.from({ length: 4 }, () => ['fulfillment update', 'order update']).flat());
    const { order, shipment } = await read();
    expect(shipment).toMatchObject({ shipping_state: 'delivered', shipping_status: 'P', status: 'S' });
    expect(order).toMatchObject({ fulfillment_shipping_status: 'P', status: 'S', platform_payment_status: 'Z' });
  });

  it('takes the id of the order, of a partner, in another shop, as well', async () => {
    const test = await openTestSandbox();
    const key = await test.signIn(test.otherShop.id);
    const { body } = await shipPartnerOrder(test, {}, { key });
    const answer = await test.sandbox.control.advance(body.order.id, { to: 'holding' });
    expect(answer).toMatchObject({
      id: body.fulfillments[0].id,
      shop_id: test.otherShop.id,
      shipping_state: 'holding',
    });
  });

  it('takes code, external id and parcel code, and refuses a name of several records', async () => {
    const test = await openTestSandbox();
    const { advance } = test.sandbox.control;
    const { body } = await shipPartnerOrder(test, { external_id: 'WEB-7' });
    const { order, fulfillments } = body;
    const moves = [
      [order.code, 'holding'],
      ['WEB-7', 'delivering'],
      [fulfillments[0].shipping_code, 'delivered'],
    ] as const;
    for (const [name, to] of moves)
      expect(await advance(name, { to })).toMatchObject({ id: fulfillments[0].id, shipping_state: to });
    await expect(advance('NONE', { to: 'holding' })).rejects.toMatchObject({ code: 'not_found' });
    const key = await test.signIn(test.otherShop.id);
    // The codes of each shop begin with the same one.
    const other = await shipPartnerOrder(test, {}, { key });
    expect(other.body.order.code).toBe(order.code);
    await expect(advance(order.code, { to: 'holding' })).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining(order.id),
    });
  });

  it('brings a parcel back after a failed delivery', async () => {
    const test = await openTestSandbox();
    const { advance, read } = await shipped(test);
    await advance({ to: 'delivering' });
    expect(named((await advance({ to: 'holding' })).steps)).toEqual(['holding/delivery_fail']);
    expect(named((await advance({ to: 'returned' })).steps)).toEqual(['returning/delivery_fail', 'returned']);
    const { order, shipment } = await read();
    expect(shipment).toMatchObject({ shipping_state: 'returned', shipping_status: 'NS', status: 'NS' });
    expect(order).toMatchObject({ status: 'NS', fulfillment_shipping_status: 'NS', closed_at: '2026-01-31T08:00:00Z' });
  });

  it.each<[Advance, string[]]>([
    [{ to: 'picking', substate: 'pick_fail' }, ['picking', 'picking/pick_fail']],
    [{ to: 'created', substate: 'cancelling' }, ['created/cancelling']],
    [{ to: 'holding', substate: 'delivery_fail' }, ['picking', 'holding', 'delivering', 'holding/delivery_fail']],
    [
      { to: 'holding', substate: 'devivery_giveup' },
      ['picking', 'holding', 'delivering', 'holding/delivery_fail', 'holding/devivery_giveup'],
    ],
    [
      { to: 'returning', substate: 'return_fail' },
      ['picking', 'holding', 'delivering', 'holding/delivery_fail', 'returning/delivery_fail', 'returning/return_fail'],
    ],
    [{ to: 'undeliverable' }, ['picking', 'holding', 'undeliverable']],
    [{ to: 'reconciled' }, ['picking', 'holding', 'delivering', 'delivered', 'reconciled']],
  ])('to %j goes over %j', async (target, way) => {
    const { advance } = await shipped(await openTestSandbox());
    expect(named((await advance(target)).steps)).toEqual(way);
  });

  it('continues after a failed pickup, and delivers again after a failed delivery', async () => {
    const { advance } = await shipped(await openTestSandbox());
    await advance({ to: 'picking', substate: 'pick_fail' });
    expect(named((await advance({ to: 'holding' })).steps)).toEqual(['holding']);
    await advance({ to: 'holding', substate: 'delivery_fail' });
    expect(await advance({ to: 'delivering' })).toMatchObject({
      shipping_substate: '',
      steps: [{ state: 'delivering' }],
    });
  });

  it('is cancelled by its carrier only before the pickup, and its order stands', async () => {
    const test = await openTestSandbox();
    const { advance, read } = await shipped(test);
    await advance({ to: 'cancelled' });
    const { order, shipment } = await read();
    expect(shipment).toMatchObject({ status: 'N', shipping_status: 'N', confirm_status: 'N' });
    expect(shipment.cancelled_at).toBe('2026-01-31T08:00:00Z');
    expect(order).toMatchObject({ status: 'S', fulfillment_shipping_status: 'N' });
    const other = await shipped(test);
    await other.advance({ to: 'holding' });
    await expect(other.advance({ to: 'cancelled' })).rejects.toEqual(
      refused('failed_precondition', { shipping_state: 'holding', allowed: 'delivering,undeliverable' }),
    );
  });
});

describe('reconciling a payment', () => {
  it('is what makes a delivered shipment and its order done', async () => {
    const test = await openTestSandbox();
    const { advance, read } = await shipped(test);
    await advance({ to: 'delivered' });
    const changes = await changesOf(test, async () => {
      expect(await advance({ to: 'reconciled' })).toMatchObject({ status: 'P', shipping_status: 'P', allowed: [] });
    });
    expect(changes).toEqual(['fulfillment update', 'order update']);
    const { order, shipment } = await read();
    expect(shipment).toMatchObject({ shipping_state: 'delivered', platform_payment_status: 'P', status: 'P' });
    expect(order).toMatchObject({ platform_payment_status: 'P', status: 'P', closed_at: '2026-01-31T08:00:00Z' });
  });

  it('happens once, and to what was delivered alone', async () => {
    const test = await openTestSandbox();
    const { advance } = await shipped(test);
    await advance({ to: 'reconciled' });
    await expect(advance({ to: 'reconciled' })).rejects.toEqual(refused('failed_precondition', { allowed: '' }));
    const other = await shipped(test);
    await other.advance({ to: 'returned' });
    await expect(other.advance({ to: 'reconciled' })).rejects.toEqual(refused('failed_precondition'));
  });

  it('leaves an order cancelled that was cancelled on the way', async () => {
    const test = await openTestSandbox();
    const { advance, orderId, read } = await shipped(test);
    await advance({ to: 'holding' });
    await test.post('shop.Order/CancelOrder', { id: orderId, cancel_reason: 'x' }, test.shop.apiKey);
    await advance({ to: 'reconciled' });
    const { order, shipment } = await read();
    expect(shipment).toMatchObject({ status: 'P' });
    expect(order).toMatchObject({ status: 'N', fulfillment_shipping_status: 'P', platform_payment_status: 'P' });
  });
});

describe('an advance that is refused', () => {
  it('names the steps that are allowed, and changes nothing', async () => {
    const test = await openTestSandbox();
    const { advance } = await shipped(test);
    await advance({ to: 'delivering' });
    const changes = await changesOf(test, async () => {
      await expect(advance({ to: 'created' })).rejects.toThrow(
        'the fulfillment is delivering and cannot become created; ' +
          'it may go on to delivered, holding/delivery_fail, undeliverable',
      );
    });
    expect(changes).toEqual([]);
  });

  it.each([
    { to: 'created' },
    { to: 'default' },
    { to: 'unknown' },
    { to: 'confirmed' },
    { to: 'delivered', substate: 'pick_fail' },
    { to: 'picking', substate: 'delivery_fail' },
    { to: 'picking', substate: 'default' },
    { to: 'reconciled', substate: 'pick_fail' },
  ])('412: %j', async (target) => {
    const { advance } = await shipped(await openTestSandbox());
    await expect(advance(target)).rejects.toEqual(refused('failed_precondition', { shipping_state: 'created' }));
  });

  it.each([
    [{}, 'to'],
    [{ to: '' }, 'to'],
    [{ to: 'lost' }, 'to'],
    [{ to: 'assigning' }, 'to'],
    [{ to: 'holding', substate: 'eaten' }, 'substate'],
  ])('400: %j', async (target, field) => {
    const { advance } = await shipped(await openTestSandbox());
    await expect(advance(target)).rejects.toEqual(refused('invalid_argument', { field }));
  });

  it('404: nothing of that id; 412: an order without a shipment', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    const { advance } = test.sandbox.control;
    await expect(advance('12', { to: 'picking' })).rejects.toEqual(refused('not_found'));
    await expect(advance(test.shop.id, { to: 'picking' })).rejects.toEqual(refused('not_found'));
    await expect(advance(body.id, { to: 'picking' })).rejects.toEqual(refused('failed_precondition', { status: 'Z' }));
  });
});
