import type { ResolvedSettings } from '../../settings/in-force.ts';
import type { Context } from '../context.ts';
import { SandboxNotRunningError, ServiceUnfitError } from '../errors/usage-error.ts';
import { openSandboxDoor } from './open.ts';
import { meantSandbox } from './running.ts';

/** Polling interval for its end, and the maximum number of polls. */
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 400;

/**
 * Asks a sandbox to stop, authenticated by its own token, and waits until it and its process have ended: no signal is ever sent,
 * since the process id in its record may belong to another process by now. Returns its name; undefined if no sandbox runs at all.
 * Throws a SandboxNotRunningError if others run, but none of that name.
 */
export async function stopSandbox(
  context: Context,
  records: string,
  name: string | undefined,
  settings: ResolvedSettings,
): Promise<string | undefined> {
  const { controlClient, findState } = await openSandboxDoor();
  const { isRunning } = context.children;
  const { state, named, others } = await meantSandbox(context, records, name, settings);
  if (state === undefined) {
    if (!others) return undefined;
    throw new SandboxNotRunningError(named, '`shopctl sandbox status` lists those that run');
  }
  const { stop } = await import('../../contract/control/operations.ts');
  await controlClient(state, context.signal).call(stop, {});
  const endsWithIt = state.process_goes_on !== true && state.pid !== context.pid;
  const isThere = async () =>
    (endsWithIt && isRunning(state.pid)) ||
    (await findState(records, isRunning, state.name))?.control_token === state.control_token;
  for (let look = 0; await isThere(); look += 1) {
    if (look === MOST_LOOKS)
      throw new ServiceUnfitError(
        'contract',
        'sandbox_still_running',
        `the sandbox ${state.name} was asked to stop, but is still running (process ${state.pid})`,
      );
    await context.clock.wait(LOOK_EVERY_MS, context.signal);
  }
  return state.name;
}
