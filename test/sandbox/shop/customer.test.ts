import { describe, expect, it } from 'vitest';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { openShopCalls } from '../../support/shop-calls.ts';

const lan = { full_name: 'Nguyễn Thị Lan', phone: '0901234567' };

describe('CreateCustomer', () => {
  it('answers the customer with a code and what was given', async () => {
    const { made, shop } = await openShopCalls();
    const given = {
      ...lan,
      email: 'lan@example.test',
      gender: 'female',
      birthday: 'spring 1990',
      type: 'organization',
      note: 'calls before noon',
      external_id: 'crm-1',
      external_code: 'VIP 1',
    };
    expect(await made('Customer/CreateCustomer', given)).toEqual({
      ...given,
      id: expect.stringMatching(/^\d{19}$/),
      shop_id: shop.id,
      code: 'KH000001',
      status: 'P',
      deleted: false,
      created_at: '2026-01-31T08:00:00Z',
      updated_at: '2026-01-31T08:00:00Z',
    });
  });

  it('fills in what is absent, and numbers the codes of each shop by themselves', async () => {
    const { made, other } = await openShopCalls();
    await made('Customer/CreateCustomer', lan);
    expect(await made('Customer/CreateCustomer', { ...lan, email: null })).toMatchObject({
      code: 'KH000002',
      type: 'individual',
      gender: 'unknown',
      email: null,
      external_id: null,
    });
    expect((await other('Customer/CreateCustomer', lan)).body.code).toBe('KH000001');
  });

  it.each(['unknown', 'individual', 'organization', 'anonymous', 'independent'])(
    'accepts the type %s',
    async (type) => {
      const { made } = await openShopCalls();
      expect(await made('Customer/CreateCustomer', { ...lan, type })).toMatchObject({ type });
    },
  );

  it.each([
    [{ full_name: undefined }, 'full_name'],
    [{ full_name: null }, 'full_name'],
    [{ full_name: ' ' }, 'full_name'],
    [{ phone: undefined }, 'phone'],
    [{ phone: '' }, 'phone'],
    [{ gender: 'f' }, 'gender'],
    [{ type: 'person' }, 'type'],
    [{ external_id: 'a b' }, 'external_id'],
    [{ external_id: 'x' }, 'external_id'],
    [{ note: 5 }, 'note'],
  ])('refuses %j', async (changes, field) => {
    const { own, changes: recorded } = await openShopCalls();
    const { status, body } = await own('Customer/CreateCustomer', { ...lan, ...changes });
    expect([status, body.code, body.meta]).toEqual([400, 'invalid_argument', { field }]);
    expect(await recorded()).toEqual([]);
  });

  it('lets several customers have one phone and one external id', async () => {
    const { made } = await openShopCalls();
    const first = await made('Customer/CreateCustomer', { ...lan, external_id: 'crm-1' });
    await made('Customer/CreateCustomer', { ...lan, external_id: 'crm-1' });
    expect((await made('Customer/GetCustomer', { external_id: 'crm-1' })).id).toBe(first.id);
  });

  it('records the whole customer as its change', async () => {
    const { made, changes } = await openShopCalls();
    const customer = await made('Customer/CreateCustomer', lan);
    expect(await changes()).toEqual([{ name: 'customer create', changed: customer, latest: customer }]);
  });
});

describe('GetCustomer', () => {
  it('finds a customer by each of its names, and by all together', async () => {
    const { made } = await openShopCalls();
    const customer = await made('Customer/CreateCustomer', { ...lan, external_id: 'crm-1' });
    const { id, code } = customer;
    for (const lookup of [{ id }, { code }, { external_id: 'crm-1' }, { id, code, external_id: 'crm-1' }]) {
      expect(await made('Customer/GetCustomer', lookup)).toEqual(customer);
    }
    expect(await made('Customer/GetCustomer', `{"id":${id}}`)).toEqual(customer);
  });

  it('answers 404 where one name does not fit, and 400 without a name', async () => {
    const { made, own } = await openShopCalls();
    const { id } = await made('Customer/CreateCustomer', lan);
    const missing = await own('Customer/GetCustomer', { id, code: 'KH000009' });
    expect([missing.status, missing.body]).toEqual([404, { code: 'not_found', msg: 'customer not found' }]);
    for (const lookup of [{}, { id: '0' }, { code: '', external_id: null }]) {
      expect((await own('Customer/GetCustomer', lookup)).body).toMatchObject({
        code: 'invalid_argument',
        meta: { field: 'id' },
      });
    }
  });

  it("does not find another shop's customer", async () => {
    const { made, other } = await openShopCalls();
    const { id, code } = await made('Customer/CreateCustomer', { ...lan, external_id: 'crm-1' });
    for (const lookup of [{ id }, { code }, { external_id: 'crm-1' }]) {
      expect((await other('Customer/GetCustomer', lookup)).status).toBe(404);
    }
  });
});

