import type { TestSandbox } from './sandbox.ts';
import { type OrderChanges, orderFields, quotedOrder, quoteFields, shippingFields } from './sandbox-order.ts';

/** The key for an order, if not that of the test's shop. */
export type ByKey = { readonly key?: string };

/** Creates an order that the shop does not ship at once; without a shipping part unless one is given. */
export function createShopOrder({ post, shop }: TestSandbox, changes: object = {}, { key = shop.apiKey }: ByKey = {}) {
  return post('shop.Order/CreateOrder', { ...orderFields, ...changes }, key);
}

/** Creates an order of the shop and ships it with the first service quoted. */
export async function shipShopOrder(test: TestSandbox, changes: OrderChanges = {}, { key }: ByKey = {}) {
  const byKey = key ?? test.shop.apiKey;
  const { shipping, ...fields } = changes;
  const { body } = await test.post('shop.Shipping/GetShippingServices', quoteFields, byKey);
  const [{ code, fee }] = body.services;
  const service = { shipping_service_code: code, shipping_service_fee: fee };
  const order = { ...orderFields, ...fields, shipping: { ...shippingFields, ...service, ...shipping } };
  return test.post('shop.Shipping/CreateAndConfirmOrder', order, byKey);
}

/** Creates an order as the partner and ships it. */
export async function shipPartnerOrder(test: TestSandbox, changes: OrderChanges = {}, { key }: ByKey = {}) {
  const order = await quotedOrder(test, changes, key ?? test.shopKey);
  return test.post('partner.Shipping/CreateAndConfirmOrder', order, key ?? test.shopKey);
}

/** Sets the stock of a variant of the test's shop; creates the variant if there is none with that id. */
export function stock({ core, shop }: TestSandbox, variantId: string, available: number, shopId = shop.id) {
  return core.write((work) => {
    const variants = work.records('variant', shopId);
    if (variants.get(variantId) === undefined) variants.insert({ id: variantId, name: 'Tea' });
    const levels = work.records('inventory_level', shopId);
    const level = { variant_id: variantId, available_quantity: available, picked_quantity: 0, reserved_quantity: 0 };
    const [found] = levels.find({ variant_id: variantId });
    return found === undefined ? levels.insert(level) : levels.update(found, level);
  });
}

/** The names of the changes that `action` causes. */
export async function changesOf(test: TestSandbox, action: () => Promise<unknown>) {
  const before = (await test.changes()).length;
  await action();
  return (await test.changes()).slice(before).map(({ name }) => name);
}
