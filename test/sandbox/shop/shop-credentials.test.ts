import { describe, expect, it } from 'vitest';
import { type AreaKey, loadArea } from '../../../src/contract/areas.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { openShopCalls } from '../../support/shop-calls.ts';

const areas = [
  'shop.Customer',
  'shop.CustomerAddress',
  'shop.CustomerGroup',
  'shop.CustomerGroupRelationship',
  'shop.Product',
  'shop.Variant',
  'shop.ProductCollection',
  'shop.ProductCollectionRelationship',
  'shop.Inventory',
  'shop.Misc',
  'shop.History',
] as const satisfies readonly AreaKey[];

describe.each(areas)('%s', (area) => {
  it("takes a shop's own key alone, in every operation", async () => {
    const { post, partner, shopKey, shop } = await openShopCalls();
    const operations: Operation[] = Object.values(await loadArea(area));
    expect(operations.length).toBeGreaterThan(0);
    for (const { id } of operations) {
      for (const key of [undefined, partner.apiKey, shopKey, `${shop.id}:wrong`]) {
        const { status, body } = await post(id, {}, key);
        expect([id, status, body.code]).toEqual([id, 401, 'unauthenticated']);
      }
      expect((await post(id, {}, shop.apiKey)).status).not.toBe(401);
    }
  });
});
