import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import type { Ended } from '../../support/context.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { testStart } from '../../support/sandbox.ts';
import { orderFields, quotedOrder } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { errorOf } from '../../support/stderr-lines.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const ship = (input: string) => ['ship', '--input', input, '--pick', 'cheapest', '--yes', '-o', 'json'];
const isCreate = ({ url }: { readonly url: string }) => url.endsWith('/CreateAndConfirmOrder');

/** The live orders, asked of the service and of nobody else. */
async function live({ service }: ShopWorld): Promise<readonly { readonly id: string }[]> {
  const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N');
}

describe('an order that equals one that was sent and told', () => {
  it('is refused a minute before a day has passed, and is another one a minute after', async () => {
    const world = await shopWorld();
    const input = plainOrder(world);
    const at = (later: number) => {
      world.service.clock.advance(later);
      return { clock: standingClock(world.service.clock.now()) };
    };
    const first = await world.run(ship(input), at(0));
    const early = await world.run(ship(input), at(day - minute));
    expect([first.exit, early.exit, errorOf(early.stderr)]).toMatchObject([0, 5, { code: 'sent_before' }]);
    expect(await live(world)).toHaveLength(1);
    const late = await world.run(ship(input), at(2 * minute));
    expect([late.exit, (await live(world)).length]).toEqual([0, 2]);
  });

  it('is the same one with another fee and another service', async () => {
    const world = await shopWorld();
    const order = await quotedOrder(world.service);
    const file = (name: string, shipping: object) => {
      const path = join(world.directory, name);
      writeFileSync(path, JSON.stringify({ ...order, shipping: { ...order.shipping, ...shipping } }));
      return path;
    };
    const send = (path: string) => world.run(['shipping', 'create', '--input', path, '--yes', '-o', 'json']);
    const first = await send(file('first.json', {}));
    const dearer = await send(file('dearer.json', { shipping_service_fee: 99_000 }));
    const other = await send(file('other.json', { shipping_service_code: 'OTHER', shipping_service_name: 'Other' }));
    expect([first.exit, dearer.exit, other.exit]).toEqual([0, 5, 5]);
    expect(errorOf(dearer.stderr)).toMatchObject({ code: 'sent_before', outcome: 'not_applied' });
    expect(await live(world)).toHaveLength(1);
  });
});

describe('an order that was sent and told, in another notation,', () => {
  /** The same order as another program, person or sheet writes it. */
  const notations: readonly [string, (text: string) => string][] = [
    ['decomposed accents', (text) => text.normalize('NFD')],
    ['the country code of a phone', (text) => text.replaceAll('0901234567', '+84 901 234 567')],
    ['a doubled blank', (text) => text.replaceAll('Thị Lan', 'Thị  Lan')],
    ['the official name of a place', (text) => text.replaceAll('cau giay', 'Quận Cầu Giấy')],
    ['an empty note', (text) => text.replace('{', '{"order_note":"",')],
  ];

  const creating = (input: string) => [
    'orders',
    'create',
    '--profile',
    'shop',
    '--input',
    input,
    '--yes',
    '-o',
    'json',
  ];

  it.each([
    ['ship', ship],
    ['orders create', creating],
  ])('is refused by %s', async (_, words) => {
    const world = await shopWorld();
    const clock = standingClock(testStart);
    const text = readFileSync(plainOrder(world), 'utf8');
    const input = join(world.directory, 'notation.json');
    const send = (written: string) => {
      writeFileSync(input, written);
      return world.run(words(input), { clock });
    };
    expect((await send(text)).exit).toBe(0);
    for (const [, write] of notations) {
      const again = await send(write(text));
      expect([again.exit, errorOf(again.stderr).code]).toEqual([5, 'sent_before']);
    }
    expect(await live(world)).toHaveLength(1);
  });

  it('is refused in a sheet', async () => {
    const world = await shopWorld();
    const clock = standingClock(testStart);
    const text = readFileSync(plainOrder(world), 'utf8');
    const file = join(world.directory, 'rows.json');
    const first = await world.run(ship(plainOrder(world)), { clock });
    for (const [, write] of notations) {
      writeFileSync(file, `[${write(text)}]`);
      const { exit } = await world.run(['batch', 'run', file, '--do', 'ship', '--yes', '-o', 'json'], { clock });
      // Before its plan, where its values as read are the same; else at its claim.
      expect([9, 12]).toContain(exit);
    }
    expect([first.exit, (await live(world)).length]).toEqual([0, 1]);
  });

  it('is sent if it is another one', async () => {
    const world = await shopWorld();
    const clock = standingClock(testStart);
    const send = async (changes: object) => (await world.run(ship(plainOrder(world, changes)), { clock })).exit;
    const address = { ...orderFields.shipping_address, address1: '125' };
    const exits = [await send({}), await send({ shipping_address: address, customer_address: address })];
    expect([exits, (await live(world)).length]).toEqual([[0, 0], 2]);
  });
});

describe('an order whose name shopctl made', () => {
  it('is its own when the service says that the name is taken', async () => {
    // The network delivers the request twice, and the second answer is the one that arrives.
    const twice =
      (transport: Transport): Transport =>
      async (request) => {
        if (isCreate(request)) await transport(request);
        return transport(request);
      };
    const world = await shopWorld(twice);
    const path = join(world.directory, 'quoted.json');
    writeFileSync(path, JSON.stringify(await quotedOrder(world.service)));
    const sent = await world.run(['shipping', 'create', '--input', path, '--yes', '-o', 'json']);
    const [order, ...more] = await live(world);
    expect([sent.exit, JSON.parse(sent.stdout).order.id, more]).toEqual([0, order?.id, []]);
  });
});

