import type { FieldError } from '../../contract/operation.ts';
import { isOfMissing } from '../../contract/schema/hint.ts';
import {
  CASH_BELOW,
  likenessIn,
  type Note,
  orderNotes,
  type ReadyLooker,
  type Seen,
} from '../../contract/schema/likeness.ts';
import { ownErrors } from '../../contract/schema/order-rules.ts';
import { parseRequest, requestErrors } from '../../contract/schema/parse.ts';
import { totalNames } from '../../domain/amounts/totals.ts';
import { AmountError } from '../../domain/amounts/weight.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { lookAtPlace } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { completeOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';
import { missingFrom } from './whole-address.ts';

const MOST_REMEMBERED = 10_000;

/** The check of a file's texts, on a day like 2026-01-31; places are remembered, since sheets repeat them. */
export function rowLooker(today: string, tree: LocationTree): ReadyLooker {
  const known = new Map<string, ReturnType<typeof lookAtPlace>>();
  return {
    today,
    lookAtPlace: (written) => {
      const { province, district, ward } = written;
      const key = `${province?.length} ${district?.length} ${ward?.length} ${province}${district}${ward}`;
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const look = lookAtPlace(tree, written);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(key, look);
      return look;
    },
  };
}

/**
 * A row that was checked: the request to send, except for the service that a quote chooses, or why it cannot be sent.
 */
export type CheckedRow =
  | {
      readonly kind: 'good';
      readonly payload: Fields;
      readonly filled: readonly string[];
      /** What is unusual about it, by cell; it is sent nevertheless. */
      readonly notes: readonly CellFault[];
      /** Cells with a place that is not in our list. */
      readonly places: readonly CellFault[];
    }
  | { readonly kind: 'nothing-to-change' }
  | { readonly kind: 'bad'; readonly faults: readonly CellFault[] };

/** Fields that come from a quote, not from the file. */
const chosenLater = new Set(['shipping.shipping_service_code', 'shipping.shipping_service_fee']);

/** What an order's numbers yield, wherever it stands: an error about one that was computed has its cause in a cell. */
const computed = new Set<string>([...totalNames, 'payment_price', 'chargeable_weight', 'cod_amount']);

function isOrder({ schema }: RowWork): boolean {
  return schema.properties?.lines !== undefined && schema.properties.total_amount !== undefined;
}

/** An order with its sums, weights, customer and cash on delivery filled in, as `ship` does. */
function filledOrder(value: Fields, work: RowWork): Fields {
  const order: Fields = { ...completeOrder(value) };
  const keepsMethod = work.quote === undefined && value.payment_method !== undefined;
  return keepsMethod ? { ...order, payment_method: value.payment_method } : order;
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), value);
}

/** Fields whose parts have columns. */
const OF_SEVERAL = /^(?:lines|shipping|\w+_address)$/;

function faultOf(row: SourceRow, { path, message }: FieldError): CellFault {
  const given = valueAt(row.value, path);
  const text = given === undefined || typeof given === 'object' ? '' : String(given);
  const cell = row.cellOf(path);
  const column = path.replaceAll(/\[\d+\]/g, '');
  const isNamed = cell.includes(column) || row.cellNames().includes(cell);
  const isMissing = isOfMissing({ message });
  const missing = isMissing && given === undefined ? missingFrom(row, path) : undefined;
  if (missing !== undefined) return { cell, ...missing, path };
  // A field without a cell of its own is named beside its row.
  const isAbsent = isMissing && !isNamed && !OF_SEVERAL.test(column) && row.cellNames().length > 0;
  if (isNamed) return { cell, value: text, message, path };
  const why = isAbsent ? say().cell.noColumn({ required: message }) : message;
  return { cell, value: text, message: say().cell.column({ column, message: why }), path };
}

