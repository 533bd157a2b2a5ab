import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { manyOrders } from '../../batch/batch-world.ts';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const isCreate = ({ url }: { readonly url: string }) => url.endsWith('/CreateAndConfirmOrder');

function sheetIn({ directory }: ShopWorld, text: string): string {
  const path = join(directory, 'orders.csv');
  writeFileSync(path, text);
  return path;
}

async function orders({ service }: ShopWorld): Promise<readonly { readonly status: string; readonly id: string }[]> {
  return (await service.post('shop.Order/ListOrders', {}, service.shop.apiKey)).body.orders;
}

async function rowsOf(world: ShopWorld, batch: string) {
  const { stdout } = await world.run(['batch', 'rows', batch, '-o', 'jsonl']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('answers a refusal of an order whose fee still stands with no other service', async () => {
  const asked: string[] = [];
  const world = await shopWorld((transport) => async (request) => {
    if (!isCreate(request)) return transport(request);
    asked.push(JSON.parse(request.body).shipping.shipping_service_code);
    return errorAnswer(400, 'invalid_argument', { field: 'shipping_address' });
  });
  const ran = await world.run(['batch', 'run', sheetIn(world, manyOrders(2)), '--yes', '-o', 'json']);
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts.failed, asked.length, new Set(asked).size]).toEqual([9, 2, 2, 1]);
  const rows = await rowsOf(world, batch);
  expect(rows.map(({ error }) => error.code)).toEqual(['invalid_argument', 'invalid_argument']);
});

it('sends a row whose name an order had that ended long before the batch', async () => {
  let cut = true;
  const stopped = new AbortController();
  const world = await shopWorld((transport) => async (request) => {
    if (!isCreate(request) || !cut) return transport(request);
    stopped.abort('SIGINT');
    throw new TransportError('closed', 'maybe', 'the connection was closed');
  });
  const path = sheetIn(world, manyOrders(1));
  cut = false;
  const made = await world.run(['ship', '--input', sheetOrder(world), '--pick', 'cheapest', '--yes', '-o', 'json']);
  const { id } = JSON.parse(made.stdout).order;
  expect((await world.run(['orders', 'cancel', id, '--cancel-reason', 'old', '--yes', '--profile', 'shop'])).exit).toBe(
    0,
  );
  world.service.clock.advance(25 * 3_600_000);
  const clock = () => ({ clock: steppedClock(world.service.clock.now()) });
  cut = true;
  const words = ['batch', 'run', path, '--resend-ended', 'cancelled', '--yes', '-o', 'json'];
  const ran = await world.run(words, { signal: stopped.signal, ...clock() });
  // Its row may have been sent.
  expect(ran.exit).toBe(10);
  cut = false;
  const resumed = await world.run(['batch', 'resume', '--yes', '-o', 'json'], clock());
  expect([resumed.exit, JSON.parse(resumed.stdout).counts]).toMatchObject([0, { done: 1, failed: 0 }]);
  expect((await orders(world)).filter(({ status }) => status !== 'N')).toHaveLength(1);
});

/** The order of the sheet's row, as one of its own under the same name. */
function sheetOrder({ directory }: ShopWorld): string {
  const address = {
    full_name: 'Khách 1',
    phone: '0910000001',
    province: 'Hà Nội',
    district: 'Cầu Giấy',
    ward: 'Dịch Vọng',
    address1: '1 ngõ 5',
  };
  const pickup_address = {
    full_name: 'Kho',
    phone: '0905123456',
    province: 'Đà Nẵng',
    district: 'Liên Chiểu',
    ward: 'Hòa Khánh Nam',
    address1: 'Lô 7',
  };
  const order = {
    external_id: 'SO-1',
    shipping_address: address,
    lines: [{ product_name: 'Áo 1', quantity: 2, retail_price: 450_000 }],
    shipping: { gross_weight: 500, cod_amount: 900_000, try_on: 'open', pickup_address },
  };
  const path = join(directory, 'one.json');
  writeFileSync(path, JSON.stringify(order));
  return path;
}
