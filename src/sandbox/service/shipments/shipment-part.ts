import { substate as substates } from '../../../contract/enums.ts';
import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import { wireTime } from '../../engine/time/business-clock.ts';
import type { Schedule } from '../../engine/time/schedule.ts';
import type { Work } from '../../engine/work.ts';
import { findMoving, newestMoving } from './find-moving.ts';
import type { MoveStep, Moving, Target } from './moving.ts';
import { nextDue, plan, replan, takeDueStep } from './plans.ts';

/** Where to move a shipment, and how. */
export interface Advance {
  /** A state of the shipment, or `reconciled`: delivered and paid. With `auto`, defaults to `delivered`. */
  readonly to?: string | undefined;
  /** The substate there, for example `delivery_fail`. */
  readonly substate?: string | undefined;
  /** Moves by itself, each step at its time by the business clock, instead of at once. */
  readonly auto?: boolean | undefined;
}

/** The shipment after an advance. */
export interface Advanced {
  readonly entity: Moving['entity'];
  readonly id: string;
  readonly shop_id: string;
  readonly order_ids: readonly string[];
  readonly shipping_state: string;
  readonly shipping_substate: string;
  readonly shipping_status: string;
  readonly status: string;
  /** The steps that were taken now. */
  readonly steps: readonly MoveStep[];
  /** The steps that are allowed next. */
  readonly allowed: readonly MoveStep[];
  /** When it takes its next step by itself; null if it does not move. */
  readonly next_due: string | null;
}

/** What carriers do with shipments. */
export interface ShipmentControl {
  /**
   * Moves a shipment, an on-demand delivery, or that of an order, through all allowed steps to a state, in one
   * transaction; without an id the newest that can get there. Refuses with 404 an unknown id, with 400 an unknown state, with 412 one that cannot be reached.
   */
  advance(id: string | undefined, advance: Advance): Promise<Advanced>;
}

/** The part that moves shipments, manually and by the schedule. */
export function shipmentPart(core: Core, schedule: Pick<Schedule, 'add' | 'wake'>): Part<ShipmentControl> {
  schedule.add({
    next: async () => core.read(nextDue),
    begin: () => core.write(takeDueStep),
  });
  return {
    control: {
      async advance(id, input) {
        const { due, ...advanced } = await core.write((work) => advance(work, id, input));
        if (due !== undefined) schedule.wake(due);
        return { ...advanced, next_due: due === undefined ? null : wireTime(due) };
      },
    },
  };
}

type Unfinished = Omit<Advanced, 'next_due'> & { readonly due: number | undefined };

function advance(work: Work, id: string | undefined, { to, substate, auto = false }: Advance): Unfinished {
  const state = to ?? (auto ? 'delivered' : '');
  if (state === '') throw invalid('to', 'is missing');
  const target: Target = { state, substate };
  const shipment = id === undefined ? newestMoving(work, target) : findMoving(work, id);
  const steps = wayTo(shipment, target);
  if (auto) return { ...answer(shipment, []), due: plan(work, shipment, target) };
  let here = shipment;
  for (const step of steps) here = here.take(step);
  return { ...answer(here, steps), due: replan(work, here) };
}

/** The steps to the target; refuses an unknown target, and one that cannot be reached. */
function wayTo(shipment: Moving, target: Target): readonly MoveStep[] {
  if (!shipment.states.includes(target.state)) {
    throw invalid('to', `must be one of ${shipment.states.join(', ')}`, { given: target.state });
  }
  if (target.substate !== undefined && !substates.some((name) => name === target.substate)) {
    throw invalid('substate', `must be one of ${substates.filter(Boolean).join(', ')}`, { given: target.substate });
  }
  const steps = shipment.stepsTo(target);
  if (steps !== undefined) return steps;
  const allowed = shipment.next().map(nameOf);
  const where = `the ${shipment.entity} is ${nameOf(shipment.here)} and cannot become ${nameOf(target)}`;
  const rest = allowed.length > 0 ? `it may go on to ${allowed.join(', ')}` : 'it goes nowhere from there';
  throw new Refusal('failed_precondition', `${where}; ${rest}`, {
    shipping_state: shipment.here.state,
    allowed: allowed.join(','),
  });
}

/** `holding`, or `holding/delivery_fail`. */
function nameOf({ state, substate }: Target): string {
  return substate ? `${state}/${substate}` : state;
}

function answer({ entity, id, shopId, orderIds, record, ...moving }: Moving, steps: readonly MoveStep[]) {
  return {
    entity,
    id,
    shop_id: shopId,
    order_ids: orderIds,
    shipping_state: record.shipping_state ?? 'unknown',
    shipping_substate: 'shipping_substate' in record ? (record.shipping_substate ?? '') : '',
    shipping_status: record.shipping_status ?? 'Z',
    status: record.status ?? 'Z',
    steps,
    allowed: moving.next(),
  };
}
