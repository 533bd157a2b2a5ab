import { describe, expect, it } from 'vitest';
import { entity } from '../../src/contract/enums.ts';
import type { Work } from '../../src/sandbox/engine/call.ts';
import { kinds } from '../../src/sandbox/engine/store/record-kinds.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import { rows } from '../support/rows.ts';
import { openTestSandbox } from '../support/sandbox.ts';

describe('the records of a kind', () => {
  it('are kept for every kind that a change can carry', async () => {
    const test = await openTestSandbox();
    expect(Object.keys(kinds).sort()).toEqual([...entity].sort());
    await test.core.write((work) => {
      for (const kind of entity) {
        const records = work.records(kind, test.shop.id);
        const stored = records.insert({});
        expect(records.get(stored.id)).toEqual(stored);
        for (const key of kinds[kind].keys) expect(records.find({ [key]: 'nothing' })).toEqual([]);
        expect(records.list({}).items).toEqual([stored.record]);
      }
    });
  });

  it('are given id, shop, times and deleted where they have them', async () => {
    const { core, shop } = await openTestSandbox();
    await core.write((work) => {
      const { record, id } = work.records('customer', shop.id).insert({ full_name: 'Lan' });
      const made = { id, shop_id: shop.id, deleted: false, created_at: work.time, updated_at: work.time, phone: null };
      expect(record).toMatchObject(made);
      const group = work.records('customer_group_relationship', shop.id).insert({ customer_id: id });
      expect(group.record).toEqual({ customer_id: id, group_id: '0', deleted: false });
    });
  });

  it('are looked up by all the keys given, in one shop', async () => {
    const { core, shop, otherShop } = await openTestSandbox();
    await core.write((work) => {
      const customers = work.records('customer', shop.id);
      const one = customers.insert({ phone: '1', external_id: 'x' });
      const two = customers.insert({ phone: '1', external_id: 'y' });
      expect(customers.find({ phone: '1' }).map(({ id }) => id)).toEqual([one.id, two.id]);
      expect(customers.find({ phone: '1', external_id: 'y', id: undefined }).map(({ id }) => id)).toEqual([two.id]);
      expect(customers.find({ phone: '' })).toEqual([]);
      expect(work.records('customer', otherShop.id).find({ phone: '1' })).toEqual([]);
      expect(() => customers.find({ phone: undefined })).toThrow(TypeError);
    });
  });

  it('tell who made them, and keep hidden facts and keys beside the record', async () => {
    const { core, shop, partner } = await openTestSandbox();
    await core.write((work) => {
      const orders = work.records('order', shop.id);
      const around = {
        partnerId: partner.id,
        hidden: { external_meta: { a: 'b' } },
        keys: { held_external_id: 'held' },
      };
      const stored = orders.insert({ external_id: 'x' }, around);
      expect(stored).toMatchObject({ partnerId: partner.id, hidden: around.hidden });
      expect(JSON.stringify(stored.record)).not.toContain('held');
      expect(orders.find({ external_id: 'x', partner_id: null })).toEqual([]);
      const changed = orders.update(stored, { order_note: 'y' });
      expect(orders.find({ held_external_id: 'held', partner_id: partner.id })).toEqual([changed]);
      orders.update(changed, {}, { keys: { held_external_id: null }, hidden: {} });
      expect(orders.find({ held_external_id: 'held' })).toEqual([]);
      expect(orders.get(stored.id)?.hidden).toEqual({});
    });
  });

  it('change in what is given: undefined stays, "" and 0 are set', async () => {
    const test = await openTestSandbox();
    const id = await test.core.write((work) => {
      const product = { name: 'Tea', note: 'green', list_price: 5, unit: 'box' };
      return work.records('product', test.shop.id).insert({ id: work.nextId(), ...product }).id;
    });
    test.clock.advance(5000);
    await test.core.write((work) => {
      const products = work.records('product', test.shop.id);
      const stored = products.get(id);
      if (stored) products.update(stored, { id, name: undefined, note: '', list_price: 0, unit: 'box' } as never);
      expect(products.get(id)?.record).toMatchObject({ name: 'Tea', note: '', list_price: 0, unit: 'box' });
    });
    const change = (await test.changes()).at(-1);
    expect(change?.name).toBe('product update');
    expect(change?.changed).toEqual({ id, note: '', list_price: 0, updated_at: '2026-01-31T08:00:05Z' });
    expect(change?.latest).toMatchObject({ name: 'Tea', list_price: 0, created_at: '2026-01-31T08:00:00Z' });
  });

  it('are gone when deleted, and leave a change', async () => {
    const test = await openTestSandbox();
    const id = await test.core.write((work) => {
      const customers = work.records('customer', test.shop.id);
      const stored = customers.insert({ phone: '1' });
      customers.remove(stored);
      expect(customers.get(stored.id)).toBeUndefined();
      expect(customers.find({ phone: '1' })).toEqual([]);
      return stored.id;
    });
    const change = (await test.changes()).at(-1);
    expect(change).toMatchObject({
      name: 'customer delete',
      changed: { id, deleted: true },
      latest: { id, deleted: true },
    });
  });
});

