import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';

/** A shop whose service takes ten seconds for each answer, on a clock of the test, and refuses the second order. */
async function slowShop() {
  const clock = standingClock();
  let orders = 0;
  const world = await shopWorld((transport) => async (request) => {
    clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    if (request.url.endsWith('/CreateAndConfirmOrder')) {
      orders += 1;
      if (orders === 2) return { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"no credit"}' };
    }
    return transport(request);
  });
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(8));
  const words = ['batch', 'run', 'orders.csv', '--yes', '--concurrency', '1'];
  return (more: readonly string[]) => world.run([...words, ...more], { clock });
}

it('writes a line every half minute where nobody watches: how many, how many failed, how long it takes', async () => {
  const { exit, stderr } = await (await slowShop())(['-o', 'name']);
  expect(exit).toBe(9);
  const lines = stderr.split('\n').filter((line) => line.includes(' of 8'));
  for (const line of lines) expect(line).toMatch(/^\d of 8, [01] failed(?:, about \d+ s left)?$/);
  expect(lines.some((line) => / failed, about [1-9]\d* s left$/.test(line))).toBe(true);
  expect(lines.at(-1)).toContain('1 failed');
  expect(lines.length).toBeLessThanOrEqual(5);
});

it('writes none with --quiet', async () => {
  expect((await (await slowShop())(['-q'])).stderr).not.toContain(' of 8');
});
