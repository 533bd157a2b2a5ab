import type { Credential, Operation, RequestOf, ResponseOf } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import type { Lenient } from '../contract/schema/lenient.ts';
import { fieldsIn } from '../domain/json/value-at.ts';
import type { Connection } from './connection.ts';
import { encodeRequest } from './exchange/encode.ts';
import { exchange } from './exchange/exchange.ts';

/** The result of a call: the contract's response, read leniently, so any field may be absent or null. */
export type Answer<O extends Operation> = Lenient<ResponseOf<O>>;

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
  return exchange({ id, effect, named, credential, operation, body }, connection);
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
export async function callRaw(target: RawTarget, jsonText: string, connection: Connection): Promise<unknown> {
  const { id, credential, operation, named } = target;
  const effect = operation?.effect ?? 'create';
  return exchange({ id, effect, named, credential, operation, body: jsonText }, connection);
}
