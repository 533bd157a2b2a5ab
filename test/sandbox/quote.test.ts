import { describe, expect, it } from 'vitest';
import { carriers } from '../../src/sandbox/service/shipments/carriers.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { quoteFields } from '../support/sandbox-order.ts';

const operation = 'partner.Shipping/GetShippingServices';

async function servicesFor({ post, shopKey }: TestSandbox, changes: object = {}, key = shopKey) {
  const { status, body } = await post(operation, { ...quoteFields, ...changes }, key);
  expect(body).toMatchObject({ services: expect.anything() });
  expect(status).toBe(200);
  return body.services as { code: string; fee: number; carrier: string; name: string; connection_id: string }[];
}

describe('a quote', () => {
  it('offers services of several carriers with all that an order needs', async () => {
    const services = await servicesFor(await openTestSandbox());
    expect(services[0]).toEqual({
      code: expect.stringMatching(/^[0-9A-F]{10}$/),
      name: 'Standard',
      fee: 53900,
      carrier: 'platform',
      estimated_pickup_at: '2026-01-31T14:00:00Z',
      estimated_delivery_at: '2026-02-04T14:00:00Z',
      carrier_info: { name: 'Platform Delivery', image_url: 'https://sandbox.example/carriers/platform.svg' },
      connection_id: '1900000000000000101',
    });
    expect(new Set(services.map(({ code }) => code)).size).toBe(services.length);
    expect(new Set(services.map(({ carrier }) => carrier)).size).toBeGreaterThan(3);
  });

  it('knows carriers with codes and connections of their own, one of them the platform', () => {
    expect(new Set(carriers.map(({ code }) => code)).size).toBe(carriers.length);
    expect(carriers.filter(({ code }) => code === 'platform')).toHaveLength(1);
    expect(new Set(carriers.map(({ connectionId }) => connectionId)).size).toBe(carriers.length);
  });

  it('has codes that stay the same for a shop and differ between shops', async () => {
    const test = await openTestSandbox();
    const codes = async (key?: string) => (await servicesFor(test, {}, key)).map(({ code }) => code);
    const first = await codes();
    test.clock.advance(86_400_000);
    expect(await codes()).toEqual(first);
    const others = await codes(await test.signIn(test.otherShop.id));
    expect(others.filter((code) => first.includes(code))).toEqual([]);
  });

  it('has fees that depend on route, chargeable weight, insurance and cash alone', async () => {
    const test = await openTestSandbox();
    const fees = async (changes: object) => (await servicesFor(test, changes)).map(({ fee }) => fee);
    const usual = await fees({});
    expect(await fees({ length: 0, width: null, gross_weight: 0, chargeable_weight: 3000 })).toEqual(usual);
    expect(await fees({ include_insurance: true })).toEqual(usual);
    expect(await fees({ shipping_address: { province: 'HN', district: 'Q. Cầu Giấy', ward: 'Yên Hoà' } })).toEqual(
      usual,
    );
    test.clock.advance(3_600_000);
    expect(await fees({})).toEqual(usual);
    expect(await fees({ chargeable_weight: 3001 })).not.toEqual(usual);
    expect(await fees({ include_insurance: false })).not.toEqual(usual);
    expect(await fees({ cod_amount: 0 })).not.toEqual(usual);
    expect(await fees({ shipping_address: quoteFields.pickup_address })).not.toEqual(usual);
  });

  it('can carry the largest amounts', async () => {
    const [first] = await servicesFor(await openTestSandbox(), { basket_value: Number.MAX_SAFE_INTEGER });
    expect(Number.isSafeInteger(first?.fee)).toBe(true);
  });

  it.each([
    [{ pickup_address: { province: 'Atlantis', district: 'x' } }, 'pickup_address.province'],
    [{ shipping_address: { province: 'Hà Nội', district: 'Quận 99' } }, 'shipping_address.district'],
    [{ shipping_address: { province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Nowhere' } }, 'shipping_address.ward'],
    [{ shipping_address: { province: '', district: 'Cầu Giấy' } }, 'shipping_address.province'],
    [{ shipping_address: { district: 'Cầu Giấy' } }, 'shipping_address.province'],
    [{ pickup_address: undefined }, 'pickup_address'],
    [{ chargeable_weight: 2999 }, 'chargeable_weight'],
    [{ gross_weight: -1 }, 'gross_weight'],
    [{ length: 1e6, width: 1e6, height: 1e6 }, 'volumetric_weight'],
    [{ basket_value: -1 }, 'basket_value'],
    [{ cod_amount: -1 }, 'cod_amount'],
    [{ gross_weight: 1.5 }, 'gross_weight'],
    [{ include_insurance: 'yes' }, 'include_insurance'],
  ])('refuses %j with 400 and the field', async (changes, field) => {
    const { post, shopKey } = await openTestSandbox();
    const { status, body } = await post(operation, { ...quoteFields, ...changes }, shopKey);
    expect([status, body.code, body.meta?.field]).toEqual([400, 'invalid_argument', field]);
  });

  it('names both weights when the chargeable one is too small', async () => {
    const { post, shopKey } = await openTestSandbox();
    const { body } = await post(operation, { ...quoteFields, chargeable_weight: 1200 }, shopKey);
    expect(body.meta).toEqual({ field: 'chargeable_weight', expected: '3000', given: '1200' });
  });

  it('changes nothing', async () => {
    const test = await openTestSandbox();
    await servicesFor(test);
    expect(await test.changes()).toEqual([]);
  });
});
