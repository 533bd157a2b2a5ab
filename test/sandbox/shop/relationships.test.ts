import { describe, expect, it } from 'vitest';
import { openShopCalls, type ShopCalls } from '../../support/shop-calls.ts';

/** The two kinds of memberships, which obey the same rules. */
const kinds = [
  {
    area: 'CustomerGroupRelationship',
    entity: 'customer_group_relationship',
    items: 'relationship',
    memberField: 'customer_id',
    groupField: 'group_id',
    member: ({ made }: ShopCalls) => made('Customer/CreateCustomer', { full_name: 'Lan', phone: '0901' }),
    group: ({ made }: ShopCalls) => made('CustomerGroup/CreateGroup', { name: 'VIP' }),
    deleteMember: 'Customer/DeleteCustomer',
  },
  {
    area: 'ProductCollectionRelationship',
    entity: 'product_collection_relationship',
    items: 'relationships',
    memberField: 'product_id',
    groupField: 'collection_id',
    member: ({ made }: ShopCalls) => made('Product/CreateProduct', { name: 'Tea' }),
    group: ({ made }: ShopCalls) => made('ProductCollection/CreateCollection', { name: 'Drinks' }),
    deleteMember: 'Product/DeleteProduct',
  },
] as const;

describe.each(kinds)('$area', (kind) => {
  const create = `${kind.area}/CreateRelationship`;
  const remove = `${kind.area}/DeleteRelationship`;
  const list = `${kind.area}/ListRelationships`;
  const pairOf = (member: string, group: string) => ({ [kind.memberField]: member, [kind.groupField]: group });

  async function openWithPair() {
    const test = await openShopCalls();
    const [member, group] = [(await kind.member(test)).id, (await kind.group(test)).id];
    return { ...test, member, group, pair: pairOf(member, group) };
  }

  it('is made of a pair, answers nothing, and records one change', async () => {
    const { made, pair, changes } = await openWithPair();
    expect(await made(create, pair)).toEqual({});
    const record = { ...pair, deleted: false };
    expect((await changes()).at(-1)).toEqual({ name: `${kind.entity} create`, changed: record, latest: record });
    expect((await made(list, { filter: { [kind.memberField]: pair[kind.memberField] } }))[kind.items]).toEqual([
      record,
    ]);
  });

  it('is there once, however often it is made', async () => {
    const { made, pair, recorded } = await openWithPair();
    await made(create, pair);
    expect(await recorded(() => made(create, pair))).toEqual([]);
    expect((await made(list, { filter: { [kind.groupField]: pair[kind.groupField] } }))[kind.items]).toHaveLength(1);
  });

  it('needs both ids, of records that the shop has', async () => {
    const { own, other, made, member, group, pair, recorded } = await openWithPair();
    const names = await recorded(async () => {
      for (const field of [kind.memberField, kind.groupField]) {
        for (const missing of [undefined, null, '0', '']) {
          const { status, body } = await own(create, { ...pair, [field]: missing });
          expect([status, body.meta.field]).toEqual([400, field]);
        }
      }
      expect((await own(create, pairOf(group, member))).status).toBe(404);
      expect((await other(create, pair)).status).toBe(404);
    });
    expect(names).toEqual([]);
    await made(kind.deleteMember, { id: member });
    expect((await own(create, pair)).status).toBe(404);
  });

  it('is ended once, with a change, and can be made again', async () => {
    const { made, own, other, pair, group, changes } = await openWithPair();
    await made(create, pair);
    expect((await other(remove, pair)).status).toBe(404);
    expect(await made(remove, pair)).toEqual({});
    expect((await changes()).at(-1)).toEqual({
      name: `${kind.entity} delete`,
      changed: { ...pair, deleted: true },
      latest: { ...pair, deleted: true },
    });
    expect((await own(remove, pair)).body.code).toBe('not_found');
    expect((await own(remove, { [kind.groupField]: group })).body.meta).toEqual({ field: kind.memberField });
    await made(create, pair);
    const request = { filter: { [kind.groupField]: group } };
    expect((await made(list, request))[kind.items]).toEqual([{ ...pair, deleted: false }]);
    expect((await made(list, { ...request, include_deleted: true }))[kind.items]).toEqual([
      { ...pair, deleted: true },
      { ...pair, deleted: false },
    ]);
  });

  it('is listed by exactly one of its two filters', async () => {
    const test = await openWithPair();
    const { made, own, other, member, group, pair } = test;
    const second = (await kind.member(test)).id;
    await made(create, pair);
    await made(create, pairOf(second, group));
    const listed = async (filter: object) => (await made(list, { filter }))[kind.items];
    expect(await listed({ [kind.memberField]: second })).toEqual([{ ...pairOf(second, group), deleted: false }]);
    expect(await listed({ [kind.groupField]: group })).toHaveLength(2);
    expect(await listed({ [kind.memberField]: `${member},${second}` })).toHaveLength(2);
    expect(await listed({ [kind.memberField]: member, [kind.groupField]: '' })).toHaveLength(1);
    for (const filter of [undefined, null, {}, pair, { [kind.memberField]: '' }]) {
      const { status, body } = await own(list, { filter });
      expect([status, body.code]).toEqual([412, 'failed_precondition']);
    }
    expect((await own(list, { filter: { [kind.memberField]: '0' } })).status).toBe(400);
    expect((await other(list, { filter: { [kind.groupField]: group } })).body[kind.items]).toEqual([]);
  });
});

describe('the products of a collection', () => {
  it('come all at once, for their list has no pages', async () => {
    const test = await openShopCalls();
    const { id: collection_id } = await test.made('ProductCollection/CreateCollection', { name: 'Drinks' });
    const ids = await test.core.write((work) => {
      const made: string[] = [];
      for (let count = 0; count < 205; count += 1) {
        const product = work.records('product', test.shop.id).insert({ id: work.nextId(), name: `Tea ${count}` });
        work.records('product_collection_relationship', test.shop.id).insert({ collection_id, product_id: product.id });
        made.push(product.id);
      }
      return made;
    });
    const answer = await test.made('ProductCollectionRelationship/ListRelationships', {
      filter: { collection_id },
      paging: { limit: 2 },
    });
    expect(Object.keys(answer)).toEqual(['relationships', 'paging']);
    const { prev, next, ...rest } = answer.paging;
    expect([prev, next].every((cursor) => typeof cursor === 'string' && cursor !== '') && prev !== next).toBe(true);
    expect(rest).toEqual({ after: null, before: null, limit: null, sort: null });
    expect(answer.relationships.map(({ product_id }: { product_id: string }) => product_id)).toEqual(ids);
  });
});
