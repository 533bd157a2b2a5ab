import { describe, expect, it } from 'vitest';
import { openShopCalls, type ShopCalls } from '../../support/shop-calls.ts';

const home = {
  full_name: 'Nguyễn Thị Lan',
  phone: '0901234567',
  province: 'ha noi',
  district: 'cau giay',
  ward: 'p. dich vong',
  address1: '12 ngõ 5',
};

/** A shop with a customer, and how to make an address of it. */
async function openWithCustomer() {
  const test = await openShopCalls();
  const { id: customer_id } = await makeCustomer(test);
  const address = (changes: object = {}) =>
    test.made('CustomerAddress/CreateAddress', { customer_id, ...home, ...changes });
  return { ...test, customer_id, address };
}

const makeCustomer = ({ made }: ShopCalls) =>
  made('Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' });

describe('CreateAddress', () => {
  it('answers the address with its place in official names', async () => {
    const { address, customer_id } = await openWithCustomer();
    const rest = {
      address2: 'tầng 3',
      company: 'Lan & Co',
      email: 'lan@example.test',
      position: 'owner',
      coordinates: { latitude: 21.03, longitude: 105 },
    };
    expect(await address({ ...rest, country: 'VN' })).toEqual({
      ...home,
      ...rest,
      id: expect.stringMatching(/^\d{19}$/),
      customer_id,
      province: 'Thành phố Hà Nội',
      district: 'Quận Cầu Giấy',
      ward: 'Phường Dịch Vọng',
      deleted: false,
    });
  });

  it.each([
    [{ customer_id: undefined }, 400, 'customer_id'],
    [{ customer_id: '0' }, 400, 'customer_id'],
    [{ full_name: undefined }, 400, 'full_name'],
    [{ phone: '' }, 400, 'phone'],
    [{ province: null }, 400, 'province'],
    [{ district: ' ' }, 400, 'district'],
    [{ ward: undefined }, 400, 'ward'],
    [{ address1: '' }, 400, 'address1'],
    [{ province: 'Atlantis' }, 400, 'province'],
    [{ district: 'Quận 1' }, 400, 'district'],
    [{ ward: 'Phường Atlantis' }, 400, 'ward'],
    [{ coordinates: { latitude: '21' } }, 400, 'coordinates.latitude'],
    [{ coordinates: { latitude: 21.03 } }, 400, 'coordinates.longitude'],
    [{ coordinates: { latitude: 21.03, longitude: 181 } }, 400, 'coordinates.longitude'],
    [{ customer_id: '1234567890123456789' }, 404, undefined],
  ])('refuses %j with %i', async (changes, status, field) => {
    const { own, customer_id, recorded } = await openWithCustomer();
    const names = await recorded(async () => {
      const answer = await own('CustomerAddress/CreateAddress', { customer_id, ...home, ...changes });
      expect([answer.status, answer.body.meta?.field]).toEqual([status, field]);
    });
    expect(names).toEqual([]);
  });

  it("refuses another shop's customer, and a deleted one", async () => {
    const { own, made, other, customer_id } = await openWithCustomer();
    const request = { customer_id, ...home };
    expect((await other('CustomerAddress/CreateAddress', request)).status).toBe(404);
    await made('Customer/DeleteCustomer', { id: customer_id });
    const { status, body } = await own('CustomerAddress/CreateAddress', request);
    expect([status, body.msg]).toEqual([404, 'customer not found']);
  });

  it('records one change', async () => {
    const { address, recorded, changes } = await openWithCustomer();
    let made: unknown;
    expect(
      await recorded(async () => {
        made = await address();
      }),
    ).toEqual(['customer_address create']);
    expect((await changes()).at(-1)).toEqual({ name: 'customer_address create', changed: made, latest: made });
  });
});

describe('GetAddress', () => {
  it('goes by the id, whatever else is given', async () => {
    const { made, own, other, address } = await openWithCustomer();
    const one = await address();
    expect(await made('CustomerAddress/GetAddress', { id: one.id, code: 'KH000001' })).toEqual(one);
    expect((await other('CustomerAddress/GetAddress', { id: one.id })).status).toBe(404);
    expect((await own('CustomerAddress/GetAddress', {})).status).toBe(400);
    expect((await own('CustomerAddress/GetAddress', { id: '0', external_id: '' })).status).toBe(400);
  });

  it('finds nothing by a code or an external id, for an address has neither', async () => {
    const { own, address } = await openWithCustomer();
    await address();
    for (const lookup of [{ code: 'KH000001' }, { external_id: 'crm-1' }]) {
      const { status, body } = await own('CustomerAddress/GetAddress', lookup);
      expect([status, body.msg]).toEqual([404, 'customer address not found']);
    }
  });
});

