import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../../src/client/connection.ts';
import { listPages } from '../../src/mirror/list-pages.ts';
import { serviceTime } from '../../src/mirror/service-time.ts';
import { forgetMirror, openMirror } from '../../src/mirror/store/open-mirror.ts';
import { runQuery } from '../../src/mirror/store/query.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { freeMemory } from '../../src/platform/process/free-memory.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { mirroredOrigin, syncedShop } from '../support/synced-shop.ts';
import { testConnection } from '../support/test-connection.ts';

const INDICES = {
  SQLite: "select name from sqlite_schema where type = 'index' and name not like 'sqlite_%' order by 1",
  PostgreSQL: "select indexname as name from pg_indexes where schemaname = 'mirror' order by 1",
};

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`the first copy of a shop in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('has every text as it was sent', async () => {
      const service = await openTestSandbox();
      const texts = ['\\N', '\\.', 'a\tb\\tc', 'd\r\ne\\', '\\\\n', '\'";?$1'];
      for (const [at, text] of texts.entries()) {
        const customer = { full_name: text, phone: `09${10_000_000 + at}`, note: text };
        await service.post('shop.Customer/CreateCustomer', customer, service.shop.apiKey);
        const attributes = [{ name: 'colour', value: text }];
        const lines = [{ product_name: text, quantity: 1, retail_price: 1000, payment_price: 1000, attributes }];
        const order = { lines, total_items: 1, basket_value: 1000, total_amount: 1000, order_note: text };
        await service.post('shop.Order/CreateOrder', { ...order, payment_method: 'cod' }, service.shop.apiKey);
      }
      const shop = await syncedShop(service, await kind.place());
      await shop.sync();
      const { table } = shop.mirror.dialect;
      for (const [name, column] of [
        ['customers', 'note'],
        ['orders', 'order_note'],
        ['order_lines', 'product_name'],
        ['order_lines', "attributes -> 0 ->> 'value'"],
      ]) {
        const rows = await shop.rows(`select ${column} as text from ${table(name ?? '')}`);
        expect(rows.map(({ text }) => text).sort()).toEqual([...texts].sort());
      }
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });

    it('is forgotten, and made again', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const place = await kind.place();
      const { signal } = new AbortController();
      const copied = async () => {
        const shop = await syncedShop(service, place);
        await shop.sync();
        const [{ n } = { n: 0 }] = await shop.rows(`select count(*) as n from ${shop.mirror.dialect.table('orders')}`);
        return Number(n);
      };
      const orders = await copied();
      expect(orders).toBeGreaterThan(0);
      expect(await forgetMirror(place, mirroredOrigin, signal)).toBe(true);
      expect(await forgetMirror(place, mirroredOrigin, signal)).toBe(false);
      expect(await copied()).toBe(orders);
    });

    it('has its indexes at its end, and after one that was interrupted once it is opened again', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const place = await kind.place();
      let isCut = true;
      const duringCopy: string[][] = [];
      const shop = await syncedShop(service, place, (transport) => async (request) => {
        if (!request.url.endsWith('ListFulfillments')) return transport(request);
        duringCopy.push(await indices());
        return isCut ? { status: 412, headers: {}, body: '{"code":"aborted","msg":"cut"}' } : transport(request);
      });
      const indices = async () => (await shop.rows(INDICES[kind.name])).map(({ name }) => String(name));
      const whole = await indices();
      expect(whole).toContain('orders_created');

      await expect(shop.sync()).rejects.toThrow();
      const left = duringCopy.at(-1) ?? whole;
      expect(left).not.toContain('orders_created');
      // What every page looks up stays.
      expect(left).toContain('fulfillments_order');
      expect(await indices()).toEqual(left);
      await (await openMirror(place, mirroredOrigin)).close();
      expect(await indices()).toEqual(whole);

      isCut = false;
      await shop.sync();
      // Others may read a mirror that has records: it keeps them.
      expect(duringCopy.at(-1)).toEqual(whole);

      const another = await syncedShop(service, await kind.place());
      await another.sync();
      expect((await another.rows(INDICES[kind.name])).map(({ name }) => String(name))).toEqual(whole);
    });
  });
}

it('has its next request on the way before a page is used', async () => {
  const SENDS = 'undici:client:sendHeaders';
  const PAGES = 4;
  let [answered, sent] = [0, 0];
  const server = createServer((_, response) => {
    answered += 1;
    const next = answered < PAGES ? `page ${answered}` : null;
    response.end(JSON.stringify({ customers: [{ id: `${answered}` }], paging: { next } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { transport, close } = createTransport();
  const count = () => {
    sent += 1;
  };
  subscribe(SENDS, count);
  onTestFinished(async () => {
    unsubscribe(SENDS, count);
    await close();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // The program waits for its own output before each request.
  const waiting: typeof transport = async (request) => {
    await Promise.resolve();
    return transport(request);
  };
  const time = serviceTime(testConnection(waiting, { baseUrl: `http://127.0.0.1:${port}` }));
  const onTheWay: number[] = [];
  for await (const _ of listPages('shop.Customer/ListCustomers', { sort: 'updated_at' }, time)) onTheWay.push(sent);
  expect(onTheWay).toEqual([2, 3, 4, 4]);
});

