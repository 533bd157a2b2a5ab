import { expect, it } from 'vitest';
import { operations, sameChecks, withLists } from './same-check-cases.ts';

it('covers every create and update that a batch can do', () => {
  expect(operations.map(({ id, command }) => `${id.split('.')[0]} ${command}`).sort()).toMatchInlineSnapshot(`
    [
      "partner shipping create",
      "shop addresses create",
      "shop addresses update",
      "shop collections create",
      "shop collections members add",
      "shop collections update",
      "shop customers create",
      "shop customers update",
      "shop groups create",
      "shop groups members add",
      "shop groups update",
      "shop orders create",
      "shop products create",
      "shop products update",
      "shop shipnow create",
      "shop shipping create",
      "shop variants create",
      "shop variants update",
      "shop webhooks create",
    ]
  `);
});

it('covers the lists of texts and of objects that a row has columns for', () => {
  expect(withLists.map(({ command }) => command).sort()).toMatchInlineSnapshot(`
    [
      "orders create",
      "products create",
      "shipping create",
      "shipping create",
      "variants create",
      "webhooks create",
    ]
  `);
});

sameChecks(1);
