import { describe, expect, it } from 'vitest';
import { openTestSandbox } from '../support/sandbox.ts';
import { quotedOrder, quoteFields } from '../support/sandbox-order.ts';

const getOrder = 'partner.Shipping/GetOrder';
const cancelOrder = 'partner.Shipping/CancelOrder';
const shirt = [{ product_name: 'Áo', quantity: 1, list_price: 1000, retail_price: 1000, payment_price: 1000 }];
const amounts = { basket_value: 1000, total_amount: 1000, total_items: 1 };
const getServices = 'partner.Shipping/GetShippingServices';

async function openWithOrder() {
  const test = await openTestSandbox();
  const made = await test.post('partner.Shipping/CreateAndConfirmOrder', await quotedOrder(test), test.shopKey);
  const id: string = made.body.order.id;
  const read = () => test.post(getOrder, { id }, test.shopKey);
  return { ...test, id, read };
}

describe('an answer that is read as a whole', () => {
  it('is the same text by the id as by every other name', async () => {
    const test = await openWithOrder();
    const { code } = (await test.read()).body.order;
    const ask = async (names: object) => {
      const { status, body } = await test.sandbox.handle({
        method: 'POST',
        url: `http://127.0.0.1:4010/v1/${getOrder}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${test.shopKey}` },
        body: JSON.stringify(names),
      });
      return `${status} ${body}`;
    };
    const shipped = await ask({ id: test.id });
    expect(shipped).toBe(await ask({ code }));
    expect(shipped).toMatch(/^200 .*"fulfillments":\[\{.*"fulfillment_errors":\[\]\}$/);
    const waiting = await test.post('shop.Order/CreateOrder', { ...amounts, lines: shirt }, test.shop.apiKey);
    const { order, fulfillments } = JSON.parse((await ask({ id: waiting.body.id })).slice(4));
    expect([order, fulfillments]).toEqual([waiting.body, []]);
    // A second parcel, as only data of another origin have one.
    await test.core.write((work) => {
      const parcels = work.records('fulfillment', test.shop.id);
      const [first] = parcels.find({ order_id: test.id });
      parcels.insert({ ...first?.record, id: '9000000000000000001' });
    });
    const both = await ask({ id: test.id });
    expect(both).toBe(await ask({ code }));
    expect(JSON.parse(both.slice(4)).fulfillments).toHaveLength(2);
  });

  it('is another one after a write of an operation', async () => {
    const test = await openWithOrder();
    expect((await test.read()).body.order.status).toBe((await test.read()).body.order.status);
    await test.post(cancelOrder, { id: test.id, cancel_reason: 'changed their mind' }, test.shopKey);
    expect((await test.read()).body.order).toMatchObject({ status: 'N', cancel_reason: 'changed their mind' });
  });

  it('is another one after a parcel was moved, and after time moved it', async () => {
    const test = await openWithOrder();
    const state = async () => (await test.read()).body.fulfillments[0].shipping_state;
    const states = [await state(), await state()];
    await test.sandbox.control.advance(test.id, { to: 'picking' });
    states.push(await state());
    await test.sandbox.control.advance(test.id, { auto: true });
    await test.sandbox.control.clock.advance('30d', { untilIdle: true });
    states.push(await state());
    expect(states).toEqual(['created', 'created', 'picking', 'delivered']);
  });

  it('follows the data that are put back', async () => {
    const test = await openWithOrder();
    const { snapshots } = test.sandbox.control;
    await snapshots.save('standing');
    await test.read();
    await test.post(cancelOrder, { id: test.id, cancel_reason: 'changed their mind' }, test.shopKey);
    expect((await test.read()).body.order.status).toBe('N');
    await snapshots.restore('standing');
    expect((await test.read()).body.order.status).not.toBe('N');
  });

  it('is given to no other key', async () => {
    const test = await openWithOrder();
    const otherKey = await test.signIn(test.otherShop.id);
    const statusFor = async (key?: string) => (await test.post(getOrder, { id: test.id }, key)).status;
    expect([await statusFor(test.shopKey), await statusFor(otherKey), await statusFor()]).toEqual([200, 404, 401]);
    expect([await statusFor(test.shopKey), await statusFor(otherKey), await statusFor('')]).toEqual([200, 404, 401]);
  });

  it('follows the clock if it contains times', async () => {
    const test = await openWithOrder();
    const days = async () => {
      const { services } = (await test.post(getServices, quoteFields, test.shopKey)).body;
      return services.map((service: { estimated_delivery_at: string }) => service.estimated_delivery_at.slice(0, 10));
    };
    const before = await days();
    expect(await days()).toEqual(before);
    // No clock is written down by this one.
    test.clock.advance(40 * 24 * 3_600_000);
    expect(await days()).not.toEqual(before);
  });

  it('is still seen by the log, and broken by a fault', async () => {
    const test = await openWithOrder();
    await test.read();
    await test.sandbox.control.faults.add({ operation: getOrder, once: true, do: 'status=503' });
    expect([(await test.read()).status, (await test.read()).status]).toEqual([503, 200]);
    const { entries } = await test.sandbox.control.log({ operation: getOrder });
    expect(entries.map(({ status, fault }) => [status, fault === null])).toEqual([
      [200, true],
      [503, false],
      [200, true],
    ]);
  });
});
