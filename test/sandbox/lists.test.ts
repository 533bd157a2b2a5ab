import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import {
  idsOf,
  type ListRequest,
  listPage,
  listRows,
  type Paging,
} from '../../src/sandbox/engine/store/record-lists.ts';
import { createDatabase, migrate } from '../../src/sandbox/engine/store/store.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

/** A sandbox with so many customers, named A, B, C and so on. */
async function withCustomers(count: number) {
  const test = await openTestSandbox();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await test.core.write((work) => {
      const full_name = String.fromCharCode(65 + index);
      const phone = index % 2 === 0 ? 'even' : 'odd';
      ids.push(work.records('customer', test.shop.id).insert({ full_name, phone }).id);
    });
  }
  return { test, ids };
}

async function list(test: TestSandbox, request: ListRequest<'customer'> = {}, shopId = test.shop.id) {
  const { items, paging, sent } = await test.core.read((work) => {
    const records = work.records('customer', shopId);
    const { items, paging } = records.list(request);
    return { items, paging, sent: records.page('customers', request) };
  });
  // As it is stored, it is the same page; one with deleted records is never sent like that.
  if (request.includeDeleted !== true) {
    expect(JSON.parse(`[${Buffer.from(sent.records)}]`)).toEqual(items);
    expect([sent.field, sent.paging]).toEqual(['customers', paging]);
  }
  return { names: items.map(({ full_name }) => full_name).join(''), items, paging };
}

const page = (test: TestSandbox, paging: Paging) => list(test, { paging });

async function update(test: TestSandbox, id = '') {
  await test.core.write((work) => {
    const customers = work.records('customer', test.shop.id);
    const [stored] = customers.find({ id });
    if (stored) customers.update(stored, { note: 'changed' });
  });
}

/** Walks over all pages; `between` runs after each. Answers every name that was shown. */
async function walk(
  test: TestSandbox,
  way: 'after' | 'before',
  sort: string,
  limit: number,
  between?: () => Promise<void>,
) {
  let cursor = '.';
  const shown: string[] = [];
  for (;;) {
    const { names, paging } = await page(test, { [way]: cursor, sort, limit });
    if (names === '') return shown.join('');
    shown.push(names);
    cursor = (way === 'after' ? paging.next : paging.prev) ?? '';
    await between?.();
  }
}

const cursorOf = (written: string) => Buffer.from(written).toString('base64url');

describe('a list', () => {
  it('shows the oldest first, and only the records of the shop', async () => {
    const { test } = await withCustomers(4);
    expect((await list(test)).names).toBe('ABCD');
    expect((await list(test, {}, test.otherShop.id)).names).toBe('');
  });

  it.each([
    ['', 'ABCD'],
    ['created_at', 'ABCD'],
    ['-created_at', 'DCBA'],
    ['updated_at', 'BCDA'],
    ['-updated_at', 'ADCB'],
  ])('sorted by "%s" shows %s, though all was written within one second', async (sort, names) => {
    const { test, ids } = await withCustomers(4);
    await update(test, ids[0]);
    expect((await page(test, { sort })).names).toBe(names);
  });

  it.each([
    ['absent', undefined, 100],
    ['0', 0, 100],
    ['over 100', 1000, 100],
    ['3', 3, 3],
  ])('has a limit that is %s', async (_, limit, effective) => {
    const { test } = await withCustomers(2);
    const { paging } = await page(test, limit === undefined ? {} : { limit });
    expect(paging.limit).toBe(effective);
  });

  it.each<[string, Paging, string]>([
    ['a negative limit', { limit: -1 }, 'paging.limit'],
    ['an unknown sort', { sort: 'name' }, 'paging.sort'],
    ['a sort that is none', { sort: '-' }, 'paging.sort'],
    ['after and before', { after: '.', before: '.' }, 'paging.after'],
    ['a cursor that is garbage', { after: 'garbage' }, 'paging.after'],
    ['a cursor that is too long', { before: 'x'.repeat(10_000) }, 'paging.before'],
    ['a cursor of an order that is none', { after: cursorOf('customer 1|name|1|1|0') }, 'paging.after'],
    ['a cursor with something behind it', { after: `${cursorOf('customer 1|created_at|1|1|0')}=` }, 'paging.after'],
  ])('refuses %s', async (_, paging, field) => {
    const test = await openTestSandbox();
    await expect(page(test, paging)).rejects.toMatchObject({ code: 'invalid_argument', meta: { field } });
  });

  it('filters by ids and by keys', async () => {
    const { test, ids } = await withCustomers(4);
    const [a = '', , , d = ''] = ids;
    expect((await list(test, { where: { id: idsOf(`${d},${a},12`) } })).names).toBe('AD');
    expect((await list(test, { where: { phone: ['odd'] } })).names).toBe('BD');
    expect((await list(test, { where: { phone: ['odd'], id: [a] } })).names).toBe('');
    expect((await list(test, { where: { id: idsOf('') } })).names).toBe('ABCD');
    expect((await list(test, { where: { id: undefined } })).names).toBe('ABCD');
  });

  it('shows deleted records only when asked, as what names them', async () => {
    const { test, ids } = await withCustomers(3);
    await test.core.write((work) => {
      const customers = work.records('customer', test.shop.id);
      const [stored] = customers.find({ id: ids[1] });
      if (stored) customers.remove(stored);
    });
    expect((await list(test)).names).toBe('AC');
    const { items } = await list(test, { includeDeleted: true });
    expect(items[1]).toEqual({ id: ids[1], deleted: true });
    expect(items).toHaveLength(3);
  });
});

