import { expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { matchPlace } from '../../src/domain/places/places.ts';

type Level = 'province' | 'district' | 'ward';

/** The prefixes of decisions, section 9, with a place that each of them may stand before. */
const prefixes: readonly (readonly [Level, string, { province?: string; district?: string; ward?: string }, string])[] =
  [
    ['province', 'tinh, t', { province: 'Thái Bình', district: 'thai thuy' }, 'Tỉnh Thái Bình'],
    ['province', 'thanh pho, tp, t p', { province: 'Hà Nội', district: 'cau giay' }, 'Thành phố Hà Nội'],
    ['district', 'quan, q', { province: 'HN', district: 'Cầu Giấy' }, 'Quận Cầu Giấy'],
    ['district', 'huyen dao, hd, h d, huyen, h', { province: 'da nang', district: 'Hoàng Sa' }, 'Huyện Hoàng Sa'],
    ['district', 'thanh pho, tp, t p', { province: 'dak lak', district: 'Buôn Ma Thuột' }, 'Thành phố Buôn Ma Thuột'],
    ['district', 'thi xa, tx, t x', { province: 'HN', district: 'Sơn Tây' }, 'Thị xã Sơn Tây'],
    ['ward', 'phuong, p', { province: 'HN', district: 'cau giay', ward: 'Dịch Vọng' }, 'Phường Dịch Vọng'],
    ['ward', 'xa, x', { province: 'HN', district: 'gia lam', ward: 'Yên Viên' }, 'Xã Yên Viên'],
    ['ward', 'thi tran, tt, t t', { province: 'HN', district: 'gia lam', ward: 'Yên Viên' }, 'Thị trấn Yên Viên'],
  ];

const cases = prefixes.flatMap(([level, list, place, name]) =>
  list.split(', ').flatMap((prefix) => {
    const stem = place[level] ?? '';
    const bare = stem
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase();
    const texts = [`${prefix} ${stem}`, `${prefix.toUpperCase()}. ${stem}`, `${prefix.replaceAll(' ', '.')}. ${bare}`];
    return texts.map((text) => [level, text, name, { ...place, [level]: text }] as const);
  }),
);

it.each(cases)('the %s %j is %s', (level, _, name, place) => {
  expect(matchPlace(locationTree, place)).toMatchObject({
    kind: 'found',
    [level]: name,
  });
});
