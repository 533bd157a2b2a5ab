import { indexPlaces } from './place-index.ts';
import { provinceByOtherName, provinceStem } from './place-name.ts';
import type { OfficialPlace, Province, WardOfToday, WardsOfToday } from './places.ts';

/**
 * Parses the compact text of place-data.ts: one province of today per line ("#Đà Nẵng"), then one ward per line, a tab,
 * and the positions in our list, to base 36, of the wards that it was made of.
 */
export function readWardsOfToday(text: string, provinces: readonly Province[]): WardsOfToday {
  const listed = provinces.flatMap(({ name: province, districts }) =>
    districts.flatMap(({ name: district, wards }) =>
      wards.map(({ name }): OfficialPlace => ({ kind: 'found', province, district, ward: name })),
    ),
  );
  const byProvince = text.split('\n#').map((part) => {
    const [province = '', ...lines] = part.trim().split('\n');
    const wards = lines.map((line): WardOfToday => {
      const [name = '', positions = ''] = line.split('\t');
      const former = positions.split(' ').flatMap((position) => listed[Number.parseInt(position, 36)] ?? []);
      return { name, former };
    });
    const stem = provinceStem(province);
    // Our list has "Huế" under another name.
    return [provinceByOtherName(stem) ?? stem, indexPlaces('ward', wards, ({ name }) => name)] as const;
  });
  return new Map(byProvince.slice(1));
}
