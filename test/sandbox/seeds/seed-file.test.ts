import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCore } from '../../../src/sandbox/engine/core.ts';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { parseSeed, SeedError } from '../../../src/sandbox/lab/seeds/seed-content.ts';
import { serveCore } from '../../../src/sandbox/sandbox.ts';
import { rows } from '../../support/rows.ts';
import { fixedRandom, frozenClock, openTestSandbox } from '../../support/sandbox.ts';

const warehouse = {
  full_name: 'Kho',
  phone: '0905123456',
  province: 'da nang',
  district: 'lien chieu',
  ward: 'hoa khanh nam',
  address1: 'Lô 7',
};

const buyer = {
  full_name: 'Nguyễn Thị Lan',
  phone: '0901234567',
  groups: ['VIP'],
  addresses: [
    {
      full_name: 'Nguyễn Thị Lan',
      phone: '0901234567',
      province: 'HN',
      district: 'cau giay',
      ward: 'dich vong',
      address1: '12 ngõ 5',
    },
  ],
};

const product = {
  code: 'TEA',
  name: 'Trà',
  retail_price: 120_000,
  variants: [
    { code: 'TEA-100', name: 'Trà 100 g', retail_price: 120_000, stock: 10, attributes: [{ name: 'g', value: '100' }] },
  ],
};

const order = {
  customer: buyer.phone,
  external_id: 'WEB-1',
  lines: [{ variant: 'TEA-100', quantity: 2 }],
  service: 'cheapest',
  shipping: { gross_weight: 400, cod_amount: 240_000 },
  state: 'delivered',
  hours_ago: 500,
};

const shop = {
  name: 'Tiệm Trà',
  email: 'tra@shop.example',
  warehouse,
  signed_in_with: ['Second Partner'],
  customer_groups: [{ name: 'VIP' }],
  customers: [buyer],
  products: [product],
  collections: [{ name: 'Trà', products: ['TEA'] }],
  orders: [order],
};

/** The file's shop beside the one that the support needs for its second shop. */
const file = (changes: object = {}) => ({
  partners: [{ name: 'First Partner' }, { name: 'Second Partner' }],
  shops: [{ ...shop, ...changes }, { name: 'Leer' }],
});

