import type { MirrorSession } from './mirror.ts';

/** The fact that names the time zone in which the rollups count days. */
export const ROLLUP_ZONE = 'rollup time zone';

/** A fact of the mirror; undefined if it has none of that name. */
export async function readFact({ database }: MirrorSession, name: string): Promise<string | undefined> {
  const found = await database.selectFrom('mirror_facts').select('value').where('name', '=', name).executeTakeFirst();
  return found?.value;
}

/** Stores a fact. */
export async function writeFact({ database }: MirrorSession, name: string, value: string): Promise<void> {
  await database
    .insertInto('mirror_facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
