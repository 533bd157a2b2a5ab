import type { SeedName } from '../../contract/control/names.ts';
import { openSqlite, type SqliteDatabase } from '../../platform/sqlite/sqlite.ts';
import { hasSetting, readSetting, writeSetting } from '../engine/business-clock.ts';
import type { Core } from '../engine/core.ts';
import type { Part } from '../engine/part.ts';
import { Refusal } from '../engine/refusal.ts';
import { createTurns, inTransaction } from '../engine/store/group-commit.ts';
import { seededRandom } from '../engine/store/ids.ts';
import { migrate, namesIn, OtherSchemaError } from '../engine/store/store.ts';
import { readAccounts } from './seeds/accounts.ts';
import { populate } from './seeds/populate.ts';
import { emptyData, parseSeed, type SeedContent } from './seeds/seed-content.ts';
import { type Snapshot, snapshotFiles } from './snapshot-files.ts';

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
async function reseed(core: Core): Promise<{ readonly seed: string }> {
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
  if (seed === 'demo') return (await import('./seeds/demo.ts')).demoSeed(demoShops);
  if (typeof seed === 'string')
    return (await import('./seeds/demo.ts')).historySeed(demoShops, Number(seed.slice(HISTORY.length)));
  return parseSeed(seed);
}

/** Writes all data to a new file, as a consistent copy. The file is not yet flushed to disk. */
function copyInto(sqlite: SqliteDatabase, path: string): void {
  sqlite.exec(`VACUUM INTO ${quoted(path)}`);
}

/** Migrates a copy to the newest schema. Throws if it is not a copy of a sandbox, OtherSchemaError if another version wrote it. */
async function modernize(path: string): Promise<void> {
  const copy = await openSqlite(path);
  try {
    const [known] = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'").all([]);
    if (known === undefined) throw new Error('no sandbox wrote this database');
    migrate(copy);
  } finally {
    copy.close();
  }
}

/**
 * Replaces all data by those of a copy, in one transaction: if the sandbox is killed meanwhile, it has either the old
 * or the new data. The copy must have the newest schema; see `modernize`.
 */
function replaceBy(sqlite: SqliteDatabase, path: string): void {
  // Neither of these is possible inside a transaction.
  sqlite.exec(`ATTACH ${quoted(path)} AS copy`);
  sqlite.exec('PRAGMA foreign_keys = OFF');
  try {
    inTransaction(sqlite, () => {
      for (const table of tablesOf(sqlite)) {
        const columns = columnsOf(sqlite, table);
        sqlite.exec(`DELETE FROM main.${table}`);
        sqlite.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM copy.${table}`);
      }
    });
  } finally {
    sqlite.exec('PRAGMA foreign_keys = ON');
    sqlite.exec('DETACH copy');
  }
}

/** All tables with data, and SQLite's counters for the outbox. */
function tablesOf(sqlite: SqliteDatabase): string[] {
  const rows = sqlite
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'schema_steps' ORDER BY name")
    .all([]);
  return namesIn(rows).filter((name) => name === 'sqlite_sequence' || !name.startsWith('sqlite_'));
}

function columnsOf(sqlite: SqliteDatabase, table: string): string {
  const rows = sqlite.prepare(`SELECT name FROM pragma_table_info('${table}', 'main') ORDER BY cid`).all([]);
  return namesIn(rows)
    .map((name) => `"${name}"`)
    .join(', ');
}

/** A text as an SQL literal, for the two statements whose parameters the drivers handle differently. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Snapshots of all data: records, accounts with their keys, webhooks with their pending changes, plans of shipments,
 * the business clock. Faults and the log belong to a run, not to the data, and are not affected.
 */
export interface SnapshotControl {
  readonly snapshots: {
    /** Saves the data. Refuses with 409 an existing name, unless it is to be replaced. */
    save(name: string, options?: { readonly replace?: boolean }): Promise<Snapshot>;
    /** Restores the data, including the business clock; 404 if there is no such snapshot. */
    restore(name: string): Promise<Snapshot>;
    list(): Promise<{ readonly snapshots: readonly Snapshot[] }>;
    remove(name: string): Promise<{ readonly removed: string }>;
  };
  /**
   * Resets the data to their initial content. Accounts keep their ids and keys, so that clients can continue; the
   * business clock also continues, because the same seed at the same time gives the same ids.
   */
  reset(): Promise<{ readonly seed: string }>;
}

/** The part for snapshots. Its operations run one at a time, while requests continue. */
export function snapshotPart(core: Core): Part<SnapshotControl> {
  const files = snapshotFiles(core.data);
  const inTurn = createTurns();
  return {
    control: {
      snapshots: {
        save: (name, { replace = false } = {}) =>
          inTurn(() => files.save(name, replace, (path) => core.store.exclusively((sqlite) => copyInto(sqlite, path)))),
        restore: (name) =>
          inTurn(() =>
            files.open(name, async (path) => {
              await modernize(path).catch((error: unknown) => {
                throw unreadable(name, error);
              });
              await core.exchange((sqlite) => {
                replaceBy(sqlite, path);
                // A delivery that was in progress at that time belongs to no worker now.
                sqlite.exec('UPDATE webhooks SET lease_token = NULL, lease_until = NULL');
              });
            }),
          ),
        list: () => inTurn(async () => ({ snapshots: await files.list() })),
        remove: (name) =>
          inTurn(async () => {
            await files.remove(name);
            return { removed: name };
          }),
      },
      reset: () => inTurn(() => reseed(core)),
    },
    close: () => inTurn(() => files.close()),
  };
}

function unreadable(name: string, error: unknown): Refusal {
  const reason = error instanceof OtherSchemaError ? error.message : 'it is not a snapshot of a sandbox';
  return new Refusal('failed_precondition', `snapshot ${JSON.stringify(name)} cannot be restored: ${reason}`);
}
