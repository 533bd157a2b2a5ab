import { isWrite } from '../client/exchange/outcome.ts';
import { type AreaKey, allOperations, findOperation, isAreaKey, operationsIn } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import type { Family } from '../contract/operation-id.ts';
import { orderRequest } from '../contract/records/orders/order.ts';
import { type JsonSchema, jsonSchema } from '../contract/schema/json-schema.ts';
import { endsRecord, ships } from '../ledger/client/found-record.ts';
import { lookupOf, NAMES, nameOfField, readsOf, resourceOf, takesName } from '../ledger/lookup.ts';
import { columnsOf } from '../sheets/fields.ts';
import { BatchError } from './batch-error.ts';

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

const fieldsOf = (operation: Operation): string[] => Object.keys(jsonSchema(operation.request).properties ?? {});

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
function shownBy(operation: Operation, lookup: Lookup | undefined): JsonSchema[] {
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

async function workOf(words: string, operation: Operation, quote?: Operation): Promise<RowWork> {
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

/** Whether rows make records: a membership is there or not, and is a change of what is there. */
export const makesRecords = ({ operation, lookup }: RowWork) => operation.effect === 'create' && lookup?.by !== 'list';

/** Whether rows change records that they may call by another name than the id, or end them. */
export const callsRecords = ({ operation, lookup, targets, undoes }: RowWork) =>
  operation.effect !== 'create' &&
  undoes === undefined &&
  lookup?.by !== 'list' &&
  (endsRecord(operation) || targets.some((name) => nameOfField(name) !== 'id'));

/** Prefix of the command words of an undo batch; it cannot be typed, because its rows come from another batch. */
export const UNDO = 'undo ';

/** Whether the rows of a batch are compared with the records that they change, whose values can be restored. */
export const isComparable = ({ operation, lookup }: RowWork) => operation.effect === 'update' && lookup?.by === 'name';

/** Refuses to undo a command. */
const noWayBack = (words: string, why: string) =>
  new BatchError('no_way_back', `${JSON.stringify(words)} cannot be undone: ${why}`);

/**
 * The inverse of an operation: for an update itself, with the values before; otherwise the delete of its area that takes
 * the same names, or the cancel.
 */
async function inverseOf(made: RowWork): Promise<RowWork> {
  const { operation } = made;
  if (made.undoes !== undefined) throw noWayBack(made.do, 'run the file again instead');
  if (isComparable(made)) return { ...made, do: `${UNDO}${made.do}`, undoes: made };
  const own = fieldsOf(operation);
  const inArea = await operationsIn(areaOf(operation));
  const takesBack = (other: Operation) =>
    endsRecord(other) && fieldsOf(other).some((name) => name === 'id' || own.includes(name));
  const inverse = operation.effect === 'create' ? inArea.find(takesBack) : undefined;
  if (inverse !== undefined) return { ...(await workOf(`${UNDO}${made.do}`, inverse)), undoes: made };
  throw noWayBack(made.do, 'only creations and updates can');
}

const writing = async (): Promise<readonly Operation[]> =>
  (await allOperations()).filter(({ effect, credential }) => isWrite(effect) && credential !== 'partner-api-key');

/**
 * The command whose records have all the columns of a header, as a list that was exported: the update that can set most
 * of them if their ids are there, otherwise the only create that knows them all. Undefined if there is none.
 */
export async function commandFor(header: readonly string[]): Promise<string | undefined> {
  const effect = header.includes('id') ? 'update' : 'create';
  const fitting = (await writing()).flatMap((operation) => {
    if (operation.effect !== effect) return [];
    const schema = jsonSchema(operation.request);
    const { columns, faults } = columnsOf(header, { schema, shown: shownBy(operation, undefined), ignored: [] });
    const settable = columns.filter(({ kind }) => kind === 'field').length;
    return faults.length === 0 && settable > 0 ? [{ settable, command: operation.command }] : [];
  });
  const [best, another] = fitting.sort((one, other) => other.settable - one.settable);
  return effect === 'create' && another !== undefined ? undefined : best?.command;
}

/**
 * The work that a batch's command stands for, in the current family; also handles `ship`. Throws a BatchError,
 * including for a batch that cannot be undone.
 */
export async function findWork(words: string, family: Family): Promise<RowWork> {
  const bare = words.trim().replaceAll(/\s+/g, ' ');
  if (bare.startsWith(UNDO)) return inverseOf(await findWork(bare.slice(UNDO.length), family));
  if (bare === 'ship') {
    const create = await findOperation(`${family}.Shipping/CreateAndConfirmOrder`);
    const quote = await findOperation(`${family}.Shipping/GetShippingServices`);
    if (create !== undefined && quote !== undefined) return workOf(bare, create, quote);
  }
  const all = await writing();
  const found = all.filter(({ command }) => command === bare);
  const operation = found.find(({ id }) => id.startsWith(`${family}.`));
  if (operation !== undefined) return workOf(bare, operation);
  if (found.length > 0) {
    const message = `${bare} needs a shop's own API key: use a profile of the kind shop`;
    throw new BatchError('work_unknown', message);
  }
  const { nearestName } = await import('../domain/nearest-name.ts');
  const names = ['ship', ...new Set(all.map(({ command }) => command))];
  const meant = nearestName(bare, names);
  const known = meant === undefined ? `there are ${names.sort().join(', ')}` : `did you mean ${meant}?`;
  throw new BatchError('work_unknown', `${JSON.stringify(bare)} is not a command that writes a record: ${known}`);
}
