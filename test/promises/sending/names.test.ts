import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestMachine, testMachine } from '../../support/context.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

async function live({ service }: ShopWorld): Promise<readonly { readonly id: string }[]> {
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N');
}

describe.each(['cod_amount', 'basket_value'])(
  'an order under a name that another order has, with another %s,',
  (field) => {
    it('is refused on a machine that knows nothing of the other one', async () => {
      const world = await shopWorld();
      const order = await quotedOrder(world.service, { external_id: 'SO-1' });
      const send = async (machine: TestMachine, changed: object) => {
        const path = join(machine.directory, 'order.json');
        writeFileSync(path, JSON.stringify({ ...order, ...changed }));
        return machine.run(['ship', '--input', path, '--pick', 'cheapest', '--yes', '-o', 'json']);
      };
      const other = testMachine(world.service.sandbox.handle);
      await other.save(await world.settings());
      const { shipping } = order;
      const changed =
        field === 'cod_amount'
          ? { shipping: { ...shipping, cod_amount: 1_270_000 } }
          : {
              lines: [{ product_name: 'Mũ', quantity: 1, list_price: 9, retail_price: 9, payment_price: 9 }],
              total_items: 1,
              basket_value: 9,
              total_discount: 0,
              total_amount: 30_009,
            };
      expect((await send(world, {})).exit).toBe(0);
      const second = await send(other, changed);
      expect([second.exit, second.stdout]).toEqual([5, '']);
      expect(errorOf(second.stderr)).toMatchObject({ outcome: 'not_applied' });
      expect(await live(world)).toHaveLength(1);
    });
  },
);
