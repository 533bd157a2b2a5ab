import { sql } from 'kysely';
import type { Migration } from './event-tables-schema.ts';

/**
 * What agents have planned, with what they were allowed and have used; what was accepted and revoked; and a log that is only
 * appended to. Times are milliseconds since 1970, by a clock that is never set back.
 */
const texts: readonly string[] = [
  `create table agent_plans (
    id text primary key,
    account text not null,
    profile text not null,
    command text not null,
    digest text not null,
    content text not null,
    facts text not null,
    state text not null,
    bound_to text,
    created_at bigint not null,
    expires_at bigint not null,
    batch text,
    outcome text,
    reserved_at bigint,
    records bigint not null,
    fees bigint not null,
    cod bigint not null
  )`,
  'create index agent_plans_reserved on agent_plans (reserved_at)',
  'create index agent_plans_digest on agent_plans (digest, created_at)',
  'create table agent_facts (name text primary key, value text not null)',
  `create table agent_log (
    id text primary key,
    at bigint not null,
    event text not null,
    profile text not null,
    command text not null,
    plan text not null,
    note text not null
  )`,
  'create index agent_log_at on agent_log (at, id)',
];

/** The tables of agents, as a step of the schema. */
export const agentTables: Migration = {
  name: 'plans of agents',
  async up(database) {
    for (const text of texts) await sql.raw(text).execute(database);
  },
};
