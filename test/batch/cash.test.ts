import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';

const columns =
  'external_id,shipping_address.full_name,shipping_address.phone,shipping_address.province,shipping_address.district,shipping_address.ward,shipping_address.address1,lines.product_name,lines.quantity,lines.retail_price,shipping.cod_amount,shipping.gross_weight,shipping.try_on,shipping.pickup_address.full_name,shipping.pickup_address.phone,shipping.pickup_address.province,shipping.pickup_address.district,shipping.pickup_address.ward,shipping.pickup_address.address1';
const place = 'Hà Nội,Cầu Giấy,Dịch Vọng,12 ngõ 5';

it('says in the plan which cell collects more cash than its order comes to', async () => {
  const { run, directory } = await shopWorld();
  const row = (name: string, cash: string) =>
    `${name},Lan,0912345678,${place},Trà,1,500000,${cash},500,none,Kho,0905123456,${place}`;
  const file = join(directory, 'orders.csv');
  writeFileSync(file, `${columns}\n${row('A-1', '5.000.000')}\n${row('A-2', '500000')}\n`);
  const { exit, stderr } = await run(['batch', 'plan', file]);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('4,500,000 more than the total of the order, 500,000')]);
  expect(stderr).toMatch(/line 2, column shipping.cod_amount/);
  expect(stderr).not.toMatch(/line 3, column/);
});

it('says which line of an order repeats another one, before how its cells were read', async () => {
  const { run, directory } = await shopWorld();
  const file = join(directory, 'orders.csv');
  const rows = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8', 'A-9', 'A-10', 'A-11', 'A-11'].map(
    (name) => `${name},Lan,912345678,${place},Trà,1,500000,500000,500,none,Kho,0905123456,${place}`,
  );
  writeFileSync(file, [columns, ...rows, ''].join('\n'));
  const { exit, stderr } = await run(['batch', 'plan', file, '--equal-rows', 'each']);
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('line 13, column lines.product_name: "Trà" repeats another line of the order'),
  ]);
});
