import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite.ts';
import { createDatabase } from '../../src/sandbox/store/database.ts';
import { rememberFound } from '../../src/sandbox/store/found-records.ts';
import { migrate } from '../../src/sandbox/store/migrations.ts';
import { silentRecorder } from '../../src/sandbox/store/outbox.ts';
import { RecordsOfKind } from '../../src/sandbox/store/records.ts';
import { countingAhead, sequencesIn } from '../../src/sandbox/store/sequences.ts';
import { createStamps } from '../../src/sandbox/store/stamps.ts';
import { statement, tables } from '../../src/sandbox/store/statement.ts';

const insertShop = statement((row: { readonly id: string; readonly name: string; readonly created_at: number }) =>
  tables.insertInto('shops').values(row),
);

/** The customers of one shop, whose lookups are remembered, and how often the tables were asked. */
async function rememberingCustomers() {
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
  let made = 10n ** 18n;
  const unit = { database, changes: silentRecorder, time: '2026-01-01T00:00:00Z', nextId: () => String(++made) };
  const [stamps, found] = [createStamps(0), rememberFound()];
  const of = (shopId: string) =>
    new RecordsOfKind(unit, { stamps, found: found('customer', shopId) }, 'customer', shopId);
  return { of, inner, asked: () => asked };
}

it('a lookup is asked once, until a record is made that it would find', async () => {
  const { of, asked } = await rememberingCustomers();
  const named = (phone: string) =>
    of('1')
      .find({ phone })
      .map(({ record }) => record.full_name);
  expect([named('1'), named('1'), named('2'), asked()]).toEqual([[], [], [], 2]);
  of('1').insert({ full_name: 'Lan', phone: '1' });
  expect([named('2'), asked()]).toEqual([[], 2]);
  expect([named('1'), named('1'), asked()]).toEqual([['Lan'], ['Lan'], 3]);
  of('1').insert({ full_name: 'Mai', phone: '1' });
  expect(named('1')).toEqual(['Lan', 'Mai']);
});

it('a lookup by several keys or values is asked anew after any record was made', async () => {
  const { of } = await rememberingCustomers();
  const customers = of('1');
  const both = () => customers.find({ phone: ['1', '2'] }).length;
  const coded = () => customers.find({ phone: '1', code: 'KH1' }).length;
  const byNobody = () => customers.find({ phone: '1', partner_id: null }).length;
  expect([both(), coded(), byNobody()]).toEqual([0, 0, 0]);
  customers.insert({ full_name: 'Lan', phone: '1', code: 'KH1' });
  expect([both(), coded(), byNobody()]).toEqual([1, 1, 1]);
});

it('what was changed or removed is found as it is now, by its values before and after', async () => {
  const { of } = await rememberingCustomers();
  const customers = of('1');
  const lan = customers.insert({ full_name: 'Lan', phone: '1' });
  const found = () => ['1', '2'].map((phone) => customers.find({ phone }).map(({ record }) => record.full_name));
  expect(found()).toEqual([['Lan'], []]);
  const moved = customers.update(lan, { phone: '2', full_name: 'Mai' });
  expect([found(), customers.get(lan.id)?.record.full_name]).toEqual([[[], ['Mai']], 'Mai']);
  customers.remove(moved);
  expect([found(), customers.get(lan.id)]).toEqual([[[], []], undefined]);
});

it('what another shop has is not found', async () => {
  const { of } = await rememberingCustomers();
  of('1').insert({ full_name: 'Lan', phone: '1' });
  expect([of('1').find({ phone: '1' }).length, of('2').find({ phone: '1' }).length]).toEqual([1, 0]);
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
