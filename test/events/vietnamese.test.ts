import { expect, it } from 'vitest';
import { machineWithEvents } from '../cli/webhooks/events-machine.ts';
import { leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { listeningReceiver } from '../support/receiver.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';

/**
 * What stands in no brackets: names of targets, kinds and fields of records, states that are typed, commands of the service
 * manager, what no connection says, and usage, which is help.
 */
const given = [
  'shop SHOP there away nobody targets all http url file config service status name OK ID GMT',
  'customer customer_address customer_group customer_group_relationship fulfillment inventory_level order product',
  'product_collection product_collection_relationship shipnow_fulfillment variant create update delete',
  'id shop_id order_note entity change_type time changed latest',
  'new done in progress cancelled returned created confirmed processing picking holding delivering delivered returning undeliverable',
  'no connection to ECONNREFUSED systemctl daemon reload enable disable shopctl listen test',
  /^Usage: .*$/gm,
  /\/\S+/g,
];

it('says everything of changes and targets in a catalogue', async () => {
  const { machine } = await machineWithEvents();
  const [{ id }] = JSON.parse((await machine.run(['events', 'list', '--json'])).stdout);
  expect(
    await leftBy(
      machine,
      [
        [['events', 'list']],
        [['events', 'list', '--limit', '1']],
        [['events', 'list', '--target', 'nobody']],
        [['events', 'list', '--target', 'there', '--state', 'waiting']],
        [['events', 'list', '--state', 'dead']],
        [['events', 'list', '--since', 'x']],
        [['events', 'show', id, '-o', 'table']],
        [['events', 'show', '99']],
        [['events', 'targets']],
        [['events', 'replay']],
        [['events', 'replay', '99']],
        [['events', 'replay', id, '--to', 'nobody']],
        [['events', 'replay', id, '--dry-run']],
        [['events', 'replay', '--since', '2020-01-01', '--to', 'there']],
        [['events', 'replay', '--since', '2020-01-01', '--to', 'away', '--wait', '1s']],
        [['events', 'targets']],
        [['events', 'targets', 'pause', 'away']],
        [['events', 'targets']],
        [['events', 'targets', 'resume', 'away']],
        [['events', 'targets', 'retry', 'away']],
        [['events', 'targets', 'pause', 'nobody']],
        [['events', 'prune', '--before', 'x', '--yes']],
        [['events', 'prune', '--before', '1s'], { answers: [false] }],
        [['events', 'prune', '--before', '1s'], { answers: [true] }],
        [['events', 'targets', 'remove', 'away'], { answers: [true] }],
        [['events', 'targets', 'remove', 'away'], { answers: [false] }],
      ],
      given,
    ),
  ).toEqual({});
});

it('says everything of webhooks and of waiting in a catalogue', async () => {
  const world = await shopWorld();
  const { url } = await listeningReceiver();
  const wrong = await listeningReceiver((response, { headers }) =>
    Number(headers['content-length']) > 500_000 ? response.writeHead(413).end() : response.end('"OK"'),
  );
  const { order } = JSON.parse(
    (await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'])).stdout,
  );
  const shop = ['--profile', 'shop'];
  const hook = (
    await world.run([
      'webhooks',
      'create',
      '--url',
      'http://127.0.0.1:9/hook',
      '--entities',
      'order',
      '-o',
      'name',
      ...shop,
    ])
  ).stdout.trim();
  const stepped = () => ({ terminal: false, clock: steppedClock() });
  const home = { env: { HOME: world.directory } };
  expect(
    await leftBy(
      world,
      [
        [['webhooks', 'status']],
        [['webhooks', 'status', '--health', ...shop]],
        [['webhooks', 'recover', ...shop]],
        [['webhooks', 'test', 'nowhere'], stepped()],
        [['webhooks', 'test', 'http://127.0.0.1:1/hook', '--restart-cmd', 'true'], stepped()],
        [['webhooks', 'test', wrong.url], stepped()],
        [['webhooks', 'test', url, '--restart-cmd', 'false'], stepped()],
        [['webhooks', 'test', url, '--within', 'x'], stepped()],
        [['webhooks', 'send', url, '--entity', 'order']],
        [['webhooks', 'send', url, '--entity', 'order', '--record', '99', ...shop]],
        [['webhooks', 'send', url, '--entity', 'product', ...shop]],
        [['webhooks', 'send', url, '--entity', 'inventory_level', '--record', '1', ...shop]],
        [['webhooks', 'send', wrong.url, '--entity', 'order', ...shop]],
        [['webhooks', 'send', 'http://127.0.0.1:1/hook', '--entity', 'order', ...shop]],
        [['webhooks', 'send', 'http://a:b@127.0.0.1:1/hook', '--entity', 'order', ...shop]],
        [['webhooks', 'install', '--register', '--forward-to', url], home],
        [['webhooks', 'uninstall'], home],
        [['webhooks', 'listen', '--port', '99999']],
        [['webhooks', 'listen', '--forward-to', 'x']],
        [['webhooks', 'listen', '--forward-to', 'nothing=http://127.0.0.1:1/']],
        [['webhooks', 'listen', '--forward-to', 'order.gone=http://127.0.0.1:1/']],
        [['webhooks', 'listen', '--forward-to', 'http://a:b@127.0.0.1:1/']],
        [['webhooks', 'listen', '--expect', 'a = 1']],
        [['webhooks', 'listen', '--expect', "a == 'b"]],
        [['webhooks', 'listen', '--expect', 'nothing(a)']],
        [['webhooks', 'listen', '--expect', 'a == 5']],
        [['webhooks', 'listen', '--register', '--public-url', 'http://shop.example']],
        [['webhooks', 'status', ...shop]],
        [['wait', 'order', order.id, '--until', 'delivered', '--within', '1s'], stepped()],
        [['wait', 'order', order.code, '--until', 'new'], stepped()],
        [['wait', 'order', 'nobody', '--until', 'new'], stepped()],
        [['wait', 'order', order.id, '--until', 'x'], stepped()],
        [['wait', 'order', order.id, '--until', 'done', '--within', 'x'], stepped()],
        [['wait', 'batch', 'nobody'], stepped()],
        [['wait', 'webhook', hook, '--until', 'stop', '--within', '1s', ...shop], stepped()],
        [['wait', 'webhook', '99', ...shop], stepped()],
      ],
      given,
    ),
  ).toEqual({});
});
