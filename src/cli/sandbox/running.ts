import type { ResolvedSettings } from '../../settings/in-force.ts';
import type { Context } from '../context.ts';
import { adviceInWords, shellWord } from '../errors/advice.ts';
import { say } from '../errors/texts.ts';
import { BusyError, SandboxNotRunningError } from '../errors/usage-error.ts';

/**
 * The only import of the sandbox from the command line: it is loaded when a sandbox command runs, so that nothing else
 * pays for it, and client and sandbox stay independent.
 */
export const loadSandbox = () => import('../../sandbox/index.ts');

type SandboxState = Awaited<ReturnType<Awaited<ReturnType<typeof loadSandbox>>['listStates']>>[number]['state'];

/** The default sandbox, and the name of its profiles. */
const UNNAMED = { sandbox: 'default', profiles: 'sandbox' };

/** The profile names of a sandbox, derived from its name, so that several sandboxes do not conflict. */
export function profileNames(name: string): { readonly partner: string; readonly shop: string } {
  const partner = name === UNNAMED.sandbox ? UNNAMED.profiles : name;
  return { partner, shop: `${partner}-shop` };
}

/** Whether the sandbox of a record responds at its address. */
async function answers(state: SandboxState, signal: AbortSignal): Promise<boolean> {
  const [{ controlClient }, { serverStatus }] = await Promise.all([
    loadSandbox(),
    import('../../contract/control/operations.ts'),
  ]);
  return controlClient(state, signal)
    .call(serverStatus, {})
    .then(
      () => true,
      (error: { readonly code?: unknown }) => error.code !== 'unreachable',
    );
}

/** What to do instead of starting a second sandbox of a name. */
export const besideRunning = (name: string) =>
  say().sandbox.beside({ stop: `shopctl sandbox stop --name ${shellWord(name)}` });

/** Refuses to start a second sandbox that would use the profiles of a running one. */
export async function refuseRunning(context: Context, records: string, name: string): Promise<void> {
  const { listStates } = await loadSandbox();
  const names = Object.values(profileNames(name));
  for (const { state, stale } of await listStates(records, context.children.isRunning)) {
    if (stale || !Object.values(profileNames(state.name)).some((other) => names.includes(other))) continue;
    // After a crash its process id may belong to any process: only a response proves that it is a sandbox.
    if (!(await answers(state, context.signal))) continue;
    throw new BusyError(
      'already_running',
      say().sandbox.runsAlready({ name: JSON.stringify(state.name), at: state.base_url }),
      besideRunning(state.name),
    );
  }
}

/** The running sandboxes of this user, newest first. */
async function runningStates({ children }: Context, records: string): Promise<readonly SandboxState[]> {
  const { listStates } = await loadSandbox();
  const found = await listStates(records, children.isRunning);
  return found.flatMap(({ state, stale }) => (stale ? [] : [state]));
}

/** The sandbox that a command means, if it runs. */
export interface MeantSandbox {
  readonly state: SandboxState | undefined;
  /** Its name as far as something named it. */
  readonly named: string | undefined;
  /** Whether others run beside it. */
  readonly others: boolean;
}

/**
 * The sandbox that is meant: the one of that name; otherwise the one at the address in force, or that saved the profile
 * in force; otherwise the newest.
 */
export async function meantSandbox(
  context: Context,
  records: string,
  name: string | undefined,
  { baseUrl, profile }: Pick<ResolvedSettings, 'baseUrl' | 'profile'>,
): Promise<MeantSandbox> {
  const running = await runningStates(context, records);
  const here = name === undefined ? running.find(({ base_url }) => base_url === baseUrl?.value) : undefined;
  const named = name ?? (here === undefined ? profile?.sandbox : undefined);
  const state = here ?? running.find((other) => named === undefined || other.name === named);
  return { state, named, others: running.length > (state === undefined ? 0 : 1) };
}

/** The record of the running sandbox that is meant; throws a SandboxNotRunningError. */
export async function runningState(...meant: Parameters<typeof meantSandbox>) {
  const { state, named, others } = await meantSandbox(...meant);
  if (state !== undefined) return { state, others };
  if (others) throw new SandboxNotRunningError(named, say().sandbox.seeRunning);
  const isNamed = named !== undefined && named !== UNNAMED.sandbox;
  throw new SandboxNotRunningError(meant[2], adviceInWords('start_sandbox', isNamed ? { name: named } : {}));
}
