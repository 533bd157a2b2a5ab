import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { twoStops } from '../../support/shipnow.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

/** A shop with two products, and an order with its parcel. */
async function stocked() {
  const world = await shopWorld();
  const { post, shop } = world.service;
  for (const name of ['Trà sen', 'Trà nhài']) {
    await post('shop.Product/CreateProduct', { name, retail_price: 1000 }, shop.apiKey);
  }
  const run = (words: string[], options = {}) => world.run([...words, '--profile', 'shop'], options);
  return { ...world, run };
}

describe('errors where the profile prints JSON', () => {
  it('are JSON, too', async () => {
    const { run, settings, save } = await stocked();
    const before = await settings();
    const { shop } = before.profiles;
    await save({ ...before, profiles: { ...before.profiles, shop: { ...shop, output: 'json' } as never } });
    const { exit, stderr } = await run(['products', 'get', '1']);
    expect([exit, errorOf(stderr).code]).toEqual([3, 'not_found']);
    const asTable = await run(['products', 'get', '1', '-o', 'table']);
    expect(asTable.stderr).toContain('shopctl: error:');
  });
});

describe('--status', () => {
  it('of another kind is refused, and says what has it', async () => {
    const { run } = await stocked();
    for (const status of ['bogus', 'delivered']) {
      const { exit, stdout, stderr } = await run(['orders', 'list', '--status', status]);
      expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining(`--status "${status}" is none of`)]);
    }
    const { stderr } = await run(['orders', 'list', '--status', 'delivered']);
    expect(stderr).toContain('list the fulfillments');
    expect((await run(['fulfillments', 'list', '--status', 'delivered'])).exit).toBe(0);
  });
});

describe('--to with --fields', () => {
  it('writes these columns, in this order, and says what it wrote', async () => {
    const { run, directory } = await stocked();
    for (const name of ['p.csv', 'p.jsonl']) {
      const words = ['products', 'list', '--to', name, '--fields', 'name,retail_price', '--sort', 'created_at'];
      const { exit, stdout } = await run([...words, '--json']);
      expect([exit, JSON.parse(stdout)]).toEqual([0, { file: name, records: 2 }]);
    }
    expect(readFileSync(join(directory, 'p.csv'), 'utf8')).toBe(
      'name,retail_price\r\nTrà sen,1000\r\nTrà nhài,1000\r\n',
    );
    const [line = ''] = readFileSync(join(directory, 'p.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(line)).toEqual({ name: 'Trà sen', retail_price: 1000 });
    const wrong = await run(['products', 'list', '--to', 'x.csv', '--fields', 'nam']);
    expect([wrong.exit, existsSync(join(directory, 'x.csv'))]).toEqual([2, false]);
  });
});

describe('an export', () => {
  it('has the columns of the table first, with the parcel and the names beside ids, and is read back', async () => {
    const { run, service, directory } = await stocked();
    const { post, shop } = service;
    const ask = { ...orderFields, shipping: shippingFields, external_id: 'EX-1' };
    const file = join(directory, 'order.json');
    writeFileSync(file, JSON.stringify(ask));
    expect((await run(['ship', '--input', file, '--pick', 'cheapest', '--yes'])).exit).toBe(0);
    expect((await post('shop.Fulfillment/ListFulfillments', {}, shop.apiKey)).body.fulfillments).toHaveLength(1);
    expect((await run(['orders', 'list', '--to', 'orders.csv'])).exit).toBe(0);
    const [header = '', row = ''] = readFileSync(join(directory, 'orders.csv'), 'utf8').split('\r\n');
    expect(header.split(',').slice(0, 7)).toEqual([
      ...['id', 'code', 'external_code', 'external_id', 'status'],
      ...['fulfillments.shipping_code', 'fulfillments.shipping_state'],
    ]);
    expect(row.split(',')[6]).toBe('created');
    const plan = await run(['batch', 'plan', 'orders.csv', '--do', 'orders create']);
    expect(plan.stderr).not.toContain('is not a field');
  });
});

describe('batches, drafts and changes of several shops', () => {
  it('are listed by shop, with a column for it', async () => {
    const { run, service, directory } = await stocked();
    const { shop, otherShop } = service;
    writeFileSync(join(directory, 'g.csv'), 'name\nKhách quen\n');
    expect((await run(['batch', 'run', 'g.csv', '--do', 'groups create', '--yes'])).exit).toBe(0);
    const listed = async (...words: string[]) =>
      JSON.parse((await run(['batch', 'list', '-o', 'json', ...words])).stdout);
    expect(await listed()).toMatchObject([{ shop_id: shop.id, shop: shop.id }]);
    expect(await listed('--shop', shop.id)).toHaveLength(1);
    expect(await listed('--shop', otherShop.id)).toEqual([]);
    for (const words of [
      ['batch', 'list'],
      ['events', 'list'],
      ['ship', 'drafts', 'list'],
    ]) {
      const { exit, stderr } = await run([...words, '--shop', 'nobody']);
      expect([words, exit, stderr]).toEqual([words, 2, expect.stringContaining('no shop is called nobody')]);
      expect((await run([...words, '--shop', otherShop.id])).exit).toBe(0);
    }
  });
});

describe('an expression that cannot be', () => {
  it.each(["code == 'product", 'code == "product', 'code == `1'])('is refused at once: %s', async (expression) => {
    const { run } = await stocked();
    const query = await run(['products', 'list', '--query', expression]);
    expect([query.exit, query.stderr]).toEqual([2, expect.stringMatching(/quote.* is not closed|not closed/)]);
    const listen = await run(['webhooks', 'listen', '--port', '0', '--expect', expression, '--within', '1s']);
    expect([listen.exit, listen.stderr]).toEqual([2, expect.stringContaining('is not closed')]);
  });

  it('nor an entity: the kinds are listed', async () => {
    const { run } = await stocked();
    for (const words of [
      ['events', 'tail'],
      ['events', 'list'],
    ]) {
      const { exit, stderr } = await run([...words, '--entity', 'ordr']);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('fulfillment')]);
    }
  });
});

