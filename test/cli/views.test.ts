import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import { displayWidth } from '../../src/platform/terminal/text-width.ts';
import { openedConsole } from '../console/opened-console.ts';
import { orderFields, shippingFields } from '../support/sandbox-order.ts';
import { type Between, shopWorld } from '../support/shop-world.ts';

/** The shop's own commands in a world with a parcel under way; the calls are counted by their names. */
async function shopAtWork(between: Between = (transport) => transport, changed: object = {}) {
  const calls: string[] = [];
  const world = await shopWorld((transport) => {
    const inner = between(transport);
    return (request) => {
      calls.push(request.url.split('/').slice(-2).join('/'));
      return inner(request);
    };
  });
  const { post, shop, shopKey } = world.service;
  const quote = {
    ...shippingFields,
    pickup_address: shippingFields.pickup_address,
    shipping_address: orderFields.shipping_address,
    basket_value: 1350000,
  };
  const { services } = (await post('partner.Shipping/GetShippingServices', quote, shopKey)).body;
  const { code, fee } = services[0];
  const shipping = {
    ...shippingFields,
    shipping_service_code: code,
    shipping_service_fee: fee,
    shipping_note: 'Gọi trước',
    ...changed,
  };
  const order = { ...orderFields, external_id: 'PACK-1', shipping };
  const created = await post('partner.Shipping/CreateAndConfirmOrder', order, shopKey);
  expect(created.status).toBe(200);
  const run = (...words: readonly string[]) => world.run(['--profile', 'shop', ...words]);
  return { ...world, run, runAt: world.run, calls, post, shop, created: created.body };
}

