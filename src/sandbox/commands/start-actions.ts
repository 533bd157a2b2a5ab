import { join, resolve } from 'node:path';
import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import type { Ports, RunningConsole, RunningSandbox, SandboxStart } from '../../action/ports.ts';
import { say as ofAction } from '../../action/texts.ts';
import { bothGiven, Refusal } from '../../client/refusal.ts';
import { isSeedName, type SeedName, sandboxName, seedName } from '../../contract/control/names.ts';
import { say } from '../../contract/control/texts.ts';
import { flag, int, list, text } from '../../contract/schema/scalars.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { environmentWithoutKeys } from '../../platform/settings/secret.ts';
import { allSettings } from '../../settings/in-force.ts';
import { settingsTable } from '../../settings/table.ts';

const DEFAULT_PORT = 4010;
/** The usual port of its console. */
const CONSOLE_PORT = 4030;
const DEFAULT_NAME = 'default';
const DEFAULT_SEED = 'demo';
const LAST_PORT = 65_535;

const seed = z.union([z.custom<SeedName>(isSeedName), z.record(z.string(), z.unknown())]).meta({
  type: 'string',
  description:
    'what a new sandbox starts with: demo (example records), none, history:N (N orders over two years), or a seed file',
});
const seedHint = {
  from: 'document',
  isLong: true,
  literal: { form: seedName, names: 'demo, none, history:N' },
  placeholder: 'SEED',
} as const;

/** The data directory: the one given, a default below the state directory, or none. */
function dataOf(data: string | undefined, name: string, { places, workingDirectory }: Ports): string {
  return data === undefined ? join(places.state, 'sandbox-data', name) : resolve(workingDirectory, data);
}

/** The flags that start it as it is, besides its name and port; the content of a seed file cannot be one. */
function flagsFor({ data, seed, name }: Pick<SandboxStart, 'data' | 'seed' | 'name'>, ports: Ports): string[] {
  const kept = data === undefined ? ['--ephemeral'] : data === dataOf(undefined, name, ports) ? [] : ['--data', data];
  return [...kept, ...(typeof seed === 'string' && seed !== DEFAULT_SEED ? ['--seed', seed] : [])];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener('abort', () => end(), { once: true });
  });
}

type Ready = Pick<RunningSandbox, 'baseUrl' | 'profiles' | 'dropped'> & { readonly consoleUrl?: string | undefined };

/** The profile in use, as a fact. */
async function currentOf({ store }: Ports): Promise<{ readonly current?: string }> {
  const { current_profile: current } = await store.read();
  return current === undefined ? {} : { current };
}

/** The ended sign-ins, if there are any. */
const droppedIn = ({ dropped }: Ready) => (dropped.length === 0 ? {} : { dropped });

/** The address of the console, if there is one. */
const consoleIn = ({ consoleUrl }: Ready) => (consoleUrl === undefined ? {} : { console_url: consoleUrl });

/** Serves the shop's profile to a browser; at a free port if the usual one is taken, or a free one was asked for. */
async function openConsole(
  { profiles, transport }: RunningSandbox,
  port: number,
  { startConsole }: Ports,
): Promise<RunningConsole> {
  const profile = profiles.at(-1);
  const start = profile === undefined ? { transport } : { transport, profile };
  if (port === 0) return startConsole({ ...start, port });
  return startConsole({ ...start, port: CONSOLE_PORT }).catch(() => startConsole({ ...start, port: 0 }));
}

async function welcome(
  { baseUrl, profiles, dropped, consoleUrl }: Ready,
  data: string | undefined,
  ending: readonly string[],
  ports: Ports,
): Promise<string[]> {
  const said = say().started;
  return [
    said.runs({ at: baseUrl }),
    ...(consoleUrl === undefined ? [] : [said.look({ at: consoleUrl })]),
    data === undefined ? said.keepsNothing : said.data({ path: data }),
    said.profiles({ profiles }),
    ...(dropped.length === 0 ? [] : [said.dropped({ shops: dropped })]),
    '',
    ending.length === 0 ? said.elsewhere : said.goOn,
    ...ports.ui.advise('try_sandbox', { profiles, ...(await currentOf(ports)) }).split('\n'),
    '',
    ...(ending.length === 0 ? [said.ctrlC] : ending),
    '',
  ];
}

/** Starts it in its own process, and says where it is and how to stop it. */
async function leftRunning(
  start: Parameters<Ports['sandboxes']['startDetached']>[0],
  ports: Ports,
): Promise<undefined> {
  const { report, sandboxes, ui } = ports;
  const running = await sandboxes.startDetached(start);
  const { baseUrl: base_url, controlUrl: control_url, profiles, pid, says } = running;
  const ending = [
    say().started.keepsRunning({ pid, path: says }),
    `  ${ui.advise('stop_sandbox', start.name === DEFAULT_NAME ? {} : { name: start.name })}`,
  ];
  await report.ready(
    { event: 'ready', base_url, control_url, profiles, ...consoleIn(running), ...droppedIn(running), pid },
    await welcome(running, start.data, ending, ports),
  );
  return undefined;
}

