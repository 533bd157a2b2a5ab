import type { Lenient } from '../contract/lenient.ts';
import type { Credential, Operation, OperationId, RequestOf, ResponseOf } from '../contract/operation.ts';
import type { Connection } from './connection.ts';
import { encodeRequest } from './encode.ts';
import { exchange } from './exchange.ts';

/** What a call answers: the contract's response as a lenient reader finds it, so any field may be absent or null. */
export type Answer<O extends Operation> = Lenient<ResponseOf<O>>;

/**
 * Calls an operation: checks the request, sends it, checks the answer. The one road to the service for everyone. Throws
 * a CallError: RequestError, ConfigurationError and CredentialError before anything is sent; ServiceError,
 * NetworkError, ContractBrokenError, RedirectError and OutcomeUnknownError after.
 */
export async function call<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
): Promise<Answer<O>> {
  const { id, effect, credential, settlement } = operation;
  const body = encodeRequest(operation, request);
  const named = settlement !== undefined && Boolean((request as Readonly<Record<string, unknown>>)[settlement.by]);
  return (await exchange({ id, effect, named, credential, operation, body }, connection)) as Answer<O>;
}

/** An operation as `shopctl api` knows it: by its path alone, or by its declaration where the contract has one. */
export interface RawTarget {
  readonly id: OperationId;
  readonly credential: Credential;
  readonly operation?: Operation | undefined;
}

/**
 * Sends a JSON text as it stands, unchecked, so that every digit survives, and returns the JSON of the answer: checked
 * leniently where the operation is known. What an unknown operation does is not known either: it counts as a create.
 */
export async function callRaw(target: RawTarget, jsonText: string, connection: Connection): Promise<unknown> {
  const { id, credential, operation } = target;
  const effect = operation?.effect ?? 'create';
  return exchange({ id, effect, credential, operation, body: jsonText }, connection);
}
