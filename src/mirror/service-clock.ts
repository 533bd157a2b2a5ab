import type { Mirror, MirrorSession } from './store/mirror.ts';

/** The fact that names the time zone in which the rollups count days. */
export const ROLLUP_ZONE = 'rollup time zone';

/** Answers tell the service's time in whole seconds. */
export const SECOND_MS = 1_000;

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

/** The fact with the earliest and the latest moment between which the service's clock was set back. */
const passedTwice = (shopId: string): string => `passed twice ${shopId}`;

/** Whether the service's clock may have passed a moment twice, so that what has its time may be older than it looks. */
export async function timesPassedTwice(session: MirrorSession, shopId: string): Promise<(moment: number) => boolean> {
  const known = await readFact(session, passedTwice(shopId));
  const [from = Number.NaN, until = Number.NaN] = (known ?? '').split(' ').map(Number);
  return (moment) => moment >= from && moment < until + SECOND_MS;
}

/** Marks areas of a shop, all when absent, as those that have to be read whole. */
export async function markWhole({ database }: MirrorSession, shopId: string, areas?: readonly string[]): Promise<void> {
  await database
    .updateTable('mirror_areas')
    .set({ needs_whole: 1 })
    .where('shop_id', '=', shopId)
    .$if(areas !== undefined, (query) => query.where('area', 'in', areas ?? []))
    .execute();
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
          await markWhole(session, shopId);
          const [from = date, until = last] =
            (await readFact(session, passedTwice(shopId)))?.split(' ').map(Number) ?? [];
          await writeFact(session, passedTwice(shopId), `${Math.min(from, date)} ${Math.max(until, last)}`);
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