describe('paging', () => {
  it.each(['after', 'before'] as const)('with %s walks over every row once, in every order', async (way) => {
    const { test, ids } = await withCustomers(7);
    await update(test, ids[2]);
    for (const [sort, whole] of [
      ['', 'ABCDEFG'],
      ['-created_at', 'GFEDCBA'],
      ['updated_at', 'ABDEFGC'],
      ['-updated_at', 'CGFEDBA'],
    ] as const) {
      const shown = await walk(test, way, sort, 3);
      const expected = way === 'after' ? whole : whole.slice(4) + whole.slice(1, 4) + whole.slice(0, 1);
      expect([sort, shown]).toEqual([sort, expected]);
    }
  });

  it('echoes what was asked, and answers the cursors of the first and the last row', async () => {
    const { test } = await withCustomers(3);
    const { paging } = await page(test, { after: '.', limit: 2, sort: 'created_at' });
    expect(paging).toMatchObject({ after: '.', limit: 2, sort: 'created_at' });
    expect((await page(test, { after: paging.next ?? '' })).names).toBe('C');
    expect((await page(test, { after: paging.prev ?? '' })).names).toBe('BC');
    expect((await page(test, { before: paging.next ?? '' })).names).toBe('A');
    expect((await page(test, { before: '.', limit: 2 })).names).toBe('BC');
  });

  it('continues from an empty page, which repeats the cursor of the request', async () => {
    const { test } = await withCustomers(2);
    const { paging: first } = await page(test, { after: '.' });
    const { names, paging: empty } = await page(test, { after: first.next ?? '' });
    expect([names, empty.next, empty.prev]).toEqual(['', first.next, first.next]);
    await test.core.write((work) => work.records('customer', test.shop.id).insert({ full_name: 'Z' }));
    expect((await page(test, { after: empty.next ?? '' })).names).toBe('Z');
    const { paging: none } = await list(test, { paging: { after: '.' } }, test.otherShop.id);
    expect([none.next, none.prev]).toEqual(['.', '.']);
  });

  it('keeps the sort of its cursor, and refuses another one', async () => {
    const { test } = await withCustomers(3);
    const { paging } = await page(test, { sort: '-created_at', limit: 1 });
    const after = paging.next ?? '';
    expect((await page(test, { after })).names).toBe('BA');
    expect((await page(test, { after, sort: '-created_at' })).names).toBe('BA');
    for (const sort of ['created_at', 'updated_at', '-updated_at']) {
      await expect(page(test, { after, sort })).rejects.toMatchObject({ meta: { field: 'paging.sort' } });
    }
  });

  it('accepts a cursor of the default order with created_at, and vice versa', async () => {
    const { test } = await withCustomers(3);
    for (const [first, then] of [
      [undefined, 'created_at'],
      ['created_at', undefined],
      ['', 'created_at'],
      ['created_at', ''],
    ]) {
      const { paging } = await page(test, { sort: first, limit: 1 });
      expect((await page(test, { after: paging.next ?? '', sort: then })).names).toBe('BC');
      expect((await page(test, { before: paging.next ?? '', sort: then })).names).toBe('');
      await expect(page(test, { after: paging.next ?? '', sort: '-created_at' })).rejects.toMatchObject({
        meta: { field: 'paging.sort' },
      });
    }
  });

  it('accepts only cursors of its own list', async () => {
    const { test } = await withCustomers(3);
    const { paging } = await page(test, { limit: 1 });
    const [after = '', refused] = [paging.next, { code: 'invalid_argument', meta: { field: 'paging.after' } }];
    const { core, shop, otherShop } = test;
    const orders = () => core.read((work) => work.records('order', shop.id).list({ paging: { after } }));
    const others = () => core.read((work) => work.records('customer', otherShop.id).list({ paging: { after } }));
    expect(orders).toThrow('is a cursor of another list');
    expect(orders).toThrow(expect.objectContaining(refused));
    expect(others).toThrow(expect.objectContaining(refused));
    const { names } = await list(test, { paging: { after }, includeDeleted: true });
    expect(names).toBe('BC');
  });

  it.each([
    ['after', 'updated_at'],
    ['after', '-updated_at'],
    ['before', 'updated_at'],
    ['before', '-updated_at'],
  ] as const)('with %s by %s skips no row, whichever is updated on the way', async (way, sort) => {
    for (let victim = 0; victim < 6; victim += 1) {
      const { test, ids } = await withCustomers(6);
      let pages = 0;
      const shown = await walk(test, way, sort, 2, async () => {
        pages += 1;
        if (pages === 1) await update(test, ids[victim]);
      });
      expect([...new Set(shown)].sort().join('')).toBe('ABCDEF');
    }
  });

  it('by -updated_at ends with what was changed since it began', async () => {
    const { test, ids } = await withCustomers(4);
    const { names, paging } = await page(test, { sort: '-updated_at', limit: 2 });
    await update(test, ids[0]);
    await update(test, ids[3]);
    const next = await page(test, { after: paging.next ?? '' });
    expect([names, next.names]).toEqual(['DC', 'BAD']);
    await update(test, ids[1]);
    expect((await page(test, { after: next.paging.next ?? '' })).names).toBe('B');
  });
});

