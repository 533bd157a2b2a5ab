import { shipnowState } from '../../../contract/enums.ts';
import type { Work } from '../../engine/work.ts';
import { type Delivery, paymentOf, stateOf } from '../shipnow/delivery-record.ts';
import { deliveryStepsTo, nextDeliverySteps, type ShipnowState } from '../shipnow/delivery-states.ts';
import { moveDelivery, settleDelivery } from '../shipnow/move-delivery.ts';
import { type Moving, moving } from './moving.ts';

const MINUTE = 60_000;
/** How many minutes an on-demand delivery takes to reach each state by itself. */
const minutes: Readonly<Record<string, number>> = { assigning: 2, picking: 8, delivering: 15, delivered: 30 };
const OTHER_MINUTES = 20;

const stateNamed = (name: string): ShipnowState | undefined => shipnowState.find((state) => state === name);

/** An on-demand delivery as a `Moving`; it has states but no substates. */
export function movingDelivery(work: Work, delivery: Delivery): Moving {
  const { record, id, shopId } = delivery;
  const state = stateOf(delivery);
  const asStep = (next: { readonly state: ShipnowState }) => ({ ...next, substate: '' });
  return moving({
    entity: 'shipnow_fulfillment',
    id,
    shopId,
    orderIds: record.order_ids ?? [],
    record,
    states: shipnowState,
    at: asStep({ state }),
    settled: paymentOf(delivery) === 'P',
    next: () => nextDeliverySteps({ state }).map(asStep),
    stepsTo(target) {
      const wanted = stateNamed(target.state);
      if (wanted === undefined || target.substate) return undefined;
      return deliveryStepsTo({ state }, wanted)?.map(asStep);
    },
    take(step) {
      const next = stateNamed(step.state);
      if (next === undefined) throw new RangeError(`a delivery has no step ${step.state}`);
      return movingDelivery(work, moveDelivery(work, delivery, { state: next }));
    },
    settle: () => movingDelivery(work, settleDelivery(work, delivery)),
    dueOf: (step, after) => after + (minutes[step.state] ?? OTHER_MINUTES) * MINUTE,
  });
}
