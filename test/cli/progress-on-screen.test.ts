import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields, shippingFields } from '../support/sandbox-order.ts';
import { screenOf } from '../support/screen.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';

it('a screen has what was written, without what was erased', () => {
  expect(screenOf('a\n\r4 records so far, 1 s\u001b[K\r\u001b[Kb\n')).toBe('a\nb\n');
  expect(screenOf('4 records so far, 1 s\r\u001b[K\u001b[1mb\u001b[22m')).toBe('b');
  expect(screenOf('4 records so far, 1 sb\n\r\u001b[K')).toBe('4 records so far, 1 sb\n');
});

it('no progress of a batch stays on the screen where the service is slow', async () => {
  const clock = standingClock();
  const world = await shopWorld((transport) => async (request) => {
    for (let step = 0; step < 4; step += 1) {
      clock.advance(600);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return transport(request);
  });
  const rows = [1, 2, 3, 4].map((row) => ({ ...orderFields, shipping: shippingFields, external_id: `S-${row}` }));
  writeFileSync(join(world.directory, 'orders.json'), JSON.stringify(rows));
  let written = '';
  const add = (text: string) => {
    written += text;
  };
  const run = (verb: string, ...words: string[]) =>
    world.run(['batch', verb, 'orders.json', '--profile', 'shop', ...words], {
      terminal: true,
      clock,
      onStdout: add,
      onStderr: add,
    });
  await run('plan');
  await run('run', '--yes');
  // Everything is there already: what is told comes at once, as the next wait begins.
  await run('run', '--yes', '--again');
  expect(written).toContain('4 records so far');
  expect(screenOf(written)).not.toMatch(/so far|waiting for the service|\d+ of \d+, /);
});
