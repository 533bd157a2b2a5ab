import type { EventGapTable, EventHookTable } from '../../store/event-tables.ts';
import type { WorkspaceTables } from '../../store/tables.ts';

/** The secret of a listener's path, which stays with its name; a new name gets `fresh`. */
export async function listenerSecret(
  database: WorkspaceTables,
  { account, name }: { readonly account: string; readonly name: string },
  fresh: string,
  now: string,
): Promise<string> {
  await database
    .insertInto('event_listeners')
    .values({ account, name, secret: fresh, created_at: now })
    .onConflict((conflict) => conflict.columns(['account', 'name']).doNothing())
    .execute();
  const { secret } = await database
    .selectFrom('event_listeners')
    .select('secret')
    .where('account', '=', account)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return secret;
}

/** An account's listeners: the name by the secret of its path. */
export async function listenerNames(database: WorkspaceTables, account: string): Promise<Map<string, string>> {
  const rows = await database
    .selectFrom('event_listeners')
    .select(['name', 'secret'])
    .where('account', '=', account)
    .execute();
  return new Map(rows.map(({ name, secret }) => [secret, name]));
}

/** What is known about the deliveries of webhooks, by their names in the workspace. */
export async function hookStandings(database: WorkspaceTables, account: string): Promise<Map<string, EventHookTable>> {
  const rows = await database.selectFrom('event_hooks').selectAll().where('account', '=', account).execute();
  return new Map(rows.map((row) => [row.hook, row]));
}

/** A period with missing changes. */
export type Gap = Omit<EventGapTable, 'number' | 'closed_at'> & Partial<Pick<EventGapTable, 'closed_at'>>;

/** Records that changes are missing, so that it can be shown later. */
export async function rememberGap(database: WorkspaceTables, gap: Gap): Promise<void> {
  await database.insertInto('event_gaps').values(gap).execute();
}

/**
 * Records that a poll has stored the present state of what changed in the periods that were found between two
 * moments: the first poll stored nothing of what was missing before it.
 */
export async function closeGaps(
  database: WorkspaceTables,
  account: string,
  { foundSince, foundUntil, at }: { readonly [of in 'foundSince' | 'foundUntil' | 'at']: string },
): Promise<void> {
  await database
    .updateTable('event_gaps')
    .set({ closed_at: at })
    .where('account', '=', account)
    .where('closed_at', 'is', null)
    .where('found_at', '>', foundSince)
    .where('found_at', '<=', foundUntil)
    .execute();
}

/** The periods with missing changes, newest first. */
export async function gapsOf(database: WorkspaceTables, account: string, limit = 20): Promise<Gap[]> {
  return database
    .selectFrom('event_gaps')
    .select(['account', 'listener', 'webhook_id', 'from_time', 'to_time', 'found_at', 'closed_at'])
    .where('account', '=', account)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

/** Removes the periods with missing changes, once somebody has taken note of them. */
export async function forgetGaps(database: WorkspaceTables, account: string): Promise<void> {
  await database.deleteFrom('event_gaps').where('account', '=', account).execute();
}
