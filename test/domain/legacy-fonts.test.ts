import { expect, it } from 'vitest';
import { damageOf, legacyOf } from '../../src/domain/damaged-text.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';

it.each([
  ['NguyÔn V¨n A', 'TCVN3'],
  ['NguyÔn ThÞ Lan', 'TCVN3'],
  ['8 Lª Lîi', 'TCVN3'],
  ['Ph­êng BÕn NghÐ', 'TCVN3'],
  ['Nguyeãn Vaên A', 'VNI'],
  ['8 Leâ Lôïi', 'VNI'],
])('%s is written for a font of former times (%s)', (text, legacy) => {
  expect(legacyOf(text)).toBe(legacy);
  expect(damageOf(text)).toContain(legacy);
});

it.each([
  'Nguyễn Văn An',
  'Tôn Thất Thuyết',
  'Hòa Bình',
  'Lê Lai',
  'cà phê',
  'áo bà ba',
  'Bé',
  'thé',
  'Trà ô long',
  'HOÀ',
  'Đắk Lắk',
  'café crème',
  'Hôtel Métropole',
  'naïve',
  'Noël',
  'Ångström',
  'Müller Straße',
  'Coca® 330 ml',
  '½ kg',
  '5 µm',
  '10 µ',
  '25°C ± 2',
  'Nike®',
  '© An',
  'm²',
  'iPhone 15 Pro · 256 GB',
  'Señor',
  'São Paulo',
  'rosé',
])('%s is as it was written', (text) => {
  expect(legacyOf(text)).toBeUndefined();
});

it('no place of today is written for one', () => {
  const names = locationTree.provinces.flatMap(({ name, districts }) => [
    name,
    ...districts.flatMap((district) => [district.name, ...district.wards.map((ward) => ward.name)]),
  ]);
  expect(names.length).toBeGreaterThan(10_000);
  expect(names.filter((name) => legacyOf(name) !== undefined)).toEqual([]);
  // Nor by the letters of Latin alone, as names without the letters that only Vietnamese has.
  const plain = names.flatMap((name) => name.split(' '));
  expect([...new Set(plain)].filter((name) => legacyOf(name) !== undefined)).toEqual([]);
});
