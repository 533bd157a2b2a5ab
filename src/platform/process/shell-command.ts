import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { environmentWithoutKeys } from '../settings/secret.ts';
import { passLines } from './children.ts';

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
  /** Whether it gets the keys of the environment too. */
  readonly passesKeys?: boolean | undefined;
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes each line of its output; when absent, the output goes to stderr. */
  readonly says?: ((line: string) => void) | undefined;
}

/**
 * Runs a command line with the system's shell. Its output goes to stderr, since stdout is ours, or to `says`. Rejects if it cannot be
 * started.
 */
export type RunShell = (command: string, given: ShellInput) => Promise<ShellEnd>;

/**
 * Reads what a command that has exited printed: it is in the pipes. Something that it left running may hold them open, and
 * is not waited for.
 */
async function readTo({ stdout, stderr }: ChildProcess): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  for (const stream of [stdout, stderr]) if (stream instanceof Socket) stream.unref();
}

/** Runs it with Node; on a timeout or an abort, the whole process group is killed. */
export const runShell: RunShell = (command, { input, env, passesKeys, workingDirectory, timeoutMs, signal, says }) =>
  new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(command, {
      shell: true,
      stdio: says === undefined ? ['pipe', 2, 2] : 'pipe',
      env: passesKeys === true ? env : environmentWithoutKeys(env),
      cwd: workingDirectory,
      detached: !isWindows,
    });
    if (says !== undefined) passLines(child, says);
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
    child.once('exit', async (code, ended) => {
      finish();
      if (says !== undefined) await readTo(child);
      if (isLate) resolve({ kind: 'timeout' });
      else if (code === null) resolve({ kind: 'signal', signal: ended ?? 'unknown' });
      else resolve({ kind: 'exit', code });
    });
    // A command need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    if (signal.aborted) kill();
  });
