import { describe, expect, it } from 'vitest';
import { openShopCalls, type ShopCalls } from '../../support/shop-calls.ts';

/** Makes a product with so many variants, and answers their ids. */
async function makeVariants({ made }: ShopCalls, count: number): Promise<string[]> {
  const { id: product_id } = await made('Product/CreateProduct', { name: 'Tea' });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await made('Variant/CreateVariant', { product_id })).id);
  return ids;
}

/** Brings goods in, as the shop's warehouse would: no operation of the contract does. */
function stock({ core, shop, clock }: ShopCalls, variantId: string | undefined, available_quantity: number) {
  clock.advance(1000);
  return core.write((work) => {
    const levels = work.records('inventory_level', shop.id);
    const [level] = levels.find({ variant_id: variantId });
    if (level) levels.update(level, { available_quantity });
  });
}

describe('ListInventoryLevels', () => {
  it('answers the level of each variant, filtered by variants', async () => {
    const test = await openShopCalls();
    const [a, b, c] = await makeVariants(test, 3);
    await stock(test, b, 7);
    const none = {
      available_quantity: 0,
      picked_quantity: 0,
      reserved_quantity: 0,
      updated_at: '2026-01-31T08:00:00Z',
    };
    const stocked = { ...none, variant_id: b, available_quantity: 7, updated_at: '2026-01-31T08:00:01Z' };
    const list = async (filter?: object) =>
      (await test.made('Inventory/ListInventoryLevels', { filter })).inventory_levels;
    expect(await list()).toEqual([{ ...none, variant_id: a }, stocked, { ...none, variant_id: c }]);
    expect(await list({ variant_id: `${c}, ${b}` })).toEqual([stocked, { ...none, variant_id: c }]);
    expect(await list({ variant_id: '' })).toHaveLength(3);
    expect((await test.other('Inventory/ListInventoryLevels', {})).body.inventory_levels).toEqual([]);
  });

  it('has no deleted levels to show', async () => {
    const test = await openShopCalls();
    const [id] = await makeVariants(test, 1);
    await test.made('Variant/DeleteVariant', { id });
    const request = { include_deleted: true };
    expect((await test.made('Inventory/ListInventoryLevels', request)).inventory_levels).toEqual([]);
  });

  it('shows what a confirmed order took of a new variant once it is in stock', async () => {
    const test = await openShopCalls();
    const [id] = await makeVariants(test, 1);
    const order = {
      lines: [{ product_name: 'Tea', variant_id: id, quantity: 2, retail_price: 100, payment_price: 100 }],
      total_items: 2,
      basket_value: 200,
      total_amount: 200,
    };
    const confirm = async () => {
      const { id: order_id } = await test.made('Order/CreateOrder', order);
      const policy = { inventory_policy: 'obey', auto_inventory_voucher: 'create' };
      return test.own('Order/ConfirmOrder', { order_id, ...policy });
    };
    expect((await confirm()).status).toBe(400);
    await stock(test, id, 5);
    expect((await confirm()).status).toBe(200);
    expect((await test.made('Inventory/ListInventoryLevels', {})).inventory_levels).toMatchObject([
      { variant_id: id, available_quantity: 3, picked_quantity: 2, reserved_quantity: 0 },
    ]);
  });
});
