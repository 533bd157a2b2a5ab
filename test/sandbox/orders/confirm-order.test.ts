import { describe, expect, it } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { shippingFields } from '../../support/sandbox-order.ts';
import { changesOf, createShopOrder, shipShopOrder, stock } from '../../support/shop-order.ts';

const tea = '1000000000000000001';
const cups = '1000000000000000003';

const line = (variant_id: string, quantity: number) => ({
  product_name: 'Tea',
  quantity,
  retail_price: 0,
  payment_price: 0,
  variant_id,
});

/** An order of so many of each variant. */
function orderOf(test: TestSandbox, ...lines: [variant: string, quantity: number][]) {
  const sums = { fee_lines: [], total_fee: 0, basket_value: 0, total_discount: 0, total_amount: 0 };
  const total_items = lines.reduce((sum, [, quantity]) => sum + quantity, 0);
  return createShopOrder(test, { ...sums, total_items, lines: lines.map(([id, quantity]) => line(id, quantity)) });
}

const confirm = (test: TestSandbox, order_id: string, how: object = {}, key = test.shop.apiKey) =>
  test.post('shop.Order/ConfirmOrder', { order_id, ...how }, key);

const get = async (test: TestSandbox, id: string) =>
  (await test.post('shop.Order/GetOrder', { id }, test.shop.apiKey)).body;

function levels({ core, shop }: TestSandbox, variant_id: string) {
  return core.read((work) => {
    const [level] = work.records('inventory_level', shop.id).find({ variant_id });
    return [level?.record.available_quantity, level?.record.picked_quantity];
  });
}

const obey = (auto_inventory_voucher?: string) => ({ inventory_policy: 'obey', auto_inventory_voucher });

describe('shop.Order/ConfirmOrder', () => {
  it('confirms the order and answers nothing', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    test.clock.advance(60_000);
    expect(await confirm(test, body.id)).toEqual({ status: 200, body: {} });
    expect((await get(test, body.id)).order).toMatchObject({
      status: 'S',
      confirm_status: 'P',
      platform_payment_status: 'Z',
      fulfillment_shipping_status: 'Z',
      confirmed_at: '2026-01-31T08:01:00Z',
      processed_at: '2026-01-31T08:01:00Z',
    });
  });

  it('makes no shipment, also where the order says how it is to be shipped', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test, { shipping: shippingFields });
    expect(await changesOf(test, () => confirm(test, body.id))).toEqual(['order update']);
    expect((await get(test, body.id)).fulfillments).toEqual([]);
  });

  it('does not change an order that is already confirmed', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    await confirm(test, body.id);
    const { body: shipped } = await shipShopOrder(test);
    for (const id of [body.id, shipped.order.id]) {
      expect(await changesOf(test, () => confirm(test, id, obey('create')))).toEqual([]);
      expect((await confirm(test, id)).status).toBe(200);
    }
  });

  it('is refused with 412 for an order that is cancelled or returned', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    await test.post('shop.Order/CancelOrder', { id: body.id, cancel_reason: 'x' }, test.shop.apiKey);
    expect(await confirm(test, body.id)).toMatchObject({
      status: 412,
      body: { code: 'failed_precondition', meta: { status: 'N' } },
    });
    const { body: returned } = await shipShopOrder(test);
    await test.sandbox.control.advance(returned.order.id, { to: 'returned' });
    expect(await confirm(test, returned.order.id)).toMatchObject({ status: 412, body: { meta: { status: 'NS' } } });
  });

  it('needs the id of an order of the shop', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    expect((await test.post('shop.Order/ConfirmOrder', {}, test.shop.apiKey)).body.meta.field).toBe('order_id');
    expect((await confirm(test, '0')).status).toBe(400);
    expect((await confirm(test, '12')).status).toBe(404);
    expect((await confirm(test, body.id, {}, test.otherShop.apiKey)).status).toBe(404);
    expect((await confirm(test, body.id, {}, test.shopKey)).status).toBe(401);
  });

  it.each([{ inventory_policy: 'maybe' }, { auto_inventory_voucher: 'sell' }])('knows no %j', async (how) => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    expect((await confirm(test, body.id, how)).status).toBe(400);
  });
});

