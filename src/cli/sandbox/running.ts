import { serverStatus } from '../../contract/control/operations.ts';
import type { Context } from '../context.ts';
import { ConfigurationError, UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';

type SandboxState = Parameters<Awaited<ReturnType<typeof openSandboxDoor>>['controlClient']>[0];

/** The sandbox that has no name of its own, and what its profiles are called instead. */
const UNNAMED = { sandbox: 'default', profiles: 'sandbox' };

/** The profiles of a sandbox, which bear its name, so that several keep out of each other's way. */
export function profileNames(name: string): { readonly partner: string; readonly shop: string } {
  const partner = name === UNNAMED.sandbox ? UNNAMED.profiles : name;
  return { partner, shop: `${partner}-shop` };
}

/** Whether the sandbox of a record answers where it says. */
async function answers(state: SandboxState, signal: AbortSignal): Promise<boolean> {
  const { controlClient } = await openSandboxDoor();
  return controlClient(state, signal)
    .call(serverStatus, {})
    .then(
      () => true,
      (error: { readonly code?: unknown }) => error.code !== 'unreachable',
    );
}

/** Refuses a second sandbox whose profiles would be those of one that runs. */
export async function refuseRunning(context: Context, records: string, name: string): Promise<void> {
  const { listStates } = await openSandboxDoor();
  const names = Object.values(profileNames(name));
  for (const { state, stale } of await listStates(records, context.children.isRunning)) {
    if (stale || !Object.values(profileNames(state.name)).some((other) => names.includes(other))) continue;
    // After a crash its process id may be that of anybody's process: a sandbox is what answers as one.
    if (!(await answers(state, context.signal))) continue;
    throw new ConfigurationError(
      `the sandbox ${JSON.stringify(state.name)} is already running, at ${state.base_url}`,
      'use that one, stop it with `shopctl sandbox stop`, or give this one a --name of its own',
    );
  }
}

/** The record of the running sandbox of that name, else of the newest; throws a UsageError where none runs. */
export async function runningState({ children }: Context, records: string, name: string | undefined) {
  const { findState } = await openSandboxDoor();
  const state = await findState(records, children.isRunning, name);
  if (state !== undefined) return state;
  throw new UsageError(name === undefined ? 'no sandbox runs' : `no sandbox ${JSON.stringify(name)} runs`, {
    hint: `start one with \`shopctl sandbox start${name === undefined ? '' : ` --name ${name}`}\``,
  });
}