describe('a page of a large table', () => {
  it.each(['', '-created_at', 'updated_at', '-updated_at'])('by "%s" is read from an index that fits', async (sort) => {
    const sqlite = await openSqlite(':memory:');
    onTestFinished(() => sqlite.close());
    migrate(sqlite);
    const queries: { sql: string; parameters: readonly unknown[] }[] = [];
    const database = createDatabase({
      ...sqlite,
      prepare(sql) {
        const prepared = sqlite.prepare(sql);
        const all = (parameters: readonly unknown[]) => {
          queries.push({ sql, parameters });
          return prepared.all(parameters);
        };
        return { ...prepared, all };
      },
    });
    const ordered = sort.endsWith('updated_at') ? 'touched' : 'id';
    const plan = <K extends 'customer' | 'order'>(request: ListRequest<K>, kind: K) => {
      queries.length = 0;
      const asked = { database, kind, shopId: '1', lastStamp: 9, request: { ...request, paging: { sort } } };
      listRows(asked);
      listPage('records', asked);
      const plans = queries.map(({ sql, parameters }) => {
        const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all([...parameters]);
        return (steps as { detail: string }[]).map(({ detail }) => detail).join('; ');
      });
      // The records of a page are looked up by their ids, one after the other.
      for (const read of [plans[1], plans[3]])
        expect(read).toMatch(/SCAN listed .*; SEARCH record USING INDEX \w+_by_id \(shop_id=\? AND id=\?\)/);
      return plans[0];
    };
    expect(plan({}, 'customer')).toBe(`SEARCH customers USING INDEX customers_kept_by_${ordered} (shop_id=?)`);
    const all = plan({ includeDeleted: true }, 'customer');
    expect(all).toBe(`SEARCH customers USING INDEX customers_by_${ordered} (shop_id=?)`);
    expect(plan({ where: { phone: ['1', '2'] } }, 'customer')).toMatch(/USING INDEX customers_by_phone .*phone=\?/);
    expect(plan({ where: { id: ['1', '2'] } }, 'customer')).toMatch(/USING INDEX customers_kept_by_id .*id=\?/);
    expect(plan({}, 'order')).toBe(`SEARCH orders USING INDEX orders_by_${ordered} (shop_id=?)`);
  });

  it('takes more ids than a statement has parameters', async () => {
    const { test, ids } = await withCustomers(2);
    const many = Array.from({ length: 40_000 }, (_, index) => String(index + 1));
    expect((await list(test, { where: { id: [...many, ...ids] } })).names).toBe('AB');
  });
});