/**
 * Starts one unless one of that name runs already, which is reported as it is: its data and seed are what it was started
 * with.
 */
async function ifNeeded(name: string, ports: Ports, begin: () => Promise<undefined>): Promise<undefined> {
  const { report, sandboxes } = ports;
  const find = async () => (await sandboxes.list()).find((one) => one.running && one.name === name);
  try {
    return await begin();
  } catch (error) {
    const running = fieldsIn(error).code === 'already_running' ? await find() : undefined;
    if (running === undefined) throw error;
    const { base_url, control_url, pid } = running;
    const profiles = profilesOf(name);
    await report.ready({ event: 'ready', base_url, control_url, profiles, pid, already_running: true }, [
      say().started.runsAlready({ at: base_url, pid }),
    ]);
    return undefined;
  }
}

/** The profiles of a fresh sandbox. */
const freshProfiles = ['sandbox', 'sandbox-shop'];

/** The profiles of a sandbox of that name: its partner's, and that of its first shop. */
const profilesOf = (name: string): readonly string[] =>
  name === DEFAULT_NAME ? freshProfiles : [name, `${name}-shop`];

/** The profile that is chosen and does not exist; undefined if that is not what is wrong. */
const missingProfile = ({ problem }: Ports): string | undefined =>
  problem instanceof Refusal && problem.code === 'profile_unknown' ? String(problem.facts.profile) : undefined;

/** Lets only a profile be missing that the sandbox is about to save: a script may have chosen it before. */
function requireSettings(ports: Ports, name: string): void {
  const missing = missingProfile(ports);
  if (ports.problem !== undefined && !profilesOf(name).includes(missing ?? '')) throw ports.problem;
}

/** Runs it in this process until it is asked to stop, or a signal comes. */
async function runHere(
  { withConsole, ...given }: Parameters<Ports['sandboxes']['startDetached']>[0],
  ports: Ports,
): Promise<undefined> {
  const { data, seed, name, port } = given;
  const flags = flagsFor({ data, seed, name }, ports);
  const running = await ports.sandboxes.start({ ...given, flags, store: ports.store });
  const { baseUrl: base_url, controlUrl: control_url, profiles } = running;
  let shown: RunningConsole | undefined;
  try {
    shown = withConsole ? await openConsole(running, port, ports) : undefined;
    const ready = { ...running, consoleUrl: shown?.url };
    await ports.report.ready(
      { event: 'ready', base_url, control_url, profiles, ...consoleIn(ready), ...droppedIn(running) },
      await welcome(ready, data, [], ports),
    );
    await Promise.race([running.stopRequested, aborted(ports.signal)]);
  } finally {
    await shown?.close();
    await running.close();
  }
  ports.report.notice(say().stopped);
  return undefined;
}

export const start = action({
  id: 'sandbox.start',
  words: ['sandbox', 'start'],
  summary: 'Run the service here until Ctrl-C',
  description:
    'Saves the profiles sandbox (the demo partner) and sandbox-shop (a demo shop); with --name two they are two and two-shop. With -o json the first line tells when it is ready.',
  examples: [
    'shopctl sandbox start',
    'shopctl sandbox start --detach',
    'shopctl sandbox start --detach --if-needed --json',
    'shopctl sandbox start --name two --port 0',
    'shopctl sandbox start --ephemeral --port 0 --json',
  ],
  effect: 'settings',
  undo: 'sandbox stop',
  needs: [],
  diagnoses: true,
  input: z.object({
    port: z.optional(
      int('port on 127.0.0.1, 0 for a free one', 'TCP')
        .refine((port) => port >= 0 && port <= LAST_PORT, { error: () => ofAction().port({ most: LAST_PORT }) })
        .meta({ description: `port on 127.0.0.1, 0 for a free one; ${DEFAULT_PORT} when absent` }),
    ),
    data: z.optional(text('directory for its data')),
    ephemeral: z.optional(flag('keep nothing')),
    seed: z.optional(seed),
    allow_host: z.optional(list(text('A host'), 'a host outside this machine that webhooks may lead to')),
    console: z.optional(flag('serve its console as well, unless --no-console is given')),
    detach: z.optional(flag('run it in the background; `sandbox stop` ends it')),
    if_needed: z.optional(flag('succeed where one of that name runs already, and leave it as it is')),
    name: z.optional(
      text('a name')
        .refine((name) => sandboxName.test(name), { error: () => say().name })
        .meta({ description: 'its name, if several run' }),
    ),
  }),
  output: silence,
  hints: { data: { placeholder: 'DIR', from: 'path' }, seed: seedHint, allow_host: { placeholder: 'HOST' } },
  async run(input, ports) {
    const {
      name = DEFAULT_NAME,
      port = DEFAULT_PORT,
      seed = DEFAULT_SEED,
      allow_host: allowHosts = [],
      ephemeral,
    } = input;
    const withConsole = input.console !== false;
    requireSettings(ports, name);
    if (ephemeral === true && input.data !== undefined) throw bothGiven('data', 'ephemeral');
    const data = ephemeral === true ? undefined : dataOf(input.data, name, ports);
    ports.intend({ name, port, data: data ?? null, allow_hosts: allowHosts });
    const begin = async () => {
      if (input.detach === true) return leftRunning({ name, port, data, seed, allowHosts, withConsole }, ports);
      return runHere({ name, port, data, seed, allowHosts, withConsole }, ports);
    };
    return input.if_needed === true ? ifNeeded(name, ports, begin) : begin();
  },
});

