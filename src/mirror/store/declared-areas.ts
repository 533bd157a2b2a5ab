import { type RecordKind, recordKinds } from '../../contract/kinds.ts';
import { change } from '../../contract/records/change.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { flatten, type MirrorColumn, type Part } from './declared-columns.ts';

/** A table of parts of records: the lines of an order, for example. */
export interface ChildTable {
  readonly name: string;
  readonly description: string;
  /** The column with the id of the record that the row belongs to. */
  readonly owner: string;
  /** `line`, the position from 1, or `kind`, which of the record's addresses it is. */
  readonly place: 'line' | 'kind';
  readonly columns: readonly MirrorColumn[];
  /** Where the parts are in the record, and for addresses what each is called. */
  readonly sources: readonly { readonly path: readonly string[]; readonly kind?: string }[];
}

/** One area of the mirror, derived from the contract. */
export interface MirrorArea extends Omit<RecordKind, 'key' | 'lists' | 'addresses' | 'without'> {
  readonly key: readonly string[];
  readonly columns: readonly MirrorColumn[];
  readonly children: readonly ChildTable[];
  /** Whether its records say when they last changed. */
  readonly isTimed: boolean;
}

const SINGULAR: Readonly<Record<string, string>> = {
  orders: 'order_id',
  fulfillments: 'fulfillment_id',
  shipnow_fulfillments: 'shipnow_fulfillment_id',
};

function listChild(parent: string, name: string, { path, schema }: Part): ChildTable {
  const { columns } = flatten(schema, { apart: [], addresses: false });
  const description = `The ${path.join('.')} of ${parent}, each on a row.`;
  return { name, description, owner: SINGULAR[parent] ?? 'owner_id', place: 'line', columns, sources: [{ path }] };
}

function addressChild(parent: string, name: string, parts: readonly Part[]): ChildTable[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { columns } = flatten(first.schema, { apart: [], addresses: false });
  const kindOf = (path: readonly string[]) => (path.at(-1) ?? '').replace(/_address$/, '');
  const sources = parts.map(({ path }) => ({ path, kind: kindOf(path) }));
  const kinds = sources.map(({ kind }) => kind).join(', ');
  const description = `The addresses of ${parent}, by kind: ${kinds}.`;
  return [{ name, description, owner: SINGULAR[parent] ?? 'owner_id', place: 'kind', columns, sources }];
}

const records = jsonSchema(change.shape.latest).properties ?? {};

function areaOf({ key = ['id'], lists = {}, addresses, without = [], ...declared }: RecordKind): MirrorArea {
  const schema: JsonSchema = records[declared.entity] ?? { type: 'object' };
  const apart = Object.keys(lists);
  const flat = flatten(schema, { apart, addresses: addresses !== undefined, without });
  const ofLists = flat.lists.map((part) => listChild(declared.name, lists[part.path.at(-1) ?? ''] ?? '', part));
  const ofAddresses = addresses === undefined ? [] : addressChild(declared.name, addresses, flat.addresses);
  return {
    ...declared,
    key,
    columns: flat.columns.filter(({ name }) => name !== 'shop_id'),
    children: [...ofLists, ...ofAddresses],
    isTimed: schema.properties?.updated_at !== undefined,
  };
}

/** Every area, in the order in which they are synced: lists that others are read by come first. */
export const mirrorAreas: readonly MirrorArea[] = recordKinds.map(areaOf);

/** The area of that name; undefined if there is none. */
export const areaNamed = (name: string): MirrorArea | undefined => mirrorAreas.find((area) => area.name === name);

/** The area whose records are of that kind; undefined if the mirror has none. */
export const areaOfEntity = (kind: string): MirrorArea | undefined => mirrorAreas.find((area) => area.entity === kind);
