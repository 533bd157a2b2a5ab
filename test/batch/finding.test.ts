import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BatchError } from '../../src/batch/batch-error.ts';
import { shopWorld } from '../support/shop-world.ts';
import { batchWorld, orderCells, orderHeader, orderSheet } from './batch-world.ts';

/** A shop with two variants and three customers, two of whom share a phone number. */
async function shop(family: 'shop' | 'partner' = 'shop') {
  const world = await batchWorld(family);
  const call = async (operation: string, body: object) =>
    (await world.service.post(`shop.${operation}`, body, world.service.shop.apiKey)).body;
  const product = await call('Product/CreateProduct', { name: 'Áo', code: 'AO' });
  const variant = async (code: string, name: string) =>
    call('Variant/CreateVariant', { product_id: product.id, code, name, retail_price: 100_000 });
  const [red, blue] = [await variant('AO-1', 'Áo đỏ'), await variant('AO-2', 'Áo xanh')];
  const customer = (full_name: string, phone: string, external_id: string) =>
    call('Customer/CreateCustomer', { full_name, phone, external_id });
  const lan = await customer('Lan', '0901 234 567', 'CRM-1');
  await customer('Mai', '0901234568', 'CRM-2');
  await customer('Cúc', '+84901234568', 'CRM-3');
  const seen: string[] = [];
  world.between = (transport) => (request) => {
    seen.push(request.url.split('/').at(-1) ?? '');
    return transport(request);
  };
  const faultsOf = async (content: string, words: string) => {
    const error = await world.run(content, { do: words }).catch((reason: unknown) => reason);
    if (!(error instanceof BatchError)) throw error;
    return error.faults.map(({ cell, value, message }) => `${cell} ${value}: ${message}`);
  };
  return { world, call, product, red, blue, lan, seen, faultsOf };
}

it('changes variants by their SKU, looked up with few requests', async () => {
  const { world, call, red, seen } = await shop();
  const { summary } = await world.run('code,retail_price\nAO-1,170.000\nAO-2,180.000\n', { do: 'variants update' });
  expect(summary.counts).toMatchObject({ rows: 2, done: 2 });
  expect(await call('Variant/GetVariant', { id: red.id })).toMatchObject({ code: 'AO-1', retail_price: 170_000 });
  // Each code once, then each record for the plan, and right before it is changed.
  expect(seen.filter((name) => name === 'GetVariant')).toHaveLength(6);
});

it('reads the whole list once where many records are looked up, and says how many requests that took', async () => {
  const { world, call, product, seen } = await shop();
  for (let number = 3; number <= 30; number += 1) {
    await call('Variant/CreateVariant', { product_id: product.id, code: `AO-${number}`, name: `Áo ${number}` });
  }
  const lines = Array.from({ length: 30 }, (_, at) => `AO-${at + 1},${200_000 + at}\n`).join('');
  seen.length = 0;
  const planned = await world.plan(`code,retail_price\n${lines}`, { do: 'variants update', isLookupOnly: true });
  if (planned.kind !== 'planned') throw new Error('it was planned before');
  planned.release();
  expect(planned.facts.reported).toEqual(['30 records looked up by code or phone, with 2 requests']);
  expect(seen.filter((name) => name === 'ListVariants')).toHaveLength(2);
});

it.each([
  ['code', 'KH'],
  ['external_id', 'CRM-1'],
  ['phone', '0901234567'],
])('changes a customer by %s', async (column, given) => {
  const { world, call, lan } = await shop();
  const name = given === 'KH' ? lan.code : given;
  const { summary } = await world.run(`${column},note\n${name},quen\n`, { do: 'customers update' });
  expect(summary.counts.done).toBe(1);
  expect(await call('Customer/GetCustomer', { id: lan.id })).toMatchObject({ note: 'quen', phone: '0901 234 567' });
});

it('gives a customer another phone where something else names the customer', async () => {
  const { world, call, lan } = await shop();
  await world.run(`code,phone\n${lan.code},0907654321\n`, { do: 'customers update' });
  expect(await call('Customer/GetCustomer', { id: lan.id })).toMatchObject({ phone: '0907654321' });
});

it('gives a variant another code where its id is given', async () => {
  const { world, call, red } = await shop();
  const { summary } = await world.run(`id,code\n${red.id},AO-9\n`, { do: 'variants update' });
  expect([summary.counts.done, (await call('Variant/GetVariant', { id: red.id })).code]).toEqual([1, 'AO-9']);
});

