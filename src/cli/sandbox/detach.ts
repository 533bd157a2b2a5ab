import { join } from 'node:path';
import * as z from 'zod';
import type { DetachedSandbox, Sandboxes } from '../../action/ports.ts';
import type { ResolvedSettings } from '../../settings/in-force.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit.ts';
import { say } from '../errors/texts.ts';
import {
  ConfigurationError,
  dataInUse,
  portTaken,
  SandboxNotRunningError,
  ServiceUnfitError,
  UsageError,
} from '../errors/usage-error.ts';
import { loadSandbox, meantSandbox, refuseRunning } from './running.ts';

/** Polling interval for its end, and the maximum number of polls. */
const LOOK_EVERY_MS = 50;
const MOST_LOOKUPS = 400;

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
  const { controlClient, findState } = await loadSandbox();
  const { isRunning } = context.children;
  const { state, named, others } = await meantSandbox(context, records, name, settings);
  if (state === undefined) {
    if (!others) return undefined;
    throw new SandboxNotRunningError(named, say().sandbox.seeRunning);
  }
  const { stop } = await import('../../contract/control/operations.ts');
  await controlClient(state, context.signal).call(stop, {});
  const endsWithIt = state.process_goes_on !== true && state.pid !== context.pid;
  const isThere = async () =>
    (endsWithIt && isRunning(state.pid)) ||
    (await findState(records, isRunning, state.name))?.control_token === state.control_token;
  for (let look = 0; await isThere(); look += 1) {
    if (look === MOST_LOOKUPS)
      throw new ServiceUnfitError(
        'contract',
        'sandbox_still_running',
        say().sandbox.stillRuns({ name: state.name, pid: state.pid }),
      );
    await context.clock.wait(LOOK_EVERY_MS, context.signal);
  }
  return state.name;
}

type Start = Parameters<Sandboxes['startDetached']>[0];

/** The command-line arguments to start it; a seed that is not a name is passed on stdin. */
function wordsOf({ name, port, data, seed, allowHosts, withConsole }: Start): readonly string[] {
  const kept = data === undefined ? ['--ephemeral'] : ['--data', data];
  const hosts = allowHosts.flatMap((host) => ['--allow-host', host]);
  const begins = ['--seed', typeof seed === 'string' ? seed : '-'];
  return [
    'sandbox',
    'start',
    '--name',
    name,
    '--port',
    String(port),
    ...kept,
    ...begins,
    ...hosts,
    ...(withConsole ? [] : ['--no-console']),
    '--json',
  ];
}

/** The last line of a sandbox that did not start, and the first of one that did. */
const failure = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.nullish(z.string()), exit_code: z.number() }),
});
const readyLine = z.object({
  base_url: z.string(),
  control_url: z.string(),
  profiles: z.array(z.string()),
  dropped: z.optional(z.array(z.string())),
  console_url: z.optional(z.string()),
});

/** A sandbox in the background failed for a reason that is no setting of ours: a full disk, a bug, a signal. */
class EndedEarlyError extends Error {
  readonly kind = 'ended';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, code: string, hint: string | undefined) {
    super(message);
    this.name = 'EndedEarlyError';
    this.code = code;
    this.hint = hint;
  }
}

/** Why it did not start, from its own output: the last line is a JSON error, in English like all that a program reads. */
function reasonIn(output: string, { port, data = '' }: Start): Error {
  const said = output.trim();
  const line = said.split('\n').at(-1) ?? '';
  try {
    const { error } = failure.parse(JSON.parse(line));
    if (error.code === 'port_taken') return portTaken(port);
    if (error.code === 'data_in_use') return dataInUse(data);
    const hint = error.hint ?? undefined;
    if (error.exit_code === exitCodes.usage.code) return new UsageError(error.message, { hint });
    if (error.exit_code !== exitCodes.failure.code) return new ConfigurationError(error.message, hint, error.code);
    return new EndedEarlyError(error.message, error.code, hint);
  } catch {
    return new EndedEarlyError(
      say().sandbox.ended,
      'sandbox_ended',
      said === '' ? undefined : say().sandbox.saidBefore({ text: said.slice(-500) }),
    );
  }
}

/** Starts a sandbox in its own process, and waits until it is ready. */
export async function startDetached(context: Context, records: string, start: Start): Promise<DetachedSandbox> {
  const { children, env, signal } = context;
  await refuseRunning(context, records, start.name);
  const says = join(records, `${start.name}.log`);
  const begun = await children.detach([...children.ownProgram, ...wordsOf(start)], env, {
    stdin: typeof start.seed === 'string' ? '' : JSON.stringify(start.seed),
    errorsTo: says,
    signal,
  });
  if (!('line' in begun)) throw reasonIn(begun.said, start);
  const {
    base_url,
    control_url,
    profiles,
    dropped = [],
    console_url: consoleUrl,
  } = readyLine.parse(JSON.parse(begun.line));
  return { baseUrl: base_url, controlUrl: control_url, profiles, dropped, consoleUrl, pid: begun.pid, says };
}
