import { expect, test } from 'vitest';
import { call } from '../../src/client/call.ts';
import { type Extent, listRecords } from '../../src/client/pages.ts';
import { GetShippingServices } from '../../src/contract/partner/shipping.ts';
import { GetCustomer, ListCustomers } from '../../src/contract/shop/customer.ts';
import type { Transport, WireRequest, WireResponse } from '../../src/platform/http/transport.ts';
import { fc } from '../support/fast-check.ts';
import { json, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

interface Asked {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

/** A service with rows 1 to `count`, whose pages are shorter than asked for by `short`. */
function rows(count: number, short = 0) {
  const asked: Asked[] = [];
  const answer = ({ body }: WireRequest): WireResponse => {
    const paging: Asked = JSON.parse(body).paging;
    asked.push(paging);
    const size = Math.max(1, paging.limit - short);
    const all = Array.from({ length: count }, (_, index) => index + 1);
    const found =
      paging.before === undefined
        ? all.filter((row) => row > Number(paging.after ?? 0)).slice(0, size)
        : all.filter((row) => paging.before === '.' || row < Number(paging.before)).slice(-size);
    const [first, last] = [found[0], found.at(-1)];
    const cursors =
      last === undefined ? { next: paging.after, prev: paging.before } : { next: `${last}`, prev: `${first}` };
    return json(200, { customers: found.map((row) => ({ id: `${row}` })), paging: cursors });
  };
  return { asked, transport: scripted(...Array(300).fill(answer)).transport };
}

async function collect(listing: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { id } of listing) ids.push(id);
  return ids;
}

const ids = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => `${from + at}`);

test('every row comes once and in order, whatever the sizes, and the cursor goes on where the limit cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 25 }),
      fc.nat(5),
      async (count, limit, pageSize, short) => {
        const service = rows(count, short);
        const listing = listRecords(ListCustomers, {}, testConnection(service.transport), { limit, pageSize });
        expect(await collect(listing)).toEqual(ids(1, Math.min(count, limit)));
        expect(listing.cursor).toBe(count >= limit ? `${limit}` : undefined);
        if (listing.cursor === undefined) return;
        const rest = listRecords(
          ListCustomers,
          { paging: { after: listing.cursor } },
          testConnection(service.transport),
        );
        expect(await collect(rest)).toEqual(ids(limit + 1, count));
      },
    ),
    { numRuns: 60 },
  );
});

test('a list backwards goes by the cursor of its first row', async () => {
  const service = rows(5);
  const request = { paging: { before: '.', sort: 'created_at' } };
  const listing = listRecords(ListCustomers, request, testConnection(service.transport), { pageSize: 2 });
  expect(await collect(listing)).toEqual(['4', '5', '2', '3', '1']);
  expect(service.asked.at(1)).toEqual({ before: '4', sort: 'created_at', limit: 2 });
});

test('no page asks for more than is wanted, nor for more than the service gives', async () => {
  const service = rows(500);
  await collect(listRecords(ListCustomers, {}, testConnection(service.transport), { limit: 130, pageSize: 1000 }));
  expect(service.asked).toEqual([{ limit: 100 }, { limit: 30, after: '100' }]);
});

const fixed = (customers: readonly object[], paging?: object) => json(200, { customers, paging });

async function run(pages: readonly WireResponse[], extent: Extent = {}) {
  const script = scripted(...pages);
  const listing = listRecords(ListCustomers, {}, testConnection(script.transport), extent);
  return { found: await collect(listing), requests: script.requests.length, cursor: listing.cursor };
}

test('a service that repeats a cursor, or gives none, ends the list', async () => {
  const page = fixed([{ id: '1' }], { next: 'same' });
  expect(await run([page, page])).toEqual({ found: ['1', '1'], requests: 2, cursor: undefined });
  const turn = [
    fixed([{ id: '1' }], { next: 'a' }),
    fixed([{ id: '2' }], { next: 'b' }),
    fixed([{ id: '3' }], { next: 'a' }),
  ];
  expect(await run(turn)).toEqual({ found: ['1', '2', '3'], requests: 3, cursor: undefined });
  for (const paging of [undefined, {}, { next: null }, { next: '' }]) {
    expect(await run([fixed([{ id: '1' }], paging)])).toEqual({ found: ['1'], requests: 1, cursor: undefined });
  }
});

