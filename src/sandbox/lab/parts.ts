import type { Core } from '../engine/core.ts';
import type { Layer, Part } from '../engine/refusal.ts';
import { createSchedule } from '../engine/time/schedule.ts';
import { type ShipmentControl, shipmentPart } from '../service/shipments/shipment-part.ts';
import type { Deliver } from '../service/webhooks/delivery/deliver.ts';
import { type DeliveryControl, webhookPart } from '../service/webhooks/webhook-part.ts';
import { type AccountControl, accountPart } from './control/account-control.ts';
import { type ClockControl, clockPart } from './control/clock-control.ts';
import { type FaultControl, faultPart } from './faults/fault-part.ts';
import { type LogControl, logPart } from './log/log-part.ts';
import { type SnapshotControl, snapshotPart } from './snapshots/snapshot-part.ts';

/** What the service's operator, a shop's owner or a carrier would do; each part is in its own file. */
export interface Control
  extends AccountControl,
    ClockControl,
    DeliveryControl,
    FaultControl,
    LogControl,
    ShipmentControl,
    SnapshotControl {}

/** The parts of one open sandbox. */
export interface Parts {
  readonly control: Control;
  /** Outermost first. */
  readonly layers: readonly Layer[];
  /** Ends all mere waiting. */
  interrupt(): void;
  close(): Promise<void>;
}

/** Options for opening the parts; see `SandboxOptions`. */
export interface PartsOptions {
  readonly deliver?: Deliver | undefined;
  /** Called with errors of background work. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** Opens every part. Add a new one to `Control` and to this function, which also determines the order of the layers. */
export async function openParts(core: Core, { deliver, onInternalError }: PartsOptions = {}): Promise<Parts> {
  const schedule = createSchedule(core.clock, onInternalError);
  const accounts = accountPart(core);
  const clock = clockPart(core, schedule);
  const shipments = shipmentPart(core, schedule);
  const webhooks = await webhookPart(core, schedule, deliver);

  const snapshots = snapshotPart(core);
  const log = logPart(core);
  const faults = faultPart(core.machineClock);

  const parts: readonly Part<object>[] = [log, faults, accounts, clock, shipments, webhooks, snapshots];
  schedule.start();
  return {
    control: {
      ...log.control,
      ...faults.control,
      ...accounts.control,
      ...clock.control,
      ...shipments.control,
      ...snapshots.control,
      ...webhooks.control,
    },
    layers: parts.flatMap(({ layer }) => layer ?? []),
    interrupt() {
      for (const part of parts) part.interrupt?.();
    },
    async close() {
      await schedule.close();
      for (const part of parts.toReversed()) await part.close?.();
    },
  };
}
