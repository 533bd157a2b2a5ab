import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ListOrders } from '../../../src/contract/shop/order.ts';
import { readMoment } from '../../../src/domain/moment-text.ts';
import { filterOf } from '../../../src/operations/actions/list-filters.ts';
import { manyOrders } from '../../batch/batch-world.ts';
import { shopWorld } from '../../support/shop-world.ts';

/** A shop with three parcels, one of which was cancelled. */
async function shippingWorld() {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(3));
  expect((await world.run(['batch', 'run', 'orders.csv', '--yes', ...shop])).exit).toBe(0);
  const cancel = ['shipping', 'cancel', '--external-id', 'SO-3', '--cancel-reason', 'no', '--yes', ...shop];
  expect((await world.run(cancel)).exit).toBe(0);
  return world;
}

const shop = ['--profile', 'shop'];
const json = ['-o', 'json'];

it('finds a phone by its digits, however it was stored or is typed', async () => {
  const { run } = await shopWorld();
  const create = ['customers', 'create', ...shop, '--full-name'];
  expect((await run([...create, 'Lan', '--phone', '0987 654 321'])).exit).toBe(0);
  expect((await run([...create, 'Mai', '--phone', '(+84)912345678'])).exit).toBe(0);
  const names = async (match: string) => {
    const { stdout } = await run(['customers', 'list', '--match', match, ...shop, ...json]);
    return JSON.parse(stdout).map(({ full_name }: { full_name: string }) => full_name);
  };
  expect(await names('0987654321')).toContain('Lan');
  expect(await names('+84 987.654.321')).toContain('Lan');
  expect(await names('0912345678')).toContain('Mai');
  expect(await names('0912345679')).toEqual([]);
});

it('takes several states, and parcels that were not delivered yet', async () => {
  const { run } = await shippingWorld();
  const states = async (words: readonly string[]) => {
    const { exit, stdout, stderr } = await run(['fulfillments', 'list', ...words, ...shop, ...json]);
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
    const rows: { shipping_state: string }[] = JSON.parse(stdout);
    return [...new Set(rows.map(({ shipping_state }) => shipping_state))].sort();
  };
  const all = await states([]);
  const [one = '', other = ''] = all;
  expect(await states(['--status', one, '--status', other])).toEqual([one, other]);
  expect(await states(['--status', `${one},${other}`])).toEqual([one, other]);
  expect(all).toContain('cancelled');
  expect(await states(['--status', 'undelivered'])).toEqual(all.filter((state) => state !== 'cancelled'));
  const refused = await run(['orders', 'list', '--status', 'undelivered', ...shop]);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('list the fulfillments')]);
});

it('finds an order by the code of its parcel, and a parcel by its recipient, whom the list shows', async () => {
  const { run } = await shippingWorld();
  const all = JSON.parse((await run(['fulfillments', 'list', ...shop, ...json])).stdout);
  const { shipping_code, order_id } = all.find((one: { shipping_code: string }) => one.shipping_code !== '');
  const orders = JSON.parse((await run(['orders', 'list', '--match', shipping_code, ...shop, ...json])).stdout);
  expect(orders.map(({ id }: { id: string }) => id)).toEqual([order_id]);
  const recipient = orders[0].shipping_address.full_name;
  const found = JSON.parse((await run(['fulfillments', 'list', '--match', recipient, ...shop, ...json])).stdout);
  expect(found.map((one: { order_id: string }) => one.order_id)).toContain(order_id);
  const { stdout } = await run(['fulfillments', 'list', '--match', shipping_code, ...shop]);
  expect(stdout).toContain(recipient);
});

it('reads days as people say and write them', () => {
  // 22:00 on 23 November in UTC is 05:00 on the 24th in the shop.
  const now = Date.parse('2026-11-23T22:00:00Z');
  const zone = 'Asia/Ho_Chi_Minh';
  const day = (date: number, month = 11) => Date.UTC(2026, month - 1, date, -7);
  const read = (text: string, end = false) => readMoment(text, { now, timeZone: zone }, end);
  expect(read('yesterday')).toBe(day(23));
  expect(read('yesterday', true)).toBe(day(24) - 1);
  expect([read('last-week'), read('last week', true)]).toEqual([day(16), day(23) - 1]);
  expect([read('15/11/2026'), read('5/11/2026', true)]).toEqual([day(15), day(6) - 1]);
  expect([read('31/02/2026'), read('constructor')]).toEqual([undefined, undefined]);
});

it('keeps the parts of a code together, so that its number is not found in another code or a phone', async () => {
  const { run } = await shopWorld();
  const create = ['customers', 'create', ...shop, '--phone', '0901200039', '--full-name'];
  for (const { name, code } of [
    { name: 'Lan', code: 'W-039' },
    { name: 'Mai', code: 'W-001' },
  ])
    expect((await run([...create, name, '--external-id', code])).exit).toBe(0);
  const { stdout } = await run(['customers', 'list', '--match', 'w-00', ...shop, '-o', 'csv', '--fields', 'full_name']);
  expect(stdout).toBe('full_name\r\nMai\r\n');
});

it.each([
  ['w-03', ['Lan']],
  ['039', []],
  ['00039', []],
  ['200039', ['Lan', 'Mai']],
  ['Lan w-0', ['Lan']],
  ['an', []],
  ['LAN', ['Lan']],
])('compares a code from its start, and digits with a phone from six on: %s', async (match, expected) => {
  const { run } = await shopWorld();
  const create = ['customers', 'create', ...shop, '--phone', '0901200039', '--full-name'];
  for (const [name, code] of [
    ['Lan', 'W-039'],
    ['Mai', 'W-001'],
  ] as const)
    expect((await run([...create, name, '--external-id', code])).exit).toBe(0);
  const { stdout } = await run(['customers', 'list', '--match', match, ...shop, '-o', 'json']);
  const names: string[] = JSON.parse(stdout).map(({ full_name }: { readonly full_name: string }) => full_name);
  // The demo shop has others, whose names are longer.
  expect(names.filter((name) => /^(?:Lan|Mai)$/.test(name)).sort()).toEqual(expected);
});

it.each([
  ['le loi', true],
  ['Lê Lợi', true],
  ['ben nghe', true],
  ['nguyen', true],
  ['yen', false],
  ['loi ao', true],
  ['kho hang', false],
  ['12', true],
  // A number of one digit is a word; one letter alone is in too many addresses.
  ['q', false],
  ['b', false],
  ['3', true],
  ['1', false],
  ['ngo 5 le loi', true],
  ['ngo 6 le loi', false],
  ['quan 4', true],
  ['q4', true],
  ['Q.4', true],
  ['q5', false],
  // Beside other words an abbreviation need not be there, and another letter is a word.
  ['q 4', true],
  ['đ. Lê Lợi, p. Bến Nghé', true],
  ['lo b le loi', true],
  ['lo c le loi', false],
])('looks at names and addresses by whole words: %s', (match, isFound) => {
  const row = {
    customer_address: {
      full_name: 'Nguyễn Thị Lan',
      address1: '12 ngõ 5 Lê Lợi, lô B, lầu 3',
      ward: 'Phường Bến Nghé',
      district: 'Quận 4',
    },
    shipping: { pickup_address: { full_name: 'Kho', address1: 'Hàng 1' } },
    lines: [{ product_name: 'Áo thun' }],
  };
  expect(filterOf(ListOrders, { match }, { now: 0, timeZone: 'UTC' })?.fits(row)).toBe(isFound);
});
