import { describe, expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import type { PlaceMatch } from '../../src/domain/places/place-index.ts';
import { foldedName, otherSpellings, tonedName } from '../../src/domain/places/place-name.ts';
import {
  type District,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  matchWard,
  type Province,
} from '../../src/domain/places/places.ts';
import { fc } from '../support/fast-check.ts';

function found<Place>(match: PlaceMatch<Place>): Place {
  if (match.kind !== 'found') throw new Error(match.kind);
  return match.place;
}

const province = (text: string): Province => found(matchProvince(locationTree, text));
const district = (provinceText: string, text: string): District => found(matchDistrict(province(provinceText), text));
const ward = (provinceText: string, districtText: string, text: string) =>
  matchWard(province(provinceText), district(provinceText, districtText), text);
const withoutUnit = (name: string) => name.replace(/^(Thành phố|Thị xã|Thị trấn|\S+) /i, '');

describe('matchProvince', () => {
  it.each([
    ['Thành phố Hà Nội', 'Thành phố Hà Nội'],
    ['hà nội', 'Thành phố Hà Nội'],
    ['  HÀ   NỘI ', 'Thành phố Hà Nội'],
    ['Hà Nội'.normalize('NFD'), 'Thành phố Hà Nội'],
    ['tp ha noi', 'Thành phố Hà Nội'],
    ['TP. Hà Nội', 'Thành phố Hà Nội'],
    ['T.P. Ha Noi', 'Thành phố Hà Nội'],
    ['HN', 'Thành phố Hà Nội'],
    ['HCM', 'Thành phố Hồ Chí Minh'],
    ['TPHCM', 'Thành phố Hồ Chí Minh'],
    ['TP.HCM', 'Thành phố Hồ Chí Minh'],
    ['tp. hồ chí minh', 'Thành phố Hồ Chí Minh'],
    ['BRVT', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['ba ria vung tau', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['Bà Rịa – Vũng Tàu', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['Đà Nẵng', 'Thành phố Đà Nẵng'],
    ['da nang', 'Thành phố Đà Nẵng'],
    ['Ðà Nẵng', 'Thành phố Đà Nẵng'],
    ['Thái Bình', 'Tỉnh Thái Bình'],
    ['t thai binh', 'Tỉnh Thái Bình'],
    ['T.Thái Bình', 'Tỉnh Thái Bình'],
    ['Tỉnh Hòa Bình', 'Tỉnh Hoà Bình'],
    ['sai gon', 'Thành phố Hồ Chí Minh'],
    ['Sài Gòn', 'Thành phố Hồ Chí Minh'],
    ['TP. Sài Gòn', 'Thành phố Hồ Chí Minh'],
    ['Saigon', 'Thành phố Hồ Chí Minh'],
    ['SG', 'Thành phố Hồ Chí Minh'],
    ['HCMC', 'Thành phố Hồ Chí Minh'],
    ['Ho Chi Minh City', 'Thành phố Hồ Chí Minh'],
    ['hochiminh', 'Thành phố Hồ Chí Minh'],
    ['Hanoi', 'Thành phố Hà Nội'],
    ['Hanoi City', 'Thành phố Hà Nội'],
    ['Danang', 'Thành phố Đà Nẵng'],
    ['Haiphong', 'Thành phố Hải Phòng'],
    ['cantho', 'Thành phố Cần Thơ'],
    ['Huế', 'Tỉnh Thừa Thiên Huế'],
    ['hue', 'Tỉnh Thừa Thiên Huế'],
    ['TP Huế', 'Tỉnh Thừa Thiên Huế'],
    ['Thành phố Huế', 'Tỉnh Thừa Thiên Huế'],
    ['TT. Huế', 'Tỉnh Thừa Thiên Huế'],
    ['TTH', 'Tỉnh Thừa Thiên Huế'],
    ['Thừa Thiên - Huế', 'Tỉnh Thừa Thiên Huế'],
    ['Vũng Tàu', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['Bà Rịa', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['BR-VT', 'Tỉnh Bà Rịa - Vũng Tàu'],
    ['Đắc Lắc', 'Tỉnh Đắk Lắk'],
    ['Daklak', 'Tỉnh Đắk Lắk'],
    ['Đăk Nông', 'Tỉnh Đắk Nông'],
    ['Kontum', 'Tỉnh Kon Tum'],
    ['Bắc Cạn', 'Tỉnh Bắc Kạn'],
    ['Lam Dong Province', 'Tỉnh Lâm Đồng'],
    ['province Lam Dong', 'Tỉnh Lâm Đồng'],
  ])('reads %j as %s', (text, name) => {
    expect(province(text).name).toBe(name);
  });

  it('has other names only where one province is meant', () => {
    const stems = locationTree.provinces.map(({ name }) => foldedName(name).replace(/^(tinh|thanh pho) /, ''));
    const tight = stems.map((stem) => stem.replaceAll(' ', ''));
    expect(new Set(tight).size).toBe(locationTree.provinces.length);
    for (const name of [...stems, ...tight]) expect(matchProvince(locationTree, name).kind).toBe('found');
  });

  it.each(['', ' ', '.', 'tp', 'hai binh', 'xyz', 'city', 'da lat', 'h u e s', 'ha', 'hochi minh x'])(
    'does not find %j',
    (text) => {
      expect(matchProvince(locationTree, text)).toEqual({ kind: 'not_found' });
    },
  );
});

it('takes y and i for one vowel at the end of a word, but not behind another vowel', () => {
  expect(otherSpellings('quy nhon', 'district')).toEqual(['qui nhon']);
  expect(otherSpellings('bac ly', 'ward')).toEqual(['bac li']);
  expect(otherSpellings('muong lay', 'district')).toEqual([]);
  expect(otherSpellings('bmt', 'ward')).toEqual([]);
});

describe('matchDistrict', () => {
  it.each([
    ['HCM', 'Quận 2', 'Quận 2'],
    ['HCM', 'Q2', 'Quận 2'],
    ['HCM', 'q.02', 'Quận 2'],
    ['HCM', 'quan 2', 'Quận 2'],
    ['HCM', '2', 'Quận 2'],
    ['HCM', '12', 'Quận 12'],
    ['HCM', 'H. Củ Chi', 'Huyện Củ Chi'],
    ['HCM', 'TP Thủ Đức', 'Quận Thủ Đức'],
    ['Đà Nẵng', 'Liên Chiểu', 'Quận Liên Chiểu'],
    ['Đà Nẵng', 'huyện đảo Hoàng Sa', 'Huyện Hoàng Sa'],
    ['Đà Nẵng', 'H.Đ. Hoàng Sa', 'Huyện Hoàng Sa'],
    ['tp ha noi', 'Q. Cau Giay', 'Quận Cầu Giấy'],
    ['Hà Giang', 'Quản Bạ', 'Huyện Quản Bạ'],
    ['Thanh Hóa', 'quan son', 'Huyện Quan Sơn'],
    ['Vĩnh Long', 'Vũng Liêm', 'Huyện Vũng Liêm'],
    ['Đắk Lắk', "M'Đrắk", "Huyện M'Đrắk"],
    ['HCMC', 'District 1', 'Quận 1'],
    ['HCMC', 'district 01', 'Quận 1'],
    ['Saigon', 'Tan Binh District', 'Quận Tân Bình'],
    ['Đồng Tháp', 'Cao Lanh City', 'Thành phố Cao Lãnh'],
    ['Bình Định', 'Quy Nhơn', 'Thành phố Qui Nhơn'],
    ['Bình Định', 'TP. quy nhon', 'Thành phố Qui Nhơn'],
    ['Đắk Lắk', 'TP BMT', 'Thành phố Buôn Ma Thuột'],
    ['Đắk Lắk', 'Buôn Mê Thuột', 'Thành phố Buôn Ma Thuột'],
    ['Ninh Thuận', 'Phan Rang', 'Thành phố Phan Rang-Tháp Chàm'],
    ['Đồng Tháp', 'Cao Lanh District', 'Huyện Cao Lãnh'],
    ['Huế', 'TP Huế', 'Thành phố Huế'],
  ])('in %s reads %j as %s', (provinceText, text, name) => {
    expect(district(provinceText, text).name).toBe(name);
  });

  it('seeks a district in its province only', () => {
    expect(matchDistrict(province('HN'), 'Quận 2').kind).toBe('not_found');
  });

  it('tells a town from the rural district of the same name by its prefix, and else says that it cannot', () => {
    expect(district('Đồng Tháp', 'TP Cao Lãnh').name).toBe('Thành phố Cao Lãnh');
    expect(district('Đồng Tháp', 'h cao lanh').name).toBe('Huyện Cao Lãnh');
    const match = matchDistrict(province('Đồng Tháp'), 'Cao Lãnh');
    expect(match).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ name: 'Thành phố Cao Lãnh' }, { name: 'Huyện Cao Lãnh' }],
    });
  });
});

describe('matchWard', () => {
  it.each([
    ['HCM', 'Q3', 'Phường 1', 'Phường 01'],
    ['HCM', 'Q3', 'p1', 'Phường 01'],
    ['HCM', 'Q3', 'Ward 1', 'Phường 01'],
    ['Saigon', 'District 2', 'Thao Dien Ward', 'Phường Thảo Điền'],
    ['HCM', 'Q3', 'P.01', 'Phường 01'],
    ['HCM', 'Q3', '1', 'Phường 01'],
    ['HCM', 'Q3', 'Phường 10', 'Phường 10'],
    ['HCM', 'Q3', 'p010', 'Phường 10'],
    ['Hà Nội', 'Đống Đa', 'Phương Liên', 'Phường Phương Liên'],
    ['Hà Nội', 'Đống Đa', 'p phuong lien', 'Phường Phương Liên'],
    ['Quảng Nam', 'Đông Giang', 'P Rao', 'Thị trấn P Rao'],
    ['Quảng Nam', 'Đông Giang', 'TT. P Rao', 'Thị trấn P Rao'],
    ['Hà Giang', 'Đồng Văn', 'Xà Phìn', 'Xã Xà Phìn'],
    ['Hà Nội', 'Gia Lâm', 'xa yen vien', 'Xã Yên Viên'],
    ['Hà Nội', 'Gia Lâm', 'T.T Yên Viên', 'Thị trấn Yên Viên'],
    ['Thanh Hóa', 'Hậu Lộc', 'Hoà Lộc', 'Xã Hòa Lộc'],
    ['Thanh Hóa', 'Hậu Lộc', 'Hoa Lộc', 'Xã Hoa Lộc'],
    ['Đà Nẵng', 'Hải Châu', 'phường hải châu i', 'Phường Hải Châu I'],
    ['Đà Nẵng', 'Hải Châu', 'Hải Châu 1', 'Phường Hải Châu I'],
    ['Đà Nẵng', 'Hải Châu', 'p. hai chau 2', 'Phường Hải Châu II'],
    ['Hà Nội', 'Cầu Giấy', 'Yên Hòa', 'Phường Yên Hoà'],
  ])('in %s, %s reads %j as %s', (provinceText, districtText, text, name) => {
    expect(found(ward(provinceText, districtText, text)).ward.name).toBe(name);
  });

  it('does not take Phường 1 for Phường 10, nor guess between districts', () => {
    expect(ward('HCM', 'Quận 1', 'Phường 1')).toEqual({ kind: 'not_found' });
    expect(ward('HCM', 'Quận 3', 'Phường 15')).toEqual({ kind: 'not_found' });
  });

  it('finds a ward outside its district where it is the only one of that name in the province', () => {
    const { ward: place, district: home } = found(ward('HCM', 'Quận 1', 'thảo điền'));
    expect([place.name, home.name]).toEqual(['Phường Thảo Điền', 'Quận 2']);
  });

  it('does not choose between names that only diacritics tell apart when none are written', () => {
    expect(ward('Thanh Hóa', 'Hậu Lộc', 'hoa loc')).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ ward: { name: 'Xã Hoa Lộc' } }, { ward: { name: 'Xã Hòa Lộc' } }],
    });
  });

  it('finds every ward by its official name in any case and form, and bare or folded never another', () => {
    let ambiguous = 0;
    for (const home of locationTree.provinces) {
      for (const area of home.districts) {
        for (const place of area.wards) {
          for (const text of [place.name, place.name.toUpperCase().normalize('NFD')]) {
            if (found(matchWard(home, area, text)).ward !== place) throw new Error(`${text}, ${area.name}`);
          }
          const bare = withoutUnit(place.name);
          for (const text of [bare, foldedName(place.name), foldedName(bare)]) {
            const match = matchWard(home, area, text);
            const places = match.kind === 'found' ? [match.place] : match.kind === 'ambiguous' ? match.candidates : [];
            if (!places.some((candidate) => candidate.ward === place)) throw new Error(`${text}, ${area.name}`);
            if (match.kind === 'ambiguous') ambiguous += 1;
          }
        }
      }
    }
    expect(ambiguous).toBeLessThan(300);
  });
});

