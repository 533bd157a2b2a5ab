import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/sandbox/engine/refusal.ts';
import { createOrder, type OrderInput } from '../../src/sandbox/service/orders/create-order.ts';
import { updateOrder } from '../../src/sandbox/service/orders/order-record.ts';
import type { Status5 } from '../../src/sandbox/service/shipments/shipping-states.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { orderFields, quotedOrder } from '../support/sandbox-order.ts';

interface Names {
  readonly external_id?: string;
  readonly external_code?: string;
}

async function byPartner(test: TestSandbox, names: Names, key = test.shopKey) {
  return test.post('partner.Shipping/CreateAndConfirmOrder', await quotedOrder(test, { ...names }, key), key);
}

/** Makes an order as the shop itself; answers its id, or the meta of the refusal. */
async function byShop(test: TestSandbox, names: Names, shopId = test.shop.id) {
  const input = { ...orderFields, ...names } as OrderInput;
  return test.core
    .write((work) => createOrder(work, { shopId, partnerId: undefined }, input, { ships: false }))
    .then(({ id }) => ({ id, refused: undefined }))
    .catch(({ code, meta }: Refusal) => ({ id: undefined, refused: { code, meta } }));
}

function setStatus(test: TestSandbox, id: string, status: Status5, shipping: Status5) {
  return test.core.write((work) => {
    const [order] = work.records('order', test.shop.id).find({ id });
    if (order) updateOrder(work, order, { status, fulfillment_shipping_status: shipping });
  });
}

const externalId = { external_id: 'WEB-1' };
const externalCode = { external_code: 'A-1' };

describe("the external id of a partner's order", () => {
  it('is unique over all shops of the partner', async () => {
    const test = await openTestSandbox();
    expect((await byPartner(test, externalId)).status).toBe(200);
    const duplicate = { status: 409, body: { code: 'already_exists', meta: { duplicated: 'external_id' } } };
    expect(await byPartner(test, externalId)).toMatchObject(duplicate);
    expect(await byPartner(test, externalId, await test.signIn(test.otherShop.id))).toMatchObject(duplicate);
  });

  it('does not say which order has it, for that may be in another shop', async () => {
    const test = await openTestSandbox();
    await byPartner(test, externalId);
    expect((await byPartner(test, externalId)).body.meta).toEqual({ duplicated: 'external_id' });
  });

  it('is free for the shop itself, and the other way round', async () => {
    const test = await openTestSandbox();
    await byPartner(test, externalId);
    expect(await byShop(test, externalId)).toMatchObject({ id: expect.any(String) });
    await byShop(test, { external_id: 'WEB-2' });
    expect((await byPartner(test, { external_id: 'WEB-2' })).status).toBe(200);
  });

  it('is free again when the order is cancelled, not when it has returned', async () => {
    const test = await openTestSandbox();
    const { body } = await byPartner(test, externalId);
    await setStatus(test, body.order.id, 'NS', 'NS');
    expect((await byPartner(test, externalId)).status).toBe(409);
    await setStatus(test, body.order.id, 'N', 'N');
    expect((await byPartner(test, externalId)).status).toBe(200);
  });
});

describe("the external code of a partner's order", () => {
  it('is unique in the shop', async () => {
    const test = await openTestSandbox();
    await byPartner(test, externalCode);
    expect((await byPartner(test, externalCode)).body.meta).toEqual({ duplicated: 'external_code' });
    expect((await byPartner(test, externalCode, await test.signIn(test.otherShop.id))).status).toBe(200);
  });

  it('is unique there whoever made the other order', async () => {
    const test = await openTestSandbox();
    const { body } = await byPartner(test, externalCode);
    const taken = { code: 'already_exists', meta: { duplicated: 'external_code', order_id: body.order.id } };
    expect((await byShop(test, externalCode)).refused).toEqual(taken);
    await byShop(test, { external_code: 'A-2' });
    const refused = await byPartner(test, { external_code: 'A-2' });
    expect(refused).toMatchObject({ status: 409, body: { meta: { duplicated: 'external_code' } } });
    expect(refused.body.meta).not.toHaveProperty('order_id');
  });

  it('is not taken by a change of an order that has it without holding it', async () => {
    const test = await openTestSandbox();
    const { id: holder } = await byShop(test, externalCode);
    const [loser = ''] = await test.core.write((work) => {
      const orders = work.records('order', test.shop.id);
      return [orders.insert({ ...externalCode, status: 'S' }, { keys: { held_external_code: null } }).id];
    });
    await setStatus(test, loser, 'S', 'P');
    await setStatus(test, loser, 'N', 'N');
    expect((await byShop(test, externalCode)).refused?.meta).toEqual({ duplicated: 'external_code', order_id: holder });
  });

  it('is named after the external id when both are taken', async () => {
    const test = await openTestSandbox();
    await byPartner(test, { ...externalId, ...externalCode });
    expect((await byPartner(test, { ...externalId, ...externalCode })).body.meta.duplicated).toBe('external_id');
  });

  it.each([
    ['N', 'N'],
    ['S', 'NS'],
  ] as const)('is free again when order and shipping are %s and %s', async (status, shipping) => {
    const test = await openTestSandbox();
    const { body } = await byPartner(test, externalCode);
    await setStatus(test, body.order.id, status, shipping);
    expect((await byPartner(test, externalCode)).status).toBe(200);
  });
});

describe("the names of a shop's own order", () => {
  it('are unique in the shop, and the refusal says which order has them', async () => {
    const test = await openTestSandbox();
    const { id } = await byShop(test, { ...externalId, ...externalCode });
    const meta = (duplicated: string) => ({ refused: { code: 'already_exists', meta: { duplicated, order_id: id } } });
    expect(await byShop(test, externalId)).toMatchObject(meta('external_id'));
    expect(await byShop(test, externalCode)).toMatchObject(meta('external_code'));
    expect(await byShop(test, { ...externalId, ...externalCode }, test.otherShop.id)).toMatchObject({
      refused: undefined,
    });
  });

  it.each([
    ['N', 'N'],
    ['NS', 'NS'],
  ] as const)('are free again when the order is %s', async (status, shipping) => {
    const test = await openTestSandbox();
    const { id = '' } = await byShop(test, { ...externalId, ...externalCode });
    await setStatus(test, id, status, shipping);
    expect(await byShop(test, { ...externalId, ...externalCode })).toMatchObject({ refused: undefined });
  });

  it('do not collide when they are empty or absent', async () => {
    const test = await openTestSandbox();
    for (const names of [{}, {}, { external_id: '', external_code: '' }, { external_id: '' }]) {
      expect((await byShop(test, names)).refused).toBeUndefined();
    }
  });

  it('go to one of two requests that come at once', async () => {
    const test = await openTestSandbox();
    const order = await quotedOrder(test, { ...externalId });
    const operation = 'partner.Shipping/CreateAndConfirmOrder';
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.post(operation, order, test.shopKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});
