import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { keysOf } from '../../domain/json/keys-of.ts';
import { readFields } from '../../domain/json/values.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { openSqlite, type SqliteDatabase } from '../../platform/sqlite/sqlite.ts';
import type { Account } from './account.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import {
  type BusinessClock,
  followClock,
  instanceIn,
  readSetting,
  storedClock,
  wireTime,
  writeSetting,
} from './business-clock.ts';
import { rememberAccounts, type Work } from './call.ts';
import { fieldsOf } from './complete-answer.ts';
import { loadPlaces, type PlaceBook } from './places.ts';
import { completeRecord, type FoundRecords, kindSchema, rememberFound } from './store/found-records.ts';
import { inTransaction } from './store/group-commit.ts';
import { createIds, type Ids, type Random } from './store/ids.ts';
import { type ChangeRecorder, createChangeRecorder, silentRecorder } from './store/outbox.ts';
import { type Entity, kinds } from './store/record-kinds.ts';
import { type Records, RecordsOfKind } from './store/records.ts';
import { tableOf } from './store/rows.ts';
import {
  codeOf,
  countingAhead,
  createStamps,
  prepareDirectory,
  readHighest,
  type Sequences,
  type Stamps,
  sequencesIn,
} from './store/sequences.ts';
import { type Database, statements, tables } from './store/statement.ts';
import { asStoreError, openStore, type Store } from './store/store.ts';
import type { RecordRow } from './store/tables.ts';

const WHOLE = 'whole records';
const ENTITIES = keysOf(kinds);

let fields: string | undefined;

/** Identifies the current set of fields of all records. */
function fieldsNow(): string {
  fields ??= createHash('sha256')
    .update(JSON.stringify(ENTITIES.map((kind) => [kind, fieldsOf(kindSchema(kind))])))
    .digest('hex');
  return fields;
}

/**
 * Completes all records in the data if they were written by a shopctl that knew other fields, within a transaction,
 * because answers return records as stored. Returns whether there was anything to do.
 */
function keepRecordsWhole(database: Database): boolean {
  if (readSetting(database, WHOLE) === fieldsNow()) return false;
  for (const kind of ENTITIES) {
    for (const { id, shop_id, body } of database.all(bodies(kind), {})) {
      const whole = JSON.stringify(completeRecord(kind, readFields(body)));
      if (whole !== body) database.run(replaceBody(kind), { id, shop_id, body: whole });
    }
  }
  writeSetting(database, WHOLE, fieldsNow());
  return true;
}

const bodies = statements(
  (kind: Entity) => kind,
  (kind) => tables.selectFrom(tableOf(kind)).select(['id', 'shop_id', 'body']),
);
const replaceBody = statements(
  (kind: Entity) => kind,
  (kind, { id, shop_id, body }: Pick<RecordRow, 'id' | 'shop_id' | 'body'>) =>
    tables.updateTable(tableOf(kind)).set({ body }).where('shop_id', '=', shop_id).where('id', '=', id),
);

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
  /** Its random id, which is stored with the data. */
  readonly instance: string;
  /** The data directory; undefined if the data are in memory. */
  readonly data: string | undefined;
  /** Reads; several queries see the same state. */
  read<Result>(work: (work: Work) => Result): Result;
  /** Writes everything or, if it rejects, nothing; see `Store.write`. */
  write<Result>(work: (work: Work) => Result): Promise<Result>;
  /**
   * Writes in one transaction, unless the work commits, records that appear to be older: `at` starts a unit of work at any time, no webhook is
   * notified of its changes, and ids are drawn from a separate random source. With `anew` it first empties the data,
   * and ids continue after what it leaves.
   */
  populate<Result>(populating: Populating<Result>): Promise<Result>;
  /** Works directly on the connection; afterwards ids, stamps and the clock are re-read from the data. */
  exchange(work: (sqlite: SqliteDatabase) => void): Promise<void>;
  /** Calls the listener after each commit with changes; returns a function that removes it. */
  onCommit(listener: () => void): () => void;
  close(): Promise<void>;
}

/** How records are populated; see `Core.populate`. */
export interface Populating<Result> {
  readonly chance: Random;
  readonly anew?: ((database: Database) => void) | undefined;
  /** `commit` keeps what is there by now, whatever happens afterwards. */
  work(at: (moment: number) => Work, commit: () => void): Result;
}

/** Options for opening the core; see `SandboxOptions`. */
export interface CoreOptions {
  readonly data: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Hosts outside this machine that webhook urls may have; see `allowedHosts`. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** Whether changes are recorded even while there is no webhook that could hear them; no if absent. */
  readonly recordsUnheard?: boolean | undefined;
  /** A connection to data in memory that are there already, instead of new ones. */
  readonly memory?: SqliteDatabase | undefined;
}

/** The file name of the database in the data directory. */
const DATABASE_FILE = 'sandbox.sqlite';

/**
 * Opens the store, and reads the last ids and stamps. Throws as `openStore` does, StoreUnusableError if the data are
 * damaged.
 */
async function openData({ data, memory }: Pick<CoreOptions, 'data' | 'memory'>) {
  const path = data === undefined ? ':memory:' : join(data, DATABASE_FILE);
  let store: Store | undefined;
  try {
    if (data !== undefined) await prepareDirectory(data, DATABASE_FILE);
    store = openStore(memory ?? (await openSqlite(path)), path);
    const instance = store.exclusively((sqlite, database) =>
      inTransaction(sqlite, () => {
        keepRecordsWhole(database);
        return instanceIn(database);
      }),
    );
    return { store, instance, kept: store.read(storedClock), highest: store.read(readHighest) };
  } catch (error) {
    await store?.close();
    throw asStoreError(error, path);
  }
}

