import type { WorkspaceTables } from './tables.ts';

/** How many steps the schema had before all of them became one: a file of those times has a number up to this. */
const BEFORE = 17;

/** The number of a schema with so many steps. */
export const numberOfSteps = (steps: number): number => BEFORE + steps;

/**
 * The number of the schema that this program knows. A SQLite workspace stores that of its own, so that a single command
 * compares one number and loads no query builder.
 */
export const schemaNumber = numberOfSteps(2);

/** What SQL dialects write differently in a schema. */
export interface SchemaWords {
  /** The type of a key that counts by itself. */
  readonly key: string;
  /** Keeps every other migration out until the transaction ends, for dialects whose write lock does not. */
  readonly alone?: (database: WorkspaceTables) => Promise<void>;
  /** Writes the number of the schema where a program can compare it without a query builder. */
  readonly number?: (database: WorkspaceTables, number: number) => Promise<void>;
}

/** One step of the schema. Once released it never changes; corrections are further steps. */
export interface Migration {
  /** Recorded in the workspace; unique. */
  readonly name: string;
  readonly up: (database: WorkspaceTables, words: SchemaWords) => Promise<void>;
}

/** Changes delivered by webhooks, and the targets they are handed to; all belong to an account, empty in a file. */
export const eventTables: readonly string[] = [
  `create table events (
    seq {key},
    hook text not null,
    received_at text not null,
    entity text not null,
    change_type text not null,
    record_id text not null,
    shop_id text,
    time text not null,
    content text not null,
    occurrence integer not null,
    account text not null default ''
  )`,
  // The database itself rejects duplicates. The account comes last: in a file it is always the same, and SQLite would
  // take an index that starts with it for a selective one.
  'create unique index events_content on events (content, occurrence, account)',
  'create index events_record on events (record_id, seq)',
  'create index events_entity on events (entity, seq)',
  'create index events_received on events (received_at, seq)',
  'create index events_change_type on events (change_type, seq)',
  "create index events_account on events (account, seq) where account <> ''",
  'create table event_contents (seq integer primary key, change text not null)',
  `create table event_hooks (
    account text not null default '',
    hook text not null,
    last_callback text not null,
    received_at text not null,
    change_time text,
    primary key (account, hook)
  )`,
  `create table event_sightings (
    account text not null default '',
    hook text not null,
    content text not null,
    occurrences integer not null,
    seen_at text not null,
    primary key (account, content, hook)
  )`,
  `create table event_listeners (
    account text not null default '',
    name text not null,
    secret text not null unique,
    created_at text not null,
    primary key (account, name)
  )`,
  `create table event_targets (
    account text not null default '',
    name text not null,
    kind text not null,
    address text not null,
    entity text,
    change_type text,
    accept text not null,
    give_up_ms bigint not null,
    state text not null,
    cursor bigint not null,
    created_at text not null,
    last_accepted_at text,
    last_error text,
    worker text,
    primary key (account, name)
  )`,
  `create table event_namings (
    worker text not null, account text not null, target text not null, primary key (account, target, worker)
  )`,
  `create table event_handoffs (
    target text not null,
    seq integer not null,
    record text not null,
    state text not null,
    attempts integer not null,
    first_failed_at bigint,
    next_at bigint,
    last_error text,
    account text not null default '',
    primary key (target, seq)
  )`,
  "create index event_handoffs_record on event_handoffs (target, record, seq) where state = 'waiting'",
  // Whether any target is still waiting for a change.
  'create index event_handoffs_seq on event_handoffs (seq)',
  `create table event_gaps (
    number {key},
    listener text not null,
    webhook_id text not null,
    from_time text not null,
    to_time text not null,
    found_at text not null,
    account text not null default '',
    closed_at text
  )`,
  'create table event_facts (name text primary key, value text not null)',
  // States of records that a poll reported before any webhook did: a webhook that reports them later repeats them.
  `create table event_polls (
    account text not null,
    record_id text not null,
    entity text not null,
    state text not null,
    change_type text not null,
    told_at text not null,
    primary key (account, record_id, entity, state)
  )`,
];
