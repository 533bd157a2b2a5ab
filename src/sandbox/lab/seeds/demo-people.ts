import { entryAt } from '../../../domain/json/keys-of.ts';
import { type Random, randomBelow } from '../../engine/store/ids.ts';
import type { ShopSeed } from './seed-content.ts';

/** A street in a real place, in official names: province, district, ward and the street (decisions, section 9). */
type DemoPlace = readonly [province: string, district: string, ward: string, street: string];

/** Where the demo's customers live, from north to south; the streets are invented, the places are real. */
export const demoPlaces: readonly [DemoPlace, ...DemoPlace[]] = [
  ['Thành phố Hà Nội', 'Quận Cầu Giấy', 'Phường Dịch Vọng', 'ngõ 5 Hoa Sữa'],
  ['Thành phố Hà Nội', 'Quận Hoàn Kiếm', 'Phường Hàng Bạc', 'phố Gốm Cũ'],
  ['Thành phố Hà Nội', 'Quận Ba Đình', 'Phường Kim Mã', 'phố Sấu Xanh'],
  ['Thành phố Hà Nội', 'Quận Đống Đa', 'Phường Láng Hạ', 'ngõ 12 Láng Mới'],
  ['Thành phố Hà Nội', 'Quận Hai Bà Trưng', 'Phường Bạch Mai', 'phố Bạch Dương'],
  ['Tỉnh Thái Nguyên', 'Thành phố Thái Nguyên', 'Phường Quang Trung', 'đường Đồi Chè'],
  ['Tỉnh Quảng Ninh', 'Thành phố Hạ Long', 'Phường Bãi Cháy', 'đường Biển Xanh'],
  ['Thành phố Hải Phòng', 'Quận Lê Chân', 'Phường An Biên', 'phố Phượng Đỏ'],
  ['Tỉnh Bắc Ninh', 'Thành phố Bắc Ninh', 'Phường Suối Hoa', 'phố Quan Họ'],
  ['Tỉnh Thanh Hóa', 'Thành phố Thanh Hóa', 'Phường Điện Biên', 'đường Trống Đồng'],
  ['Tỉnh Nghệ An', 'Thành phố Vinh', 'Phường Hưng Bình', 'đường Sen Làng'],
  ['Tỉnh Thừa Thiên Huế', 'Thành phố Huế', 'Phường Phú Hội', 'kiệt 3 Nón Lá'],
  ['Thành phố Đà Nẵng', 'Quận Hải Châu', 'Phường Hải Châu I', 'đường Cầu Vồng'],
  ['Thành phố Đà Nẵng', 'Quận Sơn Trà', 'Phường An Hải Bắc', 'đường Sóng Bạc'],
  ['Tỉnh Quảng Nam', 'Thành phố Hội An', 'Phường Minh An', 'phố Đèn Lồng'],
  ['Tỉnh Gia Lai', 'Thành phố Pleiku', 'Phường Hoa Lư', 'đường Biển Hồ'],
  ['Tỉnh Đắk Lắk', 'Thành phố Buôn Ma Thuột', 'Phường Tân Lợi', 'đường Hoa Cà Phê'],
  ['Tỉnh Khánh Hòa', 'Thành phố Nha Trang', 'Phường Lộc Thọ', 'đường San Hô'],
  ['Tỉnh Lâm Đồng', 'Thành phố Đà Lạt', 'Phường 1', 'đường Thông Reo'],
  ['Tỉnh Đồng Nai', 'Thành phố Biên Hòa', 'Phường Tân Phong', 'đường Bưởi Ngọt'],
  ['Tỉnh Bình Dương', 'Thành phố Thủ Dầu Một', 'Phường Phú Cường', 'đường Sơn Mài'],
  ['Thành phố Hồ Chí Minh', 'Quận 1', 'Phường Bến Nghé', 'đường Me Xanh'],
  ['Thành phố Hồ Chí Minh', 'Quận Bình Thạnh', 'Phường 25', 'hẻm 18 Sông Nhỏ'],
  ['Thành phố Hồ Chí Minh', 'Quận Gò Vấp', 'Phường 10', 'đường Hoa Mười Giờ'],
  ['Thành phố Hồ Chí Minh', 'Quận Thủ Đức', 'Phường Linh Trung', 'đường Làng Sách'],
  ['Tỉnh Tiền Giang', 'Thành phố Mỹ Tho', 'Phường 4', 'đường Vườn Dừa'],
  ['Thành phố Cần Thơ', 'Quận Ninh Kiều', 'Phường Tân An', 'đường Bến Đò'],
  ['Tỉnh An Giang', 'Thành phố Long Xuyên', 'Phường Mỹ Bình', 'đường Thốt Nốt'],
  ['Tỉnh Kiên Giang', 'Huyện Phú Quốc', 'Thị trấn Dương Đông', 'đường Tiêu Đen'],
];

