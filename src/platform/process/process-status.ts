import { readFileSync } from 'node:fs';
import { errorCode } from './error-code.ts';

/** Whether a process with that id exists and has not exited: a zombie, which its parent has not reaped, has. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  const [state] = statusFields(pid) ?? [];
  return state !== 'Z' && state !== 'X';
}

/** Start time of a process, in ticks since boot; undefined where the system does not say (only Linux does). */
export function processStart(pid: number): string | undefined {
  return statusFields(pid)?.[19];
}

/** What Linux says about a process, from its state on. */
function statusFields(pid: number): readonly string[] | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses can contain anything; the fields follow the last closing one.
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
