import type { SqliteDatabase } from '../../platform/sqlite.ts';

/** Writes pieces of work: concurrent ones share a transaction, and so one wait for the disk. */
export interface GroupCommit {
  /** Resolves once the work's writes are on disk; rejects with what it throws, and then its writes are rolled back. */
  write<Result>(work: () => Result): Promise<Result>;
  /** Commits everything that is queued, at once. */
  flush(): void;
}

/** The most pieces in one commit: the first of them waits for the last. */
const MOST_PIECES = 32;

interface Piece {
  run(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Collects the writes of one turn of the event loop and commits them at its end, so that a single write does not wait
 * for others. A commit blocks the thread while it waits for the disk: everything that arrives meanwhile is read in the
 * next turn and shares the next commit. Each piece has a savepoint, so that a failure rolls back only its own writes.
 */
export function createGroupCommit(sqlite: SqliteDatabase, alone: <Result>(work: () => Result) => Result): GroupCommit {
  const waiting: Piece[] = [];
  let planned = false;

  function flush(): void {
    while (waiting.length > 0) commit(waiting.splice(0, MOST_PIECES));
  }

  function commitNext(): void {
    planned = false;
    const pieces = waiting.splice(0, MOST_PIECES);
    if (waiting.length > 0) plan();
    commit(pieces);
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    setImmediate(commitNext);
  }

  function commit(pieces: readonly Piece[]): void {
    const together = pieces.length > 1 ? commitTogether(pieces) : undefined;
    if (together !== undefined) for (const settle of together) settle();
    else for (const piece of pieces) commitAlone(piece);
  }

  /** The callbacks to run after the commit; undefined if the whole transaction failed and was rolled back. */
  function commitTogether(pieces: readonly Piece[]): (() => void)[] | undefined {
    const outcomes: (() => void)[] = [];
    try {
      inTransaction(sqlite, () => {
        for (const piece of pieces) outcomes.push(runPiece(piece));
      });
      return outcomes;
    } catch {
      return undefined;
    }
  }

  function runPiece({ run, resolve, reject }: Piece): () => void {
    sqlite.exec('SAVEPOINT piece');
    try {
      const result = alone(run);
      sqlite.exec('RELEASE piece');
      return () => resolve(result);
    } catch (error) {
      // A full disk ends the whole transaction: then the savepoint is gone, and this throws.
      sqlite.exec('ROLLBACK TO piece; RELEASE piece');
      return () => reject(error);
    }
  }

  function commitAlone({ run, resolve, reject }: Piece): void {
    try {
      resolve(inTransaction(sqlite, () => alone(run)));
    } catch (error) {
      reject(error);
    }
  }

  return {
    write: <Result>(work: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ run: work, resolve: (result) => resolve(result as Result), reject });
        plan();
      }),
    flush,
  };
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
