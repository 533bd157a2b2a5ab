import { describe, expect, it } from 'vitest';
import { openShopCalls, type ShopCalls } from '../../support/shop-calls.ts';

/** A list with pages: how a record of it is made and changed, and what tells its records apart. */
interface PagedList {
  readonly list: string;
  readonly items: string;
  /** The filter that leaves all the records which `make` makes; needed for the list to answer at all where it is set. */
  readonly filter?: (test: ShopCalls) => Promise<object>;
  make(test: ShopCalls, filter: object): Promise<string>;
  change(test: ShopCalls, name: string): Promise<unknown>;
  readonly nameField?: string;
  /** A filter by ids that the list has. */
  readonly idsFilter: string;
}

const newCustomer = { full_name: 'Lan', phone: '0901' };
const address = { ...newCustomer, province: 'HN', district: 'cau giay', ward: 'dich vong', address1: '1' };

const lists: readonly PagedList[] = [
  {
    list: 'Customer/ListCustomers',
    items: 'customers',
    idsFilter: 'id',
    make: async ({ made }) => (await made('Customer/CreateCustomer', newCustomer)).id,
    change: ({ made }, id) => made('Customer/UpdateCustomer', { id, note: 'changed' }),
  },
  {
    list: 'CustomerAddress/ListAddresses',
    items: 'addresses',
    idsFilter: 'customer_id',
    filter: async ({ made }) => ({ customer_id: (await made('Customer/CreateCustomer', newCustomer)).id }),
    make: async ({ made }, filter) => (await made('CustomerAddress/CreateAddress', { ...filter, ...address })).id,
    change: ({ made }, id) => made('CustomerAddress/UpdateAddress', { id, address1: '2' }),
  },
  {
    list: 'CustomerGroup/ListGroups',
    items: 'customer_groups',
    idsFilter: 'id',
    make: async ({ made }) => (await made('CustomerGroup/CreateGroup', { name: 'VIP' })).id,
    change: ({ made }, id) => made('CustomerGroup/UpdateGroup', { id, name: 'Gold' }),
  },
  {
    list: 'CustomerGroupRelationship/ListRelationships',
    items: 'relationship',
    idsFilter: 'group_id',
    nameField: 'customer_id',
    filter: async ({ made }) => ({ group_id: (await made('CustomerGroup/CreateGroup', { name: 'VIP' })).id }),
    async make({ made }, filter) {
      const { id: customer_id } = await made('Customer/CreateCustomer', newCustomer);
      await made('CustomerGroupRelationship/CreateRelationship', { ...filter, customer_id });
      return customer_id;
    },
    async change({ core, shop }, customer_id) {
      await core.write((work) => {
        const relationships = work.records('customer_group_relationship', shop.id);
        for (const stored of relationships.find({ customer_id })) relationships.update(stored, {});
      });
    },
  },
  {
    list: 'Product/ListProducts',
    items: 'products',
    idsFilter: 'id',
    make: async ({ made }) => (await made('Product/CreateProduct', {})).id,
    change: ({ made }, id) => made('Product/UpdateProduct', { id, name: 'Tea' }),
  },
  {
    list: 'Variant/ListVariants',
    items: 'shop_variants',
    idsFilter: 'id',
    make: async ({ made }) => {
      const { id: product_id } = await made('Product/CreateProduct', {});
      return (await made('Variant/CreateVariant', { product_id })).id;
    },
    change: ({ made }, id) => made('Variant/UpdateVariant', { id, name: 'Large' }),
  },
  {
    list: 'ProductCollection/ListCollections',
    items: 'collections',
    idsFilter: 'id',
    make: async ({ made }) => (await made('ProductCollection/CreateCollection', {})).id,
    change: ({ made }, id) => made('ProductCollection/UpdateCollection', { id, name: 'Drinks' }),
  },
  {
    list: 'Inventory/ListInventoryLevels',
    items: 'inventory_levels',
    idsFilter: 'variant_id',
    nameField: 'variant_id',
    make: async ({ made }) => {
      const { id: product_id } = await made('Product/CreateProduct', {});
      return (await made('Variant/CreateVariant', { product_id })).id;
    },
    async change({ core, shop }, variant_id) {
      await core.write((work) => {
        const levels = work.records('inventory_level', shop.id);
        for (const level of levels.find({ variant_id })) levels.update(level, { available_quantity: 1 });
      });
    },
  },
];

