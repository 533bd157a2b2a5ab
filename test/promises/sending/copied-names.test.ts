/* A name that shopctl has derived belongs to its content: in another record it is a copied one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields } from '../../support/sandbox-order.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { copiedByACommand, copiedInASheet, derivedBy, kindsNamed } from './copied-name-cases.ts';

copiedByACommand(kindsNamed);
// The other kinds in a sheet are in the proof.
copiedInASheet(['orders create']);

it('a copied name leaves out its row alone where bad rows are left out', async () => {
  const world = await shopWorld();
  const external_id = await derivedBy('a row', world, 'orders create', orderFields);
  const path = join(world.directory, 'two.json');
  writeFileSync(
    path,
    JSON.stringify([
      { ...orderFields, order_note: 'gói kỹ', external_id },
      { ...orderFields, order_note: 'gói quà' },
    ]),
  );
  const ran = await world.run(
    ['batch', 'run', path, '--do', 'orders create', '--skip-bad', '--yes', '-o', 'json', '--profile', 'shop'],
    { clock: steppedClock(world.service.clock.now()) },
  );
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([9, { done: 1, skipped: 1 }]);
});
