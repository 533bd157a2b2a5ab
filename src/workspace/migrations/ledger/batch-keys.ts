import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { isRecord } from '../../../domain/json/value-at.ts';
import type { Migration } from '../../migration.ts';
import type { WorkspaceTables } from '../../tables.ts';

// A released step never changes, whatever becomes of the code that derives names and identities today.
const digest = (...parts: readonly (string | number)[]) => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
const DERIVED = /^shopctl-r1-[0-9a-f]{20}-(\d+)$/;
const ROWS_AT_ONCE = 1_000;
const HOLDING = ['sending', 'unclear', 'done', 'undone'];

interface OldBatch {
  readonly number: number;
  readonly account: string;
  readonly operation: string;
  readonly created_at: string;
}

interface OldRow {
  readonly row: number;
  readonly state: string;
  readonly name: string;
  readonly named: number;
  readonly content: string;
  readonly id: string | null;
  readonly payload: string;
}

function identityOf({ name, named, content, payload }: OldRow): string {
  if (named === 0) return digest('content', 'r1', content, Number(DERIVED.exec(name)?.[1] ?? 1));
  const request: unknown = name.startsWith('shopctl-c1-') ? JSON.parse(payload) : undefined;
  const code = isRecord(request) ? request.external_code : undefined;
  return typeof code === 'string' ? digest('code', code) : digest('name', name);
}

/** The account without its family, and the family. */
function accountIn(text: string): readonly [account: string, family: string] {
  try {
    const [origin, family, shop] = JSON.parse(text);
    return [JSON.stringify([origin, shop]), String(family)];
  } catch {
    return [text, 'shop'];
  }
}

/** What an operation creates; undefined if it creates nothing. */
function madeBy(operation: string): string | undefined {
  const [, area = '', deed = ''] = /^\w+\.(\w+)\/(\w+)$/.exec(operation) ?? [];
  if (!deed.startsWith('Create')) return undefined;
  return area === 'Shipping' || area === 'Order' ? 'order' : area;
}

/** The rows of a batch get their identities; those that were sent, or may have been, get their keys. */
async function takeOver(database: WorkspaceTables, batch: OldBatch): Promise<void> {
  const resource = madeBy(batch.operation);
  const [account, family] = accountIn(batch.account);
  const at = Date.parse(batch.created_at);
  for (let after = 0; ; ) {
    const rows = await sql<OldRow>`
      select r.row, r.state, r.name, r.named, r.content, r.id, c.payload
      from batch_rows r join batch_contents c on c.batch = r.batch and c.row = r.row
      where r.batch = ${batch.number} and r.row > ${after} order by r.row limit ${ROWS_AT_ONCE}`.execute(database);
    for (const old of rows.rows) {
      after = old.row;
      const identity = identityOf(old);
      await sql`update batch_rows set identity = ${identity} where batch = ${batch.number} and row = ${old.row}`.execute(
        database,
      );
      const isFree = old.state === 'undone' && old.named === 1;
      if (resource === undefined || isFree || !HOLDING.includes(old.state)) continue;
      const holder = `batch ${batch.number} ${old.row} 0`;
      await sql`insert into ledger_keys
        (account, resource, identity, holder, state, family, derived, name, record_id, at)
        values (${account}, ${resource}, ${identity}, ${holder}, ${old.state}, ${family}, ${1 - old.named}, ${old.name},
          ${old.id}, ${at}) on conflict do nothing`.execute(database);
    }
    if (rows.rows.length < ROWS_AT_ONCE) return;
  }
}

/**
 * Rows of batches take part in the ledger: their identity, the generation that a retry raises, and who made the record
 * of a row that existed.
 */
export const batchKeys: Migration = {
  name: 'batch-keys',
  async up(database) {
    const { schema } = database;
    await schema
      .alterTable('batch_rows')
      .addColumn('identity', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('batch_rows')
      .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('batch_rows').addColumn('made_by', 'text').execute();
    await schema
      .createIndex('batch_rows_made_by')
      .on('batch_rows')
      .column('made_by')
      .where(sql.ref('made_by'), 'is not', null)
      .execute();
    const batches =
      await sql<OldBatch>`select number, account, operation, created_at from batches where state <> 'planning'`.execute(
        database,
      );
    for (const batch of batches.rows) await takeOver(database, batch);
    await sql`update batch_rows set made_by = (
        select 'batch ' || made.batch || ' ' || made.row || ' 0' from batch_rows made
        where made.name = batch_rows.name and made.id = batch_rows.id and made.state = 'done' limit 1)
      where state = 'existed'`.execute(database);
  },
};
