import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { type Fields, fieldsIn, isRecord, setOwn } from '../../domain/json/values.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import { type MergedMatch, matchMerged, sameNamed } from '../../domain/places/merged-places.ts';
import { type LocationTree, placeLabel } from '../../domain/places/places.ts';
import type { RowQuestion } from '../../sheets/account/account.ts';
import type { Answers } from '../../sheets/account/questions.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { type MessageReading, type PastedMessage, readMessage } from '../../ship/read-message.ts';
import { say } from '../texts.ts';
import { withOrderAmounts } from './own-amounts.ts';
import { cashInNotes, totalOf } from './paid-part.ts';

/** The field of an address that holds all of it in one text, or the whole message of a buyer. */
export const FULL = 'full';

const parts = ['full_name', 'phone', 'address1', 'ward', 'district', 'province'] as const;

const isAddress = ({ properties = {} }: JsonSchema) => parts.every((name) => properties[name] !== undefined);

const full: JsonSchema = {
  type: 'string',
  description: 'The whole address in one text, or the message of the buyer: name, phone, street, place, goods and cash',
};

/** A schema whose addresses can be given in one text. */
export function withWholeAddresses(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return { ...schema, items: withWholeAddresses(schema.items) };
  if (schema.properties === undefined) return schema;
  const inner = Object.entries(schema.properties).map(([name, one]) => [name, withWholeAddresses(one)] as const);
  return { ...schema, properties: { ...Object.fromEntries(inner), ...(isAddress(schema) ? { [FULL]: full } : {}) } };
}

const isThere = (value: unknown) => value !== undefined && value !== null && value !== '';

/** What was read, for a person who checks it. */
const readAs = (address: Fields, others: readonly string[]): string =>
  parts
    .flatMap((name) => (isThere(address[name]) ? [String(address[name])] : []))
    .concat(others)
    .join(', ');

const isSamePart = (name: string, one: unknown, other: string) =>
  one === other || (name === 'phone' && nationalDigits(String(one)) === nationalDigits(other));

/** A phone number that is another one than that of the column. */
const otherPhone = (given: unknown, phone: string | undefined) =>
  phone === undefined || !isThere(given) || isSamePart('phone', given, phone) ? undefined : phone;

const OF_SHOP = /(?:pickup|return)_address$/;
/** A name without digits before a comma and a phone number. */
const NAME_FIRST = /^\s*(\p{L}[^\d,;:\n]*)[,;\n]\s*(?:\+?84|0)[\d\s.-]{8,}/u;

/** Whether what is read of a text opens or closes a bracket that the text itself does both with. */
function cutsBracket(text: string, part = ''): boolean {
  const isOdd = (one: string) => one.split('(').length !== one.split(')').length;
  return isOdd(part) && !isOdd(text);
}

/** Reads one address that is given in one text; what has a column of its own counts more. */
class WholeAddress {
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  readonly asks: RowQuestion[] = [];
  /** The paths of the addresses that were one text, and their cells. */
  readonly cells = new Map<string, string>();
  readonly #row: SourceRow;
  readonly #tree: LocationTree;
  readonly #newWards: Answers['new_wards'];
  #ofParcel: PastedMessage | undefined;
  /** A phone number of the recipient's address that is another one than that of its column. */
  #otherPhone: string | undefined;

  constructor(row: SourceRow, tree: LocationTree, newWards: Answers['new_wards']) {
    this.#row = row;
    this.#tree = tree;
    this.#newWards = newWards;
  }

  /** The row with its addresses in parts; goods and cash come from that of the parcel. */
  read(): Fields {
    const value = this.#inside(this.#row.value, '');
    return this.#ofParcel === undefined ? value : this.#withGoods(value, this.#ofParcel);
  }

  #inside(value: Fields, path: string): Fields {
    const entries = Object.entries(value).map(([name, inner]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [name, isRecord(inner) ? this.#inside(inner, at) : inner] as const;
    });
    const copy = Object.fromEntries(entries);
    const { [FULL]: text, ...rest } = copy;
    return typeof text === 'string' ? this.#divided(rest, text, path) : copy;
  }

