import { join } from 'node:path';
import type { DetachedSandbox, Sandboxes } from '../../actions/action/ports.ts';
import type { Context } from '../context.ts';
import { ConfigurationError, UsageError } from '../errors/usage-error.ts';
import { refuseRunning } from './running.ts';

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

/** Why it did not start, from its own output: the last line is a JSON error. */
async function reasonIn(context: Context, path: string): Promise<Error> {
  const said = (await context.files.read(path)).trim();
  const line = said.split('\n').at(-1) ?? '';
  try {
    const { error } = JSON.parse(line) as { error: { message: string; hint: string | null; exit_code: number } };
    const hint = error.hint ?? undefined;
    return error.exit_code === 2
      ? new UsageError(error.message, { hint })
      : new ConfigurationError(error.message, hint);
  } catch {
    return new ConfigurationError('the sandbox ended before it was ready', `it said: ${said.slice(-500)}`);
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
  if (!('line' in begun)) throw await reasonIn(context, says);
  const {
    base_url,
    control_url,
    profiles,
    dropped = [],
    console_url: consoleUrl,
  } = JSON.parse(begun.line) as {
    base_url: string;
    control_url: string;
    profiles: string[];
    dropped?: string[];
    console_url?: string;
  };
  return { baseUrl: base_url, controlUrl: control_url, profiles, dropped, consoleUrl, pid: begun.pid, says };
}
