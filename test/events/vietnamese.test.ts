import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { machineWithEvents } from '../cli/webhooks/events-machine.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { listeningReceiver } from '../support/receiver.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';

/**
 * What stands in no brackets: names of targets, kinds and fields of records, states that are typed, commands of the service
 * manager, what no connection says, and usage, which is help.
 */
const given = [
  'shop SHOP there away nobody targets all http url file config service status name OK ID',
  'customer customer_address customer_group customer_group_relationship fulfillment inventory_level order product',
  'product_collection product_collection_relationship shipnow_fulfillment variant create update delete',
  'id shop_id order_note entity change_type time changed latest',
  'new done in progress cancelled returned created confirmed processing picking holding delivering delivered returning undeliverable',
  'no connection to ECONNREFUSED systemctl daemon reload enable disable shopctl listen test',
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

it('shows in Vietnamese how a receiver was tested, and writes the report of it in English', async () => {
  const world = await shopWorld();
  const { url } = await listeningReceiver((response, { headers }) =>
    Number(headers['content-length']) > 500_000 ? response.writeHead(413).end() : response.end('{"ok":true}'),
  );
  const junit = join(world.directory, 'report.xml');
  const tested = await inVietnamese(world, ['webhooks', 'test', url, '--junit', junit], {
    clock: steppedClock(),
    terminal: false,
  });
  // How long an answer took is not known beforehand.
  const cells = tested.lines.map((line) => line.split(/ {2,}\d* */).join(' · '));
  const [said, demanded] = ['nội dung cần đúng là ok, không phải JSON', 'trả lời 200 với "{\\"ok\\":true}"'];
  expect([tested.exit, cells]).toEqual([
    11,
    [
      'KIỂM TRA · ĐẠT · MILI GIÂY · LÝ DO',
      `một thay đổi · không · ${demanded}; ${said}`,
      `100 thay đổi · không · ${demanded}; ${said}`,
      `gửi hai lần · không · lần đầu: ${demanded}; ${said}`,
      `sai thứ tự · không · lần đầu: ${demanded}; ${said}`,
      'nội dung 1 MiB · không · trả lời 413: không nhận nội dung lớn như vậy',
      `trường lạ · không · ${demanded}; ${said}`,
      `loại bản ghi lạ · không · ${demanded}; ${said}`,
      `gửi chậm · không · ${demanded}; ${said}`,
      `10 lượt cùng lúc · không · 10/10 lượt sai: ${demanded}; ${said}`,
      'đạt 0/9 mục kiểm tra',
      `8 mục cùng một lý do: ${demanded}; ${said}`,
      'nội dung 1 MiB: nơi nhận cần nhận nội dung lớn: callback có 1.000 thay đổi lớn hơn phần nhiều giới hạn có sẵn',
    ],
  ]);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /name="one change"[\s\S]*message="answered 200 with [^>]*; the body must be exactly ok, not JSON"[^>]*>it must accept a single change</,
  );
});

it('shows changes and targets in Vietnamese', async () => {
  const { machine } = await machineWithEvents();
  // Where events are shared, an account says whose they are.
  const run: typeof machine.run = (words, options) => machine.run(words, { ...options, spoken: vietnamese });
  const list = await inVietnamese({ run }, ['events', 'list', '--limit', '1']);
  expect([list.lines.at(0), list.lines.slice(2), list.tooWide]).toEqual([
    'ID                   NHẬN LÚC (GMT+7)  LOẠI      THAY ĐỔI  BẢN GHI',
    [
      'màn hình 80 cột không đủ chỗ cho 2 cột: shop_id, time; chọn cột bằng --fields',
      'có hơn 1 thay đổi: xem tất cả bằng --all, hoặc số dòng bằng --limit',
    ],
    [],
  ]);
  expect(list.lines.at(1)).toContain('  Đơn hàng  ');
  const targets = await inVietnamese({ run }, ['events', 'targets']);
  expect([targets.lines, targets.tooWide]).toEqual([
    [
      'TÊN    ĐỊA CHỈ        LIÊN QUAN  TRẠNG THÁI  CHƯA NHẬN  CHỜ TỪ (GMT+7)  GỬI HỎNG',
      expect.stringMatching(/^away {3}http:\/\/127\.0… {2}tất cả {5}đang dùng {11}4 {2}\d\d\/\d\d \d\d:\d\d {12}0$/),
      expect.stringMatching(/^there {2}http:\/\/127\.0… {2}tất cả {5}đang dùng {11}4 {2}\d\d\/\d\d \d\d:\d\d {12}0$/),
    ],
    [],
  ]);
});
