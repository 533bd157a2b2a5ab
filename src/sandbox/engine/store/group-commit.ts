import type { SqliteDatabase } from '../../../platform/sqlite/sqlite.ts';

/**
 * Runs one piece of work at a time, first come, first served. Handlers are asynchronous and share one connection:
 * without this, two requests would run in the same transaction.
 */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}

/**
 * Writes pieces of work: concurrent ones share a transaction, and so one wait for the disk. A piece may run more than
 * once before its transaction succeeds.
 */
export interface GroupCommit {
  /** Resolves once the work's writes are on disk; rejects with what it throws, and then its writes are rolled back. */
  write<Result>(work: () => Result): Promise<Result>;
  /** Commits everything that is queued, at once. */
  flush(): void;
}

/** How many commits use savepoints after a piece failed that had written. */
const WATCHED_COMMITS = 100;

/** The most pieces in one commit: the first of them waits for the last. */
const MOST_PIECES = 32;

/** The most pieces of any work that begin between the first of a commit and its beginning: about two milliseconds. */
const MOST_MEANWHILE = 40;

/** What is counted of the work on the connection. */
export interface Counted {
  /** Grows with every write. */
  written?(): number;
  /** Grows with every piece of work that begins, also those that only read. */
  begun?(): number;
}

interface Piece {
  /** Does its work, and returns what is to be called once that is committed. */
  run(): () => void;
  reject(error: unknown): void;
}

/**
 * Collects writes and commits them at the end of a turn of the event loop in which no other work began, so that a single
 * write does not wait for others, and those that come with many reads share a commit too: every commit writes the last
 * page of each index again, however few records it has. A commit blocks the thread while it waits for the disk:
 * everything that arrives meanwhile is read in the next turn and shares the next commit.
 *
 * A failure rolls back only its own writes. Most pieces that fail have not written yet, which `written` tells, a count
 * that grows with every write. If one has, everything is rolled back and run again, now with a savepoint for each piece,
 * and so are the next commits: a savepoint makes SQLite copy every page that is changed after it. Without `written`, all
 * pieces have savepoints.
 */
export function createGroupCommit(
  sqlite: SqliteDatabase,
  alone: <Result>(work: () => Result) => Result,
  counted: Counted = {},
): GroupCommit {
  return new TurnCommit(sqlite, alone, counted);
}

class TurnCommit implements GroupCommit {
  readonly #sqlite: SqliteDatabase;
  readonly #alone: <Result>(work: () => Result) => Result;
  readonly #written: (() => number) | undefined;
  readonly #begun: () => number;
  readonly #waiting: Piece[] = [];
  #planned = false;
  /** How much work had begun when the oldest waiting piece came, and at the end of the last turn. */
  #since = 0;
  #seen = 0;
  /** How many of the next commits use savepoints. */
  #watched: number;

  constructor(
    sqlite: SqliteDatabase,
    alone: <Result>(work: () => Result) => Result,
    { written, begun = () => 0 }: Counted,
  ) {
    this.#sqlite = sqlite;
    this.#alone = alone;
    this.#written = written;
    this.#begun = begun;
    this.#watched = written === undefined ? Number.POSITIVE_INFINITY : 0;
  }

  write<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const run = () => {
        const result = this.#alone(work);
        return () => resolve(result);
      };
      this.#waiting.push({ run, reject });
      this.#plan();
    });
  }

  flush(): void {
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, MOST_PIECES));
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#since = this.#begun();
    this.#seen = this.#since;
    this.#nextTurn();
  }

  #nextTurn(): void {
    setImmediate(() => (this.#isBusy() ? this.#nextTurn() : this.#commitNext()));
  }

  /** Whether other work began in this turn, so that the waiting pieces are better committed with what is to come. */
  #isBusy(): boolean {
    const begun = this.#begun();
    const busy = begun !== this.#seen && begun - this.#since < MOST_MEANWHILE && this.#waiting.length < MOST_PIECES;
    this.#seen = begun;
    return busy;
  }

  #commitNext(): void {
    this.#planned = false;
    const pieces = this.#waiting.splice(0, MOST_PIECES);
    if (this.#waiting.length > 0) this.#plan();
    this.#commit(pieces);
  }

  #commit(pieces: readonly Piece[]): void {
    const together = pieces.length > 1 ? this.#commitTogether(pieces) : undefined;
    if (together !== undefined) for (const settle of together) settle();
    else for (const piece of pieces) this.#commitAlone(piece);
  }

  /** The callbacks to run after the commit; undefined if the whole transaction failed and was rolled back. */
  #commitTogether(pieces: readonly Piece[]): (() => void)[] | undefined {
    if (this.#watched === 0) {
      const settled = this.#commitEach(pieces, (piece) => this.#runUnwatched(piece));
      if (settled !== undefined) return settled;
      this.#watched = WATCHED_COMMITS;
    }
    this.#watched -= 1;
    return this.#commitEach(pieces, (piece) => this.#runWatched(piece));
  }

  #commitEach(pieces: readonly Piece[], run: (piece: Piece) => () => void): (() => void)[] | undefined {
    const outcomes: (() => void)[] = [];
    try {
      inTransaction(this.#sqlite, () => {
        for (const piece of pieces) outcomes.push(run(piece));
      });
      return outcomes;
    } catch {
      return undefined;
    }
  }

  /** Throws if the piece failed after it had written: then the whole transaction has to be rolled back. */
  #runUnwatched({ run, reject }: Piece): () => void {
    const before = this.#written?.();
    try {
      return run();
    } catch (error) {
      if (this.#written?.() !== before) throw error;
      return () => reject(error);
    }
  }

  #runWatched({ run, reject }: Piece): () => void {
    this.#sqlite.exec('SAVEPOINT piece');
    try {
      const resolve = run();
      this.#sqlite.exec('RELEASE piece');
      return resolve;
    } catch (error) {
      // A full disk ends the whole transaction: then the savepoint is gone, and this throws.
      this.#sqlite.exec('ROLLBACK TO piece; RELEASE piece');
      return () => reject(error);
    }
  }

  #commitAlone({ run, reject }: Piece): void {
    try {
      inTransaction(this.#sqlite, run)();
    } catch (error) {
      reject(error);
    }
  }
}

/** Commits the writes of `work`, or rolls them back if it throws. */
export function inTransaction<Result>(sqlite: SqliteDatabase, work: () => Result): Result {
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    sqlite.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(sqlite);
    throw error;
  }
}

/** Rolls back, unless the failure has already ended the transaction, as a full disk does. */
function rollBack(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('ROLLBACK');
  } catch {
    // There is nothing left to roll back.
  }
}
