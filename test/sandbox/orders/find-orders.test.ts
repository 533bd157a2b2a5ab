import { describe, expect, it } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShopOrder, shipPartnerOrder, shipShopOrder } from '../../support/shop-order.ts';

const idsIn = (records: { id: string }[]) => records.map(({ id }) => id);

async function listed(test: TestSandbox, request: object = {}, key = test.shop.apiKey) {
  const { body } = await test.post('shop.Order/ListOrders', request, key);
  return idsIn(body.orders);
}

describe.each(['shop.Order/GetOrder', 'shop.Shipping/GetOrder'])('%s', (operation) => {
  it('finds an order of the shop by all the names that are given', async () => {
    const test = await openTestSandbox();
    const { body: order } = await createShopOrder(test, { external_id: 'POS-1' });
    const get = (lookup: object, key = test.shop.apiKey) => test.post(operation, lookup, key);
    const { id, code, external_id } = order;
    for (const lookup of [{ id }, { code }, { external_id }, { id, code, external_id }, { id: '0', code }]) {
      expect((await get(lookup)).body.order).toEqual(order);
    }
    expect((await get({ id, code: 'DH000009' })).status).toBe(404);
    expect((await get({})).status).toBe(400);
    expect((await get({ id }, test.otherShop.apiKey)).status).toBe(404);
    expect((await get({ id }, test.shopKey)).status).toBe(401);
  });
});

describe('shop.Order/ListOrders', () => {
  it('pages through the orders of the shop, oldest first', async () => {
    const test = await openTestSandbox();
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await createShopOrder(test)).body.id);
    await createShopOrder(test, {}, { key: test.otherShop.apiKey });
    expect(await listed(test)).toEqual(ids);
    const { body: first } = await test.post('shop.Order/ListOrders', { paging: { limit: 2 } }, test.shop.apiKey);
    expect(idsIn(first.orders)).toEqual(ids.slice(0, 2));
    expect(await listed(test, { paging: { limit: 2, after: first.paging.next } })).toEqual(ids.slice(2, 4));
    expect(await listed(test, { paging: { sort: '-created_at' } })).toEqual(ids.toReversed());
  });

  it('filters by ids', async () => {
    const test = await openTestSandbox();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push((await createShopOrder(test)).body.id);
    const { body: foreign } = await createShopOrder(test, {}, { key: test.otherShop.apiKey });
    const [one, two, three] = ids;
    expect(await listed(test, { filter: { id: `${three}, ${one}` } })).toEqual([one, three]);
    expect(await listed(test, { filter: { id: [two] } })).toEqual([two]);
    expect(await listed(test, { filter: { id: foreign.id } })).toEqual([]);
    for (const id of ['', null]) expect(await listed(test, { filter: { id } })).toEqual(ids);
    for (const id of ['0', '1,,2', [], 'x']) {
      const { status } = await test.post('shop.Order/ListOrders', { filter: { id } }, test.shop.apiKey);
      expect(status).toBe(400);
    }
  });

  it('has the newest change first when it is asked to', async () => {
    const test = await openTestSandbox();
    const { body: one } = await createShopOrder(test);
    const { body: two } = await createShopOrder(test);
    await test.post('shop.Order/ConfirmOrder', { order_id: one.id }, test.shop.apiKey);
    expect(await listed(test, { paging: { sort: '-updated_at' } })).toEqual([one.id, two.id]);
  });
});

describe('the orders of a shop', () => {
  it('are seen by id and code by the shop and its partner alike, whoever made them', async () => {
    const test = await openTestSandbox();
    const { body: own } = await shipShopOrder(test, { external_id: 'POS-1' });
    const { body: partners } = await shipPartnerOrder(test, { external_id: 'WEB-1' });
    expect(await listed(test)).toEqual([own.order.id, partners.order.id]);
    for (const { order } of [own, partners]) {
      for (const lookup of [{ id: order.id }, { code: order.code }]) {
        expect((await test.post('shop.Order/GetOrder', lookup, test.shop.apiKey)).body.order).toEqual(order);
        expect((await test.post('partner.Shipping/GetOrder', lookup, test.shopKey)).body.order).toEqual(order);
      }
    }
  });

  it("are found by external id by their maker alone: it is a name in the maker's system", async () => {
    const test = await openTestSandbox();
    const { body: own } = await shipShopOrder(test, { external_id: 'SAME' });
    const { body: partners } = await shipPartnerOrder(test, { external_id: 'SAME' });
    const lookup = { external_id: 'SAME' };
    expect((await test.post('shop.Order/GetOrder', lookup, test.shop.apiKey)).body.order.id).toBe(own.order.id);
    expect((await test.post('partner.Shipping/GetOrder', lookup, test.shopKey)).body.order.id).toBe(partners.order.id);
    const found = await test.post('shop.Fulfillment/GetFulfillment', lookup, test.shop.apiKey);
    expect(found.body.order_id).toBe(own.order.id);
  });

  it('are not there for another shop, nor for the partner by its key for another shop', async () => {
    const test = await openTestSandbox();
    const { body } = await shipShopOrder(test, { external_id: 'POS-1' });
    const otherKey = await test.signIn(test.otherShop.id);
    expect(await listed(test, {}, test.otherShop.apiKey)).toEqual([]);
    const { id, code } = body.order;
    const [{ id: shipmentId, shipping_code }] = body.fulfillments;
    for (const lookup of [{ id }, { code }, { external_id: 'POS-1' }]) {
      expect((await test.post('partner.Shipping/GetOrder', lookup, otherKey)).status).toBe(404);
      expect((await test.post('shop.Order/GetOrder', lookup, test.otherShop.apiKey)).status).toBe(404);
      const cancellation = { ...lookup, cancel_reason: 'x' };
      expect((await test.post('shop.Order/CancelOrder', cancellation, test.otherShop.apiKey)).status).toBe(404);
    }
    for (const lookup of [{ id: shipmentId }, { shipping_code }, { external_id: 'POS-1' }]) {
      const { status } = await test.post('shop.Fulfillment/GetFulfillment', lookup, test.otherShop.apiKey);
      expect(status).toBe(404);
    }
  });
});
