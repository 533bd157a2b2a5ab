import type { Readable } from 'node:stream';

/** What a process prints: both of its streams, line by line. */
export function passLines(
  { stdout, stderr }: { readonly stdout: Readable | null; readonly stderr: Readable | null },
  says: (line: string) => void,
): void {
  for (const stream of [stdout, stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) says(line);
    });
    stream?.on('end', () => {
      if (rest !== '') says(rest);
    });
  }
}

/** How a child process ended: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** A program left running in the background: its process, and the first line it printed. */
export interface Detached {
  readonly pid: number;
  readonly line: string;
}

/** Programs that a command runs, and the temporary directories it gives them. */
export interface Children {
  /** The command line that starts this program again. */
  readonly ownProgram: readonly string[];
  /**
   * Runs a program on the same terminal, without the keys of the environment, and waits for it to exit. Throws a ChildError when it cannot be started. When
   * the signal is aborted, the child receives the signal that is the abort reason. Its output goes to stdout, or to
   * stderr if stdout is reserved for a result; a function takes each line of what it prints anywhere.
   */
  run(
    words: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
    how?: { readonly says?: 'stdout' | 'stderr' | ((line: string) => void); readonly started?: (pid: number) => void },
  ): Promise<ChildEnd>;
  /**
   * Starts a program that outlives this one, in its own session, and waits for its first line; its stderr goes to a new
   * file with mode 0600. Returns its exit and its stderr if it ended before that, and ends it if the signal is aborted
   * meanwhile.
   * Throws a ChildError when it cannot be started.
   */
  detach(
    words: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    given: { readonly stdin: string; readonly errorsTo: string; readonly signal: AbortSignal },
  ): Promise<Detached | (ChildEnd & { readonly said: string })>;
  /** Whether a process with that id exists and has not exited. */
  isRunning(pid: number): boolean;
  /** Creates a directory that only this user can enter, and returns it with a way to remove it. */
  temporaryDirectory(): Promise<{ readonly path: string; remove(): Promise<void> }>;
  /**
   * The same for a program that is run with it: should this process be killed, the program that was named by its process
   * is ended and the directory is removed.
   */
  directoryOfProgram(): Promise<{ readonly path: string; isUsedBy(pid: number): void; remove(): Promise<void> }>;
}

/** Thrown when a program cannot be started; `code` is the system's (`ENOENT`, `EACCES`). */
export class ChildError extends Error {
  readonly kind = 'usage';
  readonly fieldErrors = [];

  constructor(message: string) {
    super(message);
    this.name = 'ChildError';
  }
}
