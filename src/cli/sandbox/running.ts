import { serverStatus } from '../../contract/control/operations.ts';
import { ConfigurationError, SandboxNotRunningError } from '../errors/usage-error.ts';
import type { Context } from '../run/context.ts';
import { openSandboxDoor } from './door.ts';

type SandboxState = Parameters<Awaited<ReturnType<typeof openSandboxDoor>>['controlClient']>[0];

/** The default sandbox, and the name of its profiles. */
const UNNAMED = { sandbox: 'default', profiles: 'sandbox' };

/** The profile names of a sandbox, derived from its name, so that several sandboxes do not conflict. */
export function profileNames(name: string): { readonly partner: string; readonly shop: string } {
  const partner = name === UNNAMED.sandbox ? UNNAMED.profiles : name;
  return { partner, shop: `${partner}-shop` };
}

/** Whether the sandbox of a record responds at its address. */
async function answers(state: SandboxState, signal: AbortSignal): Promise<boolean> {
  const { controlClient } = await openSandboxDoor();
  return controlClient(state, signal)
    .call(serverStatus, {})
    .then(
      () => true,
      (error: { readonly code?: unknown }) => error.code !== 'unreachable',
    );
}

/** Refuses to start a second sandbox that would use the profiles of a running one. */
export async function refuseRunning(context: Context, records: string, name: string): Promise<void> {
  const { listStates } = await openSandboxDoor();
  const names = Object.values(profileNames(name));
  for (const { state, stale } of await listStates(records, context.children.isRunning)) {
    if (stale || !Object.values(profileNames(state.name)).some((other) => names.includes(other))) continue;
    // After a crash its process id may belong to any process: only a response proves that it is a sandbox.
    if (!(await answers(state, context.signal))) continue;
    throw new ConfigurationError(
      `the sandbox ${JSON.stringify(state.name)} is already running, at ${state.base_url}`,
      'use that one, stop it with `shopctl sandbox stop`, or give this one a --name of its own',
    );
  }
}

/** The record of the running sandbox of that name, otherwise of the newest; throws a SandboxNotRunningError. */
export async function runningState({ children }: Context, records: string, name: string | undefined) {
  const { findState } = await openSandboxDoor();
  const state = await findState(records, children.isRunning, name);
  if (state !== undefined) return state;
  const named = name === undefined ? '' : ` --name ${name}`;
  throw new SandboxNotRunningError(name, `start one with \`shopctl sandbox start${named}\``);
}