describe('an on-demand delivery, for people', () => {
  it('has its stops with recipient, phone, address and goods', async () => {
    const { run, service } = await stocked();
    const { shop } = service;
    const { body: quoted } = await service.post('shop.Shipnow/GetShipnowServices', twoStops, shop.apiKey);
    const [{ code: shipping_service_code, fee: shipping_service_fee }] = quoted.services;
    const preference = { ...twoStops, shipping_service_code, shipping_service_fee };
    const { body } = await service.post('shop.Shipnow/CreateShipnowFulfillment', preference, shop.apiKey);
    const { stdout } = await run(['shipnow', 'get', body.id]);
    for (const reported of ['Lê Văn Tùng', '0987654321', '1 Kim Mã', 'Phạm Thu Hà', 'Trà sen']) {
      expect(stdout).toContain(reported);
    }
  });
});

describe('an order, for people', () => {
  it('has its discounts, dates, addresses and why a delivery failed', async () => {
    const { run, directory } = await stocked();
    const ask = {
      ...orderFields,
      shipping: shippingFields,
      external_id: 'EX-2',
      external_url: 'https://example.com/2',
    };
    const file = join(directory, 'order.json');
    writeFileSync(file, JSON.stringify(ask));
    expect((await run(['ship', '--input', file, '--pick', 'cheapest', '--yes'])).exit).toBe(0);
    const { stdout } = await run(['orders', 'get', '--external-id', 'EX-2']);
    for (const name of [
      'external_url',
      'confirmed_at',
      'pickup_street',
      'customer_phone',
      'delivery',
      'gross_weight',
    ]) {
      expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    }
    expect(stdout).not.toMatch(/null|parcel_trouble/);
  });
});
