import { describe, expect, it, onTestFinished } from 'vitest';
import { controlClient } from '../../../src/sandbox/lab/control-client.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShipnow } from '../../support/shipnow.ts';
import { createShopOrder, shipShopOrder } from '../../support/shop-order.ts';

/** A test sandbox whose `post` goes over a socket. */
async function served() {
  const test = await openTestSandbox();
  const server = await startServer(test.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const post: TestSandbox['post'] = async (operation, body, key) => {
    const answer = await fetch(`${server.baseUrl}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const control = controlClient({ control_url: server.controlUrl, control_token: server.controlToken });
  return { ...test, post, control };
}

describe('over HTTP', () => {
  it('an order is made, confirmed and read', async () => {
    const test = await served();
    const { body: order } = await createShopOrder(test);
    const confirmed = await test.post('shop.Order/ConfirmOrder', { order_id: order.id }, test.shop.apiKey);
    expect(confirmed).toEqual({ status: 200, body: {} });
    const { body } = await test.post('shop.Order/ListOrders', {}, test.shop.apiKey);
    expect(body.orders).toMatchObject([{ id: order.id, confirm_status: 'P' }]);
  });

  it('an order is shipped, its shipment moved by the control plane and read', async () => {
    const test = await served();
    const { body: made } = await shipShopOrder(test);
    const answer = await test.control.send('POST', 'advance', { id: made.order.id, to: 'delivered' });
    expect(answer).toMatchObject({ id: made.fulfillments[0].id, shipping_state: 'delivered', next_due: null });
    const lookup = { id: made.fulfillments[0].id };
    const { body } = await test.post('shop.Fulfillment/GetFulfillment', lookup, test.shop.apiKey);
    expect(body.shipping_state).toBe('delivered');
  });

  it('an on-demand delivery is made and sent off by the clock', async () => {
    const test = await served();
    const { body: made } = await createShipnow(test);
    const planned = await test.control.send('POST', 'advance', { id: made.id, auto: true });
    expect(planned).toMatchObject({ shipping_state: 'created', next_due: '2026-01-31T08:02:00Z' });
    await test.control.send('POST', 'clock/advance', { by: '3m', until_idle: true });
    const { body } = await test.post('shop.Shipnow/GetShipnowFulfillment', { id: made.id }, test.shop.apiKey);
    expect(body.shipping_state).toBe('assigning');
  });

  it.each([
    [{}, 'invalid_argument'],
    [{ id: '12', to: 'picking' }, 'not_found'],
    [{ id: '12', to: 7 }, 'invalid_argument'],
    [{ id: '12', to: 'picking', auto: 'yes' }, 'invalid_argument'],
  ])('an advance by %j is refused', async (input, code) => {
    const { control } = await served();
    await expect(control.send('POST', 'advance', input)).rejects.toMatchObject({ code });
  });
});
