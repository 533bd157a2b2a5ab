import type { District, LocationTree, Province, Ward } from './places.ts';

/** The marks that stand for a ward's unit in the compact text; a ward without a mark has the unit of the one before. */
const wardUnits: Readonly<Record<string, string>> = { '+': 'Phường ', '-': 'Xã ', '=': 'Thị trấn ', '!': '' };

/**
 * Reads the compact text of place-data.ts: a province a line ("#Tỉnh Lào Cai"), then a district a line, a tab, and
 * its wards with commas between, each led by its unit's mark where the unit changes; "!" marks a name in full.
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
