import { join, resolve } from 'node:path';
import type { Command, Flag, Invocation, Result } from '../command.ts';
import { localPreview } from '../preview.ts';
import { readObject, textFlag } from '../request-input.ts';
import { textSource } from '../text-source.ts';
import { ConfigurationError, UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';
import { type RunningSandbox, type SandboxStart, sandboxStates, startSandbox } from './run.ts';

const DEFAULT_PORT = 4010;
const DEFAULT_NAME = 'default';

/** What a new sandbox begins with: the example records, nothing, or what a file says. */
async function seedOf(invocation: Invocation): Promise<SandboxStart['seed']> {
  const seed = textFlag(invocation, 'seed') ?? 'demo';
  return seed === 'demo' || seed === 'none' ? seed : readObject(seed, textSource(invocation.context));
}

function allowedHosts(invocation: Invocation): readonly string[] {
  const given = invocation.given.flags['allow-host'];
  return Array.isArray(given) ? given : [];
}

function portOf(invocation: Invocation): number {
  const text = textFlag(invocation, 'port');
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--port must be 0 to 65535; 0 takes a free one');
  return port;
}

async function nameOf(invocation: Invocation): Promise<string> {
  const name = textFlag(invocation, 'name') ?? DEFAULT_NAME;
  const { isSandboxName } = await openSandboxDoor();
  if (!isSandboxName(name)) throw new UsageError('--name takes letters, digits, _, - and ., at most 64');
  return name;
}

/** Where the data lives: the directory named, one of its own below the state directory, or nowhere. */
function dataOf(invocation: Invocation, name: string): string | undefined {
  const { context, session, given } = invocation;
  const data = textFlag(invocation, 'data');
  if (given.flags.ephemeral === true) {
    if (data !== undefined) throw new UsageError('--data and --ephemeral cannot be given together');
    return undefined;
  }
  return data === undefined
    ? join(session.places.state, 'sandbox-data', name)
    : resolve(context.workingDirectory, data);
}

/** A taken port and data that is in use are told as what they are. */
function asStartError(error: unknown, port: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`port ${port} is taken`, 'choose another with --port, or 0 for a free one');
  }
  if ((error as Error).name !== 'StoreInUseError') return error;
  return new ConfigurationError(
    message,
    'use that one (`shopctl sandbox status`), or other data: --data DIR, --name NAME, --ephemeral',
  );
}

async function announce(invocation: Invocation, running: RunningSandbox, data: string | undefined): Promise<void> {
  const { context, session } = invocation;
  const { baseUrl, controlUrl, profiles } = running;
  if (session.settings.output.value !== 'table') {
    const ready = { event: 'ready', base_url: baseUrl, control_url: controlUrl, profiles };
    await context.stdout.write(`${JSON.stringify(ready)}\n`);
    return;
  }
  await context.stdout.write(
    [
      `The sandbox runs at ${baseUrl}`,
      data === undefined ? 'It keeps nothing: what it holds ends with it.' : `Its data: ${data}`,
      `Profiles saved: ${profiles.join(' (the demo partner), ')} (a demo shop's own key)`,
      '',
      'In another terminal:',
      `  shopctl auth login --profile ${profiles[0]}`,
      `  shopctl quote --profile ${profiles[0]} --input examples/quote.json`,
      `  shopctl account show --profile ${profiles[1]}`,
      '',
      'Ctrl-C stops it.',
      '',
    ].join('\n'),
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener('abort', () => end(), { once: true });
  });
}

async function start(invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  const [name, port, seed] = [await nameOf(invocation), portOf(invocation), await seedOf(invocation)];
  const allowHosts = allowedHosts(invocation);
  const data = dataOf(invocation, name);
  const preview = localPreview(invocation, { name, port, data: data ?? null, allow_hosts: allowHosts });
  if (preview !== undefined) return preview;
  const stateDirectory = sandboxStates(session.places.state);
  const running = await startSandbox(context, {
    name,
    port,
    data,
    seed,
    allowHosts,
    stateDirectory,
    store: session.store,
  }).catch((error: unknown) => {
    throw asStartError(error, port);
  });
  try {
    await announce(invocation, running, data);
    await Promise.race([running.stopRequested, aborted(context.signal)]);
  } finally {
    await running.close();
  }
  return { document: { kind: 'none' }, notices: ['the sandbox has stopped'] };
}

