import type { Invocation } from './command.ts';
import { textFlag } from './request-input.ts';
import { openSandboxDoor } from './sandbox-door.ts';
import { sandboxStates } from './sandbox-run.ts';
import { UsageError } from './usage-error.ts';

/** The control plane of the running sandbox: the one named, else the newest. Throws a UsageError where none runs. */
export async function controlOf(invocation: Invocation) {
  const { context, session } = invocation;
  const { controlClient, findState } = await openSandboxDoor();
  const name = textFlag(invocation, 'name');
  const state = await findState(sandboxStates(session.places.state), context.children.isRunning, name);
  if (state === undefined) {
    throw new UsageError(name === undefined ? 'no sandbox runs' : `no sandbox ${JSON.stringify(name)} runs`, {
      hint: 'start one with `shopctl sandbox start`',
    });
  }
  return controlClient(state);
}
