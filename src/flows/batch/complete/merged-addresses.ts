import { fieldsIn, isRecord } from '../../../domain/json/value-at.ts';
import { type MergedMatch, matchMerged } from '../../../domain/places/merged-places.ts';
import { type LocationTree, type OfficialPlace, placeLabel } from '../../../domain/places/places.ts';
import type { CellFault, SourceRow } from '../../../sheets/source-row.ts';

type Fields = Readonly<Record<string, unknown>>;

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

const MOST_NAMES = 3;
const MOST_REMEMBERED = 10_000;

function namesOf(places: readonly OfficialPlace[]): string {
  const shown = places.slice(0, MOST_NAMES).map(placeLabel).join(' or ');
  return places.length > MOST_NAMES ? `${shown} or one of ${places.length - MOST_NAMES} more` : shown;
}

/** The places of the rows of a file by the names of our list; equal places are looked up once. */
export class MergedAddresses {
  readonly #tree: LocationTree;
  readonly #known = new Map<string, MergedMatch | undefined>();

  constructor(tree: LocationTree) {
    this.#tree = tree;
  }

  /** A row whose places the service's list has; which names were replaced is noted, and a doubt is a fault. */
  read(row: SourceRow): SourceRow {
    const notes: CellFault[] = [];
    const faults: CellFault[] = [];
    const value = this.#inside(row, row.value, '', { notes, faults });
    if (notes.length + faults.length === 0) return row;
    const told = { notes: [...row.notes, ...notes], faults: [...row.faults, ...faults] };
    return { ...row, ...told, value, asRead: row.asRead ?? row.value };
  }

  #inside(row: SourceRow, value: Fields, path: string, told: { notes: CellFault[]; faults: CellFault[] }): Fields {
    let found = value;
    for (const [name, inner] of Object.entries(value)) {
      if (isRecord(inner)) {
        const read = this.#inside(row, inner, path === '' ? name : `${path}.${name}`, told);
        if (read !== inner) found = { ...found, [name]: read };
      }
    }
    const match = textIn(value.province) === '' ? undefined : this.#match(value);
    if (match === undefined) return found;
    const level = match.kind === 'ambiguous' && match.missing === 'former ward' ? 'ward' : 'province';
    const at = path === '' ? level : `${path}.${level}`;
    const fault = { cell: row.cellOf(at), value: textIn(value[level]), path: at };
    if (match.kind === 'ambiguous') {
      const add = match.missing === 'former ward' ? 'write the former ward' : `add the ${match.missing}`;
      const message = `may be ${namesOf(match.candidates)}; ${add}`;
      told.faults.push({ ...fault, message });
      return found;
    }
    const { province, district, ward } = match.place;
    told.notes.push({ ...fault, message: `is newer than the service's list, and sent as ${placeLabel(match.place)}` });
    return { ...found, province, district, ...(ward === undefined ? {} : { ward }) };
  }

  #match(value: Fields): MergedMatch | undefined {
    const { province, district, ward } = fieldsIn(value);
    const written = { province: textIn(province), district: textIn(district), ward: textIn(ward) };
    const key = JSON.stringify(written);
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const match = matchMerged(this.#tree, written);
    this.#known.set(key, match);
    return match;
  }
}
