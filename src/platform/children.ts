/** How a child process ended: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** A program that was left running: its process, and the first line that it said. */
export interface Detached {
  readonly pid: number;
  readonly line: string;
}

/** Programs that a command runs, and the temporary places that it gives them. */
export interface Children {
  /** The words that start this program, for whoever has to start it again. */
  readonly ownProgram: readonly string[];
  /**
   * Runs a program on the same terminal and waits for its end. Throws a ChildError when it cannot be started. When the
   * signal is aborted, the child is sent the signal that is its reason. What it says goes to stdout, or to stderr where
   * stdout is for a result.
   */
  run(
    words: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
    says?: 'stdout' | 'stderr',
  ): Promise<ChildEnd>;
  /**
   * Starts a program that goes on when this one has ended, in a session of its own, and waits for its first line; what it
   * says on stderr goes to a file, 0600, that is made anew. Answers its end where it ended before, and ends it when the
   * signal is aborted meanwhile. Throws a ChildError when it cannot be started.
   */
  detach(
    words: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    given: { readonly stdin: string; readonly errorsTo: string; readonly signal: AbortSignal },
  ): Promise<Detached | ChildEnd>;
  /** Whether a process of that id exists. */
  isRunning(pid: number): boolean;
  /** A new directory that only this user can enter, and the end of it. */
  temporaryDirectory(): Promise<{ readonly path: string; remove(): Promise<void> }>;
}

/** Thrown when a program cannot be started; `code` is the system's (`ENOENT`, `EACCES`). */
export class ChildError extends Error {
  readonly kind = 'usage';
  readonly fieldErrors = [];

  constructor(program: string, code: string) {
    super(code === 'ENOENT' ? `there is no program ${program}` : `${program} cannot be run (${code})`);
    this.name = 'ChildError';
  }
}
