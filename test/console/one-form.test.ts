/* What a form sends twice: by mistake, from two tabs or after a reload, it is one record; meant, it is another one. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields, quoteFields } from '../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { baseUrl } from '../support/signed-in-world.ts';
import { openedConsole } from './opened-console.ts';

const CREATE = 'shop.Customer/CreateCustomer';
const input = { full_name: 'Lan Hương', phone: '0901234567' };

async function customers({ service: { post, shop } }: ShopWorld): Promise<number> {
  return (await post('shop.Customer/ListCustomers', {}, shop.apiKey)).body.customers.length;
}

it('makes one record of what two open forms send', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const [one, other] = [await console.open(CREATE), await console.open(CREATE)];
  const first = await console.run(CREATE, { input, opened: one });
  await console.acknowledge(first);
  const second = await console.run(CREATE, { input, opened: other });
  expect([first.kind, second.kind]).toEqual(['record', 'record']);
  expect(second.notices).toEqual([expect.stringContaining('it was created once')]);
  expect(await customers(world)).toBe(1);
});

it('makes another record of what the same form sends after it has shown the first', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const first = await console.run(CREATE, { input, opened: await console.open(CREATE) });
  const second = await console.run(CREATE, { input, opened: await console.acknowledge(first) });
  expect([second.kind, second.notices]).toEqual(['record', []]);
  expect(await customers(world)).toBe(2);
});

it('makes another record of what a form sends that was told what another one has made, and has shown it', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const opened = await console.open(CREATE);
  await console.acknowledge(await console.run(CREATE, { input, opened: await console.open(CREATE) }));
  const reported = await console.run(CREATE, { input, opened });
  await console.run(CREATE, { input, opened: await console.acknowledge(reported) });
  expect(await customers(world)).toBe(2);
});

it('makes one record of what a form and a command send after it was opened', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const opened = await console.open(CREATE);
  const words = Object.entries(input).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]);
  expect((await world.run(['customers', 'create', ...words, '--profile', 'shop'])).exit).toBe(0);
  expect((await console.run(CREATE, { input, opened })).kind).toBe('record');
  expect(await customers(world)).toBe(1);
});

it('tells what no page has acknowledged to whoever sends the same again, from a form that was opened later', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  // The answer came as far as the browser, which has shown it to nobody.
  expect((await console.run(CREATE, { input, opened: await console.open(CREATE) })).kind).toBe('record');
  for (const _ of ['again', 'and again']) {
    const again = await console.run(CREATE, { input, opened: await console.open(CREATE) });
    expect([again.kind, again.notices]).toEqual(['record', [expect.stringContaining('created once')]]);
  }
  expect(await customers(world)).toBe(1);
});

it('tells it after the console was started anew, which knows no receipt any more', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const opened = await console.open(CREATE);
  const ran = await console.run(CREATE, { input, opened });
  const anew = await openedConsole(world, ['--profile', 'shop']);
  const next = await anew.acknowledge(ran);
  expect((await anew.run(CREATE, { input, opened: next })).kind).toBe('record');
  expect((await anew.run(CREATE, { input, opened })).kind).toBe('record');
  expect(await customers(world)).toBe(1);
});

it.each([
  ['back', -5],
  ['ahead', 5],
])('makes one record of what two open forms send while the clock is set %s', async (_, minutes) => {
  const world = await shopWorld();
  let now = Date.parse('2026-01-31T08:00:00Z');
  const clock = { now: () => now, wait: async () => {} };
  for (const isSetFirst of [true, false]) {
    const before = await customers(world);
    const own = { ...input, full_name: `Lan ${isSetFirst}` };
    const console = await openedConsole(world, ['--profile', 'shop'], { clock });
    const [one, other] = [await console.open(CREATE), await console.open(CREATE)];
    if (isSetFirst) now += minutes * 60_000;
    await console.acknowledge(await console.run(CREATE, { input: own, opened: one }));
    if (!isSetFirst) now += minutes * 60_000;
    await console.run(CREATE, { input: own, opened: other });
    expect([isSetFirst, (await customers(world)) - before]).toEqual([isSetFirst, 1]);
  }
});

it('refuses an order that was sent within a day, also after somebody has cancelled it, as the command line does', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const create = 'shop.Order/CreateOrder';
  const first = await console.run(create, { input: orderFields, opened: await console.open(create) });
  const opened = await console.acknowledge(first);
  const { post, shop } = world.service;
  const [{ id }] = (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders;
  await post('shop.Order/CancelOrder', { id, cancel_reason: 'a colleague' }, shop.apiKey);
  const again = await console.run(create, { input: orderFields, opened });
  expect(again).toMatchObject({ kind: 'error', error: { code: 'sent_before', exitCode: 5 } });
});

it('tells what was made for a page that has left, to whoever sends the same again', async () => {
  const left = new AbortController();
  let noticed = async () => {};
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!wire.url.endsWith('/CreateCustomer')) return answer;
    left.abort();
    await noticed();
    return answer;
  });
  const console = await openedConsole(world, ['--profile', 'shop']);
  // What comes later is answered after the console has seen that the page left.
  noticed = async () => void (await console.open(CREATE));
  const run = { input, opened: await console.open(CREATE) };
  await expect(console.run(CREATE, run, left.signal)).rejects.toThrow();
  const again = await console.run(CREATE, { input, opened: await console.open(CREATE) });
  expect(again.kind).toBe('record');
  expect(await customers(world)).toBe(1);
});

it("stays with the partner's shop that it was opened for, whichever shop becomes the current one", async () => {
  const keys: string[] = [];
  const world = await shopWorld((transport) => async (wire) => {
    if (wire.url.endsWith('/GetShippingServices')) keys.push(String(wire.headers.authorization));
    return transport(wire);
  });
  const { partner, shop, shopKey } = world.service;
  const console = await openedConsole(world, ['--profile', 'test']);
  const shops = {
    [shop.id]: { name: shop.name, shop_key: shopKey },
    99: { name: 'Another', shop_key: 'shop99:of-another' },
  };
  const test = { kind: 'partner' as const, base_url: baseUrl, api_key: partner.apiKey, shops, current_shop: '99' };
  await world.save({ version: 1, current_profile: 'test', profiles: { test } });
  const ran = await console.run('partner.Shipping/GetShippingServices', { input: quoteFields });
  expect(keys).toEqual([`Bearer ${shopKey}`]);
  expect(String(ran.command)).toContain(`--shop ${shop.id}`);
});

it('makes one record of what an open form and a later one send after a backup was put back', async () => {
  const world = await shopWorld();
  const console = await openedConsole(world, ['--profile', 'shop']);
  const make = async (name: string) =>
    console.acknowledge(
      await console.run(CREATE, { input: { ...input, full_name: name }, opened: await console.open(CREATE) }),
    );
  await make('before the backup');
  const [file, copy] = [join(world.directory, 'state', 'workspace.db'), join(world.directory, 'copy.db')];
  expect((await world.run(['workspace', 'backup', copy])).exit).toBe(0);
  await make('after the backup');
  const opened = await console.open(CREATE);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  copyFileSync(copy, file);
  const before = await customers(world);
  await make(input.full_name);
  expect((await console.run(CREATE, { input, opened })).kind).toBe('record');
  expect((await customers(world)) - before).toBe(1);
  // A form that was opened since means another one.
  await console.run(CREATE, { input, opened: await console.open(CREATE) });
  expect((await customers(world)) - before).toBe(2);
});
