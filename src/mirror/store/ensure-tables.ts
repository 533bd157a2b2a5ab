import { createHash } from 'node:crypto';
import { WorkspaceError } from '../../store/workspace.ts';
import { readFact, writeFact } from '../service-clock.ts';
import { say } from '../texts.ts';
import { mirrorAreas } from './declared-areas.ts';
import { paymentTables } from './describe-tables.ts';
import type { Mirror, MirrorDialect, MirrorSession } from './mirror.ts';
import { changesTable, type DerivedTable, derivedTables, ownTables, STALE } from './own-tables.ts';
import { addPaymentParcels, paymentParcels } from './payment-parcels.ts';
import { addOpenParcels, openParcels, rollupTables } from './rollup-tables.ts';
import { mirrorViews } from './views.ts';

/** The fact that names the schema that the mirror has whole. */
const SCHEMA = 'schema';

/** What a name is quoted with, so that a field of the contract may be a word of SQL. */
export const quoted = (name: string): string => `"${name}"`;

const columnsIn = ({ types }: MirrorDialect, { columns, key }: Pick<DerivedTable, 'columns' | 'key'>) =>
  columns.map(({ name, type }) => `${quoted(name)} ${types[type]}${key.includes(name) ? ' not null' : ''}`);

function createDerived(dialect: MirrorDialect, table: DerivedTable, isNarrow: boolean): string {
  const key = `primary key (${table.key.map(quoted).join(', ')})`;
  const columns = [...columnsIn(dialect, table), key].join(', ');
  const end = isNarrow ? dialect.clustered : '';
  return `create table if not exists ${dialect.table(table.name)} (${columns})${end}`;
}

function createOwn(dialect: MirrorDialect): string[] {
  return ownTables.map(({ name, columns, key, isNarrow }) => {
    const written = columns.map(
      ([column, type, rest]) => `${column} ${dialect.types[type]}${rest === undefined ? '' : ' not null'}`,
    );
    const all = [...written, `primary key (${key.join(', ')})`].join(', ');
    return `create table if not exists ${dialect.table(name)} (${all})${isNarrow ? dialect.clustered : ''}`;
  });
}

function createRollups(dialect: MirrorDialect): string[] {
  return [...rollupTables, openParcels].map(({ name, dimensions, sums }) => {
    const groups = dimensions.map((column) => `${column.name} ${dialect.types[column.type]} not null`);
    const amounts = sums.map((column) => `${column.name} ${dialect.types.integer} not null`);
    const key = `primary key (${dimensions.map((column) => column.name).join(', ')})`;
    return `create table if not exists ${dialect.table(name)} (${[...groups, ...amounts, key].join(', ')})${dialect.clustered}`;
  });
}

/** What reports and look-ups find their records by. */
const indices: readonly (readonly [name: string, table: string, rest: string])[] = [
  ['orders_created', 'orders', '(created_at)'],
  ['orders_total', 'orders', '(id, shop_id, total_amount)'],
  ['fulfillments_order', 'fulfillments', '(order_id)'],
  ['fulfillments_code', 'fulfillments', '(shipping_code, shop_id, deleted_at, id)'],
  ['payment_lines_parcel', 'payment_lines', '(shop_id, shipping_code, fulfillment_id)'],
  ['fulfillments_unsettled', 'fulfillments', "(shipping_state, estimated_delivery_at) where status = 'S'"],
  // Everything that reports about the present read of a shipment, so that they never look at the table.
  [
    'fulfillments_open',
    'fulfillments',
    "(shop_id, shipping_state, deleted_at, order_id, cod_amount, actual_cod_amount, shipping_service_fee, actual_shipping_service_fee, estimated_pickup_at, estimated_delivery_at, platform_payment_status) where coalesce(platform_payment_status, '') <> 'P' and coalesce(shipping_state, '') <> 'cancelled'",
  ],
];

/** Those that a page of a first copy is written without: no statement of a sync looks there. */
const indicesOfReaders = indices.map(([name]) => name).filter((name) => name !== 'fulfillments_order');

/** Copies of what is in the workspace. */
const copies = [changesTable, ...paymentTables];

const NARROW = new Set(derivedTables.filter(({ key }) => key.length > 2).map(({ name }) => name));

const indicesFor = ({ table }: MirrorDialect): string[] =>
  indices.map(([name, on, rest]) => `create index if not exists ${name} on ${table(on)} ${rest}`);

function statementsFor(dialect: MirrorDialect): string[] {
  return [
    ...createOwn(dialect),
    ...derivedTables.map((one) => createDerived(dialect, one, NARROW.has(one.name))),
    ...copies.map((one) => createDerived(dialect, one, one.key.length > 2)),
    ...createRollups(dialect),
    ...indicesFor(dialect),
  ];
}

const viewsFor = (dialect: MirrorDialect): string[] =>
  [...mirrorViews].map(({ name, sql }) => `create view ${dialect.table(name)} as ${sql(dialect)}`);

/** The tables of the mirror with their present columns; empty in a new one. */
async function presentColumns(session: MirrorSession, { name }: MirrorDialect): Promise<Map<string, Set<string>>> {
  const rows =
    name === 'sqlite'
      ? await session.run(
          "select t.name as t, c.name as c from sqlite_schema as t join pragma_table_info(t.name) as c where t.type = 'table'",
        )
      : await session.run(
          "select table_name as t, column_name as c from information_schema.columns where table_schema = 'mirror'",
        );
  const found = new Map<string, Set<string>>();
  for (const { t, c } of rows) {
    const columns = found.get(String(t)) ?? new Set();
    found.set(String(t), columns.add(String(c)));
  }
  return found;
}

