import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { rememberFound } from '../../src/sandbox/engine/store/found-records.ts';
import { silentRecorder } from '../../src/sandbox/engine/store/outbox.ts';
import { RecordsOfKind } from '../../src/sandbox/engine/store/records.ts';
import { countingAhead, createStamps, sequencesIn } from '../../src/sandbox/engine/store/sequences.ts';
import { statement, tables } from '../../src/sandbox/engine/store/statement.ts';
import { createDatabase, migrate } from '../../src/sandbox/engine/store/store.ts';

const insertShop = statement((row: { readonly id: string; readonly name: string; readonly created_at: number }) =>
  tables.insertInto('shops').values(row),
);

const insertPartner = statement((row: { readonly id: string; readonly name: string; readonly created_at: number }) =>
  tables.insertInto('partners').values(row),
);

/** Customers whose lookups are remembered, and how often the tables were asked; `most` records are known at once. */
async function rememberingCustomers(most?: number) {
  const sqlite = await openSqlite(':memory:');
  onTestFinished(() => sqlite.close());
  migrate(sqlite);
  const inner = createDatabase(sqlite);
  let asked = 0;
  const database: typeof inner = {
    ...inner,
    all: (question, given) => {
      asked += 1;
      return inner.all(question, given);
    },
  };
  for (const id of ['1', '2']) database.run(insertShop, { id, name: id, created_at: 0 });
  database.run(insertPartner, { id: '9', name: 'A partner', created_at: 0 });
  let made = 10n ** 18n;
  const unit = { database, changes: silentRecorder, time: '2026-01-01T00:00:00Z', nextId: () => String(++made) };
  const [stamps, found] = [createStamps(0), rememberFound(most)];
  const of = (shopId: string) =>
    new RecordsOfKind(unit, { stamps, found: found('customer', shopId) }, 'customer', shopId);
  const unremembered = (shopId: string) => new RecordsOfKind(unit, { stamps }, 'customer', shopId);
  return { of, unremembered, inner, asked: () => asked };
}

it('nothing is asked while all records are known', async () => {
  const { of, asked } = await rememberingCustomers();
  const named = (phone: string) =>
    of('1')
      .find({ phone })
      .map(({ record }) => record.full_name);
  const lan = of('1').insert({ full_name: 'Lan', phone: '1' });
  of('1').insert({ full_name: 'Mai', phone: '1' });
  expect([named('1'), named('2'), of('1').get(lan.id)?.record.full_name]).toEqual([['Lan', 'Mai'], [], 'Lan']);
  of('1').update(lan, { full_name: 'Hoa' });
  expect([named('1'), of('1').get(lan.id)?.record.full_name, asked()]).toEqual([['Hoa', 'Mai'], 'Hoa', 0]);
});

it('where there are too many, a lookup is asked once, until a record is made that it would find', async () => {
  const { of, asked } = await rememberingCustomers(2);
  for (const phone of ['7', '8', '9']) of('1').insert({ full_name: 'Somebody', phone });
  const named = (phone: string) =>
    of('1')
      .find({ phone })
      .map(({ record }) => record.full_name);
  expect([named('1'), named('1'), asked()]).toEqual([[], [], 1]);
  of('1').insert({ full_name: 'Lan', phone: '2' });
  expect([named('8'), named('8'), asked()]).toEqual([['Somebody'], ['Somebody'], 2]);
});

it('what is found is what the tables hold, however many are remembered and whatever is done', async () => {
  const walks = { found: 0, compared: 0 };
  for (const most of [0, 1, 2, 3, 5, 8, 5000]) {
    const { of, unremembered } = await rememberingCustomers(most);
    let seed = most + 1;
    const below = (limit: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % limit;
    };
    const live: { shop: string; id: string }[] = [];
    const lookups = [
      ...['1', '2', '3'].flatMap((phone) => [{ phone }, { phone, code: 'A' }, { phone, partner_id: null }]),
      { phone: ['1', '2'] },
      { code: 'A' },
      { code: 'B' },
      { partner_id: '9' },
      { partner_id: null },
    ];
    for (let step = 0; step < 60; step += 1) {
      const shop = String(1 + below(2));
      const fields = { full_name: `N${step}`, phone: String(1 + below(3)), code: below(2) === 0 ? 'A' : 'B' };
      const one = live[below(live.length + 1)];
      const stored = one && of(one.shop).get(one.id);
      const act = below(4);
      if (stored === undefined || one === undefined)
        live.push({ shop, id: of(shop).insert(fields, below(2) === 0 ? { partnerId: '9' } : {}).id });
      else if (act === 0) of(one.shop).update(stored, fields);
      else if (act === 1) of(one.shop).update(stored, { note: `a note of step ${step}` });
      else if (act === 2) of(one.shop).update(stored, { full_name: `N${step}` });
      else of(one.shop).remove(stored);
      for (const where of ['1', '2']) {
        for (const lookup of [...lookups, ...live.map(({ id }) => ({ id }))].filter(() => below(3) === 0)) {
          const [remembered, held] = [of(where).find(lookup), unremembered(where).find(lookup)];
          expect(remembered.map(({ record }) => record)).toEqual(held.map(({ record }) => record));
          walks.compared += 1;
          walks.found += held.length;
        }
      }
    }
  }
  expect(Math.min(walks.compared, walks.found)).toBeGreaterThan(1000);
});

it('numbers that are counted ahead go on from the data, and the data from them', async () => {
  const { inner } = await rememberingCustomers();
  const inData = sequencesIn(inner);
  expect([inData.next('1', 'DH'), inData.next('1', 'DH')]).toEqual([1, 2]);
  const ahead = countingAhead(inner);
  expect([ahead.next('1', 'DH'), ahead.next('1', 'DH'), ahead.next('2', 'DH'), ahead.next('1', 'KH')]).toEqual([
    3, 4, 1, 1,
  ]);
  ahead.keep();
  expect(['DH', 'KH'].map((name) => inData.next('1', name))).toEqual([5, 2]);
  expect(inData.next('2', 'DH')).toBe(2);
});
