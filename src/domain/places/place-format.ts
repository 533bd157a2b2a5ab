import type { District, LocationTree, Province, Ward } from './places.ts';

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