/** A request with its service chosen, so that the rules between its fields can be checked before it is quoted. */
function withSomeService(payload: Fields, { quote }: RowWork): Fields {
  if (quote === undefined) return payload;
  const shipping = fieldsIn(payload.shipping);
  const { shipping_service_code: code, shipping_service_fee: fee } = shipping;
  if (code !== undefined && fee !== undefined) return payload;
  return {
    ...payload,
    shipping: { ...shipping, shipping_service_code: code ?? '-', shipping_service_fee: fee ?? 0 },
  };
}

/** What is wrong with the request of a row whose cells could all be read. */
function errorsOf(payload: Fields, work: RowWork): readonly FieldError[] {
  const errors = requestErrors(work.operation, withSomeService(payload, work));
  const { external_id: code } = payload;
  const isNumber = isOrder(work) && typeof code === 'string' && /^\d$/.test(code);
  // The service takes no name of one character (decisions, section 2), and a running number is another order's in each file.
  const codes = isNumber ? [{ path: 'external_id', message: say().cell.noCode }] : [];
  return [...codes, ...errors.filter(({ path }) => !chosenLater.has(path))];
}

const stepsOf = (path: string) => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');

function isAt(path: string, other: string): boolean {
  const [one, another] = [stepsOf(path), stepsOf(other)];
  return one.every((step, index) => step === another[index]);
}

/** Whether a fault of the row is about that cell, or about another part of the same place. */
function isReported(row: SourceRow, path: string): boolean {
  const cell = row.cellOf(path);
  const holder = (of: string) => stepsOf(of).slice(0, -1).join('.');
  return row.faults.some((fault) => {
    if (fault.cell === cell) return true;
    const isOfPlace = fault.path !== undefined && ofPlaces({ path: fault.path }) && ofPlaces({ path });
    return isOfPlace && holder(fault.path ?? '') === holder(path);
  });
}

/**
 * What is wrong with the other fields of a row with unreadable cells. Such a cell is missing from the request, so that
 * rules between fields cannot be checked, and what it leads to is not reported a second time.
 */
function otherErrors(row: SourceRow, payload: Fields, work: RowWork): readonly FieldError[] {
  // What a row lacks that is no order says nothing.
  if (row.faults.some(({ path }) => path === '')) return [];
  const parsed = parseRequest(work.operation, withSomeService(payload, work));
  if (parsed.ok) return [];
  return parsed.errors.filter(({ path, message }) => {
    if (chosenLater.has(path) || isReported(row, asGiven(row, path))) return false;
    if (!isOfMissing({ message })) return true;
    const last = stepsOf(path).at(-1) ?? '';
    return !computed.has(last) && !row.faults.some((fault) => fault.path !== undefined && isAt(path, fault.path));
  });
}

/** Whether an error is about a field that was computed: that of a given field is its cause. */
function isConsequence(row: SourceRow, { path }: FieldError): boolean {
  return computed.has(stepsOf(path).at(-1) ?? '') && valueAt(row.value, path) === undefined;
}

function withoutConsequences(row: SourceRow, errors: readonly FieldError[]): readonly FieldError[] {
  const causes = errors.filter((error) => !isConsequence(row, error));
  return causes.length === 0 ? errors : causes;
}

/** Faults in the order in which their cells are in the file; those of a row as a whole come last. */
function inFileOrder(row: SourceRow, faults: readonly CellFault[]): readonly CellFault[] {
  if (faults.length < 2) return faults;
  const ranks = new Map(row.cellNames().map((cell, rank) => [cell, rank]));
  const rankOf = ({ cell }: CellFault) => ranks.get(cell) ?? ranks.size;
  return [...faults].sort((one, other) => rankOf(one) - rankOf(other));
}

const ofPlaces = ({ path }: Pick<FieldError, 'path'>) => /(?:^|\.)(?:province|district|ward)$/.test(path);

/** A place that is not in our list; the message of the check begins with the place, and so does a cell's. */
function placeFault(row: SourceRow, error: Note): CellFault {
  const fault = faultOf(row, error);
  const quoted = `${JSON.stringify(fault.value)} `;
  const message = error.message.startsWith(quoted) ? error.message.slice(quoted.length) : error.message;
  return { ...fault, message, code: error.code };
}