describe.each(lists)('$list', ({ list, items, filter: makeFilter, make, change, nameField = 'id', idsFilter }) => {
  async function openWithRecords(count: number) {
    const test = await openShopCalls();
    const filter = (await makeFilter?.(test)) ?? {};
    const names: string[] = [];
    while (names.length < count) names.push(await make(test, filter));
    const page = async (paging?: object) => {
      const body = await test.made(list, { filter, paging });
      const shown: string[] = body[items].map((record: Record<string, string>) => record[nameField]);
      return { shown, paging: body.paging };
    };
    return { test, filter, names, page };
  }

  it.each(['', 'created_at', '-created_at', 'updated_at', '-updated_at'])(
    'by "%s" leaves nothing out when records change and come between the pages',
    async (sort) => {
      const { test, filter, names, page } = await openWithRecords(5);
      const shown = new Set<string>();
      let after = '.';
      for (let pages = 0; ; pages += 1) {
        const answer = await page({ after, limit: 2, sort });
        if (answer.shown.length === 0) break;
        for (const name of answer.shown) shown.add(name);
        after = answer.paging.next;
        if (pages === 0) {
          await change(test, names[4] ?? '');
          await change(test, answer.shown[0] ?? '');
          if (!sort.startsWith('-')) names.push(await make(test, filter));
        }
      }
      expect([...shown].sort()).toEqual([...names].sort());
    },
  );

  it('walks backwards from the end, each page in the order of the list', async () => {
    const { names, page } = await openWithRecords(5);
    const last = await page({ before: '.', limit: 2 });
    const middle = await page({ before: last.paging.prev, limit: 2 });
    const first = await page({ before: middle.paging.prev, limit: 2 });
    expect([first.shown, middle.shown, last.shown]).toEqual([names.slice(0, 1), names.slice(1, 3), names.slice(3)]);
    expect((await page({ before: first.paging.prev })).shown).toEqual([]);
  });

  it('is oldest first with 100 records, repeats the request, and continues from an empty page', async () => {
    const { test, filter, names, page } = await openWithRecords(2);
    const whole = await page();
    expect(whole).toMatchObject({ shown: names, paging: { limit: 100, after: null, before: null, sort: null } });
    const empty = await page({ after: whole.paging.next, limit: 1000, sort: null });
    expect(empty).toMatchObject({
      shown: [],
      paging: { after: whole.paging.next, next: whole.paging.next, limit: 100 },
    });
    const late = await make(test, filter);
    expect((await page({ after: empty.paging.next })).shown).toEqual([late]);
  });

  it('refuses invalid paging', async () => {
    const { test, filter, page } = await openWithRecords(1);
    const { next } = (await page({ sort: '-updated_at' })).paging;
    for (const paging of [
      { limit: -1 },
      { sort: 'name' },
      { after: '.', before: '.' },
      { after: 'garbage' },
      { before: 'garbage' },
      { after: next, sort: 'updated_at' },
    ]) {
      const { status, body } = await test.own(list, { filter, paging });
      expect([status, body.code]).toEqual([400, 'invalid_argument']);
    }
  });

  it('refuses a filter that holds no ids', async () => {
    const { own } = await openShopCalls();
    for (const ids of ['0', '1,,2', ',', 'abc', [], ['1', ''], '1-5', -1]) {
      const { status, body } = await own(list, { filter: { [idsFilter]: ids } });
      expect([status, body.meta.field]).toEqual([400, `filter.${idsFilter}`]);
    }
  });

  it("shows nothing of another shop, not even by its records' ids", async () => {
    const { test, filter, names } = await openWithRecords(2);
    const ids = Object.values(filter)[0] ?? names.join(',');
    const { body } = await test.other(list, { filter: { [idsFilter]: ids }, include_deleted: true });
    expect(body[items]).toEqual([]);
  });
});