it('shows an order as one packs from it: the parcel, who gets it and where, lines, fees and the cash', async () => {
  const { run, created } = await shopAtWork();
  const { stdout } = await run('orders', 'get', '--code', 'DH000001');
  expect(stdout).toMatch(/^parcel +\S+\d$/m);
  expect(stdout).toContain(created.fulfillments[0].shipping_code);
  for (const line of [
    /^recipient +Nguyễn Thị Lan$/m,
    /^phone +0901234567$/m,
    /^street +12 ngõ 5$/m,
    /^ward +Phường Dịch Vọng$/m,
    /^pickup +Kho Liên Chiểu$/m,
    /^lines +2 {2}Áo khoác {2}400,000\n +1 {2}Áo khoác {2}450,000$/m,
    /^fees +shipping {2}Giao hàng {2}30,000$/m,
    /^cod_amount +1,280,000$/m,
    /^shipping_note +Gọi trước$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
  const json = JSON.parse((await run('orders', 'get', '--code', 'DH000001', '--json')).stdout);
  expect(Object.keys(json)).toEqual(Object.keys(created));
});

it.each([
  ['a deposit', 1_000_000, '280,000'],
  ['a transfer of all of it', 0, '1,280,000'],
])('shows %s as paid before, on a terminal and on its page, and adds nothing to JSON', async (_, cod_amount, paid) => {
  const world = await shopAtWork(undefined, { cod_amount });
  const { run, created } = world;
  const { stdout } = await run('orders', 'get', 'DH000001');
  expect(stdout).toMatch(new RegExp(`^cod_amount +\\S+\npaid_before +${paid}$`, 'm'));
  const page = await openedConsole({ ...world, run: world.runAt }, ['--profile', 'shop']);
  expect(await page.run('shop.Order/GetOrder', { input: { id: created.order.id } })).toMatchObject({
    layout: { first: [{ name: 'cash (COD)' }, { name: 'paid before', cell: { text: paid } }, {}, {}, {}, {}, {}] },
  });
  expect((await run('orders', 'get', 'DH000001', '--json')).stdout).not.toContain('paid_before');
});

it('shows the parcels of orders in a list, by one list a page, and asks for them only where they are shown', async () => {
  const { run, calls, created } = await shopAtWork();
  const code = created.fulfillments[0].shipping_code;
  calls.length = 0;
  expect((await run('orders', 'list')).stdout).toContain(code);
  // The list itself and its end, which is an empty page.
  expect(calls.filter((call) => call.startsWith('shop.Fulfillment'))).toHaveLength(2);
  expect((await run('orders', 'list', '-o', 'csv', '--fields', 'code,fulfillments.shipping_code')).stdout).toBe(
    `code,fulfillments.shipping_code\r\nDH000001,${code}\r\n`,
  );
  calls.length = 0;
  const [order] = JSON.parse((await run('orders', 'list', '--json')).stdout);
  expect([Object.hasOwn(order, 'fulfillments'), calls]).toEqual([
    false,
    ['shop.Order/ListOrders', 'shop.Order/ListOrders'],
  ]);
  calls.length = 0;
  await run('orders', 'list', '--fields', 'id,code');
  expect(new Set(calls)).toEqual(new Set(['shop.Order/ListOrders']));
});

it('shows the orders where their parcels cannot be read, and says so', async () => {
  const { run } = await shopAtWork(
    (transport) => (request) =>
      request.url.endsWith('/ListFulfillments')
        ? Promise.resolve({
            status: 403,
            headers: {},
            body: '{"code":"permission_denied","msg":"not for you"}',
          } as never)
        : transport(request),
  );
  const { exit, stdout, stderr } = await run('orders', 'list');
  expect([exit, stdout.includes('DH000001'), stderr]).toEqual([
    0,
    true,
    'fulfillments could not be read: not for you\n',
  ]);
});

it('names the variants of a stock, the variants of a product, and the members of groups and collections', async () => {
  const { run, post, shop } = await shopAtWork();
  const make = async (operation: string, body: object) => (await post(operation, body, shop.apiKey)).body;
  const product = await make('shop.Product/CreateProduct', { name: 'Áo mưa', code: 'AM', retail_price: 90000 });
  const attributes = [{ name: 'Cỡ', value: 'M' }];
  await make('shop.Variant/CreateVariant', {
    product_id: product.id,
    name: 'Áo mưa, M',
    code: 'AM-M',
    retail_price: 95000,
    attributes,
  });
  await make('shop.Variant/CreateVariant', { product_id: product.id, name: '', code: 'AM-X', retail_price: 95000 });
  const stock = (await run('inventory', 'list')).stdout;
  expect(stock).toMatch(/^\d{19} +AM-M +Áo mưa, M +0 +0 +0/m);
  // A variant without a name of its own is called like its product.
  expect(stock).toMatch(/^\d{19} +AM-X +Áo mưa +0 +0 +0/m);
  expect((await run('products', 'get', product.id)).stdout).toMatch(/^variants +AM-M {2}Áo mưa, M {2}M {2}95,000$/m);
  expect((await run('variants', 'get', '--code', 'AM-M')).stdout).toMatch(/^attributes +Cỡ {2}M$/m);

  const group = await make('shop.CustomerGroup/CreateGroup', { name: 'Khách quen' });
  const { customers } = await make('shop.Customer/ListCustomers', {});
  await make('shop.CustomerGroupRelationship/AddCustomerToGroup', { customer_id: customers[0].id, group_id: group.id });
  await run('groups', 'members', 'add', '--customer-id', customers[0].id, '--group-id', group.id);
  expect((await run('groups', 'get', group.id)).stdout).toMatch(/^members +KH000001 {2}Nguyễn Thị Lan {2}0901234567/m);
  expect(Object.keys(JSON.parse((await run('groups', 'get', group.id, '--json')).stdout))).not.toContain('members');

  const collection = await make('shop.ProductCollection/CreateCollection', { name: 'Mùa mưa' });
  await run('collections', 'members', 'add', '--product-id', product.id, '--collection-id', collection.id);
  expect((await run('collections', 'get', collection.id)).stdout).toMatch(/^members +AM {2}Áo mưa/m);
});

it('shows webhooks as a table, with how their deliveries fare and when they come again, and what remains to programs', async () => {
  const failing = {
    state: 'retry',
    last_sent_at: '2026-01-31T08:00:00Z',
    last_error: {
      error: 'unexpected status: 500',
      resp_status: 500,
      resp_body: 'no',
      retried: 2,
      sent_at: '2026-01-31T08:00:00Z',
    },
  };
  const webhook = {
    id: '1234567890123456789',
    url: 'https://shop.example/hook',
    entities: ['order'],
    fields: [],
    states: failing,
  };
  const { run } = await shopAtWork(
    (transport) => async (request) =>
      /Webhook/.test(request.url)
        ? ({ status: 200, headers: {}, body: JSON.stringify({ webhooks: [webhook] }) } as never)
        : transport(request),
  );
  const { stdout } = await run('webhooks', 'list', '--utc');
  expect(stdout.split('\n')[0]).toMatch(/^ID +URL +ENTITIES +STATE +STATUS +BODY +NEXT_TRY +RETRIED /);
  expect(stdout).toMatch(/^\d{19} +https:\/\/shop\.example\/hook +order +retry +500 +no +2026-01-31 08:02:00Z +2 /m);
  expect((await run('webhooks', 'delete', '1', '--yes')).stdout).toBe('');
  const json = JSON.parse((await run('webhooks', 'delete', '1', '--yes', '--json')).stdout);
  expect(json).toEqual({ webhooks: [webhook] });
  expect((await run('webhooks', 'delete', '1', '--yes', '-o', 'name')).stdout).toBe('1234567890123456789\n');
});

it('fits the tables of a shop into a narrow terminal, with what matters of each whole', async () => {
  const { runAt, post, shop } = await shopAtWork();
  const make = async (operation: string, body: object) => (await post(operation, body, shop.apiKey)).body;
  const product = await make('shop.Product/CreateProduct', { name: 'Áo mưa hai lớp cho cả nhà'.repeat(3), code: 'AM' });
  await make('shop.Variant/CreateVariant', { product_id: product.id, name: product.name, code: 'AM-M' });
  const answers = [...['Kho hàng rất dài của nhà '.repeat(2).trim(), '0905123456'], new PromptEnded()];
  await runAt(['--profile', 'shop', 'ship'], { terminal: true, env: { TERM: 'xterm' }, answers });
  await runAt(['--profile', 'shop', 'mirror', 'sync']);
  await runAt(['--profile', 'shop', 'mirror', 'verify', '--all']);
  for (const [words, headings, whole, columns = 80] of [
    ['inventory list', ['CODE', 'NAME', 'AVAILABLE', 'RESERVED', 'PICKED'], /^\d{19} +AM-M +Áo mưa.*…/m],
    ['ship drafts list', ['ID', 'STATE'], /^[0-9a-f]{10} +open /m],
    ['auth status --profile test', ['CREDENTIAL', 'NAME', 'KEY', 'WORKS'], /^shop-key +\d{19} .*yes/m],
    [
      'orders list',
      ['CODE', 'STATUS', 'PARCEL', 'RECIPIENT', 'AMOUNT', 'CASH'],
      /^DH000001 +S in progress +PL000001 +Nguyễn Thị Lan +3 +1,280,000 +1,280,000$/m,
    ],
    ['doctor', ['CHECK', 'RESULT', 'FOUND'], /^address +ok /m],
    [
      'mirror status',
      ['AREA', 'RECORDS', 'COMPLETE UNTIL (GMT+7)', 'AGE (S)'],
      /^customer_group_members +0 .*\n(?:.*\n)*products +1 +\d{4}-\d\d-\d\d \d\d:\d\d +\d+$/m,
      70,
    ],
  ] as const) {
    const profile = words.includes('--profile') ? [] : ['--profile', 'shop'];
    const { stdout } = await runAt([...profile, ...words.split(' ')], { terminal: true, columns });
    const lines = stripVTControlCharacters(stdout).split('\n');
    for (const heading of headings) expect([words, lines[0]]).toEqual([words, expect.stringContaining(heading)]);
    for (const line of lines) expect([line, displayWidth(line) <= columns]).toEqual([line, true]);
    expect(stripVTControlCharacters(stdout)).toMatch(whole);
  }
});

it('keeps the shop of each batch on 80 columns where there are several, and lets the file go', async () => {
  const { run, save, settings, directory, service } = await shopWorld();
  const { shop, otherShop, shopKey } = service;
  const { test, ...others } = (await settings()).profiles;
  const shops = {
    [shop.id]: { name: 'Trà Sen Tây Hồ', shop_key: shopKey },
    [otherShop.id]: { name: 'Gốm Bát Tràng', shop_key: await service.signIn(otherShop.id) },
  };
  await save({ version: 1, current_profile: 'test', profiles: { ...others, test: { ...test, shops } as never } });
  cpSync('examples/orders.csv', join(directory, 'orders.csv'));
  const list = async () => {
    const { stdout } = await run(['batch', 'list'], { terminal: true, columns: 80 });
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
    for (const line of lines) expect([line, displayWidth(line) <= 80]).toEqual([line, true]);
    return lines;
  };
  await run(['batch', 'run', 'orders.csv', '--yes', '--shop', shop.id]);
  expect((await list())[0]).toMatch(/^BATCH +STATE +DO +FILE +DONE +FAILED +UNCLEAR +LEFT +FEES$/);
  await run(['batch', 'run', 'orders.csv', '--yes', '--shop', otherShop.id]);
  const [header, newer, older] = await list();
  expect(header).toMatch(/^BATCH +STATE +SHOP +DONE +FAILED +UNCLEAR +LEFT +FEES$/);
  expect(newer).toContain('  Gốm Bát Tràng  ');
  expect(older).toContain('  Trà Sen Tây Hồ  ');
});

it('shows the external code of an order before its external id, in a list and alone', async () => {
  const { run, post, shop } = await shopAtWork();
  const named = { ...orderFields, external_id: 'WEB-9', external_code: 'POS-9' };
  const { body } = await post('shop.Order/CreateOrder', named, shop.apiKey);
  const list = (await run('orders', 'list')).stdout;
  expect(list).toMatch(/EXTERNAL_CODE +EXTERNAL_ID/);
  expect(list).toMatch(/POS-9 +WEB-9/);
  const { stdout } = await run('orders', 'get', body.id);
  expect(stdout).toMatch(/^external_code +POS-9\nexternal_id +WEB-9$/m);
});

it('names the columns for which a terminal is too narrow, to people, and only there', async () => {
  const { run, runAt } = await shopAtWork();
  const list = ['--profile', 'shop', 'orders', 'list'];
  const at = async (words: readonly string[], how: object) =>
    (await runAt([...list, ...words], { terminal: true, env: { NO_COLOR: '1' }, ...how })).stderr.replaceAll(
      /\s+/g,
      ' ',
    );
  const narrow = await at([], { columns: 80 });
  const [, count, named = ''] =
    /(\d+) columns are left out on a terminal of 80: (.*?); choose with --fields/.exec(narrow) ?? [];
  expect([Number(count), named.split(', ')]).toEqual([named.split(', ').length, expect.arrayContaining(['id'])]);
  const { stdout } = await runAt([...list, '--fields', named.replaceAll(', ', ',')], { terminal: true, columns: 80 });
  expect(stdout).toContain('ID');
  for (const [words, how] of [
    [[], { columns: 400 }],
    [[], { columns: 80, terminal: false }],
    [['--quiet'], { columns: 80 }],
    [['--json'], { columns: 80 }],
    [['--fields', named.replaceAll(', ', ',')], { columns: 80 }],
  ] as const)
    expect([words, await at(words, how)]).toEqual([words, expect.not.stringContaining('left out')]);
  expect((await run('orders', 'list')).stderr).not.toContain('left out');
});
