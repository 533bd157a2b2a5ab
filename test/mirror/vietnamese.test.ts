import { expect, it } from 'vitest';
import { describedTables } from '../../src/mirror/store/describe-tables.ts';
import { leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';

/**
 * What stands in no brackets: names of tables, columns and what is read of them, which are typed; what SQLite says; commands of
 * the service manager, and usage, which is help.
 */
const given = [
  ...describedTables().map(({ name }) => name),
  'shop FILE table http ID GMT db file config a csv service systemctl daemon reload enable disable shopctl timer',
  'ask compare near syntax error SELECT no such column nothing',
  /^Usage: .*$/gm,
  /\/\S+/g,
];

it('says everything of the mirror in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['shipping', 'create', '--input', plainOrder(world)]);
  const shop = ['--profile', 'shop'];
  expect(
    await leftBy(
      world,
      [
        [['mirror', 'status']],
        [['mirror', 'sql', 'SELECT 1']],
        [['mirror', 'verify', ...shop]],
        [['mirror', 'export', '--to', 'tables', ...shop]],
        [['report', 'states']],
        [['mirror', 'forget'], { answers: [true] }],
        [['mirror', 'sync']],
        [['mirror', 'sync', '--area', 'customers']],
        [['mirror', 'sync', '--area', 'nothing']],
        [['mirror', 'sync', '--every', '5m']],
        [['mirror', 'sync', '--every', 'x', '--watch']],
        [['mirror', 'verify']],
        [['mirror', 'verify', '--all', ...shop]],
        [['mirror', 'status']],
        [['mirror', 'sync', ...shop]],
        [['mirror', 'status', ...shop]],
        [['mirror', 'verify', '--all', ...shop]],
        [['mirror', 'verify', '--all', '--sample', '3', ...shop]],
        [['mirror', 'verify', '--sample', '0', ...shop]],
        [['mirror', 'sql', ...shop]],
        [['mirror', 'sql', 'SELECT 1', '--file', 'a', ...shop]],
        [['mirror', 'sql', 'DELETE FROM orders', ...shop]],
        [['mirror', 'sql', 'SELECT 1; SELECT 2', ...shop]],
        [['mirror', 'sql', 'SELECT nothing FROM orders', ...shop]],
        [['mirror', 'sql', 'SELECT 1 AS a', '--to', 'a.csv', ...shop]],
        [['mirror', 'sql', 'SELECT 1 AS a', '--to', 'a.doc', ...shop]],
        [['mirror', 'sql', '', ...shop]],
        [['mirror', 'schema', 'nothing', ...shop]],
        [['mirror', 'export', '--to', 'tables', ...shop]],
        [['mirror', 'path', ...shop]],
        [['mirror', 'install', '--every', '1h', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'uninstall', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'uninstall', ...shop], { env: { HOME: world.directory } }],
        [['mirror', 'forget', ...shop], { answers: [false] }],
        [['mirror', 'forget', ...shop], { answers: [true] }],
        [['mirror', 'forget', ...shop], { answers: [true] }],
      ],
      given,
    ),
  ).toEqual({});
});
