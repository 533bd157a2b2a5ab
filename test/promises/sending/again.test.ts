/* `--again` asks for another record, once the last one was made and told: a run that was killed, or told nobody, goes on first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import type { RunOptions } from '../../support/context.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const quotable = { ...orderFields, shipping: shippingFields };
const kinds = [
  ['ship', ['ship', '--pick', 'cheapest'], quotable],
  ['orders create', ['orders', 'create', '--profile', 'shop'], orderFields],
] as const;

function send(world: ShopWorld, words: readonly string[], content: object, options: RunOptions = {}) {
  const path = join(world.directory, 'input.json');
  writeFileSync(path, JSON.stringify(content));
  const clock = steppedClock(world.service.clock.now());
  return world.run([...words, '--input', path, '--again', '--yes', '-o', 'json'], { clock, ...options });
}

/** The live orders, asked of the service itself. */
async function live({ service: { post, shop } }: ShopWorld): Promise<readonly { readonly id: string }[]> {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N');
}

/** What a process leaves that is killed once the service has its write. */
async function asKilled({ directory }: ShopWorld): Promise<void> {
  const ledger = await openSqlite(join(directory, 'state', 'workspace.db'));
  ledger.exec("update ledger_keys set state = 'sending', owner = 'killed', record_id = null");
  ledger.exec("update intents set state = 'sending', reported_at = null, record_id = null");
  ledger.close();
}

const idIn = (stdout: string) => {
  const answer = JSON.parse(stdout);
  return (answer.order ?? answer).id;
};

describe.each(kinds)('%s --again', (_, words, content) => {
  it('makes another one each time it is told', async () => {
    const world = await shopWorld();
    for (const count of [1, 2, 3]) {
      expect((await send(world, words, content)).exit).toBe(0);
      expect(await live(world)).toHaveLength(count);
    }
  });

  it('tells what a killed run has made, and sends nothing; the next one makes another', async () => {
    const world = await shopWorld();
    const first = await send(world, words, content);
    await asKilled(world);
    const again = await send(world, words, content);
    expect([again.exit, idIn(again.stdout)]).toEqual([0, idIn(first.stdout)]);
    expect(again.stderr).toContain('run it once more with --again for another');
    expect(await live(world)).toHaveLength(1);
    expect((await send(world, words, content)).stderr).not.toContain('once more');
    expect(await live(world)).toHaveLength(2);
  });

  it('tells what was made and told to nobody, and sends nothing; the next one makes another', async () => {
    const world = await shopWorld();
    const gone = {
      onStdout: () => {
        throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      },
    };
    await send(world, words, content, gone);
    const [made] = await live(world);
    const again = await send(world, words, content);
    expect([again.exit, idIn(again.stdout)]).toEqual([0, made?.id]);
    expect(await live(world)).toHaveLength(1);
    await send(world, words, content);
    expect(await live(world)).toHaveLength(2);
  });
});

describe('batch run --again', () => {
  const rows = [1, 2].map((number) => ({ ...orderFields, order_note: `row ${number}` }));
  const run = (world: ShopWorld, options: RunOptions = {}, ...more: string[]) => {
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify(rows));
    const words = ['batch', 'run', path, '--do', 'orders create', '--again', '--profile', 'shop', ...more];
    const clock = steppedClock(world.service.clock.now());
    return world.run([...words, '--yes', '-o', 'json'], { clock, ...options });
  };

  it('goes on with its own unfinished batch, and makes all of them once more when that was told', async () => {
    const stop = new AbortController();
    const world = await shopWorld((transport) => async (wire) => {
      const answer = await transport(wire);
      if (wire.url.endsWith('/CreateOrder')) stop.abort();
      return answer;
    });
    await run(world, { signal: stop.signal }, '--concurrency', '1');
    expect(await live(world)).toHaveLength(1);
    const going = await run(world);
    expect([going.exit, JSON.parse(going.stdout).counts]).toMatchObject([0, { done: 2 }]);
    expect(going.stderr).toContain('run it once more with --again for another');
    expect(await live(world)).toHaveLength(2);
    expect((await run(world)).exit).toBe(0);
    expect(await live(world)).toHaveLength(4);
  });

  it('prints the summary that nobody was told, and sends nothing', async () => {
    const world = await shopWorld();
    const gone = {
      onStdout: () => {
        throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      },
    };
    await run(world, gone);
    const again = await run(world);
    expect([again.exit, JSON.parse(again.stdout).counts]).toMatchObject([0, { done: 2 }]);
    expect(await live(world)).toHaveLength(2);
    await run(world);
    expect(await live(world)).toHaveLength(4);
  });
});