/** The version of the schema: a hash of what makes it. */
const versionOf = (dialect: MirrorDialect): string =>
  createHash('sha256')
    .update([...statementsFor(dialect), ...viewsFor(dialect)].join('\n'))
    .digest('hex');

/** The version of a schema that lacks the indexes of readers. */
const withoutIndices = (version: string): string => `${version} without indexes`;

/**
 * Drops the indexes that only readers use, before many records are written for the first time: built once over all of
 * them, they cost a fraction. Whoever opens the mirror builds them if this process does not live to do it.
 */
export async function dropReadersIndices({ write, dialect }: Mirror): Promise<void> {
  await write(async (session) => {
    for (const name of indicesOfReaders) await session.run(`drop index if exists ${dialect.table(name)}`);
    await writeFact(session, SCHEMA, withoutIndices(versionOf(dialect)));
  });
}

/** Builds the indexes of readers. */
export async function buildReadersIndices({ write, dialect }: Mirror): Promise<void> {
  await write(async (session) => {
    await schemaAlone(session, dialect);
    for (const statement of indicesFor(dialect)) await session.run(statement);
    await writeFact(session, SCHEMA, versionOf(dialect));
  });
}

/** On a server: keeps out everybody else who makes the schema until this has ended; there, `if not exists` does not. */
async function schemaAlone(session: MirrorSession, { name }: MirrorDialect): Promise<void> {
  if (name === 'postgres') await session.run('select pg_advisory_xact_lock(7317031)');
}

/** Whether there is a mirror. Every use of it asks, and a server takes long to list all columns. */
async function isMade(session: MirrorSession, { name, table }: MirrorDialect): Promise<boolean> {
  const facts = table('mirror_facts');
  const rows =
    name === 'sqlite'
      ? await session.run("select name as found from sqlite_schema where type = 'table' and name = ?", [facts])
      : await session.run('select cast(to_regclass(?) as text) as found', [facts]);
  return typeof rows[0]?.found === 'string';
}

/** Adds the columns that the contract has gained; the areas that gained some are read again whole. */
async function addColumns(
  session: MirrorSession,
  dialect: MirrorDialect,
  present: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const grown = new Set<string>();
  for (const table of [...derivedTables, ...copies]) {
    const known = present.get(table.name);
    if (known === undefined) continue;
    const added = table.columns.filter(({ name }) => !known.has(name));
    for (const { name, type } of added) {
      await session.run(`alter table ${dialect.table(table.name)} add column ${quoted(name)} ${dialect.types[type]}`);
    }
    if (added.length > 0) grown.add(table.name);
  }
  for (const { name, children } of mirrorAreas) {
    if (![name, ...children.map((child) => child.name)].some((table) => grown.has(table))) continue;
    // Its records are written again although nothing in them has changed, which is news to nobody.
    const marking = `update ${dialect.table('mirror_records')} set fingerprint = ? || fingerprint where area = ? and fingerprint not like ?`;
    await session.run(marking, [STALE, name, `${STALE}%`]);
    await session.run(`update ${dialect.table('mirror_areas')} set needs_whole = 1 where area = ?`, [name]);
  }
}

/**
 * Creates what is missing of the schema, and nothing else: tables, columns, indexes and views. A mirror holds the
 * records of one service. Throws a WorkspaceError for the mirror of another one.
 */
export async function ensureSchema(mirror: Mirror, origin: string): Promise<void> {
  const { dialect } = mirror;
  const version = versionOf(dialect);
  const current = await mirror.read(async (session) =>
    (await isMade(session, dialect))
      ? { version: await readFact(session, SCHEMA), origin: await readFact(session, 'origin') }
      : undefined,
  );
  if (current?.origin !== undefined && current.origin !== origin) {
    const message = say().place.ofOther({ place: mirror.place, origin: current.origin });
    throw new WorkspaceError('workspace_unusable', message, {
      hint: say().place.otherDatabase({ origin }),
    });
  }
  if (current?.version === version) return;
  if (current?.version === withoutIndices(version)) {
    await buildReadersIndices(mirror);
    return;
  }
  await mirror.write(async (session) => {
    await schemaAlone(session, dialect);
    if (dialect.name === 'postgres') await session.run('create schema if not exists mirror');
    const present = await presentColumns(session, dialect);
    for (const { name } of [...mirrorViews].reverse()) await session.run(`drop view if exists ${dialect.table(name)}`);
    for (const statement of statementsFor(dialect)) await session.run(statement);
    await addColumns(session, dialect, present);
    const whole = [
      [openParcels, addOpenParcels],
      [paymentParcels, addPaymentParcels],
    ] as const;
    for (const [{ name }, adding] of whole) if (!present.has(name)) await session.run(adding(dialect, '1 = 1'));
    // The changes that were applied before there was a table for them are copied with the next sync.
    if (!present.has(changesTable.name)) {
      await session.run(`delete from ${dialect.table('mirror_facts')} where name like 'events %'`);
    }
    for (const view of viewsFor(dialect)) await session.run(view);
    await writeFact(session, 'origin', origin);
    await writeFact(session, SCHEMA, version);
  });
}
