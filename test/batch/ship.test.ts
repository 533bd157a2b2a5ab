import { expect, it } from 'vitest';
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
