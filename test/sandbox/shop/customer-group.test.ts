import { describe, expect, it } from 'vitest';
import { openShopCalls } from '../../support/shop-calls.ts';

describe('CreateGroup', () => {
  it('answers the group, and records it', async () => {
    const { made, shop, changes } = await openShopCalls();
    const group = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    expect(group).toEqual({ id: expect.stringMatching(/^\d{19}$/), shop_id: shop.id, name: 'VIP', deleted: false });
    expect(await changes()).toEqual([{ name: 'customer_group create', changed: group, latest: group }]);
  });

  it.each([{}, { name: null }, { name: '' }, { name: ' ' }, { name: 5 }])(
    'refuses %j, for it needs a name',
    async (request) => {
      const { own, changes } = await openShopCalls();
      const { status, body } = await own('CustomerGroup/CreateGroup', request);
      expect([status, body.meta]).toEqual([400, { field: 'name' }]);
      expect(await changes()).toEqual([]);
    },
  );
});

describe('GetGroup', () => {
  it('finds a group of the own shop by its id', async () => {
    const { made, own, other } = await openShopCalls();
    const group = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    expect(await made('CustomerGroup/GetGroup', { id: group.id })).toEqual(group);
    expect((await other('CustomerGroup/GetGroup', { id: group.id })).body.code).toBe('not_found');
    for (const request of [{}, { id: '0' }, { id: null }]) {
      expect((await own('CustomerGroup/GetGroup', request)).body.meta).toEqual({ field: 'id' });
    }
  });
});

describe('UpdateGroup', () => {
  it('renames a group, keeps the name when it is absent, and never clears it', async () => {
    const { made, own, shop, changes } = await openShopCalls();
    const { id } = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    expect((await made('CustomerGroup/UpdateGroup', { id, name: 'Gold' })).name).toBe('Gold');
    expect((await changes()).at(-1)).toEqual({
      name: 'customer_group update',
      changed: { id, shop_id: shop.id, name: 'Gold' },
      latest: { id, shop_id: shop.id, name: 'Gold', deleted: false },
    });
    expect((await made('CustomerGroup/UpdateGroup', { id, name: null })).name).toBe('Gold');
    expect(await own('CustomerGroup/UpdateGroup', { id, name: '' })).toMatchObject({
      status: 400,
      body: { meta: { field: 'name' } },
    });
  });

  it("refuses what is not an id, and does not touch another shop's group", async () => {
    const { made, own, other } = await openShopCalls();
    const group = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    expect((await other('CustomerGroup/UpdateGroup', { id: group.id, name: 'mine' })).status).toBe(404);
    expect((await own('CustomerGroup/UpdateGroup', { name: 'Gold' })).status).toBe(400);
    expect(await made('CustomerGroup/GetGroup', { id: group.id })).toEqual(group);
  });
});

describe('DeleteGroup', () => {
  it('takes its memberships along, and keeps its customers', async () => {
    const { made, own, other, recorded } = await openShopCalls();
    const { id: group_id } = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    const { id: customer_id } = await made('Customer/CreateCustomer', { full_name: 'Lan', phone: '0901' });
    await made('CustomerGroupRelationship/CreateRelationship', { customer_id, group_id });
    expect((await other('CustomerGroup/DeleteGroup', { id: group_id })).status).toBe(404);
    expect(await recorded(() => made('CustomerGroup/DeleteGroup', { id: group_id }))).toEqual([
      'customer_group_relationship delete',
      'customer_group delete',
    ]);
    expect((await made('Customer/GetCustomer', { id: customer_id })).deleted).toBe(false);
    expect(
      (await made('CustomerGroupRelationship/ListRelationships', { filter: { customer_id } })).relationship,
    ).toEqual([]);
    for (const name of ['GetGroup', 'UpdateGroup', 'DeleteGroup']) {
      expect((await own(`CustomerGroup/${name}`, { id: group_id })).status).toBe(404);
    }
    expect((await own('CustomerGroup/DeleteGroup', {})).status).toBe(400);
  });
});

describe('ListGroups', () => {
  it('filters by ids, and shows deleted groups only when asked', async () => {
    const { made } = await openShopCalls();
    const groups = [];
    for (const name of ['A', 'B', 'C']) groups.push(await made('CustomerGroup/CreateGroup', { name }));
    const [a, b, c] = groups;
    const filter = { id: `${c.id},${a.id}` };
    expect((await made('CustomerGroup/ListGroups', { filter })).customer_groups).toEqual([a, c]);
    await made('CustomerGroup/DeleteGroup', { id: b.id });
    expect((await made('CustomerGroup/ListGroups', {})).customer_groups).toEqual([a, c]);
    expect((await made('CustomerGroup/ListGroups', { include_deleted: true })).customer_groups).toEqual([
      a,
      { id: b.id, shop_id: '0', name: null, deleted: true },
      c,
    ]);
  });
});