describe('an order whose name the service had, though nobody here has made it,', () => {
  it('is not made again under another name', async () => {
    const world = await shopWorld((transport) => async (request) => {
      if (isCreate(request)) await transport(request);
      return transport(request);
    });
    const input = plainOrder(world);
    const rows = join(world.directory, 'rows.json');
    writeFileSync(rows, `[${readFileSync(input, 'utf8')}]`);
    const clock = standingClock(world.service.clock.now());
    const ran = await world.run(['batch', 'run', rows, '--do', 'ship', '--yes', '-o', 'json'], { clock });
    expect(JSON.parse(ran.stdout).counts).toMatchObject({ existed: 1 });
    const single = await world.run(ship(input), { clock });
    expect([single.exit, errorOf(single.stderr).code, (await live(world)).length]).toEqual([5, 'sent_before', 1]);
  });
});

describe('an order whose name shopctl made, and whose answer was lost,', () => {
  it('is its own though the service has cut its text', async () => {
    const note = 'a note that is longer than the service keeps';
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (isCreate(request)) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return { ...answer, body: answer.body.replaceAll(note, note.slice(0, 10)) };
    });
    const path = join(world.directory, 'quoted.json');
    writeFileSync(path, JSON.stringify({ ...(await quotedOrder(world.service)), order_note: note }));
    const sent = await world.run(['shipping', 'create', '--input', path, '--yes', '-o', 'json']);
    expect([sent.exit, JSON.parse(sent.stdout).order.id]).toEqual([0, (await live(world))[0]?.id]);
    expect(sent.stderr).toContain('order_note');
  });
});

describe('a row that equals an order which a command sends while the file is quoted', () => {
  it('waits for it, and is not sent beside it', async () => {
    let single: Promise<Ended> | undefined;
    let loses = true;
    const world: ShopWorld = await shopWorld((transport) => async (request) => {
      if (single === undefined && request.url.endsWith('/GetShippingServices')) {
        single = world.run([...ship(input), '--max-retries', '0']);
        await single;
        loses = false;
      }
      const answer = await transport(request);
      const isOfOrder = isCreate(request) || request.url.endsWith('/GetOrder');
      if (isOfOrder && loses) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return answer;
    });
    const input = plainOrder(world);
    const file = join(world.directory, 'rows.json');
    // The same order, of which shopctl counts the goods: its content as it was written is another one.
    const { total_items: _, ...row } = JSON.parse(readFileSync(input, 'utf8'));
    writeFileSync(file, JSON.stringify([row]));
    const batch = await world.run(['batch', 'run', file, '--do', 'ship', '--yes', '-o', 'json']);
    expect([(await single)?.exit, JSON.parse(batch.stdout).counts]).toMatchObject([10, { done: 0, left: 1 }]);
    expect(await live(world)).toHaveLength(1);
  });
});

describe('a record whose outcome nobody knows', () => {
  it('is not passed by --again and --yes alone: that is asked of a person', async () => {
    let loses = true;
    const world = await shopWorld((transport) => async (request) => {
      if (!request.url.endsWith('/CreateCustomer') || !loses) return transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed');
    });
    const create = (...more: string[]) =>
      world.run([
        'customers',
        'create',
        '--full-name',
        'Lan',
        '--phone',
        '0901234567',
        '--profile',
        'shop',
        '--yes',
        '--json',
        ...more,
      ]);
    const first = await create('--max-retries', '0');
    loses = false;
    const again = await create('--again', '--max-retries', '0');
    expect([first.exit, again.exit]).toEqual([10, 10]);
    const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
    expect(body.customers).toEqual([]);
  });

  it('is looked up before --again makes another one, if the process that sent it was killed', async () => {
    let loses = true;
    const world = await shopWorld((transport) => async (request) => {
      const isOfCustomer = /(?:Create|Get)Customer$/.test(request.url);
      if (!isOfCustomer || !loses) return transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed');
    });
    const words = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop', '--yes'];
    const create = (...more: string[]) => world.run([...words, '--json', '--max-retries', '0', ...more]);
    expect((await create()).exit).toBe(10);
    const ledger = await openSqlite(join(world.directory, 'state', 'workspace.db'));
    ledger.exec("update ledger_keys set state = 'sending', owner = 'killed'");
    ledger.close();
    loses = false;
    expect((await create('--again')).exit).toBe(10);
    const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
    expect(body.customers).toEqual([]);
  });
});

describe('an order beside an equal one that was sent and told a moment before', () => {
  it('is the one that is looked up while its outcome is not known: nothing is sent, and nothing refused', async () => {
    let creates = 0;
    let loses = false;
    const world = await shopWorld((transport) => async (request) => {
      if (isCreate(request)) creates += 1;
      const answer = await transport(request);
      const isOfOrder = isCreate(request) || request.url.endsWith('/GetOrder');
      if (loses && isOfOrder) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return answer;
    });
    const input = plainOrder(world);
    const clock = standingClock(testStart);
    const first = await world.run(ship(input), { clock });
    loses = true;
    const again = await world.run([...ship(input), '--again', '--max-retries', '0'], { clock });
    loses = false;
    const rerun = await world.run(ship(input), { clock });
    expect([first.exit, again.exit, rerun.exit]).toEqual([0, 10, 0]);
    const ids = (await live(world)).map(({ id }) => id);
    expect([creates, ids.length]).toEqual([2, 2]);
    const reported = [first, rerun].map(({ stdout }) => JSON.parse(stdout).order.id);
    expect(new Set(reported)).toEqual(new Set(ids));
  });
});
