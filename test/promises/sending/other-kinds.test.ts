/* Kinds that no file of a shop has: webhooks, members, and orders with a service of their own. In a file and a database. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedPostgres } from '../../once/made-once.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { postgresPrograms, SERVER_HOOK_MS, type SharedPostgres } from '../../support/postgres-cluster.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { shopWorld } from '../../support/shop-world.ts';

const errorOf = ({ stderr }: { readonly stderr: string }) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

async function worldOf(workspace: string | undefined) {
  const world = await shopWorld();
  const env: Record<string, string> = workspace === undefined ? {} : { SHOPCTL_WORKSPACE: workspace };
  const run = (...words: readonly string[]) => world.run([...words, '--profile', 'shop', '--yes', '--json'], { env });
  const lose = (operation: string) =>
    world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
  const post = async (operation: string, body: object) =>
    (await world.service.post(operation, body, world.service.shop.apiKey)).body;
  return { world, run, lose, post };
}

/** Nothing finds a webhook by a name: it is not sent again until a person has settled it. */
async function loseWebhook(workspace: string | undefined): Promise<void> {
  const { run, lose, post } = await worldOf(workspace);
  const create = () => run('webhooks', 'create', '--url', 'http://127.0.0.1:9/hook', '--entities', 'order');
  const live = async () => (await post('shop.Webhook/GetWebhooks', {})).webhooks.length;
  await lose('shop.Webhook/CreateWebhook');
  expect([(await create()).exit, await live()]).toEqual([10, 1]);
  const again = await create();
  expect([again.exit, errorOf(again).code, await live()]).toEqual([10, 'held_by', 1]);
  const [{ id }] = JSON.parse((await run('ledger', 'list')).stdout);
  expect((await run('ledger', 'settle', id, '--done')).exit).toBe(0);
  expect([(await create()).exit, await live()]).toEqual([0, 2]);
}

/** The same member once more has the same effect; another change of the same membership waits for the outcome. */
async function loseMember(workspace: string | undefined): Promise<void> {
  const { run, lose, post } = await worldOf(workspace);
  const { id: group } = await post('shop.CustomerGroup/CreateGroup', { name: 'Quen' });
  const { id: customer } = await post('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' });
  const add = () => run('groups', 'members', 'add', '--group-id', group, '--customer-id', customer);
  const list = 'shop.CustomerGroupRelationship/ListRelationships';
  const members = async () => (await post(list, { filter: { group_id: [group] } })).relationship.length;
  await lose('shop.CustomerGroupRelationship/CreateRelationship');
  expect([(await add()).exit, await members()]).toEqual([10, 1]);
  expect([(await add()).exit, await members(), JSON.parse((await run('ledger', 'list')).stdout)]).toEqual([0, 1, []]);
}

/** An order is found by its name, and an equal one of the same day is refused, whichever command sends it. */
async function loseOrder(workspace: string | undefined): Promise<void> {
  const { world, run, lose, post } = await worldOf(workspace);
  const live = async () => (await post('shop.Order/ListOrders', {})).orders.length;
  const input = plainOrder(world, await quotedOrder(world.service));
  await lose('shop.Shipping/CreateAndConfirmOrder');
  const create = () => run('shipping', 'create', '--input', input);
  const first = await create();
  expect([first.exit, await live()]).toEqual([0, 1]);
  const again = await create();
  expect([again.exit, errorOf(again).code, await live()]).toEqual([5, 'sent_before', 1]);
}

const plays = { webhooks: loseWebhook, members: loseMember, 'shipping create': loseOrder };

it.each(Object.entries(plays))('sends one of the %s once, in a file', (_, play) => play(undefined));

describe.skipIf(postgresPrograms === undefined)('in a database', () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await sharedPostgres('quick');
  }, SERVER_HOOK_MS);

  it.each(Object.entries(plays))('sends one of the %s once', (_, play) => play(server.newDatabase()));
});
