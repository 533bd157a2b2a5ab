import { describe, expect, it } from 'vitest';
import { openTestSandbox } from '../../support/sandbox.ts';
import { shipPartnerOrder, shipShopOrder } from '../../support/shop-order.ts';

const list = 'shop.Fulfillment/ListFulfillments';
const idsIn = (records: { id: string }[]) => records.map(({ id }) => id);

describe.each(['shop.Fulfillment/GetFulfillment', 'shop.Shipping/GetFulfillment'])('%s', (operation) => {
  it('finds a shipment by the first identifier given, and ignores the others', async () => {
    const test = await openTestSandbox();
    const { body: made } = await shipShopOrder(test, { external_id: 'POS-1' });
    const { body: other } = await shipShopOrder(test, { external_id: 'POS-2' });
    const [shipment] = made.fulfillments;
    const [{ shipping_code }] = other.fulfillments;
    const get = (lookup: object, key = test.shop.apiKey) => test.post(operation, lookup, key);
    for (const lookup of [
      { id: shipment.id },
      { shipping_code: shipment.shipping_code },
      { external_id: 'POS-1' },
      { id: shipment.id, shipping_code, external_id: 'POS-2' },
      { shipping_code: shipment.shipping_code, external_id: 'POS-2' },
      { id: '0', shipping_code: '', external_id: 'POS-1' },
    ]) {
      expect(await get(lookup)).toEqual({ status: 200, body: shipment });
    }
    expect((await get({ id: '12', external_id: 'POS-1' })).status).toBe(404);
    for (const lookup of [{}, { id: '0' }, { shipping_code: '', external_id: null }]) {
      expect((await get(lookup)).status).toBe(400);
    }
    expect((await get({ id: shipment.id }, test.otherShop.apiKey)).status).toBe(404);
    expect((await get({ id: shipment.id }, test.shopKey)).status).toBe(401);
  });

  it('finds the live shipment where a cancelled one has the same external id', async () => {
    const test = await openTestSandbox();
    const { body: first } = await shipShopOrder(test, { external_id: 'POS-1' });
    const cancel = (id: string) => test.post('shop.Order/CancelOrder', { id, cancel_reason: 'x' }, test.shop.apiKey);
    await cancel(first.order.id);
    const { body: second } = await shipShopOrder(test, { external_id: 'POS-1' });
    const found = async () => (await test.post(operation, { external_id: 'POS-1' }, test.shop.apiKey)).body.order_id;
    expect(await found()).toBe(second.order.id);
    await cancel(second.order.id);
    expect(await found()).toBe(second.order.id);
  });
});

describe(list, () => {
  it("pages through the shop's shipments, those of partners among them, and filters by orders", async () => {
    const test = await openTestSandbox();
    const { body: one } = await shipShopOrder(test);
    const { body: two } = await shipPartnerOrder(test);
    const { body: three } = await shipShopOrder(test);
    const all = [one, two, three].map(({ fulfillments }) => fulfillments[0]);
    const page = async (request: object) => (await test.post(list, request, test.shop.apiKey)).body;
    expect((await page({})).fulfillments).toEqual(all);
    const first = await page({ paging: { limit: 1 } });
    const rest = await page({ paging: { after: first.paging.next } });
    expect(idsIn([...first.fulfillments, ...rest.fulfillments])).toEqual(idsIn(all));
    const filtered = await page({ filter: { order_id: `${three.order.id},${two.order.id}` } });
    expect(idsIn(filtered.fulfillments)).toEqual(idsIn(all.slice(1)));
    expect((await test.post(list, {}, test.otherShop.apiKey)).body.fulfillments).toEqual([]);
    expect((await test.post(list, { filter: { order_id: '0' } }, test.shop.apiKey)).status).toBe(400);
    expect((await test.post(list, { paging: { limit: -1 } }, test.shop.apiKey)).status).toBe(400);
    expect((await test.post(list, {}, test.shopKey)).status).toBe(401);
  });
});
