import type { Mirror, MirrorSession } from './store/mirror.ts';

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

/**
 * Watches the service's clock from one answer to the next, over all syncs of a shop. Once it was set back, times of
 * changes mean nothing: every area has to be read whole.
 */
export interface ServiceClock {
  /** Looks at the time of an answer; if it is earlier than the last one seen, all areas are marked. */
  saw(date: number | undefined): Promise<void>;
  /** How often the clock was set back during this run. */
  setBacks(): number;
}

/** The clock of the service for one shop, as far as the mirror remembers it. */
export async function serviceClock(mirror: Mirror, shopId: string): Promise<ServiceClock> {
  const name = `service date ${shopId}`;
  let last = Number((await mirror.read((session) => readFact(session, name))) ?? Number.NEGATIVE_INFINITY);
  let setBacks = 0;
  return {
    async saw(date) {
      if (date === undefined || date === last) return;
      if (date < last) {
        setBacks += 1;
        await mirror.write(async (session) => {
          await session.database
            .updateTable('mirror_areas')
            .set({ needs_whole: 1 })
            .where('shop_id', '=', shopId)
            .execute();
          await writeFact(session, name, String(date));
        });
      } else {
        await mirror.write((session) => writeFact(session, name, String(date)));
      }
      last = date;
    },
    setBacks: () => setBacks,
  };
}
