import { join } from 'node:path';
import * as z from 'zod';
import type { DetachedSandbox, Sandboxes } from '../../action/ports.ts';
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

/** The last line of a sandbox that did not start, and the first of one that did. */
const failure = z.object({
  error: z.object({ message: z.string(), hint: z.nullish(z.string()), exit_code: z.number() }),
});
const readyLine = z.object({
  base_url: z.string(),
  control_url: z.string(),
  profiles: z.array(z.string()),
  dropped: z.optional(z.array(z.string())),
  console_url: z.optional(z.string()),
});

/** Why it did not start, from its own output: the last line is a JSON error. */
async function reasonIn(context: Context, path: string): Promise<Error> {
  const said = (await context.files.read(path)).trim();
  const line = said.split('\n').at(-1) ?? '';
  try {
    const { error } = failure.parse(JSON.parse(line));
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
  } = readyLine.parse(JSON.parse(begun.line));
  return { baseUrl: base_url, controlUrl: control_url, profiles, dropped, consoleUrl, pid: begun.pid, says };
}
