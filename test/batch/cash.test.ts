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
  const { exit, stderr } = await run(['batch', 'plan', file, '--equal-rows', 'each', '--line-cash', 'each']);
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('line 13, column lines.product_name: "Trà" repeats another line of the order'),
  ]);
});

const sheet = (...rows: readonly string[]) => [columns, ...rows, ''].join('\n');
const order = (name: string, cash: string) =>
  `${name},Lan,0912345678,${place},Trà,1,500000,${cash},500,none,Kho,0905123456,${place}`;

it('shows cash, fee, address and goods whole at eighty columns, and says where nothing is collected', async () => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'orders.csv'), sheet(order('A-1', '500000'), order('A-2', '0')));
  const plan = ['batch', 'plan', 'orders.csv'];
  const { stdout, stderr } = await run(plan, { terminal: true, columns: 80, env: { TERM: 'xterm', NO_COLOR: '1' } });
  expect(stdout).toMatch(/^ROW +ORDER +RECIPIENT .*CASH +FEE +CARRIER +DELIVERY \(GMT\+7\)\n/);
  expect(stdout).toMatch(/^ +1 +A-1 .* 500,000 +[\d,]+ +\w+ +\d{4}-\d\d-\d\d/m);
  expect(stdout).toMatch(/^ +2 +A-2 .* none +[\d,]+ +\w+ +\d{4}-\d\d-\d\d/m);
  expect(stdout).toMatch(/^ +1 +A-1 +Lan +0912345678 /m);
  expect(stdout).toContain(' 12 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội\n');
  expect(stdout).toContain('1 × Trà\n');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stderr).toContain('cash 500,000 to collect; 1 parcel without cash\n');
});

it('counts a parcel as insured unless it is said otherwise, as the service does, and says what that costs', async () => {
  const { run, directory } = await shopWorld();
  const insured = (row: string, word: string) => `${row},${word}`;
  const rows = [insured(order('A-1', '0'), ''), insured(order('A-2', '0'), 'no'), insured(order('A-3', '0'), 'yes')];
  const text = sheet(...rows).replace(columns, `${columns},shipping.include_insurance`);
  writeFileSync(join(directory, 'orders.csv'), text);
  const words = ['batch', 'plan', 'orders.csv', '--explain-fees'];
  const { stderr } = await run(words);
  expect(stderr).toContain('2 parcels insured, for goods worth 1,000,000\n');
  const { collect, rows: planned } = JSON.parse((await run([...words, '-o', 'json'])).stdout);
  const fees = planned.map(({ fee }: { fee: number }) => fee);
  const price = fees[0] - fees[1];
  expect([price > 0, collect.insured, collect.insured_value, collect.insurance_fee]).toEqual([
    ...[true, 2, 1_000_000, 2 * price],
  ]);
  expect(stderr).toContain(`insurance costs ${(2 * price).toLocaleString('en-US')} of the fees\n`);
  const without = JSON.parse((await run(['batch', 'plan', 'orders.csv', '-o', 'json'])).stdout);
  expect(without.collect.insurance_fee).toBeNull();
});

it('says how many parcels have no weight: they are quoted as the lightest', async () => {
  const { run, directory } = await shopWorld();
  const light = (name: string) => order(name, '0').replace(',0,500,none', ',0,,none');
  writeFileSync(join(directory, 'orders.csv'), sheet(light('A-1'), order('A-2', '0'), light('A-3')));
  const plan = ['batch', 'plan', 'orders.csv', '-o', 'json'];
  const { stdout, stderr } = await run(plan);
  expect(stderr).toContain('2 parcels without a weight: the fee is the lowest, the carrier may charge more');
  expect(JSON.parse(stdout).collect.unweighed).toBe(2);
  const { stderr: vietnamese } = await run(plan.slice(0, 3), { env: { SHOPCTL_LANG: 'vi' } });
  expect(vietnamese).toContain('2 đơn không có khối lượng: phí là mức thấp nhất, hãng có thể thu thêm');
});
