import { callRaw } from '../../client/call.ts';
import { type Connection, through } from '../../client/connection.ts';
import { CredentialError, ServiceError } from '../../client/errors.ts';
import { listRecords } from '../../client/pages.ts';
import { recordIn } from '../../client/settle/found-record.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldPath } from '../../contract/schema/hint.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { CellFault, CodeLookup, FoundBy, FoundKind, SourceRow } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';
import { finderReader } from './record-finders.ts';

const operations = {
  product: { one: 'shop.Product/GetProduct', all: 'shop.Product/ListProducts' },
  variant: { one: 'shop.Variant/GetVariant', all: 'shop.Variant/ListVariants' },
  customer: { one: 'shop.Customer/GetCustomer', all: 'shop.Customer/ListCustomers' },
} as const;

/** So many codes are asked for one by one; for more of them the whole list is read, a hundred records a request. */
const MOST_SINGLE = 20;

type Wanted = Pick<CodeLookup, 'of' | 'code'> & { readonly by: FoundBy };
type Asked = { readonly record: Fields } | { readonly fault: string };

const wantedBy = ({ of, by = 'code', code }: CodeLookup): Wanted => ({ of, by, code });
const formOf = ({ by, code }: Pick<Wanted, 'by' | 'code'>) => (by === 'phone' ? nationalDigits(code) : code);
const keyOf = (wanted: Wanted) => JSON.stringify([wanted.of, wanted.by, formOf(wanted)]);

/** A copy of a value with another one at a path; only what is on the path is copied. */
function withAt(value: unknown, [head, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (head === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === head ? withAt(item, rest, put) : item));
  const fields = fieldsIn(value);
  return { ...fields, [head]: withAt(fields[head], rest, put) };
}

const isThere = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A kind of record and what it is named by, in words. */
function wordsOf({ of, by = 'code' }: { readonly of: FoundKind; readonly by?: FoundBy }) {
  const { records, names } = say().cell;
  return { of: records[of], by: names[by] };
}

const noneOf = (wanted: Wanted): Asked => ({
  fault: wanted.by === 'code' ? say().cell.noRecord(wordsOf(wanted)) : say().cell.nameOfNone(wordsOf(wanted)),
});

/** What the records of a list with the same name yield: one, or a fault that says which there are. */
function choice(wanted: Wanted, found: readonly Fields[]): Asked {
  const [record, another] = found;
  if (record === undefined) return noneOf(wanted);
  if (another === undefined) return { record };
  const named = found.slice(0, 3).map(({ code, id }) => String(code || id));
  const about = { count: found.length, named, more: found.length > named.length };
  return { fault: say().cell.nameOfSeveral({ ...wordsOf(wanted), ...about }) };
}

/** The name of goods on a line of an order that has only their code; undefined if it has a name. */
function missingName(value: unknown, { of, path }: CodeLookup, { name }: Fields): string | undefined {
  if (of === 'customer' || path.length < 2 || !isThere(name)) return undefined;
  const line = path.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), value);
  return isThere(fieldsIn(line).product_name) ? undefined : name;
}

/** What is wrong with, or to be said of, a name beside the id of a record, which is used: it may be that of another one. */
function besideOf(
  value: unknown,
  lookup: CodeLookup,
  asked: Asked,
): { readonly faults: readonly CellFault[]; readonly notes: readonly CellFault[] } {
  const { cell, code, path } = lookup;
  const id = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), value);
  if (!('record' in asked)) {
    return { faults: [], notes: [{ cell, value: code, message: say().cell.isNotUsed(asked), code: 'not_used' }] };
  }
  if (!isThere(id) || String(asked.record.id) === id) return { faults: [], notes: [] };
  const message = say().cell.nameOfAnother({ ...wordsOf(lookup), id: String(asked.record.id), other: id });
  return { faults: [{ cell, value: code, message, path: fieldPath(path) }], notes: [] };
}

/** Looks up the ids of records that rows refer to by a code, an external_id or a phone number, each once. */
export class RecordFinder {
  readonly #connection: Connection;
  readonly #read: (row: SourceRow) => SourceRow;
  readonly #asked = new Map<string, Asked>();
  readonly #lists = new Map<FoundKind, Promise<readonly Fields[] | string>>();
  #requests = 0;

