import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { batchWorld, manyOrders } from './batch-world.ts';

it('ships each row of a sheet once', async () => {
  const world = await batchWorld();
  const { summary } = await world.run(manyOrders(20));
  expect(summary).toMatchObject({ state: 'finished', counts: { rows: 20, done: 20, left: 0 } });
  const orders = await world.orders();
  expect(orders.map(({ external_id }) => external_id).sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => `SO-${index + 1}`).sort(),
  );
});

it('takes no offer with a fee below 0, which would make room for dearer ones', async () => {
  const world = await shopWorld((transport) => async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/GetShippingServices')) return answer;
    const { services } = JSON.parse(answer.body);
    services[0].fee = -50_000;
    return { ...answer, body: JSON.stringify({ services }) };
  });
  const input = plainOrder(world);
  const rows = join(world.directory, 'rows.json');
  writeFileSync(rows, `[${readFileSync(input, 'utf8')}]`);
  const clock = standingClock(world.service.clock.now());
  const run = (...words: string[]) => world.run([...words, '--pick', 'cheapest', '--yes', '-o', 'json'], { clock });
  expect((await run('batch', 'run', rows, '--do', 'ship', '--max-total', '1')).exit).toBe(12);
  const ran = JSON.parse((await run('batch', 'run', rows, '--do', 'ship')).stdout);
  const single = await run('ship', '--input', plainOrder(world, { order_note: 'another one' }));
  expect([ran.counts, single.exit]).toMatchObject([{ done: 1 }, 0]);
  const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
  for (const { shipping } of body.orders) expect(shipping.shipping_service_fee).toBeGreaterThan(0);
});
