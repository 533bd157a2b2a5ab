import { stop } from '../../contract/control/operations.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';
import { runningState } from './running.ts';

/** How often is looked whether it has ended, and how often at most. */
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 400;

/**
 * Asks a sandbox to stop, by the token that it alone knows, and waits until it has: no signal is ever sent, for the id in
 * its record may be that of somebody else's process by now. Answers its name.
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
