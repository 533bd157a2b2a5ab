import type { RawBuilder } from 'kysely';
import type { WorkspaceTables } from './tables.ts';

/**
 * What shopctl remembers of its own. Everything in it is asynchronous and nothing in it knows the dialect, so that a
 * database that several machines share can stand where the SQLite file of one profile stands.
 */
export interface Workspace {
  /** Where it is, for a person: the path of a file. */
  readonly place: string;
  /**
   * The time of its server in SQL, milliseconds since 1970, where several machines share it; absent where all that use it
   * are on this machine.
   */
  readonly serverTime?: RawBuilder<number>;
  /** Reads; what several queries see may change between them. Throws a WorkspaceError. */
  read<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result>;
  /** Writes in one transaction: all of it is on disk when this resolves, none of it when it rejects. Throws a WorkspaceError. */
  write<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result>;
  /**
   * Within a transaction that writes: keeps every other one that asks for the same name out until this one has ended, so
   * that each sees all that the one before has committed. Where only one process writes at a time, that is so anyway.
   */
  alone(database: WorkspaceTables, name: string): Promise<void>;
  /**
   * Holds a name against every other shopctl of this workspace until the answered function is called; a holder that was
   * killed holds nothing. Waits as long as it takes; `onWait` is called once where somebody else has it. Rejects with
   * the signal's reason.
   */
  hold(
    name: string,
    options: { readonly signal?: AbortSignal; readonly onWait?: () => Promise<void> | void },
  ): Promise<() => void>;
  /** As `hold`, at once: undefined where somebody else has it. */
  tryHold(name: string): Promise<(() => void) | undefined>;
  close(): Promise<void>;
}
