import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';
import { linesWith, repeating, secrets, telling } from './variables-with-secrets.ts';

it.each(secrets)('no secret is repeated as the value of any variable: %s', async (_, secret, names) => {
  const { run } = await shopWorld();
  // A write that is open gives more to say.
  expect((await run(['groups', 'create', '--name', 'First', '--profile', 'shop'])).exit).toBe(0);
  expect(await repeating(run, linesWith(secret, names, telling))).toEqual([]);
});
