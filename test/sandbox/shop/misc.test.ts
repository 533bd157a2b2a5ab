import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { openShopCalls } from '../../support/shop-calls.ts';

interface Place {
  readonly name: string;
}
type District = Place & { readonly wards: readonly Place[] };
type Province = Place & { readonly districts: readonly District[] };

describe('CurrentAccount', () => {
  it('answers the shop that the key belongs to', async () => {
    const { made, other, shop, otherShop } = await openShopCalls();
    const { id, name } = shop;
    const website = `https://sandbox.example/shops/${id}`;
    const account = { id, name, type: 'shop', image_url: `${website}.svg`, website };
    expect(await made('Misc/CurrentAccount', {})).toEqual(account);
    expect((await other('Misc/CurrentAccount', {})).body).toMatchObject({ id: otherShop.id, name: otherShop.name });
  });
});

describe('GetLocationList', () => {
  it('answers all 63 provinces, 713 districts and their wards', async () => {
    const { made } = await openShopCalls();
    const { provinces }: { provinces: Province[] } = await made('Misc/GetLocationList', {});
    const districts = provinces.flatMap((province) => province.districts);
    const wards = districts.flatMap((district) => district.wards);
    expect([provinces.length, districts.length]).toEqual([63, 713]);
    expect(wards.length).toBeGreaterThan(11_000);
    expect(wards.every((ward) => Object.keys(ward).join() === 'name' && ward.name !== '')).toBe(true);
    const district = provinces
      .find(({ name }) => name === 'Thành phố Hà Nội')
      ?.districts.find(({ name }) => name === 'Quận Cầu Giấy');
    expect(district?.wards).toContainEqual({ name: 'Phường Dịch Vọng' });
  });

  it('names places as addresses come back', async () => {
    const { made } = await openShopCalls();
    const { provinces }: { provinces: Province[] } = await made('Misc/GetLocationList', {});
    const { id: customer_id } = await made('Customer/CreateCustomer', { full_name: 'Lan', phone: '0901' });
    for (const { name: province, districts } of provinces) {
      const [district] = districts;
      const [ward] = district?.wards ?? [];
      const place = { province, district: district?.name, ward: ward?.name };
      const person = { customer_id, full_name: 'Lan', phone: '0901', address1: '1' };
      expect(await made('CustomerAddress/CreateAddress', { ...person, ...place })).toMatchObject(place);
    }
  });
});

describe('VersionInfo', () => {
  it('answers the service, the version of the contract and when this sandbox was made', async () => {
    const { made, clock } = await openShopCalls();
    const version = {
      service: 'shop',
      version: 'v1',
      updated_at: '2026-01-31T08:00:00Z',
      meta: { environment: 'sandbox', instance: expect.stringMatching(/^[0-9a-f]{32}$/) },
    };
    expect(await made('Misc/VersionInfo', {})).toEqual(version);
    clock.advance(60_000);
    expect(await made('Misc/VersionInfo', {})).toEqual(version);
  });

  it('answers the same instance as long as the data are the same, and another one of other data', async () => {
    const data = mkdtempSync(join(tmpdir(), 'shopctl-sandbox-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const instance = async ({ post, shop }: TestSandbox, { apiKey } = shop) =>
      (await post('shop.Misc/VersionInfo', {}, apiKey)).body.meta.instance;
    const one = await openTestSandbox({ data });
    const own = await instance(one);
    await one.sandbox.control.snapshots.save('s');
    await one.sandbox.control.reset();
    expect(await instance(one)).toBe(own);
    await one.sandbox.control.snapshots.restore('s');
    expect(await instance(one)).toBe(own);
    await one.sandbox.close();
    const again = await openTestSandbox({ data });
    expect([await instance(again), again.sandbox.instance]).toEqual([own, own]);
    const elsewhere = mkdtempSync(join(tmpdir(), 'shopctl-sandbox-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const other = await openTestSandbox({ data: elsewhere });
    const others = await instance(other);
    expect(others).not.toBe(own);
    // A snapshot of another sandbox is data, and no other sandbox.
    await other.sandbox.control.snapshots.save('s');
    copyFileSync(join(data, 'snapshots', 's.sqlite'), join(elsewhere, 'snapshots', 's.sqlite'));
    await other.sandbox.control.snapshots.restore('s');
    expect(await instance(other, one.shop)).toBe(others);
  });
});
