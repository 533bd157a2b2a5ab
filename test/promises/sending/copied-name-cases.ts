/* A name that shopctl has derived belongs to its content: in another record it is a copied one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** Sends the content of a file by a command, at the service's time. */
function send(world: ShopWorld, words: readonly string[], content: object) {
  const path = join(world.directory, 'input.json');
  writeFileSync(path, JSON.stringify(content));
  return world.run([...words, '--input', path, '--yes', '-o', 'json'], {
    clock: steppedClock(world.service.clock.now()),
  });
}

/** How many live orders and customers the shop has, asked of the service itself. */
async function counted({ service: { post, shop } }: ShopWorld): Promise<readonly [orders: number, customers: number]> {
  const orders = (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders;
  const customers = (await post('shop.Customer/ListCustomers', {}, shop.apiKey)).body.customers;
  return [orders.filter((one: { status: string }) => one.status !== 'N').length, customers.length];
}

const another = { ...orderFields.shipping_address, full_name: 'Trần Văn Nam', phone: '0912345678' };
const quotable = { ...orderFields, shipping: shippingFields };

const commands = [
  ['orders create', ['orders', 'create', '--profile', 'shop'], orderFields, { shipping_address: another }],
  ['ship', ['ship', '--pick', 'cheapest'], quotable, { shipping_address: another, customer_address: another }],
  [
    'ship with a code',
    ['ship', '--pick', 'cheapest'],
    { ...quotable, external_code: 'C-1' },
    { shipping_address: another, customer_address: another },
  ],
  [
    'orders create with a code',
    ['orders', 'create', '--profile', 'shop'],
    { ...orderFields, external_code: 'C-1' },
    { shipping_address: another, external_code: 'C-2' },
  ],
  [
    'customers create',
    ['customers', 'create', '--profile', 'shop'],
    { full_name: 'Lan', phone: '0901234567' },
    { full_name: 'Nam' },
  ],
] as const;

/** The kinds of records whose names are derived. */
export const kindsNamed = commands.map(([title]) => title);

const sheets = [
  ['orders create', orderFields, { shipping_address: another, order_note: 'gói kỹ' }],
  ['ship', quotable, { shipping_address: another, customer_address: another }],
  ['customers create', { full_name: 'Lan', phone: '0901234567' }, { full_name: 'Nam' }],
] as const;

/** Runs a sheet, or plans it. */
function rows(world: ShopWorld, deed: 'run' | 'plan', words: string, ...content: readonly object[]) {
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify(content));
  const own = words === 'ship' ? [] : ['--profile', 'shop'];
  return world.run(['batch', deed, path, '--do', words, '--yes', '-o', 'json', ...own], {
    clock: steppedClock(world.service.clock.now()),
  });
}

/** The name that shopctl derived for a record, which was made by this. */
export async function derivedBy(by: string, world: ShopWorld, words: string, content: object): Promise<string> {
  if (by === 'a row') {
    const { batch } = JSON.parse((await rows(world, 'run', words, content)).stdout);
    const [row] = JSON.parse((await world.run(['batch', 'rows', batch, '-o', 'json'])).stdout);
    return row.external_id;
  }
  const command = words === 'ship' ? ['ship', '--pick', 'cheapest'] : [...words.split(' '), '--profile', 'shop'];
  const made = JSON.parse((await send(world, command, content)).stdout);
  return (made.order ?? made).external_id;
}

/** A name that was derived for a record of these kinds, in another one by a command. */
export function copiedByACommand(kinds: readonly string[]): void {
  describe.each(commands.filter(([title]) => kinds.includes(title)))(
    'the name that %s derived',
    (_, words, content, changed) => {
      it('is refused beside other content, and nothing is sent', async () => {
        const world = await shopWorld();
        const first = await send(world, words, content);
        expect(first.exit).toBe(0);
        const before = await counted(world);
        const made = JSON.parse(first.stdout);
        const { external_id } = made.order ?? made;
        expect(external_id).toMatch(/^shopctl-[sc]1-/);
        const copied = await send(world, words, { ...content, ...changed, external_id });
        expect([copied.exit, errorOf(copied.stderr)]).toMatchObject([
          2,
          { field_errors: [{ path: 'external_id', message: expect.stringContaining('leave external_id out') }] },
        ]);
        expect(await counted(world)).toEqual(before);
        const free = await send(world, words, { ...content, ...changed });
        expect([free.exit, (await counted(world)).join()]).not.toEqual([0, before.join()]);
      });

      it('finds its own record beside its own content', async () => {
        const world = await shopWorld();
        const made = JSON.parse((await send(world, words, content)).stdout);
        const before = await counted(world);
        const { external_id, id } = made.order ?? made;
        const again = await send(world, words, { ...content, external_id });
        expect([0, 5]).toContain(again.exit);
        expect(again.exit === 0 ? again.stdout : errorOf(again.stderr).meta.order_id).toContain(id);
        expect(await counted(world)).toEqual(before);
      });
    },
  );
}

/** The same in a sheet. */
export function copiedInASheet(kinds: readonly string[]): void {
  describe.each(
    sheets
      .filter(([title]) => kinds.includes(title))
      .flatMap((one) => ['a row', 'a command'].map((by) => [by, ...one] as const)),
  )('the name that %s derived, in a sheet for %s', (by, words, content, changed) => {
    it.each(['plan', 'run'] as const)('is an invalid cell of a batch %s beside other content', async (deed) => {
      const world = await shopWorld();
      const external_id = await derivedBy(by, world, words, content);
      expect(external_id).toMatch(/^shopctl-[rs]1-/);
      const before = await counted(world);
      const copied = await rows(world, deed, words, { ...content, ...changed, external_id });
      expect([copied.exit, copied.stderr]).toEqual([
        2,
        expect.stringContaining('a copied name: leave external_id out'),
      ]);
      expect(await counted(world)).toEqual(before);
      const free = await rows(world, 'run', words, { ...content, ...changed });
      expect([free.exit, JSON.parse(free.stdout).counts]).toMatchObject([0, { done: 1 }]);
    });

    it('finds its own record beside its own content, and sends nothing', async () => {
      const sent: string[] = [];
      const world = await shopWorld((transport) => async (wire) => {
        if (/\/Create\w+$/.test(wire.url)) sent.push(wire.url);
        return transport(wire);
      });
      const external_id = await derivedBy(by, world, words, content);
      expect(sent).toHaveLength(1);
      const before = await counted(world);
      const again = await rows(world, 'run', words, { ...content, external_id });
      expect([again.exit, JSON.parse(again.stdout).counts]).toMatchObject([0, { existed: 1 }]);
      // That the service refuses a second one under its name is not what holds it back.
      expect(sent).toHaveLength(1);
      expect(await counted(world)).toEqual(before);
    });
  });
}
