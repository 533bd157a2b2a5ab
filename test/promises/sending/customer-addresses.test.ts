/* An address has no name of its own: it is made when the answer has each line that was sent, its place included. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { json } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const lan = { full_name: 'Lan', phone: '0901234567', address1: '12 ngõ 5' };
const inHanoi = { province: 'Hà Nội', district: 'Quận Cầu Giấy', ward: 'Phường Dịch Vọng' };
const inDaNang = { province: 'Đà Nẵng', district: 'Quận Hải Châu', ward: 'Phường Hải Châu I' };

async function worldOf() {
  let instead: object | undefined;
  const reads: string[] = [];
  const world = await shopWorld((transport) => async (wire) => {
    if (wire.url.endsWith('/GetAddress')) reads.push(wire.url);
    return instead !== undefined && wire.url.endsWith('/CreateAddress') ? json(200, instead) : transport(wire);
  });
  const { post, shop, clock } = world.service;
  const asked = async (operation: string, body: object) => (await post(operation, body, shop.apiKey)).body;
  const { id: customer_id } = await asked('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: lan.phone });
  const old = await asked('shop.CustomerAddress/CreateAddress', { ...lan, ...inHanoi, customer_id });
  const run = async (...words: readonly string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: steppedClock(clock.now()) });
  return {
    old,
    reads,
    answerWith: (answer: object | undefined) => {
      instead = answer;
    },
    byCommand(place: object) {
      const flags = Object.entries({ customer_id, ...lan, ...place });
      return run('addresses', 'create', ...flags.flatMap(([name, text]) => [`--${name.replace('_', '-')}`, text]));
    },
    byRow(place: object) {
      const path = join(world.directory, 'rows.json');
      writeFileSync(path, JSON.stringify([{ customer_id, ...lan, ...place }]));
      return run('batch', 'run', path, '--do', 'addresses create');
    },
    undo: (batch: string) => run('batch', 'undo', batch),
    live: async () => {
      const { addresses } = await asked('shop.CustomerAddress/ListAddresses', { filter: { customer_id } });
      return addresses.map(({ id, province }: Readonly<Record<string, string>>) => [id, province]);
    },
  };
}

it('is not made by the answer with an address at another place, and that one stays', async () => {
  const { old, answerWith, byCommand, byRow, undo, live } = await worldOf();
  answerWith(old);
  const command = await byCommand(inDaNang);
  expect([command.exit, command.stdout]).toEqual([10, '']);
  const row = await byRow({ ...inDaNang, ward: 'Phường Hải Châu II' });
  const { batch, counts } = JSON.parse(row.stdout);
  expect([row.exit, counts]).toMatchObject([10, { done: 0, unclear: 1 }]);
  answerWith(undefined);
  await undo(batch);
  expect(await live()).toEqual([[old.id, old.province]]);
});

it('is made whatever name the service has for the place, and needs no second call', async () => {
  const { old, reads, byCommand, live } = await worldOf();
  const made = await byCommand({ province: 'tp da nang', district: 'hai chau', ward: 'p. hai chau 1' });
  expect([made.exit, reads, (await live()).length]).toEqual([0, [], 2]);
  expect(JSON.parse(made.stdout).id).not.toBe(old.id);
});
