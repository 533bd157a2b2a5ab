import { join } from 'node:path';
import type { Clock } from '../../platform/process/clock.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite.ts';
import type { Account } from './account.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { rememberAccounts } from './authenticate.ts';
import { type RememberedAnswers, rememberAnswers } from './http/remembered-answers.ts';
import { loadPlaces, type PlaceBook } from './places.ts';
import type { Random } from './random.ts';
import { prepareDirectory } from './store/data-directory.ts';
import { createIds } from './store/ids.ts';
import { type ChangeRecorder, createChangeRecorder, silentRecorder } from './store/outbox.ts';
import { type FoundRecords, rememberFound } from './store/records/found-records.ts';
import type { Entity } from './store/records/kinds.ts';
import { type Records, RecordsOfKind } from './store/records/records.ts';
import { keepRecordsWhole } from './store/records/whole-records.ts';
import { codeOf, countingAhead, type Sequences, sequencesIn } from './store/sequences.ts';
import { inTransaction } from './store/sql/group-commit.ts';
import type { Database } from './store/sql/statement.ts';
import { createStamps, readHighest, type Stamps } from './store/stamps.ts';
import { asStoreError, openStore, type Store } from './store/store.ts';
import { type BusinessClock, followClock, keptClock, wireTime } from './time/business-clock.ts';
import type { Work } from './work.ts';

/** The common base of all parts of the sandbox: handlers, control functions, deliveries, the sign-in page. */
export interface Core {
  readonly clock: BusinessClock;
  /** The machine's time and timers, for background work. */
  readonly machineClock: Clock;
  readonly random: Random;
  /** Hosts outside this machine that webhook urls may have. */
  readonly allowedHosts: AllowedHosts;
  readonly store: Store;
  /** The account of a key; undefined if there is none. */
  accountOf(key: string): Account | undefined;
  /** Cached answers to reads since the last write. */
  readonly answers: RememberedAnswers;
  /** The data directory; undefined if the data are in memory. */
  readonly data: string | undefined;
  /** Reads; several queries see the same state. */
  read<Result>(work: (work: Work) => Result): Result;
  /** Reads, and tells whether the result depends only on the data, not on the time or on randomness. */
  readTelling<Result>(work: (work: Work) => Result): { readonly result: Result; readonly timeless: boolean };
  /** Writes everything or, if it rejects, nothing; see `Store.write`. */
  write<Result>(work: (work: Work) => Result): Promise<Result>;
  /**
   * Writes in one transaction records that appear to be older: `at` starts a unit of work at any time, no webhook is
   * notified of its changes, and ids are drawn from a separate random source. With `anew` it first empties the data,
   * and ids continue after what it leaves.
   */
  plant<Result>(planting: Planting<Result>): Promise<Result>;
  /** Works directly on the connection; afterwards ids, stamps and the clock are re-read from the data. */
  exchange(work: (sqlite: SqliteDatabase) => void): Promise<void>;
  /** Calls the listener after each commit with changes; returns a function that removes it. */
  onCommit(listener: () => void): () => void;
  close(): Promise<void>;
}

/** How records are planted; see `Core.plant`. */
export interface Planting<Result> {
  readonly chance: Random;
  readonly anew?: ((database: Database) => void) | undefined;
  work(at: (moment: number) => Work): Result;
}

/** Options for opening the core; see `SandboxOptions`. */
export interface CoreOptions {
  readonly data: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Hosts outside this machine that webhook urls may have; see `allowedHosts`. */
  readonly allowedHosts?: AllowedHosts | undefined;
}

/** The file name of the database in the data directory. */
const DATABASE_FILE = 'sandbox.sqlite';

/**
 * Opens the store, and reads the last ids and stamps. Throws as `openStore` does, StoreUnusableError if the data are
 * damaged.
 */
async function openData(data: string | undefined) {
  const path = data === undefined ? ':memory:' : join(data, DATABASE_FILE);
  let store: Store | undefined;
  try {
    if (data !== undefined) await prepareDirectory(data, DATABASE_FILE);
    store = await openStore(path);
    store.exclusively((sqlite, database) => inTransaction(sqlite, () => keepRecordsWhole(database)));
    return { store, kept: store.read(keptClock), highest: store.read(readHighest) };
  } catch (error) {
    await store?.close();
    throw asStoreError(error, path);
  }
}

