import { ships } from '../client/settle/found-record.ts';
import { type AreaKey, allOperations, isAreaKey } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import { orderRequest } from '../contract/records/order.ts';
import { type JsonSchema, jsonSchema } from '../contract/schema/json-schema.ts';
import { lookupOf, NAMES, readsOf, resourceOf, takesName } from './read-operations.ts';

/** How the record of a row is looked up. */
export type Lookup =
  /** By a name that the request contains: maps the lookup's fields to the request's. */
  | { readonly by: 'name'; readonly operation: Operation; readonly fields: Readonly<Record<string, string>> }
  /** A relationship, which only a list shows: by one filter, then the pair is searched in the result. */
  | { readonly by: 'list'; readonly operation: Operation; readonly filter: string };

/** What to do with each row, derived from declarations alone. */
export interface RowWork {
  /** The command, in words. */
  readonly do: string;
  readonly operation: Operation;
  /** The schema of a row. */
  readonly schema: JsonSchema;
  /** What the service returns for such a record. */
  readonly shown: readonly JsonSchema[];
  /** The operation that quotes the row before its service is chosen. */
  readonly quote?: Operation;
  /** Whether a record that it creates can have an external_id. */
  readonly named: boolean;
  /** The fields that identify the record for an update, a delete or a transition. */
  readonly targets: readonly string[];
  /** The kind of record that it writes, as the ledger calls it. */
  readonly resource: string;
  readonly lookup?: Lookup;
  /** For an undo: the work that it undoes. */
  readonly undoes?: RowWork;
  /**
   * Ids of the operations that create the same kind of record: a row created by one of them is not created again by
   * another.
   */
  readonly makers: readonly string[];
  /** For a create that ships: ids of all operations that do; what another one has made may lack its shipment. */
  readonly shippers?: readonly string[];
}

/** The fields of a request. */
export const fieldsOf = (operation: Operation): string[] => Object.keys(jsonSchema(operation.request).properties ?? {});

/** The area of an operation. */
export function areaOf({ id }: Operation): AreaKey {
  const [area = ''] = id.split('/');
  if (!isAreaKey(area)) throw new RangeError(`${id} is of no area`);
  return area;
}

/** The fields that say which record a change is about; another name in an update is one that it gives the record. */
function targetsOf(operation: Operation): string[] {
  const { effect, positional } = operation;
  if (effect === 'create') return [];
  if (effect === 'update' && positional !== undefined) return [positional];
  return fieldsOf(operation).filter((name) => NAMES.includes(name) || name === positional);
}

/** The read of the same area whose fields fit best. */
function namedLookup(operation: Operation, reads: readonly Operation[]): Lookup | undefined {
  const own = targetsOf(operation);
  const { positional } = operation;
  const candidates = reads
    .filter(({ page }) => page === undefined)
    .map((read) => {
      const known = fieldsOf(read);
      const shared = NAMES.filter((name) => own.includes(name) && known.includes(name));
      const fields: Record<string, string> = Object.fromEntries(shared.map((name) => [name, name]));
      if (shared.length === 0 && positional !== undefined && known.includes('id')) fields.id = positional;
      return { read, fields };
    })
    .filter(({ fields }) => Object.keys(fields).length > 0)
    .sort((one, other) => Object.keys(other.fields).length - Object.keys(one.fields).length);
  const [best] = candidates;
  return best && { by: 'name', operation: best.read, fields: best.fields };
}

function listLookup(operation: Operation, reads: readonly Operation[]): Lookup | undefined {
  const own = fieldsOf(operation);
  for (const read of reads) {
    if (read.page === undefined) continue;
    const filters = Object.keys(jsonSchema(read.request).properties?.filter?.properties ?? {});
    // Only a record that consists of its keys alone is identified by all of them.
    if (own.length > 1 && own.every((name) => filters.includes(name))) {
      return { by: 'list', operation: read, filter: own[0] ?? '' };
    }
  }
  return undefined;
}

async function rowLookup(operation: Operation): Promise<Lookup | undefined> {
  const reads = await readsOf(operation);
  if (operation.effect !== 'create') return listLookup(operation, reads) ?? namedLookup(operation, reads);
  const found = takesName(operation) ? await lookupOf(operation, 'external_id') : undefined;
  if (found === undefined) return listLookup(operation, reads);
  return { by: 'name', operation: found, fields: { external_id: 'external_id' } };
}

/** The response, and the records one level down in it. */
export function shownBy(operation: Operation, lookup: Lookup | undefined): JsonSchema[] {
  const responses = [operation, ...(lookup === undefined ? [] : [lookup.operation])].map(({ response }) =>
    jsonSchema(response),
  );
  return responses.flatMap((response) => [
    response,
    ...Object.values(response.properties ?? {}).filter(({ properties }) => properties !== undefined),
  ]);
}

/** The work of an operation under its own words, for who has one of them to look up. */
export const workFor = (operation: Operation): Promise<RowWork> => workOf(operation.command, operation);

/** The work of an operation under these words; with the operation that quotes it, if it ships. */
export async function workOf(words: string, operation: Operation, quote?: Operation): Promise<RowWork> {
  const lookup = await rowLookup(operation);
  const request = jsonSchema(operation.request);
  const { payment_method } = jsonSchema(orderRequest).properties ?? {};
  // Shipping requires a payment method, from which the cash on delivery follows (see `completeOrder`).
  const schema =
    quote === undefined || payment_method === undefined
      ? request
      : { ...request, properties: { ...request.properties, payment_method } };
  const creates = operation.effect === 'create';
  const all = operation.settlement === undefined ? [operation] : await allOperations();
  return {
    do: words,
    operation,
    schema,
    shown: shownBy(operation, lookup),
    ...(quote === undefined ? {} : { quote }),
    named: creates && takesName(operation),
    targets: targetsOf(operation),
    ...(lookup === undefined ? {} : { lookup }),
    resource: resourceOf(operation),
    makers: all
      .filter(({ id, settlement }) => id === operation.id || settlement !== undefined)
      .filter(({ id }) => id.split('.')[0] === operation.id.split('.')[0])
      .map(({ id }) => id),
    ...(ships(operation) ? { shippers: all.filter(ships).map(({ id }) => id) } : {}),
  };
}