describe('a seed file', () => {
  it('makes accounts and records, and brings orders to their states', async () => {
    const { post, shop: tea, sandbox, clock } = await openTestSandbox({ seed: file() });
    const { partner, partners = [] } = await sandbox.control.credentials();
    expect(partners.map(({ name }) => name)).toEqual(['First Partner', 'Second Partner']);
    expect(partners[0]).toMatchObject(partner);
    expect(tea.name).toBe('Tiệm Trà');
    const { body } = await post('shop.Shipping/GetOrder', { external_id: 'WEB-1' }, tea.apiKey);
    expect(body.order).toMatchObject({
      code: 'DH000001',
      total_items: 2,
      basket_value: 240_000,
      total_amount: 240_000,
      lines: [{ product_name: 'Trà', quantity: 2, retail_price: 120_000, payment_price: 120_000 }],
      shipping_address: { province: 'Thành phố Hà Nội', ward: 'Phường Dịch Vọng' },
      status: 'S',
      fulfillment_shipping_status: 'P',
      created_at: new Date(clock.now() - 500 * 3_600_000).toISOString().replace('.000', ''),
    });
    expect(body.fulfillments).toMatchObject([
      { shipping_state: 'delivered', actual_cod_amount: 240_000, pickup_address: { province: 'Thành phố Đà Nẵng' } },
    ]);
    const levels = await post('shop.Inventory/ListInventoryLevels', {}, tea.apiKey);
    expect(levels.body.inventory_levels).toMatchObject([{ available_quantity: 10 }]);
    const { body: authorized } = await post('partner.Shop/AuthorizeShop', { shop_id: tea.id }, partners[1]?.api_key);
    expect(authorized.type).toBe('shop_key');
  });

  it('is gone on from: codes and names that were populated are not given again', async () => {
    const {
      post,
      shop: tea,
      sandbox,
    } = await openTestSandbox({
      seed: file({ products: [{ ...product, variants: [{ name: 'Trà 100 g', code: 'TEA-100', retail_price: 1 }] }] }),
    });
    const person = { full_name: 'Trần Thị Mai', phone: '0907654321' };
    const line = { product_name: 'Trà', quantity: 1, list_price: 1, retail_price: 1, payment_price: 1 };
    const sums = { basket_value: 1, total_discount: 0, total_amount: 1, total_items: 1 };
    const order = (external_id: string) =>
      post('shop.Order/CreateOrder', { ...sums, lines: [line], external_id }, tea.apiKey);
    const makes = async () => {
      const [taken, made] = [await order('WEB-1'), await order('WEB-2')];
      const { body: customer } = await post('shop.Customer/CreateCustomer', person, tea.apiKey);
      return [taken.status, taken.body.code, made.body.code, customer.code];
    };
    expect(await makes()).toEqual([409, 'already_exists', 'DH000002', 'KH000002']);
    await sandbox.control.reset();
    expect(await makes()).toEqual([409, 'already_exists', 'DH000002', 'KH000002']);
  });

  it('takes a carrier by its code, and is as late as it says', async () => {
    const late = { ...order, external_id: 'LATE', service: 'tortoise', hours_late: { delivered: 30 } };
    const test = await openTestSandbox({ seed: file({ orders: [late] }) });
    const { body } = await test.post('shop.Fulfillment/ListFulfillments', {}, test.shop.apiKey);
    const [{ carrier, closed_at, estimated_delivery_at }] = body.fulfillments;
    expect(carrier).toBe('tortoise');
    expect(Date.parse(closed_at) - Date.parse(estimated_delivery_at)).toBe(30 * 3_600_000);
    const elsewhere = { ...late, service: 'nobody' };
    expect(() => parseSeed(file({ orders: [elsewhere] }))).toThrow('orders[0].service');
  });

  it('lets a partner make an order in the name of a shop', async () => {
    const { post, shop: tea } = await openTestSandbox({
      seed: file({ orders: [{ ...order, partner: 'Second Partner', state: 'reconciled' }] }),
    });
    expect((await post('shop.Shipping/GetOrder', { external_id: 'WEB-1' }, tea.apiKey)).status).toBe(404);
    const { body } = await post('shop.Shipping/GetOrder', { code: 'DH000001' }, tea.apiKey);
    expect(body.order).toMatchObject({ external_id: 'WEB-1', status: 'P', platform_payment_status: 'P' });
  });

  it('is shown by an example that works', async () => {
    const seed = JSON.parse(await readFile(new URL('../../../examples/seed.json', import.meta.url), 'utf8'));
    const { shops, partners } = parseSeed(seed);
    const core = await openCore({ data: undefined, clock: frozenClock(), random: fixedRandom() });
    const sandbox = await serveCore(core, { seed });
    onTestFinished(() => sandbox.close());
    expect([partners, shops.map(({ name }) => name)]).toEqual([[{ name: 'Demo Partner' }], ['Tiệm Trà']]);
    const states = await core.read(({ database }) =>
      rows(database, tables.selectFrom('orders').select('body').orderBy('id')),
    );
    expect(states.map(({ body }) => JSON.parse(body).status)).toEqual(['S', 'S', 'Z']);
    const links = await core.read(({ database }) => rows(database, tables.selectFrom('links').select('removed_at')));
    expect(links).toEqual([{ removed_at: null }]);
  });

  it('takes null for absent, as the service does', () => {
    expect(parseSeed({ partners: null, shops: [{ name: 'A', customers: null }] })).toEqual({ shops: [{ name: 'A' }] });
  });

  it.each<[unknown, string, string]>([
    [undefined, '', 'is required'],
    ['demo.json', '', 'must be an object'],
    [{ shops: [] }, 'shops', 'at least 1 item'],
    [{ shop: [] }, 'shops', 'is required'],
    [file({ name: '' }), 'shops[0].name', ''],
    [file({ colour: 'red' }), 'shops[0].colour', 'is not a field of a seed'],
    [file({ customers: [{ ...buyer, phone: 9 }] }), 'shops[0].customers[0].phone', 'must be text'],
    [file({ customers: [{ full_name: 'Lan' }] }), 'shops[0].customers[0].phone', 'is required'],
    [file({ products: [{ ...product, variants: [{ stock: -1 }] }] }), 'shops[0].products[0].variants[0].stock', ''],
    [file({ orders: [{ ...order, state: 'lost' }] }), 'shops[0].orders[0].state', 'must be one of new, confirmed'],
    [file({ orders: [{ ...order, lines: [] }] }), 'shops[0].orders[0].lines', 'at least 1 item'],
    [
      file({ orders: [{ ...order, lines: [{ variant: 'X' }] }] }),
      'shops[0].orders[0].lines[0].quantity',
      'is required',
    ],
  ])('that is malformed is refused with the place: %#', (content, path, problem) => {
    const parse = () => parseSeed(content);
    expect(parse).toThrow(SeedError);
    expect(parse).toThrow(expect.objectContaining({ path, message: expect.stringContaining(problem) }));
  });

  it.each<[object, string, string]>([
    [{ signed_in_with: ['Nobody'] }, 'shops[0].signed_in_with[0]', 'no partner "Nobody"'],
    [{ customers: [{ ...buyer, groups: ['No'] }] }, 'shops[0].customers[0].groups[0]', 'names no group'],
    [{ collections: [{ name: 'A', products: ['NO'] }] }, 'shops[0].collections[0].products[0]', 'names no product'],
    [{ products: [product, product] }, 'shops[0].products[1]', 'has the code TEA'],
    [{ orders: [{ ...order, customer: '1' }] }, 'shops[0].orders[0].customer', 'names nobody'],
    [{ orders: [{ ...order, partner: 'Nobody' }] }, 'shops[0].orders[0].partner', 'no partner'],
    [
      { orders: [{ ...order, lines: [{ variant: 'NO', quantity: 1 }] }] },
      'shops[0].orders[0].lines[0].variant',
      'names no variant',
    ],
    [{ orders: [{ ...order, total_items: 9 }] }, 'shops[0].orders[0].total_items', 'should be 2'],
    [{ orders: [{ ...order, service: undefined }] }, 'shops[0].orders[0].service', 'is missing'],
    [{ orders: [order, order] }, 'shops[0].orders[1]', 'another order has this external_id'],
    [{ warehouse: undefined }, 'shops[0].orders[0].shipping.pickup_address', 'has no warehouse'],
    [
      { orders: [{ ...order, service: undefined, state: 'confirmed', lines: [{ variant: 'TEA-100', quantity: 11 }] }] },
      'shops[0].orders[0]',
      'has 10 in stock',
    ],
  ])('that does not fit together is refused with the place: %#', async (changes, path, problem) => {
    const opening = openTestSandbox({ seed: file(changes) });
    await expect(opening).rejects.toMatchObject({ path, message: expect.stringContaining(problem) });
  });

  it('that was refused has left nothing behind', async () => {
    const data = await mkdtemp(join(tmpdir(), 'shopctl-seed-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    await expect(openTestSandbox({ data, seed: file({ warehouse: undefined }) })).rejects.toThrow(SeedError);
    const { shop: first, sandbox } = await openTestSandbox({ data, seed: 'none' });
    expect(first.name).toBe('Demo Shop');
    await sandbox.close();
    // Data that is there is not seeded again.
    expect((await openTestSandbox({ data, seed: file() })).shop.name).toBe('Demo Shop');
  });

  it('cannot reach into objects by a name like __proto__', () => {
    const hostile = JSON.parse('{"shops":[{"name":"A","__proto__":{"polluted":true}}]}');
    expect(() => parseSeed(hostile)).toThrow(SeedError);
    expect({}).not.toHaveProperty('polluted');
  });
});