type Env = Record<string, string | undefined>;

/** The shopctl variables about behaviour, as opposed to the service or the key. */
const variablesOfStyle = new Set(allSettings.flatMap(([, { isStyle, variable }]) => (isStyle ? [variable] : [])));

/** Settings that choose a service or an account, which a fresh sandbox does not have. */
const ofElsewhere = ['baseUrl', 'shop', 'as'] as const;

/**
 * The profile that the program run by `exec` uses. Throws a Refusal for a profile that a fresh sandbox does not have, and
 * for flags that choose a service or an account.
 */
function profileForExec(ports: Ports): string {
  const { settings, problem } = ports;
  // A profile of the fresh sandbox is none of the settings here.
  const missing = missingProfile(ports);
  if (problem !== undefined && missing === undefined) throw problem;
  const { profileName } = settings;
  const isChosen = profileName?.origin === 'flag' || profileName?.origin === 'environment';
  const profile = missing ?? String(isChosen ? profileName.value : freshProfiles[0]);
  if (!freshProfiles.includes(profile)) {
    throw (
      problem ??
      new Refusal('profile_not_fresh', say().noProfile({ profile: JSON.stringify(profile) }), {
        facts: { profiles: freshProfiles },
      })
    );
  }
  const given = ofElsewhere.find((key) => settings[key]?.origin === 'flag');
  if (given !== undefined) {
    throw new Refusal('setting_elsewhere', say().notHonoured({ setting: settingsTable[given].name }), {
      facts: { setting: given },
    });
  }
  return profile;
}

/** The environment for a program run by `exec`: it finds the sandbox, and nothing of the world outside it. */
function environmentFor({ env }: Ports, directory: string, profile: string, baseUrl: string): Env {
  const kept = Object.fromEntries(
    Object.entries(environmentWithoutKeys(env)).filter(
      ([name]) => !name.startsWith('SHOPCTL_') || variablesOfStyle.has(name),
    ),
  );
  return {
    ...kept,
    SHOPCTL_CONFIG_DIR: directory,
    SHOPCTL_STATE_DIR: join(directory, 'state'),
    SHOPCTL_PROFILE: profile,
    SHOPCTL_BASE_URL: baseUrl,
  };
}

const SIGNAL_EXITS: Readonly<Record<string, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGKILL: 137,
  SIGTERM: 143,
};

/** Runs a program against a fresh sandbox whose settings, data and record are in their own directory. */
async function runBeside(
  words: readonly string[],
  { seed, signedIn }: { readonly seed: SandboxStart['seed']; readonly signedIn: boolean },
  ports: Ports,
): Promise<number> {
  const { children, sandboxes, signal, settingsIn } = ports;
  const profile = profileForExec(ports);
  const directory = await children.directoryOfProgram();
  try {
    const running = await sandboxes.start({
      name: DEFAULT_NAME,
      port: 0,
      data: undefined,
      seed,
      signedIn,
      allowHosts: [],
      processGoesOn: true,
      stateDirectory: join(directory.path, 'state'),
      store: settingsIn(directory.path),
    });
    // A script that stops its sandbox means it, here too; the command goes on without it.
    const stopped = running.stopRequested.then(() => running.close());
    stopped.catch(() => {});
    try {
      const environment = environmentFor(ports, directory.path, profile, running.baseUrl);
      const end = await children.run(words, environment, signal, { started: directory.isUsedBy });
      return end.code ?? SIGNAL_EXITS[end.signal ?? ''] ?? 1;
    } finally {
      await running.close();
    }
  } finally {
    await directory.remove();
  }
}

export const exec = action({
  id: 'sandbox.exec',
  words: ['sandbox', 'exec'],
  summary: 'Run a command against a fresh sandbox that ends with it',
  description:
    'The command has SHOPCTL_* set and a config directory of its own; its exit code is passed on. --profile sandbox-shop runs it with the key of the demo shop instead of that of the demo partner.',
  examples: ['shopctl sandbox exec -- ./test.sh', 'shopctl sandbox exec --signed-in -- ./test.sh'],
  effect: 'program',
  mayAlso: ['store'],
  undo: { whyNot: 'what the program did is its own' },
  needs: [],
  diagnoses: true,
  input: z.object({
    command: list(text('A word'), 'the command and its arguments, after --'),
    seed: z.optional(seed),
    signed_in: z.optional(flag('with its first shop signed in through its partner, as after auth login')),
  }),
  output: silence,
  positional: ['command'],
  hints: { seed: seedHint, command: { mayBeEmpty: true } },
  async run({ command, seed = 'demo', signed_in: signedIn = false }, ports) {
    ports.intend({ command });
    ports.report.passOn(await runBeside(command, { seed, signedIn }, ports));
    return undefined;
  },
});
