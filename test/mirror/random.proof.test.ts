import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { poll } from '../../src/mirror/poll.ts';
import type { WireResponse } from '../../src/platform/http/transport.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { type KillablePrograms, killablePrograms } from '../support/killable-programs.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { mirroredOrigin, syncedShop } from '../support/synced-shop.ts';
import { changeCount, deliverChanges } from '../support/webhook-deliveries.ts';

/** How many writes at least; the long form of this test has thousands. */
const WRITES = Number(process.env.SHOPCTL_TEST_MIRROR_WRITES ?? 150);
const WRITES_A_STEP = 6;

/** Random writes on one shop, by the operations that anybody has. */
function writer({ post, shop }: TestSandbox, random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
  const call = async (operation: string, body: object) => (await post(operation, body, shop.apiKey)).body;
  const idsOf = async (list: string, items: string) => {
    const { [items]: found = [] } = await call(list, {});
    return (found as { id: string }[]).map(({ id }) => id);
  };
  let number = 0;
  const ways: (() => Promise<unknown>)[] = [
    async () => {
      number += 1;
      const phone = `097${String(1_000_000 + number)}`;
      return call('shop.Customer/CreateCustomer', { full_name: `Khách ${number}`, phone });
    },
    async () => {
      const id = pick(await idsOf('shop.Customer/ListCustomers', 'customers'));
      return call('shop.Customer/UpdateCustomer', { id, note: `lần ${below(1000)}` });
    },
    async () =>
      call('shop.Customer/DeleteCustomer', { id: pick(await idsOf('shop.Customer/ListCustomers', 'customers')) }),
    async () => {
      const id = pick(await idsOf('shop.Variant/ListVariants', 'shop_variants'));
      return call('shop.Variant/UpdateVariant', { id, note: `lần ${below(1000)}` });
    },
    async () =>
      call('shop.Variant/DeleteVariant', { id: pick(await idsOf('shop.Variant/ListVariants', 'shop_variants')) }),
    async () => {
      const group_id = pick(await idsOf('shop.CustomerGroup/ListGroups', 'customer_groups'));
      const customer_id = pick((await idsOf('shop.Customer/ListCustomers', 'customers')).slice(0, 3));
      const to = below(2) === 0 ? 'CreateRelationship' : 'DeleteRelationship';
      return call(`shop.CustomerGroupRelationship/${to}`, { group_id, customer_id });
    },
    async () => {
      const lines = [{ product_name: 'Trà sen', quantity: 1 + below(3), retail_price: 1000, payment_price: 1000 }];
      const total = (lines[0]?.quantity ?? 0) * 1000;
      const sums = { total_items: lines[0]?.quantity, basket_value: total, total_amount: total };
      return call('shop.Order/CreateOrder', { lines, ...sums, payment_method: 'cod' });
    },
    async () => {
      const id = pick(await idsOf('shop.Order/ListOrders', 'orders'));
      return call('shop.Order/CancelOrder', { id, cancel_reason: 'đổi ý' });
    },
  ];
  return async () => {
    await pick(ways)?.();
  };
}

type Rows = Map<string, unknown>;

/** The raw answer of an operation over HTTP, without anything of ours in between. */
async function asked(baseUrl: string, apiKey: string, operation: string, body: object): Promise<Record<string, never>> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${baseUrl}/v1/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json() as Promise<Record<string, never>>;
}

/** What to list of each area: the operation, the field with the records, their key, and the area of the filter. */
const lists: readonly (readonly [table: string, operation: string, items: string, key: string, per?: string])[] = [
  ['orders', 'shop.Order/ListOrders', 'orders', 'id'],
  ['fulfillments', 'shop.Fulfillment/ListFulfillments', 'fulfillments', 'id'],
  ['customers', 'shop.Customer/ListCustomers', 'customers', 'id'],
  ['customer_addresses', 'shop.CustomerAddress/ListAddresses', 'addresses', 'id'],
  ['customer_groups', 'shop.CustomerGroup/ListGroups', 'customer_groups', 'id'],
  [
    'customer_group_members',
    'shop.CustomerGroupRelationship/ListRelationships',
    'relationship',
    'customer_id',
    'group_id',
  ],
  ['products', 'shop.Product/ListProducts', 'products', 'id'],
  ['variants', 'shop.Variant/ListVariants', 'shop_variants', 'id'],
  ['collections', 'shop.ProductCollection/ListCollections', 'collections', 'id'],
  ['inventory_levels', 'shop.Inventory/ListInventoryLevels', 'inventory_levels', 'variant_id'],
];

/** The records of every list, by raw requests; deleted ones are left out. */
async function everything(baseUrl: string, apiKey: string): Promise<Map<string, Rows>> {
  const found = new Map<string, Rows>();
  for (const [table, operation, items, key, per] of lists) {
    const rows: Rows = new Map();
    const owners = per === undefined ? [undefined] : [...(found.get('customer_groups')?.keys() ?? [])];
    for (const owner of owners) {
      const filter = owner === undefined ? {} : { filter: { group_id: owner } };
      for (let after: string | undefined; ; ) {
        const body = { ...filter, ...(after === undefined ? {} : { paging: { after } }) };
        const answer: Record<string, unknown> = await asked(baseUrl, apiKey, operation, body);
        const records = answer[items] as Record<string, string>[];
        for (const record of records) rows.set([record[key], ...(per ? [record[per]] : [])].join('-'), record);
        after = (answer.paging as { next?: string } | undefined)?.next;
        if (records.length === 0 || !after) break;
      }
    }
    found.set(table, rows);
  }
  return found;
}