  constructor(connection: Connection, work: RowWork) {
    this.#connection = through(connection, (request, next) => {
      this.#requests += 1;
      return next(request);
    });
    this.#read = finderReader(work);
  }

  /** How many records were looked up, and with how many requests; empty if none was. */
  get reported(): readonly string[] {
    const [records, requests] = [this.#asked.size, this.#requests];
    if (records === 0) return [];
    return [say().plan.lookedUp({ records, requests })];
  }

  /**
   * The rows with the ids of the records that they name; a name that the shop does not have, or has several times, is a
   * fault of its cell. Throws a CallError.
   */
  async complete(read: readonly SourceRow[]): Promise<readonly SourceRow[]> {
    const rows = read.map((row) => this.#read(row));
    const wanted = rows.flatMap(({ lookups = [] }) => lookups.map(wantedBy));
    if (wanted.length === 0) return rows;
    await this.#askFor(new Map(wanted.map((one) => [keyOf(one), one])));
    return rows.map((row) => this.#completeOne(row));
  }

  #completeOne(row: SourceRow): SourceRow {
    let value: unknown = row.value;
    const faults: CellFault[] = [...row.faults];
    const notes: CellFault[] = [...row.notes];
    const taken: CellFault[] = [];
    for (const lookup of row.lookups ?? []) {
      const asked = this.#asked.get(keyOf(wantedBy(lookup))) ?? noneOf(wantedBy(lookup));
      if (lookup.isNew === true) {
        const message = say().cell.codeTaken(wordsOf(lookup));
        if ('record' in asked) taken.push({ cell: lookup.cell, value: lookup.code, message });
        continue;
      }
      if (lookup.isBeside === true) {
        const beside = besideOf(value, lookup, asked);
        faults.push(...beside.faults);
        notes.push(...beside.notes);
        continue;
      }
      if ('record' in asked) {
        value = withAt(value, lookup.path, String(asked.record.id));
        const name = row.asRead === undefined ? undefined : missingName(value, lookup, asked.record);
        if (name === undefined) continue;
        value = withAt(value, [...lookup.path.slice(0, -1), 'product_name'], name);
        notes.push({ cell: lookup.cell, value: lookup.code, message: say().cell.is({ name }) });
      } else faults.push({ cell: lookup.cell, value: lookup.code, message: asked.fault, path: fieldPath(lookup.path) });
    }
    return { ...row, value: fieldsIn(value), faults, notes, taken };
  }

  async #askFor(all: ReadonlyMap<string, Wanted>): Promise<void> {
    const open = [...all].filter(([key]) => !this.#asked.has(key));
    for (const kind of new Set(open.map(([, { of }]) => of))) {
      const own = open.filter(([, { of }]) => of === kind);
      const isFew = own.length <= MOST_SINGLE && own.every(([, { by }]) => by === 'code') && !this.#lists.has(kind);
      if (isFew) for (const [key, one] of own) this.#asked.set(key, await this.#one(one));
      else await this.#listed(kind, own);
    }
  }

  /** Answers from the whole list: only that shows whether a name is there twice. */
  async #listed(kind: FoundKind, wanted: readonly (readonly [string, Wanted])[]): Promise<void> {
    const known = this.#lists.get(kind) ?? this.#all(kind);
    this.#lists.set(kind, known);
    const list = await known;
    const byKey = new Map<string, Fields[]>();
    if (typeof list !== 'string') {
      const names = new Set(wanted.map(([, { by }]) => by));
      for (const record of list) {
        for (const by of names) {
          const code = record[by];
          if (!isThere(code)) continue;
          const key = keyOf({ of: kind, by, code });
          const same = byKey.get(key);
          if (same === undefined) byKey.set(key, [record]);
          else same.push(record);
        }
      }
    }
    for (const [key, one] of wanted) {
      this.#asked.set(key, typeof list === 'string' ? { fault: list } : choice(one, byKey.get(key) ?? []));
    }
  }

  async #all(kind: FoundKind): Promise<readonly Fields[] | string> {
    const operation = await loadOperation(operations[kind].all);
    const records: Fields[] = [];
    try {
      for await (const record of listRecords(operation, {}, this.#connection)) {
        if (record.deleted !== true) records.push(record);
      }
      return records;
    } catch (error) {
      return withoutKey(error);
    }
  }

  async #one(wanted: Wanted): Promise<Asked> {
    const operation = await loadOperation(operations[wanted.of].one);
    const { id, credential } = operation;
    try {
      const request = JSON.stringify({ code: wanted.code });
      const record = recordIn(await callRaw({ id, credential, operation }, request, this.#connection));
      return record === undefined ? noneOf(wanted) : { record };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return noneOf(wanted);
      return { fault: withoutKey(error) };
    }
  }
}

/** The fault of a look-up that the key in use does not allow. Throws anything else. */
function withoutKey(error: unknown): string {
  if (error instanceof CredentialError) return say().cell.noKey;
  throw error;
}