it('keeps no text of the answers before, however many there are', async () => {
  const body = 'x'.repeat(2 ** 20);
  const { connection } = serviceTime(testConnection(async () => ({ status: 200, headers: {}, body })));
  const used = () => getHeapStatistics().used_heap_size;
  const ask = () => send(connection, { method: 'POST', url: mirroredOrigin, headers: {}, body: '' });
  // A text of up to ten characters is kept until a full collection, although nobody has it any more.
  const read = (page: number) =>
    JSON.parse(JSON.stringify(Array.from({ length: 10_000 }, (_, at) => `${1_000_000 * (page + 1) + at}`)));
  freeMemory(0);
  const before = used();
  for (let page = 0; page < 96; page += 1) {
    expect(read(page)).toHaveLength(10_000);
    await ask();
  }
  expect(used() - before).toBeLessThan(20_000_000);
});

it('that finds no space says where to go on, and not that anything was sent', async () => {
  const [sqlite] = mirrorKinds();
  onTestFinished(async () => sqlite?.end());
  const service = await openTestSandbox({ seed: 'demo' });
  const shop = await syncedShop(service, (await sqlite?.place()) ?? '');
  await shop.rows('pragma max_page_count = 1');
  await expect(shop.sync()).rejects.toMatchObject({ code: 'mirror_full', kind: 'workspace' });
  await shop.rows('pragma max_page_count = 1000000');
  await shop.sync();
  expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
});

describe('a damaged mirror', () => {
  const [sqlite] = mirrorKinds();
  afterAll(() => sqlite?.end());
  const damages = {
    'with something else at its beginning': (place: string) => writeFileSync(place, 'x'.repeat(100_000)),
    'whose end is missing': (place: string) => truncateSync(place, 5 * 16_384),
  };
  it.each(Object.entries(damages))('%s is named as what can be copied again, and forgotten', async (_, damage) => {
    const place = (await sqlite?.place()) ?? '';
    const mirror = await openMirror(place, mirroredOrigin);
    await mirror.close();
    damage(place);
    const { signal } = new AbortController();
    const sql = 'select * from mirror_facts, orders, variants, customers, history';
    const asked = runQuery({
      place,
      sql,
      clock: testConnection(async () => ({ status: 200, headers: {}, body: '' })).clock,
      signal,
    });
    await expect(asked).rejects.toMatchObject({ code: 'mirror_damaged', kind: 'workspace' });
    const opened = openMirror(place, mirroredOrigin);
    await expect(opened.then((one) => one.write((session) => session.run('vacuum')))).rejects.toThrow();
    expect(await forgetMirror(place, mirroredOrigin, signal)).toBe(true);
    expect(readdirSync(dirname(place)).filter((name) => name.startsWith('mirror.db'))).toEqual([]);
    await (await openMirror(place, mirroredOrigin)).close();
  });
});
