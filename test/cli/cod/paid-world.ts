import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { servingShop } from '../../support/random-shop.ts';
import { testStart } from '../../support/sandbox.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';

/** A shipment of the shop, delivered two weeks ago; its fee was quoted as 22,000. */
export const parcel = (number: number, cash: number, more: Readonly<Record<string, unknown>> = {}) => ({
  id: `10000000000000000${String(number).padStart(2, '0')}`,
  shipping_code: `SPX${number}`,
  carrier: 'spx',
  shipping_state: 'delivered',
  cod_amount: cash,
  actual_cod_amount: cash,
  shipping_service_fee: 22_000,
  created_at: '2026-01-10T03:00:00Z',
  updated_at: '2026-01-16T03:00:00Z',
  closed_at: '2026-01-16T03:00:00Z',
  ...more,
});

/** A row of a file as the example layout of SPX has it. */
export type PaidRow = readonly [code: string, session: string, kind: string, amount: number];

/** A machine whose mirror has these shipments; `ends` makes the service unreachable from then on. */
export async function paidWorld(
  shipments: readonly Readonly<Record<string, unknown>>[],
  orders: readonly Readonly<Record<string, unknown>>[] = [],
): Promise<
  ShopWorld & {
    /** Writes a payment file, and imports it. */
    pay(name: string, rows: readonly PaidRow[]): ReturnType<ShopWorld['run']>;
    ends(): void;
  }
> {
  let isOver = false;
  const shop = servingShop({ orders, fulfillments: shipments, variants: [], levels: [] }, testStart);
  const world = await shopWorld((service) => {
    const answers = shop(service);
    return (request) => (isOver ? Promise.reject(new Error('the service is gone')) : answers(request));
  });
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync', '--area', 'fulfillments']);
  if (orders.length > 0) await world.run(['mirror', 'sync', '--area', 'orders']);
  return {
    ...world,
    ends() {
      isOver = true;
    },
    pay(name, rows) {
      const lines = ['Mã vận đơn,Phiên đối soát,Loại giao dịch,Số tiền', ...rows.map((cells) => cells.join(','))];
      writeFileSync(join(world.directory, name), `${lines.join('\n')}\n`);
      const layout = resolve('examples/payments/spx.yaml');
      return world.run(['cod', 'import', name, '--layout', layout, '--json']);
    },
  };
}