it('a row with --again is what a command has made and told nobody, and the next one is another', async () => {
  const world = await shopWorld();
  const gone = {
    onStdout: () => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    },
  };
  await send(world, ['orders', 'create', '--profile', 'shop'], orderFields, gone);
  const [made] = await live(world);
  const run = async () => {
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([orderFields, orderFields]));
    const words = [
      'batch',
      'run',
      path,
      '--do',
      'orders create',
      '--again',
      '--profile',
      'shop',
      '--yes',
      '-o',
      'json',
    ];
    const { stdout } = await world.run(words, { clock: steppedClock(world.service.clock.now()) });
    return JSON.parse(stdout);
  };
  expect((await run()).counts).toMatchObject({ done: 1, existed: 1 });
  expect((await live(world)).map(({ id }) => id)).toContain(made?.id);
  expect(await live(world)).toHaveLength(2);
  expect((await run()).counts).toMatchObject({ done: 2, existed: 0 });
  expect(await live(world)).toHaveLength(4);
});

it('a row with --again is what a batch has made whose summary nobody was told, and then another one', async () => {
  const world = await shopWorld();
  const sheet = (name: string, orders: readonly object[]) => {
    const path = join(world.directory, name);
    writeFileSync(path, JSON.stringify(orders));
    return path;
  };
  const shop = ['--do', 'orders create', '--profile', 'shop', '--yes', '-o', 'json'];
  const clock = steppedClock(world.service.clock.now());
  const other = { ...orderFields, order_note: 'another' };
  const gone = () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  };
  const two = ['batch', 'run', sheet('two.json', [orderFields, other]), ...shop];
  await world.run(two, { clock, onStdout: gone });
  expect(await live(world)).toHaveLength(2);
  const one = ['batch', 'run', sheet('one.json', [orderFields]), '--again', ...shop];
  expect(JSON.parse((await world.run(one, { clock })).stdout).counts).toMatchObject({ done: 0, existed: 1 });
  // The first sheet tells its summary now.
  await world.run(two, { clock });
  expect(JSON.parse((await world.run(one, { clock })).stdout).counts).toMatchObject({ done: 1, existed: 0 });
  expect(await live(world)).toHaveLength(3);
});

it('rows with --again settle first what became of a row of the last time', async () => {
  let isAway = true;
  const world = await shopWorld((transport) => async (wire) => {
    const answer = await transport(wire);
    if (!isAway) return answer;
    if (wire.url.endsWith('CreateCustomer')) throw new TransportError('closed', 'maybe', 'the connection was closed');
    const none = JSON.stringify({ code: 'not_found', msg: 'there is none' });
    return wire.url.endsWith('GetCustomer') ? { status: 404, headers: {}, body: none } : answer;
  });
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([{ full_name: 'Lan', phone: '0901234567' }]));
  const words = [
    'batch',
    'run',
    path,
    '--do',
    'customers create',
    '--again',
    '--profile',
    'shop',
    '--yes',
    '-o',
    'json',
  ];
  const clock = steppedClock(world.service.clock.now());
  const rows = async () => JSON.parse((await world.run(words, { clock })).stdout).counts;
  const made = async () => {
    const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
    return body.customers.length;
  };
  expect([await rows(), await made()]).toMatchObject([{ unclear: 1 }, 1]);
  isAway = false;
  expect([await rows(), await made()]).toMatchObject([{ done: 1, unclear: 0 }, 1]);
  expect([await rows(), await made()]).toMatchObject([{ done: 1 }, 2]);
});

it('rows with --again wait for an equal order of a command whose outcome nobody knows', async () => {
  const world = await shopWorld((transport) => async (wire) => {
    if (wire.url.endsWith('CreateOrder')) throw new TransportError('closed', 'maybe', 'the connection was closed');
    return wire.url.endsWith('GetOrder') ? { status: 503, headers: {}, body: '' } : transport(wire);
  });
  const command = await send(world, ['orders', 'create', '--profile', 'shop'], orderFields);
  expect(command.exit).toBe(10);
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([orderFields]));
  const words = ['batch', 'run', path, '--do', 'orders create', '--again', '--profile', 'shop', '--yes', '-o', 'json'];
  const rows = await world.run(words, { clock: steppedClock(world.service.clock.now()) });
  expect(rows.exit).toBe(10);
  expect(JSON.parse(rows.stdout).counts.left).toBe(1);
});