it('refuses a row whose id and code are those of two records, and takes one whose names agree', async () => {
  const { world, call, product, lan, red, faultsOf, seen } = await shop();
  const other = await call('Product/CreateProduct', { name: 'Mũ', code: 'MU' });
  const header = 'product_id,product_code,name,code\n';
  const another = `is the code of another product than the one that the row names: ${product.id}, not ${other.id}`;
  expect(await faultsOf(`${header}${other.id},AO,Mũ đỏ,MU-1\n`, 'variants create')).toEqual([
    `line 2, column product_code AO: ${another}`,
  ]);
  const customers = await faultsOf(`code,external_id,note\n${lan.code},CRM-2,x\n`, 'customers update');
  expect(customers).toEqual([expect.stringMatching(/external_id CRM-2: is the external_id of another customer than/)]);
  const line = orderSheet(
    [[...orderCells(1).map((cell) => (cell === 'Áo 1' ? red.id : cell)), 'AO-2']],
    [...orderHeader.map((name) => (name === 'lines.product_name' ? 'lines.variant_id' : name)), 'lines.variant_code'],
  );
  const [inLine] = await faultsOf(line, 'orders create');
  expect(inLine).toMatch(/lines.variant_code AO-2: is the code of another variant than/);
  expect(seen.filter((name) => /^(?:Create|Update)(?!Product$)/.test(name))).toEqual([]);
  const { summary } = await world.run(`${header}${product.id},AO,Áo vàng,AO-3\n`, { do: 'variants create' });
  expect(summary.counts.done).toBe(1);
});

it('says that a code beside an id is not used where it is no record, as it is not needed', async () => {
  const { world, call, product } = await shop();
  const header = 'product_id,product_code,name,code\n';
  const planned = await world.plan(`${header}${product.id},ALT-7,Áo vàng,AO-3\n`, { do: 'variants create' });
  if (planned.kind !== 'planned') throw new Error('it was planned before');
  planned.release();
  expect(planned.facts.remarks.warnings).toMatchObject([
    { code: 'not_used', message: 'is no product of the shop; it is not used' },
  ]);
  expect(await call('Variant/GetVariant', { code: 'AO-3' })).toMatchObject({ code: 'not_found' });
});

it('names the cell of a record that is missing, that is there twice, or that nothing names, and sends nothing', async () => {
  const { faultsOf, seen } = await shop();
  expect(await faultsOf('code,retail_price\nAO-1,1000\nAO-7,1000\n,1000\n', 'variants update')).toEqual([
    'line 3, column code AO-7: is no variant of the shop',
    expect.stringMatching(/^line 4.*: id is required, or one of code, external_id$/),
  ]);
  expect(await faultsOf('phone,note\n0901234568,a\n0999999999,b\n', 'customers update')).toEqual([
    expect.stringMatching(
      /^line 2, column phone 0901234568: is the phone number of 2 customers \(.+, .+\): use the code or the id$/,
    ),
    'line 3, column phone 0999999999: is the phone number of no customer of the shop',
  ]);
  expect(seen.filter((name) => name.startsWith('Update'))).toEqual([]);
});

it('finds customers and goods that a row refers to', async () => {
  const { world, call, product, lan } = await shop();
  const { id: group } = await call('CustomerGroup/CreateGroup', { name: 'Quen' });
  const members = await world.run(`customer_phone,group_id\n0901234567,${group}\n`, { do: 'groups members add' });
  expect(members.summary.counts.done).toBe(1);
  const list = await call('CustomerGroupRelationship/ListRelationships', { filter: { customer_id: lan.id } });
  expect(list.relationship).toMatchObject([{ customer_id: lan.id, group_id: group }]);
  const made = await world.run('product_code,name,code\nAO,Áo vàng,AO-3\n', { do: 'variants create' });
  expect(made.summary.counts.done).toBe(1);
  expect(await call('Variant/GetVariant', { code: 'AO-3' })).toMatchObject({ product_id: product.id });
});

const skuHeader = orderHeader.map((name) => (name === 'lines.product_name' ? 'lines.variant_code' : name));
const skuRow = (code: string, name?: string) =>
  orderSheet([orderCells(1, name).map((cell) => (cell === 'Áo 1' ? code : cell))], skuHeader);

it('ships goods by their SKU, under a name that does not depend on what the catalogue says later', async () => {
  const { world, call, red } = await shop();
  const { summary } = await world.run(skuRow('AO-1', ''));
  expect(summary.counts.done).toBe(1);
  const [order] = await world.orders();
  expect(order).toMatchObject({ lines: [{ variant_id: red.id, product_name: 'Áo đỏ' }] });
  await call('Variant/UpdateVariant', { id: red.id, name: 'Áo đỏ mới' });
  const again = await world.plan(skuRow('AO-1', ''));
  again.release();
  expect([again.kind, again.batch.id]).toEqual(['known', summary.batch]);
});

it('says that a partner cannot look up goods', async () => {
  const { run, directory } = await shopWorld();
  const file = join(directory, 'sku.csv');
  writeFileSync(file, skuRow('AO-1'));
  const { exit, stderr } = await run(['batch', 'plan', file]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("cannot be looked up without the shop's own API key")]);
});

it('asks for each name once, however long the file is', async () => {
  const { world, seen } = await shop();
  const rows = Array.from({ length: 1_100 }, (_, at) => `AO,Áo số ${at}\n`).join('');
  const planned = await world.plan(`product_code,name\n${rows}`, { do: 'variants create', isLookupOnly: true });
  planned.release();
  expect(seen.filter((name) => name === 'GetProduct')).toHaveLength(1);
});
