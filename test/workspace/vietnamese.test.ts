import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leftBy } from '../support/left-words.ts';
import { shopWorld } from '../support/shop-world.ts';

/** What stands in no brackets: names of files and of what is typed, and usage, which is help. */
const given = ['shop one other file db js moved', /\/\S+/g, /^Usage: .*$/gm];

it('says everything of what is stored in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
  const addresses = ['https://shop.example', 'https://gateway.example'];
  const there = { env: { SHOPCTL_STATE_DIR: join(world.directory, 'there') } };
  expect(
    await leftBy(
      world,
      [
        [['workspace', 'show']],
        [['workspace', 'show', '--paths']],
        [['workspace', 'check']],
        [['workspace', 'backup', 'kept.db']],
        [['workspace', 'backup', 'kept.db']],
        [['workspace', 'backup', 'kept.db', '--dry-run']],
        [['workspace', 'address', 'same', 'a', 'b']],
        [['workspace', 'address', 'same', 'https://a.example', 'https://a.example']],
        [['workspace', 'address', 'separate', ...addresses], { answers: [false] }],
        [['workspace', 'address', 'separate', ...addresses], { answers: [true] }],
        [['workspace', 'address', 'same', ...addresses], { answers: [true] }],
        [['workspace', 'move']],
        [['workspace', 'move'], { answers: [false], ...there }],
        [['workspace', 'move'], { answers: [true], ...there }],
        [['workspace', 'move'], { answers: [true, true] }],
      ],
      given,
    ),
  ).toEqual({});
});
