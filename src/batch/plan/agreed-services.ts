import { canonicalText } from '../../domain/canonical-text.ts';
import { readOwn } from '../../domain/json/values.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import { withService } from '../../ship/quote-of-order.ts';
import type { Service } from '../../ship/quotes.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { isComparable } from '../row-work.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import type { ChosenService } from '../store/write-rows.ts';
import { batchTexts, say } from '../texts.ts';

type Agreed = Pick<WholeRow, 'payload' | 'carrier' | 'fee'> & { readonly delivery?: number | null };

/** Services that were agreed to when a plan was saved, by row number. */
export type AgreedServices = ReadonlyMap<number, Agreed>;

/** The request of a saved plan, as far as it says which service was chosen. */
interface SavedRequest {
  readonly shipping?: {
    readonly carrier?: string;
    readonly connection_id?: string;
    readonly shipping_service_code?: string;
    readonly shipping_service_name?: string;
    readonly shipping_service_fee?: number;
  };
}

/** The service in the request of a saved plan, as a quote offered it. */
function serviceIn({ shipping = {} }: SavedRequest): Service {
  const { carrier, connection_id, shipping_service_code: code, shipping_service_name: name } = shipping;
  return { code, fee: shipping.shipping_service_fee, name, carrier, connection_id };
}

/** What a row sends by its own values, with the service that was agreed to. */
function requestOf({ payload }: WholeRow, service: Service, { quote }: RowWork): CompleteOrder {
  const order = readOwn<CompleteOrder>(payload);
  return quote === undefined ? order : withService(order, service, order.external_id ?? '');
}

/** A request without its name, which may be another one for a row that is sent again. */
const unnamed = (request: object) => canonicalText({ ...request, external_id: '' });

/** What is sent for a row that was agreed to; undefined if the plan says otherwise. */
function chosenFor(row: WholeRow, work: RowWork, { payload, carrier, fee }: Agreed): ChosenService | undefined {
  const saved = readOwn<SavedRequest>(payload);
  const service = serviceIn(saved);
  const request = requestOf(row, service, work);
  if (unnamed(saved) !== unnamed(request)) return undefined;
  return { row: row.row, payload: JSON.stringify(request), carrier, fee };
}

/**
 * Gives the planned rows of a batch the services of a saved plan, and leaves out those that `leavesOut` says it has left
 * out. Its requests are not sent as they stand there: a row whose own values yield another one, as in a file in another
 * order, makes it stale. Throws a BatchError.
 */
export async function useAgreed(
  context: BatchContext,
  { batch, work, leavesOut }: { readonly batch: Batch; readonly work: RowWork; readonly leavesOut: boolean },
  agreed: AgreedServices,
  deliveries: number[],
): Promise<void> {
  for await (const rows of context.rows.pages({ batch: batch.number, states: ['planned'] })) {
    const chosen: ChosenService[] = [];
    const left: WholeRow[] = [];
    for (const row of rows) {
      const saved = agreed.get(row.row);
      const own = saved && chosenFor(row, work, saved);
      // A change that had nothing to change is compared with its record again.
      if (saved === undefined && isComparable(work)) continue;
      if (saved === undefined && leavesOut) {
        left.push({ ...row, state: 'skipped', error_code: 'no_offer', error_message: batchTexts.row.planLeavesOut });
        continue;
      }
      if (own === undefined) {
        throw new BatchError('plan_stale', say().refused.planOtherwise({ row: row.row, cell: placeText(row.cell) }));
      }
      if (typeof saved?.delivery === 'number') deliveries[row.row] = saved.delivery;
      chosen.push(own);
    }
    await context.rows.choose(batch.number, chosen);
    await context.rows.replace(left);
  }
}
