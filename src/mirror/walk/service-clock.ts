import { readFact, writeFact } from '../store/store/facts.ts';
import type { Mirror } from '../store/store/mirror.ts';

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
