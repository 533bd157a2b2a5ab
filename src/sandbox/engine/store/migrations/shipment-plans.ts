import type { Migration } from './migration.ts';

/** The targets of shipments that move by themselves, and when their next step is due. */
export const shipmentPlans: Migration = {
  name: 'shipment plans',
  sql: `
    CREATE TABLE shipment_plans (
      shipment_id TEXT PRIMARY KEY CHECK (length(shipment_id) = 19),
      target TEXT NOT NULL, substate TEXT,
      due_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shipment_plans_by_due ON shipment_plans (due_at, shipment_id);
  `,
};
