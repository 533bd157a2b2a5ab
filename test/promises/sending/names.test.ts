import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { type TestMachine, testMachine } from '../../support/context.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock, yieldingClock } from '../../support/stepped-clock.ts';

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

it('is one order under one name, whether a command or a sheet made it', async () => {
  const lan = { full_name: 'Lan', phone: '0901234567', province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Dịch Vọng' };
  const lines = [{ product_name: 'Áo', quantity: 1, list_price: 9, retail_price: 9, payment_price: 9 }];
  const given = (name: string) => ({ external_id: name, shipping_address: { ...lan, address1: '1 ngõ 5' }, lines });
  const sums = { total_items: 1, basket_value: 9, total_discount: 0, total_fee: 0, total_amount: 9 };
  const world = await shopWorld();
  const file = (name: string, value: object) => {
    const path = join(world.directory, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const single = (name: string) => {
    const input = file('one.json', { ...given(name), ...sums });
    return world.run(['orders', 'create', '--input', input, '--yes', '-o', 'json', '--profile', 'shop']);
  };
  expect((await single('A-1')).exit).toBe(0);
  // The customer's address and the sums are filled in for the rows of a sheet.
  const sheet = file('many.json', [given('A-1'), given('A-2')]);
  const words = ['--do', 'orders create', '--unit', 'one', '--yes', '-o', 'json', '--profile', 'shop'];
  const ran = await world.run(['batch', 'run', sheet, ...words]);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([0, { done: 1, existed: 1, failed: 0 }]);
  const again = await single('A-2');
  expect([again.exit, JSON.parse(again.stdout).external_id]).toEqual([0, 'A-2']);
  expect(await live(world)).toHaveLength(2);
});

it('is not shipped by a command that finds it made under its name, and not shipped', async () => {
  const world = await shopWorld();
  const path = join(world.directory, 'order.json');
  writeFileSync(path, JSON.stringify(await quotedOrder(world.service, { external_id: 'SO-9' })));
  const words = ['--input', path, '--yes', '-o', 'json', '--profile', 'shop'];
  expect((await world.run(['orders', 'create', ...words])).exit).toBe(0);
  const shipped = await world.run(['shipping', 'create', ...words]);
  expect([shipped.exit, errorOf(shipped.stderr)]).toMatchObject([5, { code: 'not_shipped', outcome: 'not_applied' }]);
  expect(errorOf(shipped.stderr).hint).toContain('orders confirm');
});

it('is sent again under its given name once it is cancelled only where --again says so', async () => {
  const world = await shopWorld();
  const path = join(world.directory, 'order.json');
  writeFileSync(path, JSON.stringify(await quotedOrder(world.service, { external_id: 'SO-1' })));
  const send = (...more: string[]) =>
    world.run(['shipping', 'create', '--input', path, '--yes', '-o', 'json', ...more]);
  expect((await send()).exit).toBe(0);
  const [made] = await live(world);
  const cancel = { id: made?.id, cancel_reason: 'changed' };
  await world.service.post('shop.Order/CancelOrder', cancel, world.service.shop.apiKey);
  const refused = await send();
  expect([refused.exit, errorOf(refused.stderr)]).toMatchObject([5, { code: 'already_over', outcome: 'not_applied' }]);
  expect(await live(world)).toEqual([]);
  expect([(await send('--again')).exit, (await live(world)).length]).toEqual([0, 1]);
});

it('is looked up under its given name, and asked about by no question, where --again meets that name', async () => {
  let isCut = true;
  const world = await shopWorld((transport) => async (request) => {
    if (!isCut || !/\/(?:CreateAndConfirmOrder|GetOrder)$/.test(request.url)) return transport(request);
    throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
  });
  const path = join(world.directory, 'order.json');
  writeFileSync(path, JSON.stringify(await quotedOrder(world.service, { external_id: 'SO-1' })));
  const words = ['shipping', 'create', '--input', path];
  expect((await world.run(words, { clock: steppedClock() })).exit).toBe(10);
  isCut = false;
  const atTerminal = { clock: yieldingClock(), terminal: true, env: { TERM: 'xterm' }, answers: [true] };
  const again = await world.run([...words, '--again'], atTerminal);
  expect([again.exit, again.prompter.asked, (await live(world)).length]).toEqual([0, [], 1]);
});

it.each([
  ['killed on its way', true, 'that was settled, and nothing else was sent now', 'applied', 1],
  ['made', false, '; nothing was sent now', 'not_applied', 0],
])(
  'says of another content under the name of one that was %s what was sent now',
  async (_, isLost, now, outcome, sent) => {
    const created: string[] = [];
    let isCut = isLost;
    const world = await shopWorld((transport) => async (request) => {
      const isCreate = request.url.endsWith('/CreateOrder');
      if (isCut && /\/(?:CreateOrder|GetOrder)$/.test(request.url))
        throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
      if (isCreate) created.push(String(request.body));
      return transport(request);
    });
    const order = await quotedOrder(world.service, { external_id: 'SO-1' });
    const path = join(world.directory, 'order.json');
    const send = (note: string) => {
      writeFileSync(path, JSON.stringify({ ...order, order_note: note }));
      const clock = steppedClock(world.service.clock.now());
      return world.run(['orders', 'create', '--input', path, '--yes', '-o', 'json', '--profile', 'shop'], { clock });
    };
    expect((await send('one')).exit).toBe(isLost ? 10 : 0);
    isCut = false;
    created.splice(0);
    const other = await send('another');
    expect([other.exit, errorOf(other.stderr)]).toMatchObject([5, { code: 'differs', outcome }]);
    expect(errorOf(other.stderr).message).toContain(now);
    // What was sent is the first one's content, once.
    expect([created.length, created.join().includes('another'), (await live(world)).length]).toEqual([sent, false, 1]);
  },
);
