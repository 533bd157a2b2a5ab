import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const {
  external_id: _,
  external_code: __,
  ...order
} = JSON.parse(readFileSync('examples/order-complete.json', 'utf8'));

async function count({ service }: ShopWorld, operation: string, list: string): Promise<number> {
  return (await service.post(operation, {}, service.shop.apiKey)).body[list].length;
}

function file({ directory }: ShopWorld, name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

it('a row without a name is not sent within a day of a command that sent the same order, unless that is said', async () => {
  const world = await shopWorld();
  const one = file(world, 'one.json', JSON.stringify(order));
  const rows = file(world, 'rows.json', JSON.stringify([order]));
  const at = () => ({ clock: steppedClock() });
  const orders = () => count(world, 'shop.Order/ListOrders', 'orders');
  expect((await world.run(['orders', 'create', '--input', one, '--profile', 'shop'], at())).exit).toBe(0);
  const batch = ['batch', 'run', rows, '--do', 'orders create', '--profile', 'shop', '--yes', '--json'];
  const ran = await world.run(batch, { clock: steppedClock() });
  expect([ran.exit, errorOf(ran)]).toMatchObject([
    12,
    { code: 'rows_shared', message: expect.stringContaining('1 of them by single commands') },
  ]);
  expect(await orders()).toBe(1);
  const told = await world.run([...batch.slice(0, -1), '--lang', 'vi'], { clock: steppedClock() });
  expect(told.stderr).toContain('\n  đã gửi trước đây: 1\n  mới: 0\n  mới, cùng người nhận: 0\n');
  const again = await world.run([...batch, '--again'], { clock: steppedClock() });
  expect([again.exit, await orders()]).toEqual([0, 2]);
});

it('a batch that nobody named is continued only by somebody who agrees', async () => {
  const stop = new AbortController();
  let sent = 0;
  const world = await shopWorld((transport) => async (request) => {
    if (request.url.endsWith('/CreateCustomer')) {
      sent += 1;
      if (sent === 2) stop.abort('SIGINT');
    }
    return transport(request);
  });
  const lines = Array.from({ length: 6 }, (_, index) => `Lan ${index},090123450${index}`);
  const path = file(world, 'rows.csv', `full_name,phone\n${lines.join('\n')}\n`);
  const run = ['batch', 'run', path, '--do', 'customers create', '--concurrency', '1', '--profile', 'shop', '--yes'];
  await world.run(run, { signal: stop.signal, clock: steppedClock() });
  const before = sent;
  expect(before).toBeLessThan(6);
  const resume = ['batch', 'resume', '--profile', 'shop', '--json'];
  const alone = await world.run(resume, { clock: steppedClock() });
  expect([alone.exit, sent]).toEqual([2, before]);
  const declined = await world.run(['batch', 'resume', '--profile', 'shop'], {
    terminal: true,
    answers: [false],
    clock: steppedClock(),
  });
  expect([declined.exit, sent]).toEqual([expect.any(Number), before]);
  const agreed = await world.run([...resume, '--yes'], { clock: steppedClock() });
  expect([agreed.exit, JSON.parse(agreed.stdout)]).toMatchObject([0, { counts: { done: 6, left: 0 } }]);
  expect(await count(world, 'shop.Customer/ListCustomers', 'customers')).toBe(6);
});
