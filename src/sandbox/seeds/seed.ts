import type { Core } from '../core.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { seedAccounts } from './accounts.ts';

/** What a new sandbox begins with, beside its accounts. */
export type Seed = 'demo' | 'none';

const SEEDED = 'seeded';

/** Fills a new sandbox, once in its life: accounts always, example records when the seed is `demo`. */
export function seedOnce(core: Core, seed: Seed): Promise<void> {
  return core.write(async (work) => {
    if ((await readSetting(work.database, SEEDED)) !== undefined) return;
    await seedAccounts(work);
    await writeSetting(work.database, SEEDED, seed);
  });
}
