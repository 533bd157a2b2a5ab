/**
 * The tables of the ledger, the same in both dialects.
 *
 * `ledger_keys` is the rule itself: whoever has the row of (account, resource, identity) is the only one that may have
 * such a write on its way. `intents` are the writes of single commands, and the drafts of the wizard; a row of a batch
 * is its own intent; `report` counts in which order they were reported, which no clock tells. `local_at`: when a key was
 * written by this machine's clock; `service_clocks`: how far a service's dates are from it.
 */
export const ledgerTables: readonly string[] = [
  'create table meta (name text primary key, value text not null)',
  `create table ledger_keys (
    account text not null,
    resource text not null,
    identity text not null,
    holder text not null,
    state text not null,
    family text not null,
    derived integer not null,
    name text,
    equal text,
    request text,
    owner text,
    record_id text,
    at bigint not null,
    local_at bigint not null,
    primary key (account, resource, identity)
  )`,
  // The 24-hour rule: orders with equal content, whatever they are called.
  'create index ledger_keys_equal on ledger_keys (account, equal) where equal is not null',
  // A cancel or a delete finds who made its record.
  'create index ledger_keys_record on ledger_keys (account, record_id) where record_id is not null',
  "create index ledger_keys_open on ledger_keys (state, at) where state in ('sending', 'unclear')",
  `create table intents (
    id text primary key,
    account text not null,
    resource text not null,
    identity text,
    operation text not null,
    state text not null,
    record_id text,
    attempts integer not null,
    updated_at bigint not null,
    reported_at bigint,
    report bigint,
    body text not null
  )`,
  `create index intents_unfinished on intents (updated_at)
    where state in ('open', 'sending', 'unclear', 'failed') or reported_at is null`,
  'create table service_clocks (origin text primary key, offset_ms bigint not null)',
];

/**
 * Which services the ledger knows. `addresses`: where a shop was written to, which sandbox answered there (empty if none
 * did), and the name of the service in accounts; without a shop, what a person said of the address. One without an address
 * marks that two services are being joined. `separate_services`: pairs that a person called two, in order.
 */
export const addressTables: readonly string[] = [
  `create table addresses (
    origin text not null,
    shop text not null,
    instance text not null,
    service text not null,
    at bigint not null,
    primary key (origin, shop, instance)
  )`,
  'create index addresses_shop on addresses (shop)',
  'create index addresses_instance on addresses (instance)',
  'create table separate_services (one text not null, other text not null, primary key (one, other))',
];