describe('UpdateAddress', () => {
  it('changes what is given, keeps what is absent or null, and clears what is empty', async () => {
    const { made, address } = await openWithCustomer();
    const one = await address({ company: 'Lan & Co', position: 'owner' });
    const changes = {
      address1: '14 ngõ 5',
      company: '',
      position: null,
      coordinates: { latitude: 21, longitude: 105 },
    };
    const changed = await made('CustomerAddress/UpdateAddress', { id: one.id, ...changes, country: 'VN' });
    expect(changed).toEqual({ ...one, ...changes, position: 'owner' });
    expect(await made('CustomerAddress/GetAddress', { id: one.id })).toEqual(changed);
  });

  it.each([{}, { latitude: null }, { latitude: null, longitude: null }])(
    'keeps the coordinates where %j gives none',
    async (none) => {
      const { made, address } = await openWithCustomer();
      const coordinates = { latitude: 21.03, longitude: 105.8 };
      const { id } = await address({ coordinates });
      expect(await made('CustomerAddress/UpdateAddress', { id, coordinates: none })).toMatchObject({ coordinates });
      expect(await address({ coordinates: none })).toMatchObject({ coordinates: null });
    },
  );

  it('records what changed beside the ids, and nothing that the record lacks', async () => {
    const { made, address, customer_id, changes } = await openWithCustomer();
    const { id } = await address();
    const latest = await made('CustomerAddress/UpdateAddress', { id, address1: '14 ngõ 5', country: 'VN' });
    const changed = { id, customer_id, address1: '14 ngõ 5' };
    expect((await changes()).at(-1)).toEqual({ name: 'customer_address update', changed, latest });
  });

  it('gives a new place its official names, also when only a part of it changes', async () => {
    const { made, address } = await openWithCustomer();
    const { id } = await address();
    const place = async (changes: object) => {
      const { province, district, ward } = await made('CustomerAddress/UpdateAddress', { id, ...changes });
      return [province, district, ward];
    };
    const hanoi = 'Thành phố Hà Nội';
    expect(await place({ ward: 'mai dich' })).toEqual([hanoi, 'Quận Cầu Giấy', 'Phường Mai Dịch']);
    expect(await place({ district: 'ba dinh', ward: 'kim ma' })).toEqual([hanoi, 'Quận Ba Đình', 'Phường Kim Mã']);
    expect(await place({ province: 'HCM', district: 'Q3', ward: 'P1' })).toEqual([
      'Thành phố Hồ Chí Minh',
      'Quận 3',
      'Phường 01',
    ]);
    expect(await place({ district: 'q 5' })).toEqual(['Thành phố Hồ Chí Minh', 'Quận 5', 'Phường 01']);
    expect(await place({ ward: '' })).toEqual(['Thành phố Hồ Chí Minh', 'Quận 5', '']);
  });

  it.each([
    [{ province: 'HCM' }, 'district'],
    [{ district: 'ba dinh' }, 'ward'],
    [{ district: '' }, 'district'],
    [{ province: '' }, 'province'],
    [{ ward: 'Atlantis' }, 'ward'],
    [{ id: '0' }, 'id'],
    [{ phone: 5 }, 'phone'],
  ])('refuses %j with 400', async (changes, field) => {
    const { made, own, address } = await openWithCustomer();
    const one = await address();
    const { status, body } = await own('CustomerAddress/UpdateAddress', { id: one.id, ...changes });
    expect([status, body.meta.field]).toEqual([400, field]);
    expect(await made('CustomerAddress/GetAddress', { id: one.id })).toEqual(one);
  });

  it('answers 404 to an unknown address, a deleted one and that of another shop', async () => {
    const { made, own, other, address } = await openWithCustomer();
    const { id } = await address();
    const request = { id, address1: 'elsewhere' };
    expect((await other('CustomerAddress/UpdateAddress', request)).status).toBe(404);
    expect((await own('CustomerAddress/UpdateAddress', { ...request, id: '12' })).status).toBe(404);
    await made('CustomerAddress/DeleteAddress', { id });
    expect((await own('CustomerAddress/UpdateAddress', request)).status).toBe(404);
  });
});

describe('DeleteAddress', () => {
  it('deletes one address, and records it', async () => {
    const { made, own, address, recorded } = await openWithCustomer();
    const [{ id }, kept] = [await address(), await address()];
    expect(await recorded(() => made('CustomerAddress/DeleteAddress', { id }))).toEqual(['customer_address delete']);
    expect((await own('CustomerAddress/GetAddress', { id })).status).toBe(404);
    expect((await own('CustomerAddress/DeleteAddress', { id })).status).toBe(404);
    expect((await made('CustomerAddress/ListAddresses', {})).addresses).toEqual([kept]);
  });

  it('needs an id of the own shop', async () => {
    const { own, other, address } = await openWithCustomer();
    const { id } = await address();
    expect((await other('CustomerAddress/DeleteAddress', { id })).status).toBe(404);
    for (const request of [{}, { id: '0' }, { id: 'x' }]) {
      expect((await own('CustomerAddress/DeleteAddress', request)).status).toBe(400);
    }
  });
});

describe('ListAddresses', () => {
  it('filters by customers, by a phone exactly, and by both', async () => {
    const test = await openWithCustomer();
    const { made, address, customer_id } = test;
    const second = await makeCustomer(test);
    const a = await address({ phone: '0901' });
    const b = await address({ phone: '09012' });
    const c = await address({ phone: '0901', customer_id: second.id });
    const list = async (filter?: object) =>
      (await made('CustomerAddress/ListAddresses', { filter })).addresses.map(({ id }: { id: string }) => id);
    expect(await list()).toEqual([a.id, b.id, c.id]);
    expect(await list({ customer_id })).toEqual([a.id, b.id]);
    expect(await list({ customer_id: `${customer_id},${second.id}` })).toEqual([a.id, b.id, c.id]);
    expect(await list({ phone: '0901' })).toEqual([a.id, c.id]);
    expect(await list({ phone: '0901', customer_id: second.id })).toEqual([c.id]);
    expect(await list({ phone: '', customer_id: '' })).toEqual([a.id, b.id, c.id]);
    expect(await list({ phone: '090' })).toEqual([]);
  });

  it('shows deleted addresses only when asked, as id and deleted, and finds them by their customer', async () => {
    const { made, address, customer_id } = await openWithCustomer();
    const { id } = await address();
    await made('CustomerAddress/DeleteAddress', { id });
    const filter = { customer_id };
    expect((await made('CustomerAddress/ListAddresses', { filter })).addresses).toEqual([]);
    const { addresses } = await made('CustomerAddress/ListAddresses', { filter, include_deleted: true });
    expect(addresses).toMatchObject([{ id, deleted: true, full_name: null, province: null, coordinates: null }]);
  });
});
