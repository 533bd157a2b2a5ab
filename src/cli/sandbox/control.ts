import type { Flag, Invocation } from '../command.ts';
import { textFlag } from '../request-input.ts';
import { UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';
import { sandboxStates } from './run.ts';

/** Which of several running sandboxes is meant. */
export const nameFlag: Flag = {
  name: 'name',
  type: 'string',
  description: 'which sandbox, where several run; the newest when absent',
};

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
  return controlClient(state, context.signal);
}
