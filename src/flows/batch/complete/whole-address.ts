import type { JsonSchema } from '../../../contract/schema/json-schema.ts';
import { formatMoney } from '../../../domain/amounts/money.ts';
import { fieldsIn, isRecord, setOwn } from '../../../domain/json/value-at.ts';
import { type PastedMessage, readMessage } from '../../../domain/pasted/read-message.ts';
import type { LocationTree } from '../../../domain/places/places.ts';
import type { CellFault, SourceRow } from '../../../sheets/source-row.ts';
import { paidPartFaults, totalOf } from './paid-part.ts';

type Fields = Readonly<Record<string, unknown>>;

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
function readAs(address: Fields, { goods, cod_amount }: PastedMessage): string {
  const lines = goods.map(({ quantity, product_name }) => `${quantity} × ${product_name}`);
  const cash = cod_amount === undefined ? [] : [`cash ${formatMoney(cod_amount)}`];
  return ['full_name', 'phone', 'address1', 'ward', 'district', 'province']
    .flatMap((name) => (isThere(address[name]) ? [String(address[name])] : []))
    .concat(lines, cash)
    .join(', ');
}

/** Reads one address that is given in one text; what has a column of its own counts more. */
class WholeAddress {
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  /** The paths of the addresses that were one text, and their cells. */
  readonly cells = new Map<string, string>();
  readonly #row: SourceRow;
  readonly #tree: LocationTree;

  constructor(row: SourceRow, tree: LocationTree) {
    this.#row = row;
    this.#tree = tree;
  }

  /** The row with its addresses in parts; goods and cash come from that of the parcel. */
  read(): Fields {
    let value = this.#inside(this.#row.value, '');
    const ofParcel = fieldsIn(this.#row.value.shipping_address)[FULL];
    if (typeof ofParcel === 'string') value = this.#withGoods(value, readMessage(this.#tree, ofParcel));
    return value;
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

  #divided(address: Fields, text: string, path: string): Fields {
    const cell = this.#row.cellOf(path === '' ? FULL : `${path}.${FULL}`);
    this.cells.set(path, cell);
    const message = readMessage(this.#tree, text, totalOf(this.#row.value));
    const read: Record<string, unknown> = { ...address };
    for (const name of parts)
      if (!isThere(read[name]) && message[name] !== undefined) setOwn(read, name, message[name]);
    const missing = parts.filter((name) => !isThere(read[name]) && name !== 'ward');
    const wrong = (why: string) => this.faults.push({ cell, value: text, message: why, path });
    // Money and the place of the parcel are never guessed.
    for (const doubt of message.doubts) wrong(doubt);
    if (missing.length > 0) wrong(`names no ${missing.map((name) => words[name]).join(', no ')}`);
    this.notes.push({ cell, value: text, message: `is read as ${readAs(read, message)}` });
    for (const rest of message.rest)
      this.notes.push({ cell, value: rest, message: 'is not understood, and left out', code: 'not_understood' });
    return read;
  }

  #withGoods(value: Fields, { goods, cod_amount, note }: PastedMessage): Fields {
    const shipping = fieldsIn(value.shipping);
    const added = {
      ...(cod_amount === undefined || isThere(shipping.cod_amount) ? {} : { cod_amount }),
      ...(note === undefined || isThere(shipping.shipping_note) ? {} : { shipping_note: note }),
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

const words: Readonly<Record<(typeof parts)[number], string>> = {
  full_name: 'name',
  phone: 'phone number',
  address1: 'street',
  ward: 'ward',
  district: 'district',
  province: 'province',
};

/** What a whole address lacks, as a fault of its text; undefined for a field that is not part of one. */
export function missingFrom({ asRead }: SourceRow, path: string): Pick<CellFault, 'value' | 'message'> | undefined {
  const steps = path.split('.');
  const part = parts.find((name) => name === steps.at(-1));
  const text = steps.slice(0, -1).reduce((at, step) => fieldsIn(at[step]), fieldsIn(asRead))[FULL];
  if (part === undefined || typeof text !== 'string') return undefined;
  return { value: text, message: `names no ${words[part]}` };
}

/** Whether a value has an address in one text. */
function hasWhole(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, inner]) => (name === FULL ? typeof inner === 'string' : hasWhole(inner)));
}

/** A row whose addresses are in parts, with what was not understood, and what is paid in part, as faults. */
export function withDividedAddresses(row: SourceRow, tree: LocationTree): SourceRow {
  const divided = dividedAddresses(row, tree);
  const unpaid = paidPartFaults(divided);
  return unpaid.length === 0 ? divided : { ...divided, faults: [...divided.faults, ...unpaid] };
}

/** The row itself if it has no address in one text. */
function dividedAddresses(row: SourceRow, tree: LocationTree): SourceRow {
  if (!hasWhole(row.value)) return row;
  const address = new WholeAddress(row, tree);
  const value = address.read();
  const { faults, notes, cells } = address;
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
  };
}
