import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import { type MergedMatch, matchMerged, sameNamed } from '../../domain/places/merged-places.ts';
import { type LocationTree, placeLabel } from '../../domain/places/places.ts';
import type { RowQuestion } from '../../sheets/account/account.ts';
import type { Answers } from '../../sheets/account/questions.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

const MOST_REMEMBERED = 10_000;

/** What a person and a file say of the place of an address. */
interface Reported {
  readonly notes: CellFault[];
  readonly faults: CellFault[];
  readonly asks: RowQuestion[];
}

type Match = MergedMatch & { readonly isSameName?: true };

/** The places of the rows of a file by the names of our list; equal places are looked up once. */
export class MergedAddresses {
  readonly #tree: LocationTree;
  readonly #newWards: Answers['new_wards'];
  readonly #known = new Map<string, Match | undefined>();

  constructor(tree: LocationTree, newWards: Answers['new_wards']) {
    this.#tree = tree;
    this.#newWards = newWards;
  }

  /** A row whose places the service's list has; which names were replaced is noted, and a doubt is a fault. */
  read(row: SourceRow): SourceRow {
    const reported: Reported = { notes: [], faults: [], asks: [] };
    const value = this.#inside(row, row.value, '', reported);
    const { notes, faults, asks } = reported;
    if (notes.length + faults.length === 0) return row;
    return {
      ...row,
      notes: [...row.notes, ...notes],
      faults: [...row.faults, ...faults],
      ...(asks.length === 0 ? {} : { asks: [...(row.asks ?? []), ...asks] }),
      value,
      asRead: row.asRead ?? row.value,
    };
  }

  #inside(row: SourceRow, value: Fields, path: string, reported: Reported): Fields {
    let found = value;
    for (const [name, inner] of Object.entries(value)) {
      if (isRecord(inner)) {
        const read = this.#inside(row, inner, path === '' ? name : `${path}.${name}`, reported);
        if (read !== inner) found = { ...found, [name]: read };
      }
    }
    const match = textIn(value.province) === '' ? undefined : this.#match(value);
    return match === undefined ? found : { ...found, ...this.#placed(row, value, path, { match, reported }) };
  }

  /** What takes the place of the names written, or says why nothing does. */
  #placed(
    row: SourceRow,
    value: Fields,
    path: string,
    { match, reported }: { match: Match; reported: Reported },
  ): Fields {
    const isOfWard = match.kind === 'found' ? match.isSameName === true : match.missing === 'former ward';
    const level = isOfWard ? 'ward' : 'province';
    const at = path === '' ? level : `${path}.${level}`;
    const fault = { cell: row.cellOf(at), value: textIn(value[level]), path: at };
    if (match.kind === 'ambiguous') {
      const { formerWard, addDistrict, addWard } = say().cell;
      const adding = match.missing === 'ward' ? addWard : addDistrict;
      const message = (isOfWard ? formerWard : adding)({ places: match.candidates.map(placeLabel) });
      reported.faults.push({ ...fault, message });
      return {};
    }
    const { province, district, ward } = match.place;
    reported.notes.push({ ...fault, message: say().cell.newer({ place: placeLabel(match.place) }) });
    const place = { province, district, ...(ward === undefined ? {} : { ward }) };
    if (match.isSameName !== true) return place;
    reported.asks.push({ id: 'new_wards', name: fault.value, cell: fault.cell, answer: this.#newWards });
    const street = textIn(value.address1);
    // Where there is no street, the ward is none.
    return street === '' ? place : { ...place, address1: `${street}, ${fault.value}` };
  }

  #match(value: Fields): Match | undefined {
    const { province, district, ward } = fieldsIn(value);
    const written = { province: textIn(province), district: textIn(district), ward: textIn(ward) };
    const key = JSON.stringify(written);
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const meant = matchMerged(this.#tree, written);
    const isAsked = meant?.kind === 'ambiguous' && this.#newWards !== 'ask';
    const place = isAsked ? sameNamed(this.#tree, written) : undefined;
    const match: Match | undefined = place === undefined ? meant : { kind: 'found', place, isSameName: true };
    this.#known.set(key, match);
    return match;
  }
}
