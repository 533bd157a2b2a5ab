/* Kinds that no file of a shop has: webhooks, members, and orders with a service of their own. In a file and a database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedPostgres } from '../../once/made-once.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { postgresPrograms, type SharedPostgres } from '../../support/postgres-cluster.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

async function worldOf(workspace: string | undefined) {
  const world = await shopWorld();
  const clock = steppedClock(world.service.clock.now());
  const env: Record<string, string> = workspace === undefined ? {} : { SHOPCTL_WORKSPACE: workspace };
  const run = (...words: readonly string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '--json'], { env, clock });
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
async function loseMember(workspace: string | undefined, command: 'groups' | 'collections'): Promise<void> {
  const { world, run, lose, post } = await worldOf(workspace);
  const kind = rows.find(({ words }) => words === `${command} members add`);
  if (kind === undefined) throw new Error(`there is no ${command}`);
  const member: object = await kind.record(post, world);
  const flags = Object.entries(member).flatMap(([name, id]) => [`--${name.replace('_', '-')}`, String(id)]);
  const add = () => run(...kind.words.split(' '), ...flags);
  const members = () => liveOf(post, kind.list, member);
  await lose(kind.operation);
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

/** A row whose answer is lost: found out by a list or a name, or unclear, and made once. */
async function loseRow(
  workspace: string | undefined,
  { words, operation, record, list, isFound }: LostRow,
): Promise<void> {
  const { world, run, lose, post } = await worldOf(workspace);
  const path = join(world.directory, 'rows.json');
  const own = await record(post, world);
  writeFileSync(path, JSON.stringify([own]));
  const live = () => liveOf(post, list, own);
  await lose(operation);
  const ran = await run('batch', 'run', path, '--do', words, '--concurrency', '1');
  const { batch, counts } = JSON.parse(ran.stdout);
  const expected = isFound ? { done: 1, unclear: 0 } : { done: 0, unclear: 1 };
  expect([ran.exit, counts, await live()]).toMatchObject([isFound ? 0 : 10, expected, 1]);
  const resumed = await run('batch', 'resume', batch);
  expect([JSON.parse(resumed.stdout).counts, await live()]).toMatchObject([expected, 1]);
}

/** How many there are at the service, of whatever this record belongs to. */
async function liveOf(post: Post, [read, field, by]: LostRow['list'], record: object): Promise<number> {
  const filter = Object.entries(record).flatMap(([name, id]) => (name === by ? [[name, [id]]] : []));
  const answer = await post(read, by === undefined ? {} : { filter: Object.fromEntries(filter) });
  return answer[field]?.length ?? Number.NaN;
}

type Post = (operation: string, body: object) => Promise<Readonly<Record<string, string>>>;

/** A command whose row loses its answer, and where the service lists its records. */
interface LostRow {
  readonly words: string;
  readonly operation: string;
  readonly record: (post: Post, world: ShopWorld) => Promise<object>;
  readonly list: readonly [operation: string, field: string, filter?: string];
  readonly isFound: boolean;
}

const customer = { full_name: 'Lan', phone: '0901234567' };

const rows: readonly LostRow[] = [
  {
    words: 'webhooks create',
    operation: 'shop.Webhook/CreateWebhook',
    record: async () => ({ url: 'http://127.0.0.1:9/hook', entities: ['order'] }),
    list: ['shop.Webhook/GetWebhooks', 'webhooks'],
    isFound: false,
  },
  {
    words: 'groups members add',
    operation: 'shop.CustomerGroupRelationship/CreateRelationship',
    record: async (post) => ({
      group_id: (await post('shop.CustomerGroup/CreateGroup', { name: 'Quen' })).id,
      customer_id: (await post('shop.Customer/CreateCustomer', customer)).id,
    }),
    list: ['shop.CustomerGroupRelationship/ListRelationships', 'relationship', 'group_id'],
    isFound: true,
  },
  {
    words: 'collections members add',
    operation: 'shop.ProductCollectionRelationship/CreateRelationship',
    record: async (post) => ({
      collection_id: (await post('shop.ProductCollection/CreateCollection', { name: 'Xuân' })).id,
      product_id: (await post('shop.Product/CreateProduct', { name: 'Áo' })).id,
    }),
    list: ['shop.ProductCollectionRelationship/ListRelationships', 'relationships', 'collection_id'],
    isFound: true,
  },
  {
    words: 'shipping create',
    operation: 'shop.Shipping/CreateAndConfirmOrder',
    record: (_, { service }) => quotedOrder(service),
    list: ['shop.Order/ListOrders', 'orders'],
    isFound: true,
  },
];

const plays = {
  'webhooks create': loseWebhook,
  'groups members add': (workspace: string | undefined) => loseMember(workspace, 'groups'),
  'collections members add': (workspace: string | undefined) => loseMember(workspace, 'collections'),
  'shipping create': loseOrder,
};

it.each(Object.entries(plays))('sends one of the %s once, in a file', (_, play) => play(undefined));
it.each(rows)('makes each of the $words once, in a file', (row) => loseRow(undefined, row));

describe.skipIf(postgresPrograms === undefined)('in a database', () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await sharedPostgres('quick');
  });

  it.each(Object.entries(plays))('sends one of the %s once', (_, play) => play(server.newDatabase()));
  it.each(rows)('makes each of the $words once', (row) => loseRow(server.newDatabase(), row));
});