describe('matchPlace', () => {
  it('answers official names', () => {
    expect(matchPlace(locationTree, { province: 'tphcm', district: 'q2', ward: 'p thao dien' })).toEqual({
      kind: 'found',
      province: 'Thành phố Hồ Chí Minh',
      district: 'Quận 2',
      ward: 'Phường Thảo Điền',
    });
    expect(matchPlace(locationTree, { province: 'HN', district: 'cau giay' })).toEqual({
      kind: 'found',
      province: 'Thành phố Hà Nội',
      district: 'Quận Cầu Giấy',
    });
  });

  it('says which level failed, with the text as written', () => {
    const fails = (written: Parameters<typeof matchPlace>[1]) => matchPlace(locationTree, written);
    const none = { kind: 'not_found', candidates: [] };
    expect(fails({ district: 'q1' })).toEqual({ ...none, level: 'province', text: '' });
    expect(fails({ province: 'Nope', district: 'q1' })).toEqual({ ...none, level: 'province', text: 'Nope' });
    expect(fails({ province: 'HN', district: 'q1' })).toEqual({ ...none, level: 'district', text: 'q1' });
    expect(fails({ province: 'HN', district: '', ward: '' })).toEqual({ ...none, level: 'district', text: '' });
    expect(fails({ province: 'HCM', district: 'q1', ward: 'p99' })).toEqual({ ...none, level: 'ward', text: 'p99' });
    expect(fails({ province: 'Đồng Tháp', district: 'Hồng Ngự' })).toEqual({
      kind: 'ambiguous',
      level: 'district',
      text: 'Hồng Ngự',
      candidates: ['Thị xã Hồng Ngự', 'Huyện Hồng Ngự'],
    });
  });

  it('says so when the ward lies in another district than the written one', () => {
    expect(matchPlace(locationTree, { province: 'HCM', district: 'Thủ Đức', ward: 'Thảo Điền' })).toMatchObject({
      district: 'Quận 2',
      movedFrom: 'Quận Thủ Đức',
    });
  });

  it('takes the district from a ward that is the only one of its name, where no district is written', () => {
    expect(matchPlace(locationTree, { province: 'HCM', ward: 'Thảo Điền' })).toMatchObject({ district: 'Quận 2' });
    expect(matchPlace(locationTree, { province: 'HCM', ward: 'Phường 1' })).toMatchObject({ level: 'district' });
  });

  it('keeps the ward as written where the district has none', () => {
    expect(matchPlace(locationTree, { province: 'BRVT', district: 'Côn Đảo', ward: ' Khu 8 ' })).toMatchObject({
      district: 'Huyện Côn Đảo',
      ward: 'Khu 8',
    });
  });

  it('reports two places of one name as ambiguous instead of picking one', () => {
    const twins: LocationTree = { provinces: [1, 2].map(() => ({ name: 'Tỉnh A', districts: [] })) };
    expect(matchPlace(twins, { province: 'A' })).toMatchObject({ kind: 'ambiguous', candidates: ['Tỉnh A', 'Tỉnh A'] });
  });

  it('answers its own answer again, and survives any text', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('hcm', 'q1', 'p 1', 't', '0', '__proto__'));
    fc.assert(
      fc.property(text, text, text, (provinceText, districtText, wardText) => {
        const written = { province: provinceText, district: districtText, ward: wardText };
        const place = matchPlace(locationTree, written);
        if (place.kind === 'found') expect(matchPlace(locationTree, place)).toMatchObject({ ...place });
      }),
    );
  });
});

describe('tonedName', () => {
  it('hears both places of a tone as one and other diacritics as different', () => {
    expect(tonedName('Hoà Bình')).toBe(tonedName('hòa bình'));
    expect(tonedName('Hoa')).not.toBe(tonedName('Hòa'));
    expect(tonedName('Sơn')).not.toBe(tonedName('Son'));
  });
});
