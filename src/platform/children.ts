/** How a child process ended: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
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
