import type { SeedName } from '../../../contract/control/names.ts';
import type { Core } from '../../engine/core.ts';
import { seededRandom } from '../../engine/random.ts';
import { hasSetting, readSetting, writeSetting } from '../../engine/store/sandbox-settings.ts';
import { readAccounts } from './accounts.ts';
import { emptyData } from './empty-data.ts';
import { populate } from './populate.ts';
import { parseSeed, type SeedContent } from './seed-content.ts';

/** The initial content of a sandbox, which always has accounts: by the name of a seed, or the parsed JSON of a file. */
export type Seed = SeedName | Readonly<Record<string, unknown>>;

const SEEDED = 'seeded';
/** Set as soon as a part of a long seed is committed. */
const BEGUN = 'seeding';
const HISTORY = 'history:';

/** The randomness for ids: the same seed at the same time gives the same ids. */
const chance = () => seededRandom('seed');

/** The accounts of `demo` and `none`; a seed file has its own. */
const demoShops = [
  { name: 'Demo Shop', email: 'demo@shop.example', phone: '0900000001' },
  { name: 'Second Demo Shop', email: 'second@shop.example', phone: '0900000002' },
];

/**
 * Fills a new sandbox, once. Throws a SeedError for a seed that cannot be populated; nothing of it is kept then. A history
 * is committed in parts: what a start that was killed has left of it, the next one removes.
 */
export async function seedOnce(core: Core, seed: Seed): Promise<void> {
  if (core.read(({ database }) => hasSetting(database, SEEDED))) return;
  const content = await contentOf(seed);
  const isBegun = core.read(({ database }) => hasSetting(database, BEGUN));
  await core.populate({
    chance: chance(),
    anew: isBegun ? emptyData : undefined,
    work(at, commit) {
      const now = core.clock.now();
      const keep = () => {
        writeSetting(at(now).database, BEGUN, seed);
        commit();
      };
      populate({ now, at, commit: keep }, content);
      writeSetting(at(now).database, SEEDED, seed);
    },
  });
}

/**
 * Resets the data to their initial content, in one transaction; accounts keep their ids and keys. Returns the seed's
 * name.
 */
export async function reseed(core: Core): Promise<{ readonly seed: string }> {
  const { kept, seed } = core.read((work) => ({
    kept: readAccounts(work),
    seed: readSetting<Seed>(work.database, SEEDED) ?? 'none',
  }));
  const content = await contentOf(seed);
  await core.populate({
    chance: chance(),
    anew: (database) => emptyData(database),
    work(at) {
      populate({ now: core.clock.now(), at }, content, kept);
    },
  });
  return { seed: typeof seed === 'string' ? seed : 'file' };
}

async function contentOf(seed: Seed): Promise<SeedContent> {
  if (seed === 'none') return { shops: demoShops };
  if (seed === 'demo') return (await import('./demo/demo.ts')).demoSeed(demoShops);
  if (typeof seed === 'string')
    return (await import('./demo/demo.ts')).historySeed(demoShops, Number(seed.slice(HISTORY.length)));
  return parseSeed(seed);
}
