import { expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { guessPlaces, namesMeant, nearNames, suggestPlaces } from '../../src/domain/places/place-suggest.ts';
import { districtsOf, matchPlace, matchProvince, provincesOf } from '../../src/domain/places/places.ts';
import { fc } from '../support/fast-check.ts';

const first = (text: string) => Object.values(suggestPlaces(locationTree, text)[0] ?? {}).join(' < ');

it.each([
  ['hcm', 'Thành phố Hồ Chí Minh'],
  ['hanoi', 'Thành phố Hà Nội'],
  ['danag', 'Thành phố Đà Nẵng'],
  ['q2 hcm', 'Thành phố Hồ Chí Minh < Quận 2'],
  ['hcm q2', 'Thành phố Hồ Chí Minh < Quận 2'],
  ['cau giay', 'Thành phố Hà Nội < Quận Cầu Giấy'],
  ['mdrak', "Tỉnh Đắk Lắk < Huyện M'Đrắk"],
  ['bin thanh hcm', 'Thành phố Hồ Chí Minh < Quận Bình Thạnh'],
  ['bt hcm', 'Thành phố Hồ Chí Minh < Quận Bình Thạnh'],
  ['p thảo điền q2 tphcm', 'Thành phố Hồ Chí Minh < Quận 2 < Phường Thảo Điền'],
  ['thao dien hcm', 'Thành phố Hồ Chí Minh < Quận 2 < Phường Thảo Điền'],
  ['p1 q3 hcm', 'Thành phố Hồ Chí Minh < Quận 3 < Phường 01'],
  ['Phường Dịch Vọng, Quận Cầu Giấy, Hà Nội', 'Thành phố Hà Nội < Quận Cầu Giấy < Phường Dịch Vọng'],
])('completes %j to %s', (text, place) => {
  expect(first(text)).toBe(place);
});

it.each([
  ['lien chieu da nag', 'Thành phố Đà Nẵng < Quận Liên Chiểu'],
  ['p dich vong cau giayy hn', 'Thành phố Hà Nội < Quận Cầu Giấy < Phường Dịch Vọng'],
  ['Quận 2, TP Hồ Chí Min', 'Thành phố Hồ Chí Minh < Quận 2'],
  ['12 Nguyễn Trãi, P Bến Thành, Q1, HCM', 'Thành phố Hồ Chí Minh < Quận 1 < Phường Bến Thành'],
  ['số 5 ngõ 12, dịch vọng, cầu giấy, hà nội', 'Thành phố Hà Nội < Quận Cầu Giấy < Phường Dịch Vọng'],
])('guesses what %j means: %s', (text, place) => {
  expect(suggestPlaces(locationTree, text)).toEqual([]);
  expect(Object.values(guessPlaces(locationTree, text)[0] ?? {}).join(' < ')).toBe(place);
});

it.each([
  ['dich von', 'Phường Dịch Vọng'],
  ['p. hoa khanh n', 'Phường Hòa Khánh Nam'],
  ['linh tru', 'Phường Linh Trung'],
])('finds a ward of any province by the beginning of its name: %j', (text, ward) => {
  expect(guessPlaces(locationTree, text).map((place) => place.ward)).toContain(ward);
});

it.each([
  ['hoa khanh nam', 'Thành phố Đà Nẵng < Quận Liên Chiểu < Phường Hòa Khánh Nam'],
  ['dich vong', 'Thành phố Hà Nội < Quận Cầu Giấy < Phường Dịch Vọng'],
  ['Xã Hòa Khánh Nam', 'Tỉnh Long An < Huyện Đức Hòa < Xã Hòa Khánh Nam'],
  ['12 Lê Lợi, hoa khanh nam', 'Thành phố Đà Nẵng < Quận Liên Chiểu < Phường Hòa Khánh Nam'],
])('finds a ward by its name alone: %j is %s', (text, place) => {
  const found = guessPlaces(locationTree, text).map((each) => Object.values(each).join(' < '));
  expect(found).toContain(place);
});

it.each([
  ['Q. Nam', ['Tỉnh Quảng Nam']],
  ['Q.Ngãi', ['Tỉnh Quảng Ngãi']],
  ['T. Hóa', ['Tỉnh Thanh Hóa']],
  ['HP', ['Thành phố Hải Phòng']],
  ['KH', ['Tỉnh Khánh Hòa']],
  ['ĐN', ['Thành phố Đà Nẵng', 'Tỉnh Đắk Nông', 'Tỉnh Đồng Nai']],
  ['LA', ['Tỉnh Long An']],
  ['TH', ['Tỉnh Thanh Hóa']],
  ['Hà Nộ', ['Thành phố Hà Nội']],
  ['Quang Nin', ['Tỉnh Quảng Ninh']],
  ['Hải Phong1', ['Thành phố Hải Phòng']],
  // More may be meant, or none.
  ['B', []],
  ['B. Hòa', []],
])('names all provinces that %j may mean, or none', (text, meant) => {
  expect(namesMeant(provincesOf(locationTree), text, 3).sort()).toEqual(meant.sort());
});

it('proposes a district before the wards of the same name', () => {
  expect(guessPlaces(locationTree, 'cau giay')[0]).toEqual(suggestPlaces(locationTree, 'cau giay')[0]);
  expect(
    guessPlaces(locationTree, 'an phu')
      .map(({ district, ward }) => ward ?? district)
      .slice(0, 2),
  ).toEqual(['Huyện An Phú', 'Xã An Phú']);
});

it('guesses what is proposed where something is, and nothing for text that resembles nothing', () => {
  for (const text of ['', 'qwertyuiop', 'q13 hcm', 'xin chao, the gioi', ', , ,']) {
    expect([text, guessPlaces(locationTree, text)]).toEqual([text, []]);
  }
  expect(guessPlaces(locationTree, 'q2 hcm')).toEqual(suggestPlaces(locationTree, 'q2 hcm'));
});

it('proposes nothing for text that resembles nothing, and no other number for a number', () => {
  expect(suggestPlaces(locationTree, '')).toEqual([]);
  expect(suggestPlaces(locationTree, 'qwertyuiop')).toEqual([]);
  expect(suggestPlaces(locationTree, 'q13 hcm')).toEqual([]);
  expect(suggestPlaces(locationTree, 'q2 hcm')).toHaveLength(1);
});

it('proposes near names of one level, or the first ones for empty text', () => {
  const province = matchProvince(locationTree, 'hcm');
  if (province.kind !== 'found') throw new Error(province.kind);
  expect(nearNames(districtsOf(province.place), 'thu duk')).toEqual(['Quận Thủ Đức']);
  expect(nearNames(districtsOf(province.place), 'binh', 2)).toEqual(['Quận Bình Thạnh', 'Quận Bình Tân']);
  expect(nearNames(provincesOf(locationTree), '', 2)).toEqual(['Thành phố Hà Nội', 'Tỉnh Hà Giang']);
});

it('proposes only places that exist, at most as many as asked for, for any text', () => {
  const words = fc.array(fc.constantFrom('q', '1', 'p2', 'hcm', 'ha noi', 'bình', 'thanh', 'x', 'tan', "'"), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        words.map((all) => all.join(' ')),
        fc.string(),
      ),
      (text) => {
        const places = suggestPlaces(locationTree, text, 4);
        expect(places.length).toBeLessThanOrEqual(4);
        for (const place of places) {
          if (place.district !== undefined) expect(matchPlace(locationTree, place)).toMatchObject({ ...place });
        }
      },
    ),
    { numRuns: 50 },
  );
});
