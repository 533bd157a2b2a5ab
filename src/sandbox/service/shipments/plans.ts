import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { ShipmentPlanRow } from '../../engine/store/sql/tables.ts';
import type { Work } from '../../engine/work.ts';
import { findShipmentById } from './find-moving.ts';
import type { MoveStep, Moving, Target } from './moving.ts';

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
export function plan(work: Work, shipment: Moving, target: Target, from = work.now): number | undefined {
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
export function replan(work: Work, shipment: Moving): number | undefined {
  const row = work.database.first(planOf, { shipment_id: shipment.id });
  return row && plan(work, shipment, targetOf(row));
}

/** When the next step of all plans is due. */
export function nextDue({ database }: Work): number | undefined {
  return firstPlan(database)?.due_at;
}

/**
 * Takes the first due step, if there is one: its changes and the new plan are one transaction. The rest is planned from
 * the time at which the step was due, so that a shipment keeps its pace when the clock jumps.
 */
export function takeDueStep(work: Work): void {
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
