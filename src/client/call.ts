import type { Credential, Operation, RequestOf, ResponseOf } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import type { Lenient } from '../contract/schema/parse.ts';
import { checkRequest } from '../contract/schema/parse.ts';
import { readJson } from '../domain/json/json.ts';
import { fieldsIn } from '../domain/json/values.ts';
import { shopOfKey } from './authorization.ts';
import type { Connection } from './connection.ts';
import { RequestError } from './errors.ts';
import { type Exchange, exchange } from './exchange.ts';
import { isWrite } from './retry.ts';
import { otherThanAsked, otherThanListed, textIn } from './settle/found-record.ts';

/**
 * Encodes a request as JSON text, strictly: unknown fields, missing fields, invalid enum values and broken rules are
 * all reported in one RequestError. Nulls are left out, since they mean the same (decisions, section 2).
 */
export function encodeRequest<O extends Operation>(operation: O, request: RequestOf<O>): string {
  const checked = checkRequest(operation, request);
  if (!checked.ok) throw new RequestError(operation.id, checked.errors);
  return JSON.stringify(checked.value);
}

/** The result of a call: the contract's response, read leniently, so any field may be absent or null. */
export type Answer<O extends Operation> = Lenient<ResponseOf<O>>;

/** The value of a request's text, which the service judges if it is no JSON. */
function parsedJson(text: string): unknown {
  try {
    return readJson(text).value;
  } catch {
    return undefined;
  }
}

const NO_PLACES = { locationTree: { provinces: [] } };

/** How an answer is compared with its request: nothing is believed that was not compared. */
async function comparing(
  operation: Operation,
  request: unknown,
  connection: Connection,
): Promise<Pick<Exchange, 'doubt' | 'another'>> {
  const fields = fieldsIn(request);
  const { page, credential } = operation;
  if (page !== undefined) {
    return { another: (answer) => otherThanListed(page.items, answer, shopOfKey(credential, connection)) };
  }
  const another = (answer: unknown) => otherThanAsked(fields, answer);
  if (!isWrite(operation.effect)) return { another };
  const { doubtOfChange, doubtOfCreate } = await import('./settle/doubt.ts');
  if (operation.effect !== 'create') return { another, doubt: (answer) => doubtOfChange(operation, answer) };
  // A name proves it; without one, each field that was sent does, and places have many names.
  const isNamed = textIn(fields.external_id) !== '';
  const { locationTree } = isNamed ? NO_PLACES : await import('../domain/places/place-data.ts');
  return { doubt: (answer) => doubtOfCreate(operation, fields, answer, locationTree) };
}

/**
 * Calls an operation: validates the request, sends it, validates the response. Every call to the service goes through
 * here. Throws a CallError: RequestError, ConfigurationError and CredentialError before anything is sent; ServiceError,
 * NetworkError, ContractBrokenError, RedirectError and OutcomeUnknownError after.
 */
export function call<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
): Promise<Answer<O>>;
export async function call(
  operation: Operation,
  request: RequestOf<Operation>,
  connection: Connection,
): Promise<unknown> {
  const { id, effect, credential, settlement } = operation;
  const body = encodeRequest(operation, request);
  const named = settlement !== undefined && Boolean(fieldsIn(request)[settlement.by]);
  const compared = await comparing(operation, request, connection);
  return exchange({ id, effect, named, credential, operation, body, ...compared }, connection);
}

/** The target of `shopctl api`: a path alone, or its declaration if it is in the contract. */
export interface RawTarget {
  readonly id: OperationId;
  readonly credential: Credential;
  readonly operation?: Operation | undefined;
  /** Whether the request has a name that the service keeps unique: then the same request can be sent again. */
  readonly named?: boolean | undefined;
}

/**
 * Sends a JSON text verbatim and unvalidated, so that every digit is kept, and returns the response's JSON: validated
 * leniently if the operation is known. An unknown operation might do anything, so it counts as a create.
 */
export async function callRaw(
  target: RawTarget,
  jsonText: string,
  connection: Connection,
  /** What the text says, if the caller has it. */
  request: unknown = target.operation && parsedJson(jsonText),
): Promise<unknown> {
  const { id, credential, operation, named } = target;
  const effect = operation?.effect ?? 'create';
  const compared = operation && (await comparing(operation, request, connection));
  return exchange({ id, effect, named, credential, operation, body: jsonText, ...compared }, connection);
}
