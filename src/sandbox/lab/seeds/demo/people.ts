import { entryAt } from '../../../../domain/json/keys-of.ts';
import { type Random, randomBelow } from '../../../engine/random.ts';
import type { ShopSeed } from '../seed-content.ts';
import { demoPlaces } from './places.ts';

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
