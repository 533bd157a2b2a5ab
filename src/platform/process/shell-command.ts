import { spawn } from 'node:child_process';

/** How a command line of the user's ended. */
export type ShellEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' };

/** The input of a command line. */
export interface ShellInput {
  /** Text for its stdin. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a command line with the system's shell. Its output goes to stderr, since stdout is ours. Rejects if it cannot be
 * started.
 */
export type RunShell = (command: string, given: ShellInput) => Promise<ShellEnd>;

/** Runs it with Node; on a timeout or an abort, the whole process group is killed. */
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
        // It has just exited.
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
    // A command need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    if (signal.aborted) kill();
  });