/** The path in the row of a field that is sent: without a customer's address the parcel's is sent twice. */
function asGiven(row: SourceRow, path: string): string {
  if (row.value.customer_address !== undefined || row.value.shipping_address === undefined) return path;
  return path.replace(/^customer_address\./, 'shipping_address.');
}

/** Merges faults that name the same cell, for example of an address that is sent twice. */
function once(faults: readonly CellFault[]): readonly CellFault[] {
  const known = new Set<string>();
  return faults.filter(({ cell, message }) => {
    const key = `${cell} ${message}`;
    return known.size !== known.add(key).size;
  });
}

function completed(row: SourceRow, work: RowWork): { readonly filled: Fields; readonly errors: readonly FieldError[] } {
  if (!isOrder(work)) return { filled: row.value, errors: [] };
  try {
    return { filled: filledOrder(row.value, work), errors: [] };
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const message = error.message.slice(error.field.length).trimStart();
    return { filled: row.value, errors: [{ path: error.field, message }] };
  }
}

/** Whether a row says why less than its total is collected: how it is paid, a deposit, a note, or what other columns say of it. */
function saysWhyLess({ value, isPaidInPart, partsBeside }: SourceRow, payload: Fields): boolean {
  const { payment_method: method = 'cod' } = value;
  if (isPaidInPart === true || method !== 'cod') return true;
  const less = Number(payload.total_amount) - Number(fieldsIn(payload.shipping).cod_amount);
  const parts = partsBeside?.() ?? [];
  return parts.includes(less) || parts.reduce((sum, part) => sum + part, 0) === less;
}

/**
 * Checks one row as the single command checks its request: the declaration of the operation, the rules between its
 * fields, and the texts; fills in what can be computed, and reports every bad cell in the order of the file.
 */
export function checkRow(row: SourceRow, work: RowWork, name: string, looker: ReadyLooker): CheckedRow {
  const { operation, targets, schema } = work;
  const isReadable = row.faults.length === 0;
  const { filled, errors: amounts } = completed(row, work);
  const payload = work.named && !filled.external_id ? { ...filled, external_id: name } : filled;
  const seen: Seen = likenessIn(schema, row.value, looker);
  const whole = () => (amounts.length > 0 ? amounts : errorsOf(payload, work));
  const declared = isReadable ? whole() : otherErrors(row, payload, work);
  // Rules between fields are not reached where a field is missing or cannot be read: those about one field are.
  const own = isOrder(work) ? ownErrors(row.value) : [];
  const errors = withoutConsequences(row, [
    ...[...declared, ...own].map((error) => ({ ...error, path: asGiven(row, error.path) })),
    ...seen.errors,
  ]);
  const places = once(seen.notes.filter(ofPlaces).map((note) => placeFault(row, note)));
  if (!isReadable || errors.length > 0) {
    const faults = [...row.faults, ...errors.map((error) => faultOf(row, error))];
    const untold = places.filter(({ path }) => path === undefined || !isReported(row, path));
    // A place that is not in our list may be known to the service, but hardly beside other faults of what is quoted.
    return { kind: 'bad', faults: inFileOrder(row, once(work.quote === undefined ? faults : [...faults, ...untold])) };
  }
  if (operation.effect === 'update' && Object.keys(row.value).every((field) => targets.includes(field))) {
    return { kind: 'nothing-to-change' };
  }
  const isSaid = ({ code }: Note) => code === CASH_BELOW && saysWhyLess(row, payload);
  const notes = once(
    [...seen.notes.filter((note) => !ofPlaces(note)), ...orderNotes(payload)]
      .filter((note) => !isSaid(note))
      .map((note) => ({ ...faultOf(row, note), code: note.code })),
  );
  const added = Object.keys(payload).filter((field) => !(field in row.value) && field !== 'external_id');
  return { kind: 'good', payload, filled: added, notes, places };
}