  /** Whether an address has its name in a column, also where that is blank in this row. */
  #hasName(address: Fields, path: string): boolean {
    const cell = this.#row.cellOf(path === '' ? 'full_name' : `${path}.full_name`);
    return isThere(address.full_name) || this.#row.cellNames().includes(cell);
  }

  #divided(given: Fields, text: string, path: string): Fields {
    // "Kho A" is how a shop calls a place of its own, and no name of a person.
    const [, own] = (OF_SHOP.test(path) && !isThere(given.full_name) && NAME_FIRST.exec(text)) || [];
    const address = own === undefined ? given : { ...given, full_name: own.trim() };
    const cell = this.#row.cellOf(path === '' ? FULL : `${path}.${FULL}`);
    this.cells.set(path, cell);
    const newWards = this.#newWards === 'ask' ? undefined : 'same-name';
    const how = { isAddress: this.#hasName(address, path), newWards, total: totalOf(this.#row.value) } as const;
    const message = readMessage(this.#tree, text.slice(own === undefined ? 0 : text.indexOf(own) + own.length), how);
    if (path === 'shipping_address') this.#ofParcel = message;
    if (path === 'shipping_address') this.#otherPhone = otherPhone(address.phone, message.phone);
    const read: Record<string, unknown> = { ...address };
    for (const name of parts)
      if (!isThere(read[name]) && message[name] !== undefined) setOwn(read, name, message[name]);
    const missing = parts.filter((name) => !isThere(read[name]) && name !== 'ward');
    const known = readAs(read, []);
    const said = say().cell;
    const without = missing.map((name) => said.parts[name]);
    const all = known === '' ? said.namesNo({ parts: without }) : said.namesNoReadAs({ parts: without, known });
    const lacks = missing.length === 0 ? [] : [all];
    // Money and the place of the parcel are never guessed; what a doubt leads to is not told besides.
    const cash = path === 'shipping_address' ? fieldsIn(this.#row.value.shipping).cod_amount : undefined;
    const isPaid = message.cod_amount === 0 && typeof cash === 'number' && cash > 0;
    const paid = isPaid ? [said.nothingLeft({ collects: cash })] : [];
    const cut = parts.filter((name) => cutsBracket(text, message[name]));
    const garbled = cut.map((name) => said.cutBracket({ read: JSON.stringify(message[name]) }));
    const [why] = [...message.doubts, ...lacks, ...paid, ...garbled];
    if (why === undefined) this.#tell(cell, text, { read, address, message });
    else this.faults.push({ cell, value: text, message: why, path });
    if (why !== undefined) this.#askWard(cell, text, how);
    return read;
  }

  /** Tells that it was asked about a ward of today which a person has said to be unsure. */
  #askWard(cell: string, text: string, how: MessageReading): void {
    if (this.#newWards !== 'ask') return;
    const { wardOfToday } = readMessage(this.#tree, text, { ...how, newWards: 'same-name' });
    if (wardOfToday !== undefined) this.asks.push({ id: 'new_wards', name: wardOfToday, cell, answer: 'ask' });
  }

  /** Says how a text was read, and which of its words are in no request. */
  #tell(
    cell: string,
    text: string,
    { read, address, message }: { read: Fields; address: Fields; message: PastedMessage },
  ) {
    const { wardOfToday, rest } = message;
    const { used, unused } = message === this.#ofParcel ? this.#besides(message) : { used: [], unused: [] };
    const others = parts.flatMap((name) => {
      const given = message[name];
      const isSaid = given === undefined || !isThere(address[name]) || isSamePart(name, address[name], given);
      return isSaid || (name === 'phone' && given === this.#otherPhone) ? [] : [given];
    });
    const said = say().cell;
    this.notes.push({ cell, value: text, message: said.readAs({ known: readAs(read, used) }) });
    const warn = (code: string, values: readonly string[], reported: string) =>
      this.notes.push(...values.map((value) => ({ cell, value, message: reported, code })));
    warn('not_understood', rest, said.notUnderstood);
    warn('said_twice', [...others, ...unused], said.saidTwice);
    if (message === this.#ofParcel && this.#otherPhone !== undefined)
      this.notes.push({ cell, value: this.#otherPhone, message: said.phoneToNote });
    if (wardOfToday !== undefined) this.asks.push({ id: 'new_wards', name: wardOfToday, cell, answer: this.#newWards });
  }

  /** Goods, cash and note of a message, and which of them columns of the row have. */
  #besides({ goods, cod_amount, note }: PastedMessage) {
    const { value } = this.#row;
    const shipping = fieldsIn(value.shipping);
    const isOfText = Object.keys(linesOf(value.lines, goods)).length > 0;
    const all = [
      ...goods.map((one) => ({ text: `${one.quantity} × ${one.product_name}`, isUsed: isOfText })),
      ...(cod_amount === undefined || shipping.cod_amount === cod_amount
        ? []
        : [{ text: say().cell.cash({ amount: cod_amount }), isUsed: !isThere(shipping.cod_amount) }]),
      ...(note === undefined ? [] : [{ text: note, isUsed: !isThere(shipping.shipping_note) }]),
    ];
    const texts = (isUsed: boolean) => all.filter((one) => one.isUsed === isUsed).map(({ text }) => text);
    return { used: texts(true), unused: texts(false) };
  }

  /** The note of the parcel with that of its message, and with a second phone number. */
  #noteWith(given: unknown, note: string | undefined): Fields {
    const other = this.#otherPhone === undefined ? [] : [`SĐT 2: ${this.#otherPhone}`];
    const own = isThere(given) ? [String(given)] : note === undefined ? [] : [note];
    return other.length > 0 || (own.length > 0 && !isThere(given))
      ? { shipping_note: [...own, ...other].join('; ') }
      : {};
  }

  #withGoods(value: Fields, { goods, cod_amount, note }: PastedMessage): Fields {
    const shipping = fieldsIn(value.shipping);
    const added = {
      ...(cod_amount === undefined || isThere(shipping.cod_amount) ? {} : { cod_amount }),
      ...this.#noteWith(shipping.shipping_note, note),
    };
    return {
      ...value,
      ...linesOf(value.lines, goods),
      ...(Object.keys(added).length === 0 ? {} : { shipping: { ...shipping, ...added } }),
    };
  }
}

/** The lines of an order with the goods of a message, where the order names none itself. */
function linesOf(lines: unknown, goods: PastedMessage['goods']): Fields {
  const [line, ...others] = Array.isArray(lines) ? lines.filter(isRecord) : [];
  const [one] = goods;
  if (one === undefined || isThere(line?.product_name)) return {};
  if (line === undefined) return { lines: goods.map((each) => ({ ...each })) };
  return goods.length === 1 && others.length === 0 ? { lines: [{ ...one, ...line }] } : {};
}

/** A ward in a street, which is none of the list: its name may be one of 2021 to 2025. */
const UNKNOWN_WARD = /(?:^|,)\s*((?:phường|p\.|xã|thị trấn|tt\.)\s*[^,]+)$/iu;

/** What a whole address lacks, as a fault of its text; undefined for a field that is not part of one. */
export function missingFrom(
  { asRead, value }: SourceRow,
  path: string,
): Pick<CellFault, 'value' | 'message'> | undefined {
  const steps = path.split('.');
  const part = parts.find((name) => name === steps.at(-1));
  const holderIn = (row: unknown) => steps.slice(0, -1).reduce((at, step) => fieldsIn(at[step]), fieldsIn(row));
  const text = holderIn(asRead)[FULL];
  if (part === undefined || typeof text !== 'string') return undefined;
  const [, named] = (part === 'ward' && UNKNOWN_WARD.exec(String(holderIn(value).address1 ?? ''))) || [];
  const said = say().cell;
  const lacks = said.namesNo({ parts: [said.parts[part]] });
  return { value: text, message: named === undefined ? lacks : said.noWard({ quoted: JSON.stringify(named) }) };
}

/** Whether a value has an address in one text. */
function hasWhole(value: unknown): boolean {
  if (!isRecord(value)) return false;
  // Asked of each row: without a list of its fields.
  for (const name in value) if (name === FULL ? typeof value[name] === 'string' : hasWhole(value[name])) return true;
  return false;
}

/** A value without its addresses in one text. */
function withoutWhole(value: Fields): Fields {
  const others = Object.entries(value).filter(([name]) => name !== FULL);
  return Object.fromEntries(others.map(([name, inner]) => [name, isRecord(inner) ? withoutWhole(inner) : inner]));
}

/** A row whose addresses are in parts and whose amounts are those of an order, with what was not understood, and what is paid in part, as faults. */
export function withDividedAddresses(row: SourceRow, tree: LocationTree, newWards: Answers['new_wards']): SourceRow {
  const divided = withOrderAmounts(dividedAddresses(row, tree, newWards));
  const { faults, notes, ...said } = cashInNotes(divided);
  if (faults.length + notes.length === 0 && said.isPaidInPart === undefined) return divided;
  return { ...divided, ...said, faults: [...divided.faults, ...faults], notes: [...divided.notes, ...notes] };
}

/** The row itself if it has no address in one text. */
function dividedAddresses(row: SourceRow, tree: LocationTree, newWards: Answers['new_wards']): SourceRow {
  if (!hasWhole(row.value)) return row;
  const address = new WholeAddress(row, tree, newWards);
  const read = address.read();
  // A constant may be an address in one text: what it was divided into stands in its place.
  const value = row.complete === undefined ? read : withoutWhole(row.complete(read));
  const { faults, notes, cells, asks } = address;
  // A part without a column of its own is in the text.
  const cellOf = (path: string) => {
    const [holder, name = ''] = [path.replace(/\.?[^.]*$/, ''), path.split('.').at(-1)];
    const whole = parts.some((part) => part === name) ? cells.get(holder) : undefined;
    const own = row.cellOf(path);
    return whole !== undefined && !row.cellNames().includes(own) ? whole : own;
  };
  return {
    ...row,
    value,
    cellOf,
    asRead: row.asRead ?? row.value,
    faults: [...row.faults, ...faults],
    notes: [...row.notes, ...notes],
    ...(asks.length === 0 ? {} : { asks: [...(row.asks ?? []), ...asks] }),
  };
}

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
      if (match.isSameName === true)
        reported.asks.push({ id: 'new_wards', name: fault.value, cell: fault.cell, answer: 'ask' });
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
    const key = `${written.province.length} ${written.district.length} ${written.province}${written.district}${written.ward}`;
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const meant = matchMerged(this.#tree, written);
    const place = meant?.kind === 'ambiguous' ? sameNamed(this.#tree, written) : undefined;
    const asked = meant && place && { ...meant, isSameName: true as const };
    const taken: Match | undefined = place && { kind: 'found', place, isSameName: true };
    const match: Match | undefined = (this.#newWards === 'ask' ? asked : taken) ?? meant;
    this.#known.set(key, match);
    return match;
  }
}
