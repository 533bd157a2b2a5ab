import { callSettled } from '../client/settle.ts';
import type { Operation } from '../contract/operation.ts';
import { newExternalId } from '../flows/external-id.ts';
import type { Invocation, Result } from './command.ts';
import { resultOf } from './result.ts';

/**
 * Sends a create that can be settled: it gets an external id where the caller gave none, so that a lost answer can be
 * looked up instead of being sent twice.
 */
export async function sendCreate(invocation: Invocation, operation: Operation, request: object): Promise<Result> {
  const { context, session } = invocation;
  const named = request as { external_id?: string | null };
  const external_id = named.external_id || newExternalId(context.clock, context.randomBytes);
  const { response, settled } = await callSettled(operation, { ...request, external_id }, session.connection());
  return resultOf(operation, response, [
    ...(named.external_id ? [] : [`external_id ${external_id} was made for it`]),
    ...(settled ? ['its first answer was lost; it was settled by its external_id'] : []),
  ]);
}
