import { loadOperation } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import { draftStore, type ShipDraft } from '../flows/drafts.ts';
import { newExternalId } from '../flows/external-id.ts';
import { sendOnce } from '../flows/send-once.ts';
import type { OrderDraft } from '../flows/ship/order-draft.ts';
import type { Invocation, Result } from './command.ts';
import type { Draft } from './read-flags.ts';
import { resultOf } from './result.ts';
import { unkeptNotice, ways } from './ship/finish.ts';
import { draftOfInput } from './ship/start.ts';
import { targetOfOperation } from './ship/target.ts';

/** How long a run waits for another one that sends the same order: as long as its retries may take. */
const WAITS_MS = 120_000;

/** The request with an external id, so that a preview shows what would be sent. */
export function withExternalId({ context }: Invocation, request: Draft): Draft {
  const { external_id } = request as OrderDraft;
  return external_id ? request : { ...request, external_id: newExternalId(context.clock, context.randomBytes) };
}

/**
 * Sends a create that can be settled, once: what an earlier run of the same command sent and did not learn or tell is settled
 * and told first. It gets an external id where the caller gave none, which is on stderr and on the disk before the first byte
 * leaves. One that was told is another order each time, as the command says.
 */
export async function sendCreate(invocation: Invocation, operation: Operation, request: object): Promise<Result> {
  const { context, session } = invocation;
  const { settlement } = operation;
  if (settlement === undefined) throw new TypeError(`${operation.id} cannot be settled`);
  const [lookup, target] = await Promise.all([
    loadOperation(settlement.lookup),
    targetOfOperation(session, operation.id),
  ]);
  const store = draftStore(session.places.state, context.files, context.clock);
  const order = request as OrderDraft;
  const { draft } = await draftOfInput(context, store, target, order);
  const prepare = async (failed: ShipDraft | undefined): Promise<ShipDraft> => {
    const external_id = failed?.external_id ?? draft.external_id;
    if (!order.external_id) await context.stderr.write(`external_id ${external_id}\n`);
    return {
      ...draft,
      external_id,
      raw: true,
      state: 'sending',
      request: { ...order, external_id },
      failure: undefined,
    };
  };
  const { answer, how, told, unkept } = await sendOnce(
    draft.id,
    {
      store,
      operations: { create: operation, lookup },
      connection: session.connection(),
      named: Boolean(order.external_id),
      began: context.began ?? context.clock.now() + 1,
      lockTimeoutMs: WAITS_MS,
    },
    { prepare, afterAnswer: async () => 'another' },
  );
  const notices = [ways[how], unkept === undefined ? undefined : unkeptNotice(unkept)];
  if (context.random() < 0.01) await store.prune().catch(() => {});
  return {
    ...resultOf(
      operation,
      answer,
      notices.filter((notice) => notice !== undefined),
    ),
    told,
  };
}