type CustomerSeed = NonNullable<ShopSeed['customers']>[number];

const families = ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Hoàng', 'Vũ', 'Đặng', 'Bùi', 'Đỗ', 'Hồ', 'Ngô', 'Dương'] as const;
const womens = ['Thị Lan', 'Thu Hà', 'Ngọc Mai', 'Thanh Hương', 'Minh Châu', 'Bảo Ngọc', 'Phương Thảo'] as const;
const mens = ['Văn Nam', 'Quốc Huy', 'Minh Quân', 'Đức Anh', 'Hữu Phước', 'Gia Bảo', 'Tuấn Kiệt'] as const;
const companies = ['Công ty Hoa Sen Trắng', 'Quán Cà phê Lá Xanh', 'Nhà sách Đom Đóm', 'Khách sạn Sóng Bạc'] as const;

/** An invented person's name; `pick` draws one of a list. */
export function personName(pick: <Item>(items: readonly [Item, ...Item[]]) => Item, isWoman: boolean): string {
  return `${pick(families)} ${pick<string>(isWoman ? womens : mens)}`;
}

/** The groups of a demo shop's customers. */
export const demoGroups = ['Khách quen', 'Khách sỉ', 'Khách mới'] as const;

const DAY_HOURS = 24;
const [REGULARS, TRADE, NEWCOMERS] = demoGroups;

/**
 * This many customers, created one after another over the weeks: every eighth is a company, every third a regular, some
 * have a second address. Names and numbers are invented; `first` keeps the phone numbers of two shops apart.
 */
export function demoCustomers(count: number, first: number, chance: Random): CustomerSeed[] {
  const pick = <Item>(items: readonly Item[]): Item => entryAt(items, randomBelow(chance, items.length));
  return Array.from({ length: count }, (_, index): CustomerSeed => {
    const number = first + index;
    const phone = `09${String(10_000_000 + number * 137).slice(-8)}`;
    const isCompany = index % 8 === 7;
    const isWoman = index % 2 === 0;
    const person = personName(pick, isWoman);
    const name = isCompany ? pick(companies) : person;
    const addressAt = (place: number) => {
      const [province, district, ward, street] = entryAt(demoPlaces, place % demoPlaces.length);
      return {
        full_name: person,
        phone,
        province,
        district,
        ward,
        address1: `${1 + randomBelow(chance, 190)} ${street}`,
        ...(isCompany ? { company: name, position: 'Thu mua' } : {}),
      };
    };
    const home = randomBelow(chance, demoPlaces.length);
    return {
      full_name: name,
      phone,
      email: `khach${number}@example.com`,
      type: isCompany ? 'organization' : 'individual',
      gender: isCompany ? 'unknown' : isWoman ? 'female' : 'male',
      ...(index % 5 === 0 && !isCompany
        ? { birthday: `19${70 + (index % 30)}-0${1 + (index % 9)}-1${index % 10}` }
        : {}),
      ...(index % 9 === 4 ? { note: 'Gọi trước khi giao' } : {}),
      groups: [
        ...(isCompany ? [TRADE] : []),
        ...(index % 3 === 0 ? [REGULARS] : []),
        ...(index > count - 8 ? [NEWCOMERS] : []),
      ],
      addresses: [addressAt(home), ...(index % 4 === 1 ? [addressAt(home + 7)] : [])],
      hours_ago: (58 - (index * 26) / count) * DAY_HOURS,
    };
  });
}