/** Opens the data and continues ids and stamps from there. Throws as `openStore` does. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const places = await loadPlaces();
  return new OpenedCore(options, places, await openData(options));
}

class OpenedCore implements Core {
  readonly clock: BusinessClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly allowedHosts: AllowedHosts;
  readonly store: Store;
  readonly instance: string;
  readonly data: string | undefined;
  readonly accountOf: (key: string) => Account | undefined;
  readonly #ids: Ids;
  readonly #stamps: Stamps;
  readonly #places: PlaceBook;
  readonly #recordsUnheard: boolean;
  readonly #listeners = new Set<() => void>();
  #beginning: Beginning | undefined;

  constructor(
    options: CoreOptions,
    places: PlaceBook,
    { store, instance, kept, highest }: Awaited<ReturnType<typeof openData>>,
  ) {
    this.instance = instance;
    this.data = options.data;
    this.machineClock = options.clock;
    this.random = options.random;
    this.allowedHosts = options.allowedHosts ?? new Set();
    this.store = store;
    this.clock = followClock(options.clock, kept);
    this.accountOf = rememberAccounts(store);
    this.#places = places;
    this.#recordsUnheard = options.recordsUnheard ?? false;
    this.#ids = createIds(this.clock.now, options.random, highest.id);
    this.#stamps = createStamps(highest.stamp);
  }

  read<Result>(work: (work: Work) => Result): Result {
    return this.store.read((database) => work(this.#begin(database)));
  }

  async write<Result>(work: (work: Work) => Result): Promise<Result> {
    let recorded = 0;
    const result = await this.store.write((database) => {
      const unit = this.#begin(database);
      const answer = work(unit);
      recorded = unit.changes.count();
      return answer;
    });
    if (recorded > 0) this.#tell();
    return result;
  }

  async populate<Result>({ chance, anew, work }: Populating<Result>): Promise<Result> {
    const result = this.store.exclusively((sqlite, database) => {
      try {
        return inTransaction(sqlite, () => {
          anew?.(database);
          if (anew) this.#follow(database);
          const sequences = countingAhead(database);
          const populating: Beginning = {
            ...this.#beginningOn(database, sequences),
            nextId: (moment) => this.#ids.next(moment, chance),
            changes: silentRecorder,
            found: rememberFound(),
          };
          const commit = () => {
            sequences.keep();
            sqlite.exec('COMMIT; BEGIN IMMEDIATE');
          };
          const populated = work((moment) => new Unit(populating, moment), commit);
          sequences.keep();
          return populated;
        });
      } catch (error) {
        // The rollback includes the value after which ids were to continue.
        this.#follow(database);
        throw error;
      }
    });
    this.#tell();
    return result;
  }

  async exchange(work: (sqlite: SqliteDatabase) => void): Promise<void> {
    const setting = this.store.exclusively((sqlite, database) => {
      work(sqlite);
      inTransaction(sqlite, () => {
        keepRecordsWhole(database);
        instanceIn(database, this.instance);
      });
      this.#follow(database);
      return storedClock(database);
    });
    this.clock.set(setting);
    this.#tell();
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  #begin(database: Database): Unit {
    if (this.#beginning?.database !== database) {
      this.#beginning = this.#beginningOn(database, sequencesIn(database));
    }
    return new Unit(this.#beginning);
  }

  #beginningOn(database: Database, sequences: Sequences): Beginning {
    const { random, allowedHosts, clock } = this;
    return {
      random,
      allowedHosts,
      clock,
      stamps: this.#stamps,
      places: this.#places,
      database,
      sequences,
      nextId: () => this.#ids.next(),
      recordsUnheard: this.#recordsUnheard,
    };
  }

  /** Ids and stamps continue after what the data hold. */
  #follow(database: Database): void {
    const { id, stamp } = readHighest(database);
    this.#ids.rewind(id);
    this.#stamps.rewind(stamp);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
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
  readonly recordsUnheard: boolean;
  /** A cache of record lookups, if units share one. */
  readonly found?: <K extends Entity>(kind: K, shopId: string) => FoundRecords<K>;
}

/** A unit of work; it reads the clock on first use. */
class Unit implements Work {
  readonly database: Database;
  readonly allowedHosts: AllowedHosts;
  readonly places: PlaceBook;
  readonly #beginning: Beginning;
  #now: number | undefined;
  #changes: ChangeRecorder | undefined;

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
    return this.#beginning.random;
  }

  get changes(): ChangeRecorder {
    this.#changes ??= createChangeRecorder(this.database, this.time, this.#beginning.recordsUnheard);
    return this.#changes;
  }

  records<K extends Entity>(kind: K, shopId: string): Records<K> {
    const { stamps, found } = this.#beginning;
    return new RecordsOfKind(this, { stamps, found: found?.(kind, shopId) }, kind, shopId);
  }

  nextId(): string {
    return this.#beginning.nextId(this.#now);
  }

  nextNumber(shopId: string, name: string): number {
    return this.#beginning.sequences.next(shopId, name);
  }

  nextCode(shopId: string, prefix: string): string {
    return codeOf(prefix, this.nextNumber(shopId, prefix));
  }
}
