import type { RunShell, ShellInput } from '../../../platform/process/shell-command.ts';
import type { Hand } from './queues.ts';

/** How long a command may take for one change. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Runs a command line for each change and passes the change on stdin only: untrusted text never becomes a shell word.
 * Exit 0 means accepted.
 */
export function handToCommand(
  command: string,
  runShell: RunShell,
  surroundings: Pick<ShellInput, 'env' | 'passesKeys' | 'workingDirectory' | 'says'>,
): Hand {
  return async ({ id, text }, signal) => {
    const env = { ...surroundings.env, SHOPCTL_CHANGE_ID: id };
    const end = await runShell(command, { ...surroundings, env, input: `${text}\n`, timeoutMs: TIMEOUT_MS, signal });
    signal.throwIfAborted();
    if (end.kind === 'exit' && end.code === 0) return { accepted: true, answer: 'exit 0' };
    if (end.kind === 'timeout') {
      return { accepted: false, answered: false, error: `did not end within ${TIMEOUT_MS / 60_000} minutes` };
    }
    const error = end.kind === 'exit' ? `ended with exit ${end.code}` : `was ended by ${end.signal}`;
    return { accepted: false, answered: true, error };
  };
}
