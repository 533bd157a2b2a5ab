import type { CompiledQuery, RawBuilder } from 'kysely';
import { say } from '../platform/terminal/texts.ts';
import type { Owner } from './owner.ts';
import type { WorkspaceTables } from './tables.ts';

/** Why a workspace cannot be used. */
type WorkspaceProblem =
  | 'workspace_full'
  | 'workspace_io'
  | 'workspace_newer'
  | 'workspace_older'
  | 'workspace_damaged'
  | 'workspace_unusable'
  | 'workspace_busy'
  | 'workspace_moved'
  | 'workspace_restored'
  | 'workspace_elsewhere'
  | 'workspace_away'
  | 'mirror_busy'
  | 'mirror_damaged'
  | 'mirror_full';

/** Thrown when the workspace cannot be opened, read or written; `code` says why. Earlier commits are not affected. */
export class WorkspaceError extends Error {
  readonly kind = 'workspace';
  readonly code: WorkspaceProblem;
  readonly hint?: string;
  /** Where it is now, if it was moved. */
  readonly movedTo?: string;

  constructor(
    code: WorkspaceProblem,
    message: string,
    options: { cause?: unknown; hint?: string; movedTo?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkspaceError';
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.movedTo !== undefined) this.movedTo = options.movedTo;
  }
}

/** How the schema steps of a workspace record that it was moved; the new location follows. */
export const MOVED_TO = 'moved to ';

/** A workspace that was moved to this place is neither read nor written any more. */
export function movedError(place: string): WorkspaceError {
  return new WorkspaceError('workspace_moved', say().workspace.moved({ place }), { movedTo: place });
}

/** A statement, and how many rows it is to return, where anything else is wrong. */
export interface ExpectedQuery {
  readonly query: Pick<CompiledQuery, 'sql' | 'parameters'>;
  readonly expected?: number;
}

/**
 * Everything that shopctl itself stores. All access is asynchronous and independent of the SQL dialect, so that a
 * database shared by several machines can replace the SQLite file of one profile.
 */
export interface Workspace {
  /** Its location, for a person: a file path, or a url without a password. */
  readonly place: string;
  /**
   * How many rows may have been sent since the backup that this turned out to be when it was opened; undefined if it is
   * none.
   */
  readonly restored?: number | undefined;
  /**
   * The server's time as an SQL expression, milliseconds since 1970, if several machines share the workspace; absent if
   * all its users are on this machine.
   */
  readonly serverTime?: RawBuilder<number>;
  /**
   * Makes this process an owner, if all users of the workspace are on this machine; absent where leases follow a
   * server's clock.
   */
  own?(): Promise<Owner>;
  /** Begins the next epoch of its ledger, once all is over that was sent; returns it. Throws a WorkspaceError. */
  beginEpoch(): Promise<number>;
  /**
   * Stores outside its ledger the epoch of what a transaction has just taken, and returns it: before any of that is sent.
   * Where several machines share it, an epoch begins with that, so that none waits for another one's transaction. Throws a
   * WorkspaceError, also where the database is another one than was opened.
   */
  keepEpoch(): Promise<number>;
  /** Whether an owner, or the holder of a lease, lives. Throws a WorkspaceError. */
  isAlive(owner: string): Promise<boolean>;
  /** Reads; data may change between several queries. Throws a WorkspaceError. */
  read<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result>;
  /**
   * Writes in one transaction: all of it is on disk when this resolves, none of it if it rejects. Throws a
   * WorkspaceError.
   */
  write<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result>;
  /**
   * The same for statements of which none needs the result of another: they are handed over at once. Throws a
   * WorkspaceError.
   */
  writeAll(statements: (database: WorkspaceTables) => readonly CompiledQuery[]): Promise<void>;
  /**
   * The same for statements that are right only if each meets as many rows as it expects: false, and nothing has changed,
   * if one does not. Each returns what it meets. Absent where statements are not handed over at once. Throws a
   * WorkspaceError.
   */
  writeIf?(statements: (database: WorkspaceTables) => readonly ExpectedQuery[]): Promise<boolean>;
  /**
   * Within a write transaction: keeps out every other transaction that asks for the same name until this one has ended,
   * so that each sees everything committed by the one before. A no-op where only one process writes at a time.
   */
  alone(database: WorkspaceTables, name: string): Promise<void>;
  /**
   * Holds a lock by name against every other shopctl process on this workspace until the returned function is called; a
   * killed holder holds nothing. Waits as long as necessary; `onWait` is called once if another process holds the lock.
   * Rejects with the signal's reason.
   */
  hold(
    name: string,
    options: { readonly signal?: AbortSignal; readonly onWait?: () => Promise<void> | void },
  ): Promise<() => void>;
  /** Like `hold`, but without waiting: undefined if another process holds the lock. */
  tryHold(name: string): Promise<(() => void) | undefined>;
  /** The id of the process that holds a lock by name; absent where it may be on another machine. */
  holderOf?(name: string): number | undefined;
  /**
   * Overwrites what was removed, as far as it is still in a file, unless somebody reads that at the moment. Absent where a
   * server has the files.
   */
  wipe?(): Promise<void>;
  close(): Promise<void>;
}
