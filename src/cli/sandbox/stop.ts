import { stop } from '../../contract/control/operations.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';
import { runningState } from './running.ts';

/** Polling interval for its end, and the maximum number of polls. */
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 400;

/**
 * Asks a sandbox to stop, authenticated by its own token, and waits until it has: no signal is ever sent, since the
 * process id in its record may belong to another process by now. Returns its name.
 */
export async function stopSandbox(context: Context, records: string, name: string | undefined): Promise<string> {
  const { controlClient, findState } = await openSandboxDoor();
  const state = await runningState(context, records, name);
  await controlClient(state, context.signal).call(stop, {});
  const isThere = async () =>
    (await findState(records, context.children.isRunning, state.name))?.control_token === state.control_token;
  for (let look = 0; await isThere(); look += 1) {
    if (look === MOST_LOOKS)
      throw new UsageError(`the sandbox ${state.name} was told to stop, but is still running (process ${state.pid})`);
    await context.clock.wait(LOOK_EVERY_MS, context.signal);
  }
  return state.name;
}
