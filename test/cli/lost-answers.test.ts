import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, quotedOrder } from '../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const creates = {
  'orders create': { operation: 'shop.Order/CreateOrder', profile: 'shop' },
  'shipping create': { operation: 'partner.Shipping/CreateAndConfirmOrder', profile: 'test' },
} as const;

type Create = keyof typeof creates;

/** A clock whose waits, those between two attempts, are over at once. */
const patient = () => ({ ...standingClock(), ...steppedClock() });

/** Makes so many orders one after the other; how many of them were settled, and the ids that the command printed. */
async function makeOrders(world: ShopWorld, command: Create, count: number) {
  const order = command === 'orders create' ? orderFields : await quotedOrder(world.service);
  const file = join(world.directory, 'order.json');
  writeFileSync(file, JSON.stringify(order));
  const printed: string[] = [];
  let settled = 0;
  for (let index = 0; index < count; index += 1) {
    const words = [...command.split(' '), '--input', file, '--external-id', `WEB-${index}`, '-o', 'name'];
    const env = { SHOPCTL_PROFILE: creates[command].profile };
    const { exit, stdout, stderr } = await world.run(words, { env, clock: patient() });
    expect([index, exit, stderr.includes('error')]).toEqual([index, 0, false]);
    printed.push(stdout.trim());
    if (stderr.includes('its answer was lost')) settled += 1;
  }
  return { printed, settled };
}

/** Every order that the service has, by its external id. */
async function ordersOf({ run }: ShopWorld): Promise<readonly { id: string; external_id: string; status: string }[]> {
  const { stdout } = await run(['orders', 'list', '--all', '--json'], { env: { SHOPCTL_PROFILE: 'shop' } });
  // A list begins with the newest.
  return JSON.parse(stdout).reverse();
}

describe.each(Object.keys(creates) as Create[])('200 times `%s`', (command) => {
  it('makes 200 orders, none twice, when every third answer is dropped after its commit', async () => {
    const world = await shopWorld();
    const { operation } = creates[command];
    await world.service.sandbox.control.faults.add({ operation, every: 3, do: 'drop-after-commit' });
    const { printed, settled } = await makeOrders(world, command, 200);
    const orders = await ordersOf(world);
    expect(orders.map(({ external_id }) => external_id)).toEqual(printed.map((_, index) => `WEB-${index}`));
    expect(orders.map(({ id }) => id)).toEqual(printed);
    expect(new Set(printed).size).toBe(200);
    expect(settled).toBe(66);
  }, 120_000);
});

describe.each(['drop-before', 'half-answer'])('orders whose calls end in %s', (action) => {
  it('are made once each all the same', async () => {
    const world = await shopWorld();
    await world.service.sandbox.control.faults.add({ operation: 'shop.Order/CreateOrder', every: 2, do: action });
    const { printed, settled } = await makeOrders(world, 'orders create', 20);
    const orders = await ordersOf(world);
    expect(orders.map(({ id }) => id)).toEqual(printed);
    expect(new Set(printed).size).toBe(20);
    expect(settled).toBeGreaterThan(5);
  });
});

describe('a write that cannot be settled', () => {
  it('is looked for by a command that goes to the same account, and is told of once', async () => {
    const world = await shopWorld();
    const operation = 'shop.Customer/CreateCustomer';
    const words = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567'];
    const hintAfter = async (action: string, ...more: string[]) => {
      await world.service.sandbox.control.faults.add({ operation, once: true, do: action });
      const { exit, stderr } = await world.run([...words, ...more]);
      expect([action, exit]).toEqual([action, 10]);
      return stderr.split('\n').find((line) => line.startsWith('hint: '));
    };
    const list = 'shopctl customers list --sort=-updated_at --profile shop';
    for (const action of ['drop-after-commit', 'status=503', 'html']) {
      const told = await hintAfter(action, '--profile', 'shop');
      expect(told).toBe(`hint: \`${list}\` shows what became of it; look before it is sent again`);
    }
    const byName = await hintAfter('status=500,code=internal', '--profile=shop', '--external-id', 'EX-1');
    expect(byName).toContain('`shopctl customers get --external-id EX-1 --profile shop` shows');
  });
});
