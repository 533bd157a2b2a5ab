import { describe, expect, it } from 'vitest';
import { openTestSandbox } from '../../support/sandbox.ts';
import { places, priceOf, twoStops } from '../../support/shipnow.ts';

const { shop, lake, tower } = places;
const at = (latitude: number, longitude: number) => ({ coordinates: { latitude, longitude } });
const oneStop = (shipping_address: object, cod_amount = 0) => ({
  pickup_address: at(21, 105),
  delivery_points: [{ shipping_address, cod_amount }],
});
/** A degree of latitude is 111.19 km. */
const north = (kilometres: number) => at(21 + kilometres / 111.1949, 105);

describe('shop.Shipnow/GetShipnowServices', () => {
  it('answers what each service costs', async () => {
    const test = await openTestSandbox();
    const { status, body } = await priceOf(test);
    expect(status).toBe(200);
    expect(body.services).toEqual([
      {
        code: expect.stringMatching(/^[0-9A-F]{10}$/),
        name: 'Instant',
        description: expect.any(String),
        fee: 46000,
        carrier_info: { name: 'Platform Delivery', image_url: 'https://sandbox.example/carriers/platform.svg' },
      },
      expect.objectContaining({ name: 'Same Day', fee: 30600 }),
      expect.objectContaining({ name: 'Night Ride', fee: 56250 }),
    ]);
    expect(await priceOf(test)).toEqual({ status, body });
    expect(await test.changes()).toEqual([]);
  });

  it.each([
    [0, 16000],
    [1.99, 16000],
    [2.01, 21000],
    [2.99, 21000],
    [3.01, 26000],
    [39.9, 206000],
  ])('charges by the kilometre: %d km', async (kilometres, fee) => {
    const test = await openTestSandbox();
    expect((await priceOf(test, oneStop(north(kilometres)))).body.services[0]).toMatchObject({ name: 'Instant', fee });
  });

  it('serves no way that is too long', async () => {
    const test = await openTestSandbox();
    const names = async (kilometres: number) =>
      (await priceOf(test, oneStop(north(kilometres)))).body.services.map(({ name }: { name: string }) => name);
    expect(await names(29)).toEqual(['Instant', 'Same Day', 'Night Ride']);
    expect(await names(31)).toEqual(['Instant', 'Same Day']);
    expect(await names(41)).toEqual(['Same Day']);
    expect(await names(61)).toEqual([]);
  });

  it('charges for the stops in the order in which they come', async () => {
    const test = await openTestSandbox();
    const points = (...addresses: object[]) => ({
      pickup_address: shop,
      delivery_points: addresses.map((shipping_address) => ({ shipping_address })),
    });
    const fee = async (delivery: object) => (await priceOf(test, delivery)).body.services[0].fee;
    expect(await fee(points(lake, tower))).toBeLessThan(await fee(points(tower, lake)));
    expect(await fee(points(lake, lake))).toBe((await fee(points(lake))) + 5000);
  });

  it('charges for the cash, rounded up', async () => {
    const test = await openTestSandbox();
    const fees = async (cash: number) =>
      (await priceOf(test, oneStop(north(1), cash))).body.services.map(({ fee }: { fee: number }) => fee);
    expect(await fees(0)).toEqual([16000, 12000, 22000]);
    expect(await fees(1)).toEqual([16000, 12001, 22001]);
    expect(await fees(250000)).toEqual([16000, 13000, 23250]);
  });

  it('takes coordinates as float32, integers too', async () => {
    const test = await openTestSandbox();
    // Between these two lies the end of the second kilometre.
    const [exact, kept] = [at(21, 105.019269), at(21, Math.fround(105.019269))];
    expect(await priceOf(test, oneStop(kept))).toEqual(await priceOf(test, oneStop(exact)));
    expect((await priceOf(test, oneStop(at(21, 105)))).body.services[0].fee).toBe(16000);
  });

  it('guesses the way from the names of the places where there are no coordinates', async () => {
    const test = await openTestSandbox();
    const fee = async (from: object, to: object) => {
      const { body } = await priceOf(test, { pickup_address: from, delivery_points: [{ shipping_address: to }] });
      return body.services[0]?.fee;
    };
    const ward = { province: 'ha noi', district: 'cau giay', ward: 'dich vong' };
    const district = { province: 'Hà Nội', district: 'Cầu Giấy' };
    const province = { province: 'HN', district: 'Ba Đình' };
    expect(await fee(ward, ward)).toBe(16000);
    expect(await fee(ward, district)).toBe(21000);
    expect(await fee(ward, province)).toBe(56000);
    expect(await fee(shop, province)).toBe(56000);
    expect(await fee(ward, { province: 'Đà Nẵng', district: 'Liên Chiểu' })).toBeUndefined();
  });

  it('has separate codes for each shop', async () => {
    const test = await openTestSandbox();
    const codes = async (key: string) =>
      (await priceOf(test, twoStops, key)).body.services.map(({ code }: { code: string }) => code);
    const all = [...(await codes(test.shop.apiKey)), ...(await codes(test.otherShop.apiKey))];
    expect(new Set(all).size).toBe(6);
  });

  it('refuses more than ten stops', async () => {
    const test = await openTestSandbox();
    const points = (count: number) => ({
      pickup_address: at(21, 105),
      delivery_points: Array.from({ length: count }, () => ({ shipping_address: at(21, 105) })),
    });
    expect((await priceOf(test, points(10))).status).toBe(200);
    for (const count of [0, 11]) {
      const { status, body } = await priceOf(test, points(count));
      expect([status, body.meta.field]).toEqual([400, 'delivery_points']);
    }
  });

  it.each([
    [oneStop(at(91, 0)), 'delivery_points[0].shipping_address.coordinates.latitude'],
    [oneStop(at(0, -180.5)), 'delivery_points[0].shipping_address.coordinates.longitude'],
    [oneStop({ coordinates: { latitude: 21 } }), 'delivery_points[0].shipping_address.coordinates.longitude'],
    [oneStop(at(21, 105), -1), 'delivery_points[0].cod_amount'],
    [oneStop({ province: 'Hà Nội', district: 'Cầu Giấy' }), 'pickup_address.province'],
    [{ ...oneStop({}), pickup_address: shop }, 'delivery_points[0].shipping_address.province'],
    [
      { ...oneStop({ province: 'Hà Nội', district: 'Q99' }), pickup_address: shop },
      'delivery_points[0].shipping_address.district',
    ],
    [{ delivery_points: [] }, 'pickup_address'],
  ])('refuses %j', async (delivery, field) => {
    const { status, body } = await priceOf(await openTestSandbox(), delivery);
    expect([status, body.code, body.meta.field]).toEqual([400, 'invalid_argument', field]);
  });

  it('is not for a partner', async () => {
    const test = await openTestSandbox();
    expect((await priceOf(test, twoStops, test.shopKey)).status).toBe(401);
  });
});
