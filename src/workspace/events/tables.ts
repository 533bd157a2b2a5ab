import type { Generated } from 'kysely';

/** A change that came, without its text. Times are ISO 8601, UTC. */
export interface EventTable {
  /** The order in which changes were received; the id that a person sees is made of it. */
  seq: Generated<number>;
  /** Whose it is: where machines share the workspace, the account's text; in a profile's own file, nothing. */
  account: string;
  /** The webhook that brought it, by the path it is sent to. */
  hook: string;
  received_at: string;
  entity: string;
  change_type: string;
  /** Id of the record; of one that has none, the ids it is made of. */
  record_id: string;
  shop_id: string | null;
  /** When it happened, by the service's clock. */
  time: string;
  /** Hash of what it says. */
  content: string;
  /** The how manieth of that content it is, from 1. */
  occurrence: number;
}

/** The change itself, as JSON text. */
export interface EventContentTable {
  seq: number;
  change: string;
}

/** What is known of one webhook's deliveries. */
export interface EventHookTable {
  account: string;
  hook: string;
  /** Hash of the changes of its last callback that was kept. */
  last_callback: string;
  received_at: string;
  /** The time of the newest change it brought, by the service's clock. */
  change_time: string | null;
}

/** How often a webhook brought a content that had come by another one before. */
export interface EventSightingTable {
  account: string;
  hook: string;
  content: string;
  occurrences: number;
  /** The last time it did. */
  seen_at: string;
}

/** One listener by its name, and the secret of the path that it listens at. */
export interface EventListenerTable {
  account: string;
  name: string;
  secret: string;
  created_at: string;
}

/** Whom changes are handed to. Numbers that end in _at are milliseconds since 1970, by this machine. */
export interface EventTargetTable {
  account: string;
  name: string;
  kind: 'url' | 'command';
  address: string;
  /** Only changes of this entity; null for all. */
  entity: string | null;
  change_type: string | null;
  /** Whether any 2xx is accepted, or the service's own rule holds. */
  accept: 'ok' | '2xx';
  give_up_ms: number;
  state: 'active' | 'resting' | 'paused';
  /** All changes up to here were accepted, do not concern it, or stand in its handoffs. */
  cursor: number;
  created_at: string;
  last_accepted_at: string | null;
  last_error: string | null;
  /** The listener that hands on to it, by its name under its lease; null where none does. */
  worker: string | null;
}

/** A listener that names a target: while one that lives does, the target does not rest. */
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
  /** Entity and id of its record: handoffs of one wait for each other. */
  record: string;
  state: 'waiting' | 'dead';
  attempts: number;
  /** Milliseconds since 1970; null before the first failure. */
  first_failed_at: number | null;
  next_at: number | null;
  last_error: string | null;
}

/** A time of which changes are missing, because the service had stopped a webhook. */
export interface EventGapTable {
  number: Generated<number>;
  account: string;
  listener: string;
  webhook_id: string;
  from_time: string;
  to_time: string;
  found_at: string;
}

/** Single facts: the number that ids begin at, how often targets were changed by a command. */
export interface EventFactTable {
  name: string;
  value: string;
}

/** The tables of events. */
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
  event_namings: EventNamingTable;
}