/** Opens the data and continues ids and stamps from there. Throws as `openStore` does. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { data, clock: machineClock, random, allowedHosts = new Set<string>() } = options;
  const places = await loadPlaces();
  const { store, kept, highest } = await openData(data);
  const clock = followClock(machineClock, kept);
  const ids = createIds(clock.now, random, highest.id);
  const stamps = createStamps(highest.stamp);
  const listeners = new Set<() => void>();

  const surroundings = { random, allowedHosts, stamps, places };
  const nextId = () => ids.next();
  let beginning: Beginning | undefined;
  const begin = (database: Database) => {
    if (beginning?.database !== database) {
      beginning = { ...surroundings, database, sequences: sequencesIn(database), nextId, clock };
    }
    return new Unit(beginning);
  };
  const follow = (database: Database) => {
    const { id, stamp } = readHighest(database);
    ids.rewind(id);
    stamps.rewind(stamp);
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    clock,
    machineClock,
    random,
    allowedHosts,
    store,
    accountOf: rememberAccounts(store),
    answers: rememberAnswers(store),
    data,
    read: (work) => store.read((database) => work(begin(database))),
    readTelling: (work) =>
      store.read((database) => {
        const unit = begin(database);
        return { result: work(unit), timeless: unit.isTimeless() };
      }),
    async write(work) {
      let recorded = 0;
      const result = await store.write((database) => {
        const unit = begin(database);
        const answer = work(unit);
        recorded = unit.changes.count();
        return answer;
      });
      if (recorded > 0) tell();
      return result;
    },
    async plant({ chance, anew, work }) {
      const result = store.exclusively((sqlite, database) => {
        try {
          return inTransaction(sqlite, () => {
            anew?.(database);
            if (anew) follow(database);
            const sequences = countingAhead(database);
            const planting: Beginning = {
              ...surroundings,
              database,
              sequences,
              nextId: (moment) => ids.next(moment, chance),
              clock,
              changes: silentRecorder,
              found: rememberFound(),
            };
            const planted = work((moment) => new Unit(planting, moment));
            sequences.keep();
            return planted;
          });
        } catch (error) {
          // The rollback includes the value after which ids were to continue.
          follow(database);
          throw error;
        }
      });
      tell();
      return result;
    },
    async exchange(work) {
      const setting = store.exclusively((sqlite, database) => {
        work(sqlite);
        inTransaction(sqlite, () => keepRecordsWhole(database));
        follow(database);
        return keptClock(database);
      });
      clock.set(setting);
      tell();
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => store.close(),
  };
}

/** What a unit of work starts with. */
interface Beginning {
  readonly database: Database;
  readonly clock: { now(): number };
  readonly random: Random;
  readonly allowedHosts: AllowedHosts;
  /** A new id, for the unit's moment if it already has one. */
  readonly nextId: (moment: number | undefined) => string;
  readonly sequences: Sequences;
  readonly stamps: Stamps;
  readonly places: PlaceBook;
  /** The outbox if absent. */
  readonly changes?: ChangeRecorder;
  /** A cache of record lookups, if units share one. */
  readonly found?: <K extends Entity>(kind: K, shopId: string) => FoundRecords<K>;
}

/** A unit of work; it reads the clock on first use, and knows whether it did. */
class Unit implements Work {
  readonly database: Database;
  readonly allowedHosts: AllowedHosts;
  readonly places: PlaceBook;
  readonly #beginning: Beginning;
  #now: number | undefined;
  #changes: ChangeRecorder | undefined;
  #drewChance = false;

  constructor(beginning: Beginning, now?: number) {
    this.#beginning = beginning;
    this.#now = now;
    this.database = beginning.database;
    this.allowedHosts = beginning.allowedHosts;
    this.places = beginning.places;
    this.#changes = beginning.changes;
  }

  get now(): number {
    this.#now ??= this.#beginning.clock.now();
    return this.#now;
  }

  get time(): string {
    return wireTime(this.now);
  }

  get random(): Random {
    this.#drewChance = true;
    return this.#beginning.random;
  }

  get changes(): ChangeRecorder {
    this.#changes ??= createChangeRecorder(this.database, this.time);
    return this.#changes;
  }

  records<K extends Entity>(kind: K, shopId: string): Records<K> {
    const { stamps, found } = this.#beginning;
    return new RecordsOfKind(this, { stamps, found: found?.(kind, shopId) }, kind, shopId);
  }

  nextId(): string {
    this.#drewChance = true;
    return this.#beginning.nextId(this.#now);
  }

  nextNumber(shopId: string, name: string): number {
    return this.#beginning.sequences.next(shopId, name);
  }

  nextCode(shopId: string, prefix: string): string {
    return codeOf(prefix, this.nextNumber(shopId, prefix));
  }

  /** Whether neither the time nor randomness was used. */
  isTimeless(): boolean {
    return this.#now === undefined && !this.#drewChance;
  }
}