describe('a unit of work', () => {
  it('leaves nothing when it fails: no record, no change, no code', async () => {
    const test = await openTestSandbox();
    const code = () => test.core.write((work) => work.nextCode(test.shop.id, 'KH'));
    expect(await code()).toBe('KH000001');
    const failing = test.core.write((work) => {
      work.records('customer', test.shop.id).insert({ phone: '1' });
      work.nextCode(test.shop.id, 'KH');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await code()).toBe('KH000002');
    expect(await test.changes()).toEqual([]);
    expect((await test.core.read((work) => work.records('customer', test.shop.id).list({}))).items).toEqual([]);
  });

  it('runs alone: others wait until it is over', async () => {
    const { core, shop } = await openTestSandbox();
    const seen: string[] = [];
    const unit = (name: string) =>
      core.write((work) => {
        seen.push(`${name} begins`);
        work.records('customer', shop.id).insert({ full_name: name });
        seen.push(`${name} ends`);
      });
    await Promise.all([unit('one'), unit('two')]);
    expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('cannot begin another one, nor go on when it is over', async () => {
    const test = await openTestSandbox();
    const { core, shop } = test;
    const groups = (work: Work) => work.records('customer_group', shop.id);
    const nested = core.write((work) => {
      groups(work).insert({ name: 'lost' });
      return core.read((inner) => groups(inner).list({}));
    });
    await expect(nested).rejects.toThrow('a unit of work inside another one');
    const later = core.write(async (work) => {
      groups(work).insert({ name: 'lost' });
    });
    await expect(later).rejects.toThrow('a unit of work is synchronous');
    expect(() => core.read(async () => {})).toThrow('a unit of work is synchronous');
    expect(await test.changes()).toEqual([]);
  });

  it('notifies listeners of its changes after the commit, and only then', async () => {
    const { core, shop } = await openTestSandbox();
    let commits = 0;
    const stop = core.onCommit(() => {
      commits += 1;
    });
    const insert = () => core.write((work) => work.records('customer', shop.id).insert({}));
    await insert();
    await core.write((work) => work.nextCode(shop.id, 'KH'));
    const failing = core.write((work) => {
      work.records('customer', shop.id).insert({});
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(commits).toBe(1);
    stop();
    await insert();
    expect(commits).toBe(1);
  });

  it('numbers the changes in the order of the commits', async () => {
    const { core, shop } = await openTestSandbox();
    await Promise.all(
      ['a', 'b', 'c'].map((full_name) => core.write((work) => work.records('customer', shop.id).insert({ full_name }))),
    );
    const changes = core.read(({ database }) =>
      rows(database, tables.selectFrom('outbox').select(['seq', 'latest']).orderBy('seq')),
    );
    expect(changes.map(({ seq, latest }) => [seq, JSON.parse(latest).full_name])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });
});
