import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, quotedOrder } from '../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf } from '../support/stderr-lines.ts';
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

describe.each(Object.keys(creates) as Create[])('15 times `%s`', (command) => {
  it('makes 15 orders, none twice, when every third answer is dropped after its commit', async () => {
    const world = await shopWorld();
    const { operation } = creates[command];
    await world.service.sandbox.control.faults.add({ operation, every: 3, do: 'drop-after-commit' });
    const { printed, settled } = await makeOrders(world, command, 15);
    const orders = await ordersOf(world);
    expect(orders.map(({ external_id }) => external_id)).toEqual(printed.map((_, index) => `WEB-${index}`));
    expect(orders.map(({ id }) => id)).toEqual(printed);
    expect(new Set(printed).size).toBe(15);
    expect(settled).toBe(5);
  });
});

describe.each(['drop-before', 'half-answer'])('orders whose calls end in %s', (action) => {
  it('are made once each all the same', async () => {
    const world = await shopWorld();
    await world.service.sandbox.control.faults.add({ operation: 'shop.Order/CreateOrder', every: 2, do: action });
    const { printed, settled } = await makeOrders(world, 'orders create', 8);
    const orders = await ordersOf(world);
    expect(orders.map(({ id }) => id)).toEqual(printed);
    expect(new Set(printed).size).toBe(8);
    expect(settled).toBeGreaterThan(2);
  });
});

describe('a write that cannot be settled', () => {
  it('is looked for by the same command when it is run again and cannot be looked up either', async () => {
    const world = await shopWorld();
    const faults = { operation: 'shop.Customer/*', every: 1, do: 'drop-after-commit' };
    await world.service.sandbox.control.faults.add(faults);
    const words = ['customers', 'create', '--full-name', 'Lost', '--phone', '0901112224', '--max-retries', '0'];
    for (const _ of ['first', 'again']) {
      const { exit, stderr } = await world.run([...words, '--profile', 'shop']);
      expect(exit).toBe(10);
      expect(stderr).toMatch(
        /`shopctl customers get --external-id shopctl-\S+ --profile shop` shows whether it was created; send it again only under that external_id; `shopctl ledger settle/,
      );
    }
  });

  it('is looked for by a command that goes to the same account, and settled by a word', async () => {
    const world = await shopWorld();
    const operation = 'shop.CustomerGroup/CreateGroup';
    const words = ['groups', 'create', '--name', 'Buyers'];
    await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
    const lost = await world.run([...words, '--profile', 'shop']);
    expect(lost.exit).toBe(10);
    const hint = lost.stderr.split('\n').find((line) => line.startsWith('hint: ')) ?? '';
    expect(hint).toContain('`shopctl groups list --sort=-updated_at --profile shop` shows whether it was created');
    const [, id = ''] = /shopctl ledger settle ([0-9a-f]{10}) --done/.exec(hint) ?? [];
    const listed = await world.run(['ledger', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id, state: 'unclear', resource: 'CustomerGroup' }]);
    // The same again is not sent while nobody knows.
    const again = await world.run([...words, '--profile', 'shop', '--json']);
    expect([again.exit, errorOf(again)]).toEqual([
      10,
      expect.objectContaining({ code: 'held_by', outcome: 'not_applied', hint: expect.stringContaining(id) }),
    ]);
    const settled = await world.run(['ledger', 'settle', id, '--done', '--yes', '--json']);
    expect([settled.exit, JSON.parse(settled.stdout)]).toMatchObject([0, { id, state: 'done' }]);
    expect(JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout)).toEqual([]);
  });

  it.each(['drop-after-commit', 'html', 'status=503', 'status=500,code=internal', 'status=429'])(
    'names the command that records its outcome, whatever failed: %s',
    async (action) => {
      const world = await shopWorld();
      await world.service.sandbox.control.faults.add({ operation: 'shop.CustomerGroup/*', every: 1, do: action });
      const words = ['groups', 'create', '--name', 'Buyers', '--profile', 'shop', '--max-retries', '0', '--json'];
      const { exit, stderr } = await world.run(words);
      const { hint, meta } = errorOf(stderr);
      const [{ id }] = JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout);
      expect([exit, meta.intent]).toEqual([10, id]);
      expect(hint).toContain(`\`shopctl ledger settle ${id} --done --profile shop\``);
    },
  );

  it('is found by the name that was made for it, where the record can have one', async () => {
    const world = await shopWorld();
    const operation = 'shop.Customer/CreateCustomer';
    const words = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop', '--json'];
    await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
    const { exit, stderr, stdout } = await world.run(words);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('settled')]);
    expect(JSON.parse(stdout).external_id).toMatch(/^shopctl-s1-[0-9a-f]{20}$/);
    // What never arrived cannot be told from what is late: it is not sent again by itself.
    await world.service.sandbox.control.faults.add({ operation, once: true, do: 'status=503' });
    const quick = [...words, '--max-retries', '0'];
    expect((await world.run(quick)).exit).toBe(10);
    expect((await world.run(quick)).exit).toBe(10);
    const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
    const named = body.customers.filter(({ full_name }: { full_name: string }) => full_name === 'Lan');
    expect(named).toHaveLength(1);
  });
});

describe('a create that is answered with 429', () => {
  it.each([
    ['customers create', ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567']],
    ['shipping create', ['shipping', 'create', '--input']],
  ])('is reported with the wait that it asks for, and not as a lost answer: %s', async (_, words) => {
    const headers = { 'retry-after': '99999' };
    const world = await shopWorld(
      (transport) => async (request) =>
        /\/Create/.test(request.url)
          ? { status: 429, headers, body: '{"code":"resource_exhausted","msg":"too many calls"}' }
          : transport(request),
    );
    const order = JSON.stringify(await quotedOrder(world.service));
    const file = join(world.directory, 'order.json');
    writeFileSync(file, order);
    const profile = words[0] === 'customers' ? 'shop' : 'test';
    const whole = words.at(-1) === '--input' ? [...words, file] : words;
    const ended = await world.run([...whole, '-o', 'json', '--profile', profile], { clock: patient() });
    const { message, hint } = errorOf(ended);
    expect(`${message} ${hint}`).toContain('99999 s');
    expect(message).toMatch(/429|too many calls/);
    expect(ended.stderr).not.toContain('its answer was lost');
  });
});