test('a list that is missing is asked for once more, and then refused', async () => {
  for (const answer of [{ customers: 'none' }, {}, null]) {
    await expect(run([json(200, answer), json(200, answer)])).rejects.toMatchObject({ code: 'contract_broken' });
    expect(await run([json(200, answer), fixed([])])).toMatchObject({ found: [], requests: 2 });
  }
});

test('a service that gives more than was asked for is cut, and nothing is skipped when the list goes on', async () => {
  const pages = [fixed([{ id: '1' }], { next: '1' }), fixed([{ id: '2' }, { id: '3' }], { next: '3' })];
  expect(await run(pages, { limit: 2, pageSize: 1 })).toEqual({ found: ['1', '2'], requests: 2, cursor: '1' });
});

test('a page that is asked for ahead is the only one, is given up by whoever stops, and changes nothing else', async () => {
  const service = rows(50);
  const signals: (AbortSignal | undefined)[] = [];
  const noting: Transport = (request) => {
    signals.push(request.signal);
    return service.transport(request);
  };
  const extent = { pageSize: 10, ahead: true };
  for await (const { id } of listRecords(ListCustomers, {}, testConnection(noting), extent)) {
    if (id === '1') await expect.poll(() => service.asked.length).toBe(2);
    if (id === '10') break;
  }
  expect(service.asked).toEqual([{ limit: 10 }, { limit: 10, after: '10' }]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  for (const limit of [0, 10, 25, 50, 60]) {
    const [ahead, behind] = [rows(50), rows(50)];
    const listings = [ahead, behind].map(({ transport }, index) =>
      listRecords(ListCustomers, {}, testConnection(transport), { pageSize: 10, limit, ahead: index === 0 }),
    );
    const [found, expected] = await Promise.all(listings.map(collect));
    expect([found, ahead.asked, listings[0]?.cursor]).toEqual([expected, behind.asked, listings[1]?.cursor]);
  }
});

test('a page is asked for ahead only if its list may be read that far', async () => {
  const service = rows(50);
  const heldBack: number[] = [];
  const ahead = (page: readonly object[]) => {
    heldBack.push(page.length);
    return heldBack.length < 2;
  };
  const extent = { pageSize: 10, ahead };
  for await (const { id } of listRecords(ListCustomers, {}, testConnection(service.transport), extent)) {
    if (id === '20') break;
  }
  expect([service.asked.length, heldBack]).toEqual([2, [10, 10]]);
  const all = rows(50);
  const listing = listRecords(ListCustomers, {}, testConnection(all.transport), { ...extent, ahead: () => false });
  expect(await collect(listing)).toEqual(ids(1, 50));
});

test('pages are fetched as they are wanted', async () => {
  const service = rows(50);
  for await (const { id } of listRecords(ListCustomers, {}, testConnection(service.transport), { pageSize: 10 })) {
    if (id === '10') break;
  }
  expect(service.asked).toHaveLength(1);
});

test('whoever gathers records gets a turn after each page, before it waits for the next one', async () => {
  const service = rows(20);
  const turns: string[] = [];
  for await (const { id } of listRecords(ListCustomers, {}, testConnection(service.transport), { pageSize: 10 })) {
    if (id === '10') setImmediate(() => turns.push('turn'));
    if (id === '10' || id === '11') turns.push(id);
  }
  expect(turns).toEqual(['10', 'turn', '11']);
});

test('a list without cursors is one page, and an operation that is not a list is refused', async () => {
  const place = { province: 'Hà Nội', district: 'Cầu Giấy' };
  const script = scripted(json(200, { services: [{ code: 'A' }, { code: 'B' }] }));
  const request = { pickup_address: place, shipping_address: place };
  const found = [];
  for await (const { code } of listRecords(GetShippingServices, request, testConnection(script.transport)))
    found.push(code);
  expect(found).toEqual(['A', 'B']);
  expect(JSON.parse(script.requests[0]?.body ?? '')).toEqual(request);
  expect(() => listRecords(GetCustomer, { id: '1' }, testConnection(script.transport))).toThrow(TypeError);
});

test('an answer with one record is small, and a list may be as large as the transport takes', async () => {
  const { transport, requests } = scripted(json(200, { id: '1' }), json(200, { customers: [] }));
  const connection = testConnection(transport);
  await call(GetCustomer, { id: '1' }, connection);
  await call(ListCustomers, {}, connection);
  expect(requests.map(({ maxResponseBytes }) => maxResponseBytes)).toEqual([4 * 1024 * 1024, undefined]);
});
