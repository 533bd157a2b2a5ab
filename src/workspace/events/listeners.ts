import type { WorkspaceTables } from '../tables.ts';
import type { EventGapTable, EventHookTable } from './tables.ts';

/** The secret of a listener's path, which stays with its name; `fresh` becomes it where the name is new. */
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

/** The names of an account's listeners, by the secrets of their paths. */
export async function listenerNames(database: WorkspaceTables, account: string): Promise<Map<string, string>> {
  const rows = await database
    .selectFrom('event_listeners')
    .select(['name', 'secret'])
    .where('account', '=', account)
    .execute();
  return new Map(rows.map(({ name, secret }) => [secret, name]));
}

/** What is known of the deliveries of webhooks, by the names that they have here. */
export async function hookStandings(database: WorkspaceTables, account: string): Promise<Map<string, EventHookTable>> {
  const rows = await database.selectFrom('event_hooks').selectAll().where('account', '=', account).execute();
  return new Map(rows.map((row) => [row.hook, row]));
}

/** A time of which changes are missing. */
export type Gap = Omit<EventGapTable, 'number'>;

/** Remembers that changes are missing, for whoever asks later. */
export async function rememberGap(database: WorkspaceTables, gap: Gap): Promise<void> {
  await database.insertInto('event_gaps').values(gap).execute();
}

/** The times of which changes are missing, the newest first. */
export async function gapsOf(database: WorkspaceTables, account: string, limit = 20): Promise<Gap[]> {
  return database
    .selectFrom('event_gaps')
    .select(['account', 'listener', 'webhook_id', 'from_time', 'to_time', 'found_at'])
    .where('account', '=', account)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}