describe('UpdateCustomer', () => {
  it('changes what is given, keeps what is absent or null, and clears what is empty', async () => {
    const { made, clock } = await openShopCalls();
    const customer = await made('Customer/CreateCustomer', { ...lan, email: 'lan@example.test', note: 'old' });
    clock.advance(5000);
    const changed = await made('Customer/UpdateCustomer', {
      id: customer.id,
      full_name: 'Lan',
      phone: null,
      note: '',
      gender: 'female',
      code: 'KH000009',
    });
    const wanted = { full_name: 'Lan', note: '', gender: 'female', updated_at: '2026-01-31T08:00:05Z' };
    expect(changed).toEqual({ ...customer, ...wanted });
    expect(await made('Customer/GetCustomer', { id: customer.id })).toEqual(changed);
  });

  it('records what changed beside the ids, and the whole customer', async () => {
    const { made, shop, changes } = await openShopCalls();
    const { id } = await made('Customer/CreateCustomer', lan);
    const latest = await made('Customer/UpdateCustomer', { id, note: 'new', phone: lan.phone });
    const changed = { id, shop_id: shop.id, note: 'new', updated_at: latest.updated_at };
    expect((await changes()).at(-1)).toEqual({ name: 'customer update', changed, latest });
  });

  it('is found by its new phone from then on', async () => {
    const test = await openShopCalls();
    const { id } = await test.made('Customer/CreateCustomer', { ...lan, phone: '0900000009' });
    await test.made('Customer/UpdateCustomer', { id, phone: lan.phone });
    await test.made('Shipping/CreateAndConfirmOrder', await quotedOrder(test));
    expect((await test.made('Customer/ListCustomers', {})).customers).toHaveLength(1);
  });

  it.each([
    [{ id: undefined }, 400],
    [{ id: '0' }, 400],
    [{ id: 'abc' }, 400],
    [{ id: '1234567890123456789' }, 404],
    [{ gender: '' }, 400],
    [{ type: 'person' }, 400],
  ])('refuses %j with %i', async (changes, status) => {
    const { made, own, recorded } = await openShopCalls();
    const { id } = await made('Customer/CreateCustomer', lan);
    const names = await recorded(async () =>
      expect((await own('Customer/UpdateCustomer', { id, note: 'new', ...changes })).status).toBe(status),
    );
    expect(names).toEqual([]);
  });

  it("does not touch another shop's customer", async () => {
    const { made, other } = await openShopCalls();
    const customer = await made('Customer/CreateCustomer', lan);
    expect((await other('Customer/UpdateCustomer', { id: customer.id, note: 'mine' })).status).toBe(404);
    expect(await made('Customer/GetCustomer', { id: customer.id })).toEqual(customer);
  });
});

describe('DeleteCustomer', () => {
  it('takes its addresses and memberships along, and keeps its orders', async () => {
    const test = await openShopCalls();
    const { made, own, recorded } = test;
    const { order } = await made('Shipping/CreateAndConfirmOrder', await quotedOrder(test));
    const [customer] = (await made('Customer/ListCustomers', {})).customers;
    const bystander = await made('Customer/CreateCustomer', lan);
    const group = await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    for (const { id } of [customer, bystander]) {
      await made('CustomerGroupRelationship/CreateRelationship', { customer_id: id, group_id: group.id });
    }
    expect(await recorded(() => made('Customer/DeleteCustomer', { id: customer.id }))).toEqual([
      'customer_address delete',
      'customer_group_relationship delete',
      'customer delete',
    ]);
    expect((await own('Customer/GetCustomer', { id: customer.id })).status).toBe(404);
    expect((await made('CustomerAddress/ListAddresses', {})).addresses).toEqual([]);
    const filter = { group_id: group.id };
    expect((await made('CustomerGroupRelationship/ListRelationships', { filter })).relationship).toEqual([
      { customer_id: bystander.id, group_id: group.id, deleted: false },
    ]);
    expect((await made('Order/GetOrder', { id: order.id })).order.id).toBe(order.id);
  });

  it('needs every name that is given to fit', async () => {
    const { made, own } = await openShopCalls();
    const { id, code } = await made('Customer/CreateCustomer', lan);
    expect((await own('Customer/DeleteCustomer', {})).status).toBe(400);
    expect((await own('Customer/DeleteCustomer', { id, code: 'KH000009' })).status).toBe(404);
    expect(await made('Customer/DeleteCustomer', { code })).toEqual({});
    expect((await own('Customer/DeleteCustomer', { code })).status).toBe(404);
    expect((await own('Customer/UpdateCustomer', { id, note: 'late' })).status).toBe(404);
  });

  it("does not delete another shop's customer", async () => {
    const { made, other } = await openShopCalls();
    const { id } = await made('Customer/CreateCustomer', lan);
    expect((await other('Customer/DeleteCustomer', { id })).status).toBe(404);
    expect((await made('Customer/GetCustomer', { id })).deleted).toBe(false);
  });

  it('records the delete with the id alone, and the last state', async () => {
    const { made, changes } = await openShopCalls();
    const { id } = await made('Customer/CreateCustomer', lan);
    await made('Customer/DeleteCustomer', { id });
    expect((await changes()).at(-1)).toMatchObject({
      name: 'customer delete',
      changed: { id, deleted: true },
      latest: { ...lan, id, deleted: true },
    });
  });
});

describe('ListCustomers', () => {
  it('filters by ids, and shows deleted customers only when asked', async () => {
    const { made } = await openShopCalls();
    const ids: string[] = [];
    for (const full_name of ['A', 'B', 'C']) {
      ids.push((await made('Customer/CreateCustomer', { ...lan, full_name })).id);
    }
    const names = async (request: object) =>
      (await made('Customer/ListCustomers', request)).customers.map(
        ({ full_name }: { full_name: string | null }) => full_name,
      );
    expect(await names({ filter: { id: `${ids[2]}, ${ids[0]}` } })).toEqual(['A', 'C']);
    expect(await names({ filter: { id: [ids[1]] } })).toEqual(['B']);
    await made('Customer/DeleteCustomer', { id: ids[1] });
    expect(await names({})).toEqual(['A', 'C']);
    const { customers } = await made('Customer/ListCustomers', { include_deleted: true });
    const bare = Object.fromEntries(Object.keys(customers[0]).map((field) => [field, null]));
    expect(customers[1]).toEqual({ ...bare, id: ids[1], shop_id: '0', deleted: true });
  });
});
