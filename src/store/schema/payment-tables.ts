/**
 * Carriers' payment files with their lines, and the sessions that were agreed to. The version of a file is a number that never
 * comes again, also after it was removed: a mirror tells by it which copy it has.
 */
export const paymentTables: readonly string[] = [
  `create table cod_files (
    number {key},
    shop_id text not null,
    id text not null,
    name text not null,
    layout text not null,
    carrier text not null,
    imported_at text not null,
    rows integer not null,
    unread integer not null,
    problems text not null,
    version bigint not null,
    unique (shop_id, id)
  )`,
  // Amounts without a parcel are told apart by all cells of their rows.
  `create table cod_lines (
    file integer not null,
    line integer not null,
    session text not null,
    parcel text not null,
    shipping_code text not null,
    fulfillment_id text not null,
    kind text not null,
    amount bigint not null,
    cell text not null,
    day text,
    repeats text,
    late integer not null,
    cells text not null,
    primary key (file, line)
  )`,
  // A session comes in few files, so that its entries stay together.
  'create index cod_lines_session on cod_lines (session, parcel)',
  // A file is compared with what any session has of its parcels.
  'create index cod_lines_parcel on cod_lines (parcel, session)',
  `create table cod_sessions (
    shop_id text not null,
    session text not null,
    closed_at text not null,
    closed_by text not null,
    note text not null,
    lines integer not null,
    amount bigint not null,
    primary key (shop_id, session)
  )`,
];
