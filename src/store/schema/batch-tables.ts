/**
 * Batches, their rows with their contents, who sends them, and the orders whose slip was printed. Integers that may be
 * money are 64 bits wide in both dialects; `{key}` stands for a key that counts by itself.
 */
export const batchTables: readonly string[] = [
  `create table batches (
    number {key},
    id text not null unique,
    account text not null,
    "do" text not null,
    operation text not null,
    state text not null,
    content text not null,
    source text not null,
    options text not null,
    reserved bigint not null,
    max_total bigint,
    created_at text not null,
    finished_at text
  )`,
  'create index batches_content on batches (account, content)',
  `create table batch_rows (
    batch integer not null,
    "row" integer not null,
    cell text not null,
    name text not null,
    named integer not null,
    content text not null,
    recipient text,
    goods text,
    pick text,
    state text not null,
    attempts integer not null,
    id text,
    code text,
    shipping_code text,
    carrier text,
    fee bigint,
    error_code text,
    error_message text,
    worker text,
    identity text not null default '',
    generation integer not null default 0,
    made_by text,
    primary key (batch, "row")
  )`,
  `create table batch_contents (
    batch integer not null,
    "row" integer not null,
    cells text not null,
    payload text not null,
    old_values text,
    primary key (batch, "row")
  )`,
  // Open rows are found without scanning finished ones: a resume of a million rows with ten left.
  `create index batch_rows_open on batch_rows (batch, "row") where state in ('planned', 'sending')`,
  // The counts and fees of a batch are read from this index alone.
  'create index batch_rows_summary on batch_rows (batch, state, carrier, fee)',
  'create index batch_rows_name on batch_rows (name, batch)',
  'create index batch_rows_recipient on batch_rows (recipient)',
  // Only rows without a name of their own are looked up by content, and an index in no order costs more with every row.
  'create index batch_rows_content on batch_rows (content, batch) where named = 0',
  'create index batch_rows_made_by on batch_rows (made_by) where made_by is not null',
  // The time line of a record looks for its rows in all batches.
  'create index batch_rows_record on batch_rows (id) where id is not null',
  'create table batch_workers (id text primary key, batch integer not null, lease_until bigint not null)',
  `create table printed_slips (
    account text not null, order_id text not null, printed_at text not null, primary key (account, order_id)
  )`,
  // A mark for each write transaction: a process whose answer was lost can tell whether it was committed.
  'create table write_marks (id text primary key, attempt integer not null, written_at text not null)',
];
