/* A name that shopctl has derived belongs to its content: in another record it is a copied one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** Sends the content of a file by a command, at the service's time. */
function send(world: ShopWorld, words: readonly string[], content: object) {
  const path = join(world.directory, 'input.json');
  writeFileSync(path, JSON.stringify(content));
  return world.run([...words, '--input', path, '--yes', '-o', 'json'], {
    clock: steppedClock(world.service.clock.now()),
  });
}

/** How many live orders and customers the shop has, asked of the service itself. */
async function counted({ service: { post, shop } }: ShopWorld): Promise<readonly [orders: number, customers: number]> {
  const orders = (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders;
  const customers = (await post('shop.Customer/ListCustomers', {}, shop.apiKey)).body.customers;
  return [orders.filter((one: { status: string }) => one.status !== 'N').length, customers.length];
}

const another = { ...orderFields.shipping_address, full_name: 'Trần Văn Nam', phone: '0912345678' };
const quotable = { ...orderFields, shipping: shippingFields };

describe.each([
  ['orders create', ['orders', 'create', '--profile', 'shop'], orderFields, { shipping_address: another }],
  ['ship', ['ship', '--pick', 'cheapest'], quotable, { shipping_address: another, customer_address: another }],
  [
    'customers create',
    ['customers', 'create', '--profile', 'shop'],
    { full_name: 'Lan', phone: '0901234567' },
    { full_name: 'Nam' },
  ],
])('the name that %s derived', (_, words, content, changed) => {
  it('is refused beside other content, and nothing is sent', async () => {
    const world = await shopWorld();
    const first = await send(world, words, content);
    expect(first.exit).toBe(0);
    const before = await counted(world);
    const made = JSON.parse(first.stdout);
    const { external_id } = made.order ?? made;
    expect(external_id).toMatch(/^shopctl-s1-/);
    const copied = await send(world, words, { ...content, ...changed, external_id });
    expect([copied.exit, errorOf(copied.stderr)]).toMatchObject([
      2,
      { field_errors: [{ path: 'external_id', message: expect.stringContaining('leave external_id out') }] },
    ]);
    expect(await counted(world)).toEqual(before);
    const free = await send(world, words, { ...content, ...changed });
    expect([free.exit, (await counted(world)).join()]).not.toEqual([0, before.join()]);
  });

  it('finds its own record beside its own content', async () => {
    const world = await shopWorld();
    const made = JSON.parse((await send(world, words, content)).stdout);
    const before = await counted(world);
    const { external_id, id } = made.order ?? made;
    const again = await send(world, words, { ...content, external_id });
    expect([0, 5]).toContain(again.exit);
    expect(again.exit === 0 ? again.stdout : errorOf(again.stderr).meta.order_id).toContain(id);
    expect(await counted(world)).toEqual(before);
  });
});
