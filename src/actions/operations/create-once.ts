import { call } from '../../client/call.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Operation, RequestOf, Settlement } from '../../contract/operation.ts';
import { draftOfInput } from '../../flows/ship/begin-draft.ts';
import { draftStore, type ShipDraft } from '../../flows/ship/drafts.ts';
import { newExternalId } from '../../flows/ship/external-id.ts';
import type { OrderDraft } from '../../flows/ship/order-draft.ts';
import { sendOnce } from '../../flows/ship/send-once.ts';
import type { Ports } from '../action/ports.ts';
import { unkeptNotice, ways } from '../ship/how-sent.ts';
import { targetOfOperation } from '../ship/target.ts';

/** How long to wait for another run that sends the same order: as long as its retries may take. */
const WAITS_MS = 120_000;

/** A create that can be settled, by the name it gives to the new record. */
export type SettledCreate = Operation & { readonly settlement: Settlement };

type Answer = Readonly<Record<string, unknown>>;

/** Shows the request with the external id that it would have, over a connection that ends the run at the call. */
function look(operation: SettledCreate, order: OrderDraft, { clock, randomBytes, connection }: Ports) {
  const external_id = order.external_id || newExternalId(clock, randomBytes);
  return call(operation, { ...order, external_id } as RequestOf<SettledCreate>, connection()) as Promise<Answer>;
}

/**
 * Sends a create that can be settled, exactly once: if an earlier run sent the same and did not learn or report the
 * outcome, that is settled and reported first. If the caller gave no external id it gets one, which is shown to the
 * person and saved to disk before the first byte is sent. Once the outcome was reported, the same input means a new
 * order.
 */
export async function createOnce(operation: SettledCreate, input: object, ports: Ports): Promise<Answer> {
  const { clock, files, places, progress, report } = ports;
  const order = input as OrderDraft;
  if (ports.isLook) return look(operation, order, ports);
  const [lookup, target] = await Promise.all([
    loadOperation(operation.settlement.lookup),
    targetOfOperation(ports, operation.id),
  ]);
  const store = draftStore(places.state, files, clock);
  const { draft } = await draftOfInput(ports, store, target, order);
  const prepare = async (failed: ShipDraft | undefined): Promise<ShipDraft> => {
    const external_id = failed?.external_id ?? draft.external_id;
    if (!order.external_id) await progress.say(`external_id ${external_id}`);
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
      connection: ports.connection(),
      named: Boolean(order.external_id),
      began: ports.began,
      lockTimeoutMs: WAITS_MS,
    },
    { prepare, afterAnswer: async () => 'another' },
  );
  report.onceTold(told);
  const way = ways[how];
  if (way !== undefined) report.notice(way);
  if (unkept !== undefined) report.notice(unkeptNotice(unkept));
  // Occasionally, since a program never lists its drafts; a failure does not concern the order.
  if (ports.random() < 0.01) await store.prune().catch(() => {});
  return answer as Answer;
}
