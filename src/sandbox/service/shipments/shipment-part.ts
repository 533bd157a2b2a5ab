import { substate as substates } from '../../../contract/enums.ts';
import { wireTime } from '../../engine/business-clock.ts';
import type { Work } from '../../engine/call.ts';
import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import type { Schedule } from '../../engine/schedule.ts';
import { statement, tables } from '../../engine/store/statement.ts';
import type { ShipmentPlanRow } from '../../engine/store/tables.ts';
import { findMoving, findShipmentById, newestMoving } from './find-moving.ts';
import type { MoveStep, Moving, Target } from './shipping-states.ts';

// A plan stores the target of a shipment that moves by itself, and when its next step is due. The step itself is
// derived from the current state, so a plan continues after manual steps, and ends after a cancellation.

type PlanName = Pick<ShipmentPlanRow, 'shipment_id'>;

const planOf = statement(({ shipment_id }: PlanName) =>
  tables.selectFrom('shipment_plans').selectAll().where('shipment_id', '=', shipment_id),
);
const firstDue = statement(() =>
  tables.selectFrom('shipment_plans').selectAll().orderBy('due_at').orderBy('shipment_id').limit(1),
);
const putPlan = statement(({ shipment_id, ...fresh }: ShipmentPlanRow) =>
  tables
    .insertInto('shipment_plans')
    .values({ shipment_id, ...fresh })
    .onConflict((conflict) => conflict.column('shipment_id').doUpdateSet(fresh)),
);
const deletePlan = statement(({ shipment_id }: PlanName) =>
  tables.deleteFrom('shipment_plans').where('shipment_id', '=', shipment_id),
);

/**
 * Plans the way of a shipment from now on. Returns when its next step is due; if the target cannot be reached, it
 * creates no plan and returns undefined.
 */
function plan(work: Work, shipment: Moving, target: Target, from = work.now): number | undefined {
  const [step] = shipment.stepsTo(target) ?? [];
  if (step === undefined) {
    work.database.run(deletePlan, { shipment_id: shipment.id });
    return undefined;
  }
  const due_at = shipment.dueOf(step, from);
  const fresh = { target: target.state, substate: target.substate ?? null, due_at };
  work.database.run(putPlan, { shipment_id: shipment.id, ...fresh });
  return due_at;
}

/** Plans the rest of the way again after a manual step, if the shipment moves by itself. Returns as `plan` does. */
function replan(work: Work, shipment: Moving): number | undefined {
  const row = work.database.first(planOf, { shipment_id: shipment.id });
  return row && plan(work, shipment, targetOf(row));
}

/** When the next step of all plans is due. */
function nextDue({ database }: Work): number | undefined {
  return firstPlan(database)?.due_at;
}

/**
 * Takes the first due step, if there is one: its changes and the new plan are one transaction. The rest is planned from
 * the time at which the step was due, so that a shipment keeps its pace when the clock jumps.
 */
function takeDueStep(work: Work): void {
  const row = firstPlan(work.database);
  if (row === undefined || row.due_at > work.now) return;
  const shipment = findShipmentById(work, row.shipment_id);
  const step: MoveStep | undefined = shipment?.stepsTo(targetOf(row))?.[0];
  if (shipment === undefined || step === undefined) {
    work.database.run(deletePlan, { shipment_id: row.shipment_id });
    return;
  }
  plan(work, shipment.take(step), targetOf(row), row.due_at);
}

function targetOf({ target, substate }: ShipmentPlanRow): Target {
  return { state: target, ...(substate === null ? {} : { substate }) };
}

function firstPlan(database: Work['database']): ShipmentPlanRow | undefined {
  return database.first(firstDue, {});
}

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
