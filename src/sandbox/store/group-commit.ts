import type { SqliteDatabase } from '../../platform/sqlite.ts';

/** Writes pieces of work: those that come together share a transaction, and so one wait for the disk. */
export interface GroupCommit {
  /** Resolves once what the work wrote is on disk; rejects with what it throws, and then nothing is left of it. */
  write<Result>(work: () => Result): Promise<Result>;
  /** Commits at once what waits. */
  flush(): void;
}

/** So many pieces share a commit at most: the first of them waits for the last. */
const MOST_PIECES = 32;

interface Piece {
  run(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Collects what comes in one turn of the event loop and commits it at the end of the turn, so that a lone write does not
 * wait for others. While a commit waits for the disk the thread stands still: what arrives meanwhile is read in the next
 * turn, all of it, and shares the next commit. Each piece has a savepoint, so that one that fails undoes its own part.
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

  /** What is to be told once it is committed; undefined where the whole transaction failed, of which nothing is left then. */
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
      // A full disk ends the whole transaction: this throws then, since the savepoint is gone.
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

/** Commits what `work` wrote, or undoes it when that throws. */
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

/** What failed may have ended the transaction itself, as a full disk does. */
function rollBack(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('ROLLBACK');
  } catch {
    // There is nothing left to undo.
  }
}
