import type { Generated } from 'kysely';

/** A received change, without its text. Times are ISO 8601, UTC. */
export interface EventTable {
  /** Sequence number in order of receipt; the public id is derived from it. */
  seq: Generated<number>;
  /** The owning account: in a shared workspace its text; empty in a profile's own file. */
  account: string;
  /** The webhook that delivered it, by the path it posts to. */
  hook: string;
  received_at: string;
  entity: string;
  change_type: string;
  /** Id of the record; if it has none, the ids that it is made of. */
  record_id: string;
  shop_id: string | null;
  /** When it happened, by the service's clock. */
  time: string;
  /** Hash of its content. */
  content: string;
  /** Which occurrence of that content it is, from 1. */
  occurrence: number;
}

/** The change itself, as JSON text. */
export interface EventContentTable {
  seq: number;
  change: string;
}

/** What is known about the deliveries of one webhook. */
export interface EventHookTable {
  account: string;
  hook: string;
  /** Hash of the changes of its last stored callback. */
  last_callback: string;
  received_at: string;
  /** The time of the newest change it delivered, by the service's clock. */
  change_time: string | null;
}

/** How often a webhook delivered content that had already arrived through another one. */
export interface EventSightingTable {
  account: string;
  hook: string;
  content: string;
  occurrences: number;
  /** When it last did. */
  seen_at: string;
}

/** A listener, by name, and the secret of the path it listens at. */
export interface EventListenerTable {
  account: string;
  name: string;
  secret: string;
  created_at: string;
}

/** A receiver of changes. Numbers ending in _at are milliseconds since 1970, by this machine's clock. */
export interface EventTargetTable {
  account: string;
  name: string;
  kind: 'url' | 'command';
  address: string;
  /** Only changes of this entity; null for all. */
  entity: string | null;
  change_type: string | null;
  /** Whether any 2xx counts as accepted, or only the service's own rule. */
  accept: 'ok' | '2xx';
  give_up_ms: number;
  state: 'active' | 'resting' | 'paused';
  /** Every change up to here was accepted, does not concern the target, or is in its handoffs. */
  cursor: number;
  created_at: string;
  last_accepted_at: string | null;
  last_error: string | null;
  /** The listener that serves it, by its worker id under its lease; null if none does. */
  worker: string | null;
}

/** A listener that names a target: while such a listener is alive, the target does not rest. */
export interface EventNamingTable {
  worker: string;
  account: string;
  target: string;
}

/** A change below a target's cursor that the target has not accepted. */
export interface EventHandoffTable {
  account: string;
  target: string;
  seq: number;
  /** Entity and id of its record: handoffs of the same record are delivered in order. */
  record: string;
  state: 'waiting' | 'dead';
  attempts: number;
  /** Milliseconds since 1970; null before the first failure. */
  first_failed_at: number | null;
  next_at: number | null;
  last_error: string | null;
}

/** A period with missing changes, because the service had stopped a webhook. */
export interface EventGapTable {
  number: Generated<number>;
  account: string;
  listener: string;
  webhook_id: string;
  from_time: string;
  to_time: string;
  found_at: string;
  /** When a poll had stored the present state of every record that changed in it; null before. */
  closed_at: string | null;
}

/** A state of a record that a poll reported. */
export interface EventPollTable {
  account: string;
  record_id: string;
  entity: string;
  /** Hash of the state. */
  state: string;
  change_type: string;
  told_at: string;
}

/** The name by which a poll is stored where a webhook's would be. */
export const POLL = 'poll';

/** Single values: the number that ids start at, a revision that changes with each command on targets. */
export interface EventFactTable {
  name: string;
  value: string;
}

/** The event tables. */
export interface EventTables {
  events: EventTable;
  event_contents: EventContentTable;
  event_hooks: EventHookTable;
  event_sightings: EventSightingTable;
  event_listeners: EventListenerTable;
  event_targets: EventTargetTable;
  event_handoffs: EventHandoffTable;
  event_gaps: EventGapTable;
  event_facts: EventFactTable;
  event_polls: EventPollTable;
  event_namings: EventNamingTable;
}
