import { expect, it } from 'vitest';
import { allSettings } from '../../src/settings/in-force.ts';
import { inVietnamese, leftBy, type Surface } from '../support/left-words.ts';
import { shopWorld } from '../support/shop-world.ts';

/** What stands in no brackets: the names of profiles, settings and their values, data, what the service says, and usage, which is help. */
const given = [
  'test shop SHOP PROFILE profile live bare other default partner table json jsonl csv yaml name false on vi http file',
  'Demo Shop Asia Ho_Chi_Minh SHOPCTL_TIMEOUT PGPASSWORD pgpass',
  'the Authorization header is missing or its not valid here',
  ...allSettings.map(([, setting]) => setting.name),
  /\*{3}\S+/g,
];

const key = (text: string) => ({ stdin: `${text}\n` });

const surfaces: readonly Surface[] = [
  [['auth', 'status']],
  [['auth', 'status', '--offline']],
  [['auth', 'status', '--dry-run']],
  [['auth', 'status', '--profile', 'shop']],
  [['auth', 'shops']],
  [['auth', 'use', '42']],
  [['auth', 'use', 'Demo Shop']],
  [['auth', 'token'], { answers: [false] }],
  [['auth', 'token', '--api-key'], { answers: [false] }],
  [['auth', 'logout', 'SHOP', '--all']],
  [['profiles', 'list']],
  [['profiles', 'show']],
  [['profiles', 'show', 'nobody']],
  [['profiles', 'use', 'shop']],
  [['profiles', 'use', 'test']],
  [['profiles', 'add', 'test']],
  [['profiles', 'add', 'live', '--base-url', 'https://shop.example', '--api-key-stdin'], key('')],
  [['profiles', 'add', 'live', '--base-url', 'https://shop.example', '--api-key-stdin'], key('a b')],
  [['profiles', 'add', 'live', '--base-url', 'https://shop.example', '--api-key-stdin', '--no-check'], key('7:key')],
  [['profiles', 'add', 'bare', '--no-check', '--api-key-stdin'], key('7:key')],
  [['profiles', 'set-key', 'shop', '--api-key-stdin'], key('7:key')],
  [['profiles', 'set-key', 'test'], { answers: ['', false] }],
  [['config', 'list', '--show-origin']],
  [['config', 'get', 'nothing']],
  [['config', 'get', 'base_url']],
  [['config', 'set', 'nothing', '1']],
  [['config', 'set', 'output', 'yml']],
  [['config', 'set', 'tz', 'nowhere']],
  [['config', 'set', 'workspace', 'postgres://a:b@c/d']],
  [['config', 'set', 'timeout', '3']],
  [['config', 'set', 'base_url', 'https://other.example']],
  [['config', 'unset', 'base_url']],
  [['config', 'path']],
  [['auth', 'setup', '--dry-run']],
  [['profiles', 'remove', 'live'], { answers: [true] }],
  [['profiles', 'remove', 'test'], { answers: [true] }],
];

it('says everything of profiles, keys and settings in a catalogue', async () => {
  const world = await shopWorld();
  expect(await leftBy(world, surfaces, given)).toEqual({});
});

it('shows profiles and keys, and asks before one is printed, in Vietnamese', async () => {
  const world = await shopWorld();
  const { partner, shop, shopKey } = world.service;
  const end = (key: string) => `***${key.slice(-4)}`;
  const profiles = await inVietnamese(world, ['profiles', 'list']);
  expect([profiles.lines, profiles.tooWide]).toEqual([
    [
      'TÊN   ĐANG DÙNG  LOẠI     SHOP           ĐỊA CHỈ HỆ THỐNG       API KEY  CHỈ ĐỌC',
      `test  có         đối tác  Demo Shop      http://127.0.0.1:4010  ${end(partner.apiKey)}  không`,
      `shop  không      shop     ${shop.id.slice(0, 12)}…  http://127.0.0.1:4010  ${end(shop.apiKey)}  không`,
      'màn hình 80 cột không đủ chỗ cho 1 cột: shop_names; chọn cột bằng --fields',
    ],
    [],
  ]);
  const status = await inVietnamese(world, ['auth', 'status', '--offline']);
  expect(status.tooWide).toEqual([]);
  expect(status.lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' · '))).toEqual([
    'KEY · ID SHOP · TÊN · MÃ KEY · ĐANG DÙNG · NGUỒN',
    `API key của đối tác · ${end(partner.apiKey)} · profile`,
    `key của shop · ${shop.id} · Demo Shop · ${end(shopKey)} · có · profile`,
  ]);
  const token = await inVietnamese(world, ['auth', 'token'], { answers: [false] });
  expect([token.exit, token.asked, token.lines]).toEqual([
    2,
    [`In key của shop ${shop.id} ở dạng đọc được? Ai thấy cũng dùng được.`],
    ['shopctl: lỗi: không được xác nhận, chưa in gì'],
  ]);
});
