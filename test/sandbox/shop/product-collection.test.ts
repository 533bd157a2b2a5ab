import { describe, expect, it } from 'vitest';
import { openShopCalls } from '../../support/shop-calls.ts';

const drinks = { name: 'Drinks', short_desc: 'Tea and coffee', description: 'All that is drunk.' };

describe('CreateCollection', () => {
  it('answers the collection, and records it', async () => {
    const { made, shop, changes } = await openShopCalls();
    const collection = await made('ProductCollection/CreateCollection', drinks);
    expect(collection).toEqual({
      ...drinks,
      id: expect.stringMatching(/^\d{19}$/),
      shop_id: shop.id,
      deleted: false,
      created_at: '2026-01-31T08:00:00Z',
      updated_at: '2026-01-31T08:00:00Z',
    });
    expect(await changes()).toEqual([{ name: 'product_collection create', changed: collection, latest: collection }]);
  });

  it('needs no field, but refuses one that is not a text', async () => {
    const { made, own } = await openShopCalls();
    expect((await made('ProductCollection/CreateCollection', {})).name).toBeNull();
    expect((await own('ProductCollection/CreateCollection', { name: 5 })).body.meta).toEqual({ field: 'name' });
  });
});

describe('GetCollection', () => {
  it('finds a collection of the own shop by its id', async () => {
    const { made, own, other } = await openShopCalls();
    const collection = await made('ProductCollection/CreateCollection', drinks);
    expect(await made('ProductCollection/GetCollection', { id: collection.id })).toEqual(collection);
    expect((await other('ProductCollection/GetCollection', { id: collection.id })).status).toBe(404);
    expect((await own('ProductCollection/GetCollection', { id: '12' })).body.msg).toBe('product collection not found');
    expect((await own('ProductCollection/GetCollection', {})).body.meta).toEqual({ field: 'id' });
    expect((await own('ProductCollection/GetCollection', { id: '0' })).status).toBe(400);
  });
});

describe('UpdateCollection', () => {
  it('changes what is given, keeps what is absent or null, and clears what is empty', async () => {
    const { made, shop, clock, changes } = await openShopCalls();
    const collection = await made('ProductCollection/CreateCollection', drinks);
    const { id } = collection;
    clock.advance(1000);
    const latest = await made('ProductCollection/UpdateCollection', {
      id,
      name: 'Tea',
      short_desc: '',
      description: null,
    });
    const moved = { name: 'Tea', short_desc: '', updated_at: '2026-01-31T08:00:01Z' };
    expect(latest).toEqual({ ...collection, ...moved });
    const changed = { id, shop_id: shop.id, ...moved };
    expect((await changes()).at(-1)).toEqual({ name: 'product_collection update', changed, latest });
  });

  it("refuses what is not an id, and does not touch another shop's collection", async () => {
    const { made, own, other } = await openShopCalls();
    const collection = await made('ProductCollection/CreateCollection', drinks);
    const request = { id: collection.id, name: 'mine' };
    expect((await other('ProductCollection/UpdateCollection', request)).status).toBe(404);
    expect((await own('ProductCollection/UpdateCollection', { name: 'mine' })).status).toBe(400);
    expect(await made('ProductCollection/GetCollection', { id: collection.id })).toEqual(collection);
  });
});

describe('DeleteCollection', () => {
  it('takes its memberships along, and keeps its products', async () => {
    const { made, own, other, recorded } = await openShopCalls();
    const { id } = await made('ProductCollection/CreateCollection', drinks);
    const { id: product_id } = await made('Product/CreateProduct', {});
    await made('ProductCollectionRelationship/CreateRelationship', { collection_id: id, product_id });
    expect((await other('ProductCollection/DeleteCollection', { id })).status).toBe(404);
    expect(await recorded(() => made('ProductCollection/DeleteCollection', { id }))).toEqual([
      'product_collection_relationship delete',
      'product_collection delete',
    ]);
    expect((await made('Product/GetProduct', { id: product_id })).deleted).toBe(false);
    for (const name of ['GetCollection', 'UpdateCollection', 'DeleteCollection']) {
      expect((await own(`ProductCollection/${name}`, { id })).status).toBe(404);
    }
    expect((await own('ProductCollection/DeleteCollection', {})).status).toBe(400);
  });
});

describe('ListCollections', () => {
  it('filters by ids, and shows deleted collections only when asked', async () => {
    const { made } = await openShopCalls();
    const collections = [];
    for (const name of ['A', 'B', 'C']) collections.push(await made('ProductCollection/CreateCollection', { name }));
    const [a, b, c] = collections;
    const filter = { id: [c.id, a.id] };
    expect((await made('ProductCollection/ListCollections', { filter })).collections).toEqual([a, c]);
    await made('ProductCollection/DeleteCollection', { id: b.id });
    expect((await made('ProductCollection/ListCollections', {})).collections).toEqual([a, c]);
    const { collections: all } = await made('ProductCollection/ListCollections', { include_deleted: true });
    expect(all[1]).toMatchObject({ id: b.id, deleted: true, name: null, created_at: null });
  });
});
