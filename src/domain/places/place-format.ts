import { indexPlaces } from './place-index.ts';
import { provinceByOtherName, provinceStem } from './place-name.ts';
import type { District, LocationTree, OfficialPlace, Province, Ward, WardOfToday, WardsOfToday } from './places.ts';

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

/** The marks for a ward's unit in the compact text; a ward without a mark has the same unit as the one before. */
const wardUnits: Readonly<Record<string, string>> = { '+': 'Phường ', '-': 'Xã ', '=': 'Thị trấn ', '!': '' };

/**
 * Parses the compact text of place-data.ts: one province per line ("#Tỉnh Lào Cai"), then one district per line, a tab,
 * and its wards separated by commas, each preceded by its unit's mark where the unit changes; "!" marks a full name.
 */
export function readPlaces(text: string): LocationTree {
  const provinces: (Province & { districts: District[] })[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) {
      provinces.push({ name: line.slice(1), districts: [] });
    } else if (line !== '') {
      const [name = '', wards = ''] = line.split('\t');
      provinces.at(-1)?.districts.push({ name, wards: readWards(wards) });
    }
  }
  return { provinces };
}

function readWards(text: string): Ward[] {
  let unit = '';
  return text === ''
    ? []
    : text.split(',').map((written) => {
        const marked = wardUnits[written.charAt(0)];
        unit = marked ?? unit;
        return { name: unit + (marked === undefined ? written : written.slice(1)) };
      });
}
