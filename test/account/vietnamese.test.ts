import { expect, it } from 'vitest';
import { allSettings } from '../../src/settings/in-force.ts';
import { leftBy, type Surface } from '../support/left-words.ts';
import { shopWorld } from '../support/shop-world.ts';

/** What stands in no brackets: the names of profiles, settings and their values, data, what the service says, and usage, which is help. */
const given = [
  'test shop SHOP live bare other default partner table json jsonl csv yaml name false on vi http file',
  'Demo Shop Asia Ho_Chi_Minh SHOPCTL_TIMEOUT PGPASSWORD pgpass',
  'the Authorization header is missing or its not valid here',
  ...allSettings.map(([, setting]) => setting.name),
  /\*{3}\S+/g,
  /^Usage: .*$/gm,
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
