import { spawn } from 'node:child_process';

/** How a command line of the user's own ended. */
export type ShellEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' };

/** What a command line gets. */
export interface ShellInput {
  /** The text of its stdin. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs a command line by the system's shell. What it prints goes to stderr, since stdout is ours. Rejects where it cannot be started. */
export type RunShell = (command: string, given: ShellInput) => Promise<ShellEnd>;

/** Runs it by Node; one that takes too long, or that nobody waits for, is ended with everything that it began. */
export const runShell: RunShell = (command, { input, env, workingDirectory, timeoutMs, signal }) =>
  new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 2, 2],
      env,
      cwd: workingDirectory,
      detached: !isWindows,
    });
    let isLate = false;
    const kill = () => {
      try {
        if (isWindows || child.pid === undefined) child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const onAbort = () => kill();
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (code, ended) => {
      finish();
      if (isLate) resolve({ kind: 'timeout' });
      else if (code === null) resolve({ kind: 'signal', signal: ended ?? 'unknown' });
      else resolve({ kind: 'exit', code });
    });
    // A command need not read what it is given.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    if (signal.aborted) kill();
  });