const refused: WireResponse = { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"no such cursor"}' };

describe('a shop that never rests', () => {
  const kinds = mirrorKinds();
  let programs: KillablePrograms;
  beforeAll(async () => {
    programs = await killablePrograms('test/mirror/sync-process.ts');
  });
  afterAll(async () => {
    await programs.remove();
    for (const kind of kinds) await kind.end();
  });

  for (const kind of kinds) {
    it.skipIf(kind.missing !== undefined)(
      `agrees with its mirror in ${kind.name} in the end, whatever happened to the syncs`,
      async () => {
        const random = seededRandom('sync');
        const service = await openTestSandbox({ seed: 'demo' });
        const { baseUrl, close } = await startServer(service.sandbox, { port: 0 });
        onTestFinished(close);
        let trouble: 'none' | 'cut' | 'cursors' = 'none';
        let writes = 0;
        const anyWrite = writer(service, random);
        const write = async () => {
          writes += 1;
          await anyWrite();
        };
        const place = await kind.place();
        const shop = await syncedShop(service, place, (transport) => async (request) => {
          // The service goes on while a list is being read.
          if (random() < 0.3) await write();
          if (trouble === 'cut' && random() < 0.15)
            return { status: 412, headers: {}, body: '{"code":"aborted","msg":"cut"}' };
          if (trouble === 'cursors' && random() < 0.1 && request.body.includes('"after"')) return refused;
          return transport(request);
        });
        const workspace = await openWorkspace(await kind.place());
        onTestFinished(() => workspace.close());
        const source = { workspace, account: 'a' };

        /** Kills a sync that is somewhere in its work. */
        const kill = async () => {
          const words = [place, mirroredOrigin, baseUrl, service.shop.apiKey, service.shop.id];
          const child = programs.start('sync-process', words, { stdio: ['ignore', 'pipe', 'inherit'] });
          const areas = 1 + Math.floor(random() * 14);
          let seen = 0;
          if (child.stdout === null) throw new Error('it has no output');
          for await (const _ of createInterface({ input: child.stdout })) {
            seen += 1;
            if (seen <= areas) continue;
            child.kill('SIGKILL');
            break;
          }
          if (programs.isRunning(child)) await once(child, 'close');
        };

        for (let step = 0; writes < WRITES; step += 1) {
          for (let count = 0; count < WRITES_A_STEP; count += 1) await write();
          // Often not at all, so that many records share a second; sometimes back.
          const moved = random();
          if (moved < 0.5) service.clock.advance(Math.floor(random() * 200_000));
          else if (moved < 0.6) service.clock.advance(-Math.floor(random() * 400_000));
          // A clock that is set back and forward unseen is found by verify alone: each time is seen by one small sync.
          trouble = 'none';
          await shop.sync({ areas: ['collections'] });
          trouble = random() < 0.4 ? 'cut' : random() < 0.3 ? 'cursors' : 'none';
          // Webhooks come late, twice, or not at all.
          const recorded = changeCount(service);
          const from = Math.floor(random() * recorded);
          if (random() < 0.5) await deliverChanges(service, source, from, from + Math.floor(random() * 40));
          if (step % 8 === 5) await kill();
          const ending = new AbortController();
          if (random() < 0.3) setTimeout(() => ending.abort(new Error('killed')), Math.floor(random() * 60));
          const { signal } = ending;
          const working =
            random() < 0.4
              ? poll({ ...shop.setup, signal, source, entities: [], webhookSince: undefined })
              : shop.sync({ signal, source });
          await working.catch(() => {});
        }
        trouble = 'none';
        service.clock.advance(300_000);
        // At last everything comes once more, the newest first: nothing old may replace what is known.
        const half = Math.floor(changeCount(service) / 2);
        await deliverChanges(service, source, half);
        await deliverChanges(service, source, 0, half);
        await shop.sync({ source });
        expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
        // The verification's own calls were followed by writes: the last look is at a service that rests.
        await (await syncedShop(service, place)).sync();
        const table = shop.mirror.dialect.table;
        for (const [name, present] of await everything(baseUrl, service.shop.apiKey)) {
          const rows = await shop.rows(
            `select r.id, r.json from ${table('records_json')} as r join ${table('mirror_records')} as m on m.area = r.area and m.id = r.id and m.shop_id = r.shop_id where r.area = ? and m.gone = 0`,
            [name],
          );
          const stored = new Map(
            rows.map(({ id, json }) => [String(id), typeof json === 'string' ? JSON.parse(json) : json]),
          );
          expect([name, [...stored.keys()].sort()]).toEqual([name, [...present.keys()].sort()]);
          expect(stored).toEqual(present);
        }
      },
      WRITES * 2_000,
    );
  }
});
