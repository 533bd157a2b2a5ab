import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { systemClock } from '../../../src/platform/process/clock.ts';
import { agentOf, countedWorld, orderNamed } from '../../agents/agent-world.ts';
import { manyOrders, orderCells, orderHeader, orderSheet } from '../../batch/batch-world.ts';
import { SecondService } from '../../live/service/service.ts';
import { testMachine } from '../../support/context.ts';
import { fetchTransport } from '../../support/fetch-transport.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { json } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { machineWithEvents } from '../webhooks/events-machine.ts';
import { tried } from './commands.ts';
import { judgeOn, rowsOf } from './judge.ts';

const example = (name: string) => join(process.cwd(), 'examples', name);

/** Runs each command of a group where it has something to tell. */
type Story = (judged: Set<string>) => Promise<void>;

/** Each command of a group, run where it has something to tell. */
export const stories: Readonly<Record<string, Story>> = {
  async quote(judged) {
    const { look } = judgeOn(await shopWorld(), judged);
    expect((await look(['quote', '--input', example('quote.json')])).length).toBeGreaterThan(1);
  },

  async totals(judged) {
    const { look, see } = judgeOn(testMachine(fetchTransport), judged);
    await look(['totals', 'check', example('order-complete.json')]);
    expect(await see(['totals', 'fill', example('order.json')])).toMatchObject({ total_amount: expect.any(Number) });
  },

  async batch(judged) {
    let losesAnswers = false;
    const world = await shopWorld((transport) => async (request) => {
      const isWrite = request.url.endsWith('/CreateAndConfirmOrder');
      if (losesAnswers && isWrite) throw new TransportError('closed', 'maybe', 'the connection closed');
      return transport(request);
    });
    const { see, look } = judgeOn(world, judged);
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    await look(['batch', 'map', 'orders.csv']);
    await look(['batch', 'plan', 'orders.csv']);
    // A row without a code, of the recipient above it.
    const [first, second] = [orderCells(1), orderCells(1).with(0, '').with(7, 'Mũ').with(11, '')];
    writeFileSync(join(world.directory, 'two.csv'), orderSheet([first, second]));
    const columns = Object.fromEntries(orderHeader.map((name) => [name, name]));
    writeFileSync(join(world.directory, 'two.yaml'), JSON.stringify({ columns }));
    for (const [answer, rows] of [
      ['one', 1],
      ['each', 2],
    ] as const) {
      const plan = [
        'batch',
        'plan',
        'two.csv',
        '--map',
        './two.yaml',
        '--same-recipient',
        answer,
        '--blank-cash',
        'zero',
      ];
      expect(await look(plan)).toMatchObject({ counts: { rows } });
    }
    const { batch } = await see(['batch', 'run', 'orders.csv']);
    await see(['batch', 'resume', batch]);
    await see(['batch', 'work', batch]);
    await see(['batch', 'retry', batch]);
    expect(await look(['batch', 'list'])).toMatchObject([{ batch }]);
    await look(['batch', 'show', batch]);
    const [row, ...others] = await look(['batch', 'rows', batch]);
    expect([row, others]).toMatchObject([{ sheet: { 'shipping_address.full_name': expect.any(String) } }, [{}]]);
    expect(await look(['batch', 'find', row.id])).toMatchObject([{ batch, file: 'orders.csv', sheet: row.sheet }]);
    await see(['batch', 'result', batch, '--to', 'result.csv']);
    await see(['batch', 'undo', batch]);
    await see(['batch', 'forget', batch]);
    losesAnswers = true;
    writeFileSync(join(world.directory, 'unclear.csv'), manyOrders(3));
    const unclear = await world.run(['batch', 'run', 'unclear.csv', '--yes', '--json'], { clock: steppedClock() });
    expect(unclear.exit).toBe(10);
    await see(['batch', 'settle', JSON.parse(unclear.stdout).batch, '3', '--done']);
  },

  async slips(judged) {
    const world = await shopWorld();
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
    await world.run(['batch', 'run', 'orders.csv', '--yes', '--json']);
    const { see } = judgeOn(world, judged);
    expect(await see(['slips', 'SO-1', '--to', 'slips.pdf'])).toMatchObject({ slips: 1 });
  },

  async events(judged) {
    const { machine } = await machineWithEvents();
    const { see, look } = judgeOn(machine, judged);
    const [{ id }] = await look(['events', 'list']);
    expect(await look(['events', 'show', id])).toMatchObject({ id });
    await look(['events', 'targets']);
    await see(['events', 'replay', '--since', '2020-01-01', '--to', 'there']);
    for (const verb of ['pause', 'resume', 'retry']) await see(['events', 'targets', verb, 'away']);
    await see(['events', 'targets', 'remove', 'away']);
    await see(['events', 'prune', '--before', '90d']);
    const [last] = await rowsOf(machine, ['events', 'tail', '--last', '1'], new AbortController(), judged);
    expect(last).toMatchObject({ entity: 'order' });
  },

  async ledger(judged) {
    const world = await shopWorld();
    const { look, see } = judgeOn(world, judged);
    const operation = 'shop.CustomerGroup/CreateGroup';
    await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
    expect((await world.run(['groups', 'create', '--name', 'Buyers', '--profile', 'shop'])).exit).toBe(10);
    const [{ id }] = await look(['ledger', 'list']);
    expect(await look(['ledger', 'show', id])).toMatchObject({ id, state: 'unclear' });
    expect(await see(['ledger', 'settle', id, '--done'])).toMatchObject({ id });
  },

  async profiles(judged) {
    const world = await shopWorld();
    const { look, see, hear } = judgeOn(world, judged);
    expect(await look(['profiles', 'list'])).toHaveLength(2);
    await look(['profiles', 'show']);
    const key = { stdin: '7:new-key\n' };
    await see(['profiles', 'add', 'live', '--base-url', 'https://shop.example', '--api-key-stdin', '--no-check'], key);
    await see(['profiles', 'set-key', 'live', '--api-key-stdin', '--no-check'], key);
    await hear(['profiles', 'use', 'live']);
    expect((await world.settings()).current_profile).toBe('live');
    await hear(['profiles', 'remove', 'live', '--yes']);
    expect(Object.keys((await world.settings()).profiles)).toEqual(['test', 'shop']);
  },

  async config(judged) {
    const world = await shopWorld();
    const { look, hear } = judgeOn(world, judged);
    await look(['config', 'list']);
    expect(await look(['config', 'get', 'base_url'])).toMatchObject({ value: 'http://127.0.0.1:4010' });
    await hear(['config', 'set', 'output', 'yaml']);
    expect((await world.run(['config', 'get', 'output'])).stdout).toContain('yaml');
    await hear(['config', 'unset', 'output']);
    expect((await world.run(['config', 'get', 'output'])).stdout).toBe('table\n');
    await look(['config', 'path']);
  },

  async webhooks(judged) {
    const world = await shopWorld();
    const target = await listeningReceiver();
    const { look, see } = judgeOn(world, judged);
    const home = { env: { HOME: world.directory } };
    await see(['webhooks', 'install', '--register', '--forward-to', target.url], home);
    await see(['webhooks', 'uninstall'], home);
    await world.service.post(
      'shop.Webhook/CreateWebhook',
      { url: target.url, entities: ['order'] },
      world.service.shop.apiKey,
    );
    const shop = ['--profile', 'shop'];
    await look(['webhooks', 'status', ...shop]);
    await look(['webhooks', 'test', target.url], { clock: steppedClock() });
    await world.run(['groups', 'create', '--name', 'VIP', ...shop]);
    await see(['webhooks', 'send', target.url, '--entity', 'customer_group', ...shop]);
    await see(['webhooks', 'recover', ...shop]);
    const ending = new AbortController();
    const [ready] = await rowsOf(world, ['webhooks', 'listen', '--register', '--port', '0', ...shop], ending, judged);
    expect(ready).toMatchObject({ event: 'ready' });
  },

  async wait(judged) {
    const world = await shopWorld();
    const { see } = judgeOn(world, judged);
    const shipping = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'];
    const { order } = JSON.parse((await world.run(shipping)).stdout);
    await see([
      'wait',
      'order',
      String(order.id),
      '--until',
      'created',
      '--until',
      'confirmed',
      '--until',
      'in progress',
    ]);
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    const { stdout } = await world.run(['batch', 'run', 'orders.csv', '--yes', '--json']);
    await see(['wait', 'batch', JSON.parse(stdout).batch]);
    const url = ['webhooks', 'create', '--url', 'http://127.0.0.1:9/hook', '--entities', 'order', '-o', 'name'];
    await see(['wait', 'webhook', (await world.run(url)).stdout.trim()]);
  },

  async sandbox(judged) {
    const machine = testMachine(fetchTransport);
    const ending = new AbortController();
    let running: Promise<unknown> | undefined;
    await new Promise<void>((resolve, reject) => {
      const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--json'];
      running = machine.run(words, { signal: ending.signal, onStdout: () => resolve() }).then((ended) => {
        if (ended.exit !== 0) reject(new Error(ended.stderr));
        judged.add('sandbox start');
        return ended;
      });
    });
    const { look, see, hear } = judgeOn(machine, judged);
    await look(['sandbox', 'status']);
    const { shops } = await look(['sandbox', 'credentials']);
    expect(await see(['sandbox', 'openapi'])).toMatchObject({ openapi: expect.any(String) });
    await hear(['sandbox', 'exec', '--seed', 'none', '--', 'true']);
    await look(['sandbox', 'clock', 'show']);
    await look(['sandbox', 'clock', 'freeze']);
    await look(['sandbox', 'clock', 'set', '2026-02-01T08:00:00Z']);
    await look(['sandbox', 'clock', 'advance', '1h', '--until-idle']);
    await look(['sandbox', 'clock', 'real']);
    await look(['sandbox', 'faults', 'add', 'shop.Order/GetOrder', '--do', 'drop-before', '--once']);
    await look(['sandbox', 'faults', 'list']);
    await look(['sandbox', 'faults', 'clear']);
    await see(['sandbox', 'snapshot', 'save', 'before']);
    await look(['sandbox', 'snapshot', 'list']);
    await look(['sandbox', 'snapshot', 'restore', 'before']);
    await see(['sandbox', 'snapshot', 'remove', 'before']);
    const hook = ['webhooks', 'create', '--url', (await listeningReceiver()).url, '--entities', 'customer_group'];
    for (const words of [hook, ['groups', 'create', '--name', 'VIP']]) {
      expect((await machine.run([...words, '--profile', 'sandbox-shop'])).exit).toBe(0);
    }
    expect((await look(['sandbox', 'log'])).length).toBeGreaterThan(1);
    await see(['sandbox', 'clock', 'advance', '1h', '--until-idle']);
    const [{ callback_id, ...delivery }] = await look(['sandbox', 'deliveries']);
    expect(delivery).toMatchObject({ outcome: 'ok', status: 200 });
    const one = ['sandbox', 'deliveries', '--show', callback_id];
    expect(JSON.parse((await machine.run([...one, '-o', 'json'])).stdout)).toMatchObject({
      callback_id,
      payload: { id: callback_id, changes: [{ entity: 'customer_group' }] },
      answer: 'ok',
    });
    const sheet = (await machine.run([...one, '-o', 'table'])).stdout;
    for (const line of [`callback_id +${callback_id}`, 'status +200', 'answer +ok', 'payload +.*customer_group']) {
      expect(sheet).toMatch(new RegExp(`^${line}`, 'm'));
    }
    await look(['sandbox', 'redeliver', callback_id]);
    const asked = await machine.run(['auth', 'login', '--no-input', '--json']);
    const [shop] = shops;
    const named = ['--shop', shop.id];
    await see(['sandbox', 'sign-in', JSON.parse(asked.stdout).auth_token, ...named]);
    expect((await machine.run(['auth', 'login', '--shop-id', shop.id])).exit).toBe(0);
    const ship = ['ship', '--input', example('order.json'), '--pick', 'cheapest', '--yes', '--json'];
    const { order } = JSON.parse((await machine.run(ship)).stdout);
    const parcels = ['fulfillments', 'list', '--order-id', order.id, '--profile', 'sandbox-shop', '--json'];
    const [parcel] = JSON.parse((await machine.run(parcels)).stdout);
    expect(await see(['sandbox', 'advance', parcel.id, '--to', 'delivered'])).toMatchObject({
      shipping_state: 'delivered',
    });
    // One hears of the order alone, the other of its shipment.
    const subscribe = ['webhooks', 'create', '--url', (await listeningReceiver()).url, '--profile', 'sandbox-shop'];
    for (const of of ['order', 'fulfillment'])
      expect((await machine.run([...subscribe, '--entities', of])).exit).toBe(0);
    // The business clock goes on only by a command.
    const going = setInterval(() => void machine.run(['sandbox', 'clock', 'advance', '5s']), 500);
    const triggered = await look(['sandbox', 'trigger', 'order.returned'], { clock: systemClock }).finally(() =>
      clearInterval(going),
    );
    const received = { change: 'order returned', accepted: true, status: 200 };
    expect(triggered).toMatchObject([received, received]);
    const file = ['sandbox', 'payment-file', '--layout', 'ghtk', '--to', join(machine.directory, 'ghtk.xlsx')];
    const made = await machine.run([...file, '--short', '1', '--profile', 'sandbox-shop', '--json']);
    expect(JSON.parse(made.stdout)).toMatchObject({ planted: [{ fault: 'short', amount: -20_000 }] });
    judged.add('sandbox payment-file');
    await see(['sandbox', 'unlink', ...named]);
    await see(['sandbox', 'reset']);
    // It looks again and again whether the sandbox has ended.
    await hear(['sandbox', 'stop'], { clock: systemClock });
    await running;
  },

  async api(judged) {
    const { see } = judgeOn(await shopWorld(), judged);
    await see(['api', 'shop.Misc/VersionInfo', '--profile', 'shop']);
  },

  async commands(judged) {
    const { look } = judgeOn(testMachine(fetchTransport), judged);
    expect((await look(['commands'])).length).toBe(tried.length);
  },

  async schema(judged) {
    const { look } = judgeOn(testMachine(fetchTransport), judged);
    expect(await look(['schema', 'orders', 'get'])).toMatchObject({ operation: 'shop.Order/GetOrder' });
  },

  async conformance(judged) {
    const { handle } = new SecondService({
      answer: ({ operation, status, body }) =>
        operation.endsWith('VersionInfo') && status === 200
          ? { status, body: { ...Object(body), since: 5 } }
          : undefined,
    });
    const machine = testMachine((request) =>
      request.url.startsWith('http://127.0.0.1:1/') ? handle(request) : fetchTransport(request),
    );
    const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key, SHOPCTL_BASE_URL: 'http://127.0.0.1:1' };
    const { see, look } = judgeOn(
      { ...machine, run: (words, options) => machine.run(words, { ...options, env }) },
      judged,
    );
    await see(['conformance', 'run', '--area', 'Misc'], { exit: 11 });
    expect(await look(['conformance', 'diff', '--area', 'Misc'], { exit: 11 })).toContainEqual(
      expect.objectContaining({ path: 'since' }),
    );
    await see(['conformance', 'clean']);
  },

  async drift(judged) {
    const machine = testMachine(async () => json(200, { id: '5', more: 1, status: 'later' }));
    const env = {
      SHOPCTL_AS: 'shop',
      SHOPCTL_API_KEY: '8:a-key-of-its-own',
      SHOPCTL_BASE_URL: 'http://127.0.0.1:4010',
    };
    await machine.run(['customers', 'get', '5'], { env });
    const { see, look } = judgeOn(machine, judged);
    const [{ id }] = await look(['drift', 'list']);
    await see(['drift', 'show', id]);
    await see(['drift', 'forget', id]);
  },

  async mirror(judged) {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    const { look, see } = judgeOn(world, judged);
    expect((await look(['mirror', 'sync'])).length).toBeGreaterThan(1);
    await look(['mirror', 'status']);
    // A mirror that agrees with its service has no difference to show.
    const agreed = await world.run(['mirror', 'verify', '--all', '--json']);
    expect([agreed.exit, JSON.parse(agreed.stdout)]).toEqual([0, []]);
    judged.add('mirror verify');
    expect(await look(['mirror', 'sql', 'SELECT count(*) AS orders FROM orders'])).toHaveLength(1);
    await look(['mirror', 'tables']);
    await look(['mirror', 'schema', 'orders']);
    await look(['mirror', 'export', '--to', 'tables']);
    await see(['mirror', 'path']);
    const home = { env: { HOME: world.directory } };
    await see(['mirror', 'install', '--every', '1h'], home);
    await see(['mirror', 'uninstall'], home);
    await see(['mirror', 'forget']);
  },

  async cod(judged) {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    const { look, see } = judgeOn(world, judged);
    expect((await world.run(['mirror', 'sync', '--area', 'fulfillments'])).exit).toBe(0);
    const head = 'Mã đơn hàng;Mã đơn hàng KH;Ngày tạo;Ngày giao hàng thành công;Người nhận;Địa chỉ;COD';
    writeFileSync(join(world.directory, 'paid.csv'), `${head}\nX1;;;11/05/26 10:00;Lan;;350000\nX2;;;;An;;abc\n`);
    expect(await look(['cod', 'map', 'paid.csv'])).toMatchObject({ rows: [{ place: 'G2' }] });
    const imported = await world.run(['cod', 'import', 'paid.csv', '--json']);
    expect([imported.exit, JSON.parse(imported.stdout)]).toMatchObject([
      9,
      [{ layout: 'ghn', unread: 1, amount: 350_000 }],
    ]);
    writeFileSync(join(world.directory, 'good.csv'), `${head}\nX3;;;11/05/26 10:00;Lan;;20000\n`);
    await look(['cod', 'import', 'good.csv']);
    const home = { env: { HOME: world.directory } };
    await see(['cod', 'install', 'payments'], home);
    await see(['cod', 'uninstall'], home);
    expect(await look(['cod', 'list'])).toMatchObject([{ file: 'good.csv', lines: 1 }, { file: 'paid.csv' }]);
    expect(await look(['cod', 'show', 'X1'])).toMatchObject([{ cell: 'G2', amount: 350_000 }]);
    expect(await see(['cod', 'show', '1234567890123456789'])).toEqual([]);
    const differing = await world.run(['cod', 'reconcile', '--differing', '--to', 'disputes.xlsx', '--json']);
    expect([differing.exit, JSON.parse(differing.stdout)]).toMatchObject([
      11,
      { parcels: [{ class: 'unknown' }, { class: 'unknown' }] },
    ]);
    judged.add('cod reconcile');
    await see(['cod', 'close', 'paid', '--by', 'Lan']);
    expect((await world.run(['cod', 'forget', 'paid.csv', '--yes'])).exit).toBe(12);
    await see(['cod', 'close', 'paid', '--undo']);
    await see(['cod', 'forget', 'paid.csv']);
  },

  async report(judged) {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    await world.run(['mirror', 'sync']);
    const { see } = judgeOn(world, judged);
    await see(['report', 'states']);
  },

  async orders(judged) {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    const lines = [{ product_name: 'Trà sen', quantity: 2, retail_price: 1000, payment_price: 1000 }];
    const order = { lines, total_items: 2, basket_value: 2000, total_amount: 2000, payment_method: 'cod' };
    const { body } = await world.service.post('shop.Order/CreateOrder', order, world.service.shop.apiKey);
    const { see } = judgeOn(world, judged);
    await see(['orders', 'story', body.code]);
  },

  async day(judged) {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    await world.run(['mirror', 'sync']);
    const { see } = judgeOn(world, judged);
    await see(['day']);
  },

  async doctor(judged) {
    const { look } = judgeOn(await shopWorld(), judged);
    await look(['doctor']);
  },

  async console(judged) {
    const machine = testMachine(fetchTransport);
    const ending = new AbortController();
    const { exit, stdout } = await machine.run(['console', '--port', '0', '--json'], {
      signal: ending.signal,
      onStdout: () => ending.abort(),
    });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ event: 'ready', url: expect.stringMatching(/\?secret=[0-9a-f]{32}$/) });
    judged.add('console');
  },

  async mcp(judged) {
    const { exit, stdout } = await testMachine(fetchTransport).run(['mcp', '--skill']);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('shopctl')]);
    judged.add('mcp');
  },

  async approve(judged) {
    const world = await countedWorld();
    await (await agentOf(world)).call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
    await judgeOn(world, judged).look(['approve', '--list']);
  },

  async agents(judged) {
    const world = await countedWorld();
    const { see, look } = judgeOn(world, judged);
    const agent = await agentOf(world);
    await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
    await agent.end();
    expect(await look(['agents', 'log'])).toContainEqual(expect.objectContaining({ event: 'planned' }));
    expect(await see(['agents', 'stop'])).toEqual({ revoked: 1 });
    const atTerminal = { terminal: true, answers: [true], env: { EDITOR: 'true' } };
    for (const verb of ['edit', 'accept']) {
      const { exit, stdout } = await world.run(['agents', 'policy', verb], atTerminal);
      expect([exit, stdout]).toEqual([0, expect.stringContaining('agents.yaml')]);
      judged.add(`agents policy ${verb}`);
    }
    expect(await see(['agents', 'policy', 'show'])).toEqual(await see(['agents', 'policy', 'check']));
  },

  async completion(judged) {
    const machine = testMachine(fetchTransport);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { exit, stdout } = await machine.run(['completion', shell]);
      expect([exit, stdout]).toEqual([0, expect.stringContaining('shopctl')]);
    }
    judged.add('completion');
  },

  async auth(judged) {
    const world = await shopWorld();
    const { look, see, hear } = judgeOn(world, judged);
    const { shop, otherShop } = world.service;
    await look(['auth', 'status']);
    await look(['auth', 'shops']);
    await look(['auth', 'token']);
    await world.service.signIn(otherShop.id);
    await see(['auth', 'login', '--shop-id', otherShop.id]);
    await hear(['auth', 'use', shop.id]);
    await hear(['auth', 'logout', otherShop.id]);
    const answers = ['live', 'http://127.0.0.1:4010', "a shop's own", otherShop.apiKey];
    await world.run(['auth', 'setup'], { terminal: true, answers });
    expect((await world.settings()).profiles.live).toMatchObject({ kind: 'shop', api_key: otherShop.apiKey });
    judged.add('auth setup');
  },

  async ship(judged) {
    let refuses = true;
    const world = await shopWorld((transport) => async (request) => {
      if (refuses && request.url.endsWith('/CreateAndConfirmOrder')) {
        return json(412, { code: 'failed_precondition', msg: 'no credit' });
      }
      return transport(request);
    });
    const { see, look, hear } = judgeOn(world, judged);
    const ship = ['ship', '--input', example('order.json'), '--pick', 'cheapest'];
    expect((await world.run([...ship, '--yes'])).exit).toBe(5);
    const [{ id }] = await look(['ship', 'drafts', 'list']);
    expect(await look(['ship', 'drafts', 'show', id])).toMatchObject({ state: 'failed' });
    await hear(['ship', 'drafts', 'remove', id]);
    refuses = false;
    expect(await see(ship)).toMatchObject({ order: { id: expect.stringMatching(/^\d+$/) } });
  },

  async workspace(judged) {
    const { machine } = await machineWithEvents();
    const { look, see } = judgeOn(machine, judged);
    expect(await look(['workspace', 'show'])).toMatchObject({ events: 4 });
    await look(['workspace', 'check']);
    await see(['workspace', 'backup', 'kept.db']);
    const world = await shopWorld();
    await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
    const addresses = ['https://shop.example', 'https://gateway.example'];
    for (const are of ['separate', 'same']) {
      expect(await judgeOn(world, judged).see(['workspace', 'address', are, ...addresses])).toMatchObject({ are });
    }
    const env = { SHOPCTL_STATE_DIR: join(world.directory, 'there') };
    expect(await judgeOn(world, judged).see(['workspace', 'move'], { env })).toMatchObject([{ writes: 1 }]);
  },
};
