import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf, stderrLines } from '../../support/stderr-lines.ts';

type World = Pick<ShopWorld, 'directory'>;

/** Writes an order whose price is written in the given way; returns its path. */
function priced({ directory }: World, price: string, name = 'order.yaml'): string {
  const path = join(directory, name);
  const { lines: _, ...rest } = orderFields;
  const {
    basket_value: __,
    total_amount: ___,
    total_discount: ____,
    total_fee: _____,
    total_items: ______,
    ...order
  } = rest as Record<string, unknown>;
  const isJson = name.endsWith('.json');
  const line = isJson
    ? `[{"product_name":"Áo thun","quantity":2,"retail_price":${price},"payment_price":${price}}]`
    : `\n  - product_name: Áo thun\n    quantity: 2\n    retail_price: ${price}\n    payment_price: ${price}`;
  const fields = Object.entries({ ...order, fee_lines: [], order_discount: 0, shipping: shippingFields });
  const text = fields.map(([key, value]) =>
    isJson ? `"${key}":${JSON.stringify(value)}` : `${key}: ${JSON.stringify(value)}`,
  );
  const all = [...text, isJson ? `"lines":${line}` : `lines:${line}`];
  writeFileSync(path, isJson ? `{${all.join(',')}}` : `${all.join('\n')}\n`);
  return path;
}

const shipped = async (world: ShopWorld): Promise<number> =>
  (await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey)).body.orders.length;

describe('an amount in a file', () => {
  it.each([
    ['150000.0000000000001', 'order.json'],
    ['150.000', 'order.yaml'],
    ['1.5e5', 'order.yaml'],
    ['150.000', 'order.json'],
  ])('that is the number %s in %s is refused, since it is another number to a program', async (price, name) => {
    const world = await shopWorld();
    const before = await shipped(world);
    const file = priced(world, price, name);
    const { exit, stderr } = await world.run(['ship', '--input', file, '--pick', 'cheapest', '--yes', '-o', 'json']);
    const error = errorOf(stderr);
    expect([exit, error.field_errors.map(({ path }: { path: string }) => path)]).toEqual([
      2,
      ['lines[0].retail_price', 'lines[0].payment_price'],
    ]);
    expect(error.message).toContain(price);
    expect(await shipped(world)).toBe(before);
    const totals = await world.run(['totals', 'check', file]);
    expect([totals.exit, totals.stderr]).toEqual([2, expect.stringContaining(price)]);
  });

  it.each([
    ["'150.000'", 'order.yaml'],
    ['150000', 'order.yaml'],
    ['"150,000 ₫"', 'order.json'],
  ])('is read from %s in %s as people write it', async (price, name) => {
    const world = await shopWorld();
    const file = priced(world, price, name);
    const { exit, stdout } = await world.run(['ship', '--input', file, '--pick', 'cheapest', '--yes', '--json']);
    expect([exit, JSON.parse(stdout).order.total_amount]).toEqual([0, 300_000]);
    const filled = await world.run(['totals', 'fill', file, '--json']);
    expect(JSON.parse(filled.stdout).basket_value).toBe(300_000);
  });

  it('is read by every command that takes a whole request, and in the JSON of a flag', async () => {
    const { run, directory } = await shopWorld();
    const file = join(directory, 'product.yaml');
    writeFileSync(file, "name: Trà sen\nretail_price: '135.000'\n");
    const create = ['products', 'create', '--profile', 'shop', '--json'];
    expect(JSON.parse((await run([...create, '--input', file])).stdout).retail_price).toBe(135_000);
    writeFileSync(file, 'name: Trà sen\nretail_price: 135.000\n');
    expect(await run([...create, '--input', file])).toMatchObject({ exit: 2 });
    const lines = (price: string) => ['--lines', `{"product_name":"Trà 2.0","quantity":1,"retail_price":${price}}`];
    const order = ['orders', 'create', '--profile', 'shop', '--dry-run'];
    expect((await run([...order, ...lines('135.000')])).stderr).toContain('135.000 can be read in more than one way');
    expect((await run([...order, ...lines('"135.000"')])).stderr).not.toContain('135.000');
  });

  it('leaves coordinates and counts as they are', async () => {
    const { run, directory } = await shopWorld();
    const file = join(directory, 'address.yaml');
    writeFileSync(
      file,
      'customer_id: "1"\nfull_name: Lan\nphone: "0912345678"\nprovince: HCM\ndistrict: Q1\nward: P Bến Nghé\naddress1: 1 Lê Lợi\ncoordinates:\n  latitude: 10.0\n  longitude: 106.7\n',
    );
    const { exit, stdout } = await run(['addresses', 'create', '--profile', 'shop', '--input', file, '--dry-run']);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/"latitude": ?10\b/)]);
  });
});

it('says that a phone number stands in quotes, once', async () => {
  const world = await shopWorld();
  const file = priced(world, '150000');
  const text = `shipping_address:\n  full_name: Lan\n  phone: 0912345678\n  province: Hồ Chí Minh\n`;
  writeFileSync(file, text);
  const { exit, stderr } = await world.run(['ship', '--input', file, '--pick', 'cheapest', '--yes']);
  expect(exit).toBe(2);
  expect(stderr).toContain("shipping_address.phone must be text: put it in quotes, '0912345678'");
  expect(stderr).not.toContain('customer_address.phone');
});

describe('cash on delivery above the total', () => {
  const reported = /cod.amount is 4,700,000 more than the total of the order, 300,000/;

  it('is told by ship --input and shipping create, and sent', async () => {
    const world = await shopWorld();
    const file = priced(world, '150000');
    const cash = { ...shippingFields, cod_amount: 5_000_000 };
    const order = JSON.parse((await world.run(['totals', 'fill', file, '--json'])).stdout);
    const whole = join(world.directory, 'whole.json');
    const service = { shipping_service_code: 'A', shipping_service_fee: 1, carrier: 'a' };
    writeFileSync(whole, JSON.stringify({ ...order, shipping: { ...cash, ...service } }));
    const create = await world.run(['shipping', 'create', '--input', whole, '--dry-run']);
    expect(create.stderr).toMatch(reported);
    writeFileSync(whole, JSON.stringify({ ...order, shipping: cash }));
    const ship = await world.run(['ship', '--input', whole, '--pick', 'cheapest', '--yes']);
    expect([ship.exit, ship.stderr]).toEqual([0, expect.stringMatching(reported)]);
  });
});

it('tells of a birthday that is no date, and sends it', async () => {
  const { run } = await shopWorld();
  for (const birthday of ['31/02/1990', '2999-01-01', '1/1/1200', 'spring']) {
    const words = [
      'customers',
      'create',
      '--full-name',
      'Lan',
      '--phone',
      '0912345678',
      '--birthday',
      birthday,
      '--profile',
      'shop',
      '--json',
    ];
    const { exit, stdout, stderr } = await run(words);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    expect([exit, JSON.parse(stdout).birthday, stderrLines(stderr).notices]).toEqual([
      0,
      birthday,
      [{ code: 'unusual_value', message: expect.stringMatching(/birthday/) }],
    ]);
  }
});