/** The variables of shopctl that say how it behaves, and nothing of which service or whose key. */
const harmless = new Set([
  'SHOPCTL_OUTPUT',
  'SHOPCTL_NO_INPUT',
  'SHOPCTL_DEBUG',
  'SHOPCTL_TIMEOUT',
  'SHOPCTL_MAX_RETRIES',
]);

/** What a program needs to find the sandbox of `exec`, and nothing of the world outside it. */
function environmentFor(
  invocation: Invocation,
  directory: string,
  baseUrl: string,
): Record<string, string | undefined> {
  const { env } = invocation.context;
  const kept = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('SHOPCTL_') || harmless.has(name)),
  );
  return { ...kept, SHOPCTL_CONFIG_DIR: directory, SHOPCTL_PROFILE: 'sandbox', SHOPCTL_BASE_URL: baseUrl };
}

const SIGNAL_EXITS: Readonly<Record<string, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGKILL: 137,
  SIGTERM: 143,
};

async function exec(invocation: Invocation): Promise<Result> {
  const { context, given } = invocation;
  const seed = await seedOf(invocation);
  const preview = localPreview(invocation, { command: given.arguments });
  if (preview !== undefined) return preview;
  const directory = await context.children.temporaryDirectory();
  try {
    const running = await startSandbox(context, {
      name: DEFAULT_NAME,
      port: 0,
      data: undefined,
      seed,
      allowHosts: [],
      stateDirectory: sandboxStates(join(directory.path, 'state')),
      store: context.settingsIn(directory.path),
    });
    try {
      const environment = environmentFor(invocation, directory.path, running.baseUrl);
      const { code, signal } = await context.children.run(given.arguments, environment, context.signal);
      return { document: { kind: 'none' }, exitCode: code ?? SIGNAL_EXITS[signal ?? ''] ?? 1 };
    } finally {
      await running.close();
    }
  } finally {
    await directory.remove();
  }
}

const seedFlag: Flag = {
  name: 'seed',
  type: 'string',
  placeholder: 'SEED',
  description: 'what a new one begins with: demo (example records), none, or a seed file',
};

/** The commands that run a sandbox: until it is stopped, or as long as another command runs. */
export const runCommands: readonly Command[] = [
  {
    words: ['start'],
    summary: 'Run the service here until Ctrl-C',
    description:
      'Saves the profiles sandbox (the demo partner) and sandbox-shop (a demo shop). With -o json the first line tells when it is ready.',
    flags: () => [
      {
        name: 'port',
        type: 'integer',
        description: `port on 127.0.0.1, 0 for a free one; ${DEFAULT_PORT} when absent`,
      },
      { name: 'data', type: 'string', placeholder: 'DIR', description: 'where its data is kept' },
      { name: 'ephemeral', type: 'boolean', description: 'keep nothing' },
      seedFlag,
      {
        name: 'allow-host',
        type: 'list',
        placeholder: 'HOST',
        description: 'a host outside this machine that webhooks may lead to',
      },
      { name: 'name', type: 'string', description: 'a name to find it by, where several run' },
    ],
    examples: ['shopctl sandbox start', 'shopctl sandbox start --ephemeral --port 0 --json'],
    run: start,
  },
  {
    words: ['exec'],
    summary: 'Run a command against a fresh sandbox that ends with it',
    description: 'The command has SHOPCTL_* set and a config directory of its own; its exit code is passed on.',
    arguments: [
      { name: 'command', description: 'the command and its arguments, after --', required: true, variadic: true },
    ],
    flags: () => [seedFlag],
    examples: ['shopctl sandbox exec -- ./test.sh'],
    run: exec,
  },
];
