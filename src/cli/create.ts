import { OutcomeUnknownError } from '../client/errors.ts';
import { callSettled } from '../client/settle.ts';
import { loadOperation } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import { newExternalId } from '../flows/external-id.ts';
import type { Invocation, Result } from './command.ts';
import { resultOf } from './result.ts';

/** The same failure, with the command that tells what became of it. */
async function withCommand(error: OutcomeUnknownError, operation: Operation, externalId: string): Promise<Error> {
  if (operation.settlement === undefined) return error;
  const { command } = await loadOperation(operation.settlement.lookup);
  const hint = `see what became of it with \`shopctl ${command} --external-id ${externalId}\`; send it again only under that external_id`;
  const { facts, message, cause } = error;
  return new OutcomeUnknownError(operation.id, message, { hint, cause, facts });
}

/**
 * Sends a create that can be settled: it gets an external id where the caller gave none, so that a lost answer can be
 * looked up instead of being sent twice.
 */
export async function sendCreate(invocation: Invocation, operation: Operation, request: object): Promise<Result> {
  const { context, session } = invocation;
  const named = request as { external_id?: string | null };
  const external_id = named.external_id || newExternalId(context.clock, context.randomBytes);
  const { response, settled } = await callSettled(operation, { ...request, external_id }, session.connection()).catch(
    async (error: unknown) => {
      throw error instanceof OutcomeUnknownError ? await withCommand(error, operation, external_id) : error;
    },
  );
  return resultOf(operation, response, [
    ...(named.external_id ? [] : [`external_id ${external_id} was made for it`]),
    ...(settled ? ['its first answer was lost; it was settled by its external_id'] : []),
  ]);
}