describe('the stock of a confirmed order', () => {
  it.each([
    ['create', [3, 7]],
    ['confirm', [3, 0]],
  ])('moves with the policy obey and the voucher %s', async (voucher, expected) => {
    const test = await openTestSandbox();
    await stock(test, tea, 10);
    const { body } = await orderOf(test, [tea, 4], [tea, 3]);
    const changes = await changesOf(test, () => confirm(test, body.id, obey(voucher)));
    expect(changes).toEqual(['order update', 'inventory_level update']);
    expect(await levels(test, tea)).toEqual(expected);
  });

  it('continues from what was picked before', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 10);
    const first = await orderOf(test, [tea, 4]);
    await confirm(test, first.body.id, obey('create'));
    const second = await orderOf(test, [tea, 5]);
    await confirm(test, second.body.id, obey('confirm'));
    expect(await levels(test, tea)).toEqual([1, 4]);
  });

  it.each([
    {},
    { inventory_policy: 'ignore', auto_inventory_voucher: 'create' },
    { auto_inventory_voucher: 'confirm' },
    { inventory_policy: 'obey' },
  ])('stays where it is with %j, and may be too little', async (how) => {
    const test = await openTestSandbox();
    await stock(test, tea, 1);
    const { body } = await orderOf(test, [tea, 5]);
    expect((await confirm(test, body.id, how)).status).toBe(200);
    expect(await levels(test, tea)).toEqual([1, 0]);
  });

  it('may be used up to the last item', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 5);
    const { body } = await orderOf(test, [tea, 5]);
    expect((await confirm(test, body.id, obey('confirm'))).status).toBe(200);
    expect(await levels(test, tea)).toEqual([0, 0]);
  });

  it('is not asked for lines without a variant', async () => {
    const test = await openTestSandbox();
    const { body } = await createShopOrder(test);
    expect((await confirm(test, body.id, obey('create'))).status).toBe(200);
  });

  it('when it is too little: nothing moves, the order is cancelled and the reason kept', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 10);
    await stock(test, cups, 2);
    const { body } = await orderOf(test, [tea, 4], [cups, 3]);
    let refused: unknown;
    const changes = await changesOf(test, async () => {
      refused = await confirm(test, body.id, obey('create'));
    });
    const meta = { order_id: body.id, variant_id: cups, available: '2', needed: '3' };
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_argument', meta } });
    expect(changes).toEqual(['order update']);
    expect([await levels(test, tea), await levels(test, cups)]).toEqual([
      [10, 0],
      [2, 0],
    ]);
    expect((await get(test, body.id)).order).toMatchObject({
      status: 'N',
      confirm_status: 'N',
      cancel_reason: expect.stringContaining('2 in stock'),
      cancelled_at: '2026-01-31T08:00:00Z',
    });
    expect((await confirm(test, body.id)).status).toBe(412);
  });

  it('is too little where the variant is gone since', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 100);
    const { body } = await orderOf(test, [tea, 1]);
    await test.post('shop.Variant/DeleteVariant', { id: tea }, test.shop.apiKey);
    expect(await confirm(test, body.id, obey('create'))).toMatchObject({
      status: 400,
      body: { meta: { available: '0' } },
    });
  });

  it('does not come back when the order is cancelled', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 10);
    const { body } = await orderOf(test, [tea, 4]);
    await confirm(test, body.id, obey('create'));
    await test.post('shop.Order/CancelOrder', { id: body.id, cancel_reason: 'x' }, test.shop.apiKey);
    expect(await levels(test, tea)).toEqual([6, 4]);
  });

  it('is never sold twice to orders that are confirmed at once', async () => {
    const test = await openTestSandbox();
    await stock(test, tea, 10);
    const orders = await Promise.all(Array.from({ length: 4 }, () => orderOf(test, [tea, 3])));
    const answers = await Promise.all(orders.map(({ body }) => confirm(test, body.id, obey('create'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect(await levels(test, tea)).toEqual([1, 9]);
  });
});
