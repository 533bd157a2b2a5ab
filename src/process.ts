import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Context } from './cli/context.ts';
import { findJsonFault } from './domain/json/json-fault.ts';
import { codeOfBug, reportBug, run } from './main.ts';
import { nodeFiles } from './platform/files/node-files.ts';
import type { OpenTransport } from './platform/http/undici-transport.ts';
import { startTimer, systemClock } from './platform/process/clock.ts';
import { untilAborted } from './platform/process/interruptible.ts';
import { nodeChildren } from './platform/process/node-children.ts';
import { type NodeWarnings, takeWarnings } from './platform/process/node-warnings.ts';
import { settingsIn } from './platform/settings/node-settings.ts';
import type { Prompter } from './platform/terminal/prompter.ts';
import { type Source, systemStreams } from './platform/terminal/streams.ts';
import { version } from './version.ts';

/** A transport that loads undici for its first request, and a way to close it. */
function lazyTransport(env: NodeJS.ProcessEnv) {
  let opened: Promise<OpenTransport> | undefined;
  const open = async () => {
    const [{ createTransport }, { proxyVariables }] = await Promise.all([
      import('./platform/http/undici-transport.ts'),
      import('./platform/http/proxy.ts'),
    ]);
    return createTransport({ proxies: proxyVariables(env) });
  };
  return {
    transport: async (request: Parameters<Context['transport']>[0]) => {
      opened ??= open();
      return (await opened).transport(request);
    },
    close: async () => (await opened)?.close(),
  };
}

const loadBrowser = async () =>
  (await import('./platform/process/node-browser.ts')).nodeBrowser(process.env, process.platform);

/** A prompter that loads inquirer for its first question. */
function lazyPrompter(signal: AbortSignal): Prompter {
  const load = async () => (await import('./platform/terminal/node-prompter.ts')).nodePrompter({ signal });
  return {
    text: async (question) => (await load()).text(question),
    textUntil: async (question) => (await load()).textUntil(question),
    secret: async (question) => (await load()).secret(question),
    confirm: async (question) => (await load()).confirm(question),
    choose: async (question) => (await load()).choose(question),
    search: async (question) => (await load()).search(question),
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is still awaited after a second signal, such as a line on its way to the terminal, has this long. */
const LAST_MOMENT_MS = 2_000;

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP aborts, and one for the second: nothing is awaited then. A third one,
 * or a moment, kills the process as by default, whatever it does.
 */
function processSignals(): { readonly signal: AbortSignal; readonly again: AbortSignal } {
  const [first, second] = [new AbortController(), new AbortController()];
  // Each call in progress adds a listener; a batch has more than Node's default limit.
  setMaxListeners(0, first.signal, second.signal);
  const hear = (name: (typeof SIGNALS)[number]) => {
    if (!first.signal.aborted) return first.abort(name);
    second.abort(name);
    for (const each of SIGNALS) process.off(each, hear);
    startTimer(LAST_MOMENT_MS, () => process.kill(process.pid, name)).unref();
  };
  for (const name of SIGNALS) process.on(name, hear);
  // Beyond the limit of file sizes (`ulimit -f`) a write fails, which is told, instead of killing the process within it.
  process.on('SIGXFSZ', () => {});
  return { signal: first.signal, again: second.signal };
}

/**
 * Ends the process as a failure of its run for what nothing has caught, and where nothing is left that could end the run.
 * Returns what says that the run has ended: its result stands whatever fails behind it.
 */
function endByBugs(context: Context): () => void {
  let isOver = false;
  const end = (thrown: unknown) => {
    if (isOver) return;
    isOver = true;
    process.exitCode = codeOfBug(context);
    startTimer(LAST_MOMENT_MS, () => process.exit());
    reportBug(context, thrown).then(
      (code) => process.exit(code),
      () => process.exit(),
    );
  };
  process.on('uncaughtException', end);
  process.once('beforeExit', () => end(new Error('it stopped before it had ended')));
  return () => {
    isOver = true;
  };
}

/** No directory, and nothing is in it. */
const NOWHERE = '/dev/null';

/** The home directory; empty for a user who has none: whoever names all directories needs none. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** The name of the user; empty for one who has none. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** The working directory; once it was deleted where it was, and no file is found in it. */
function directoryOfWork(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD } = process.env;
    return PWD !== undefined && isAbsolute(PWD) ? PWD : NOWHERE;
  }
}

/** Lines until the signal is aborted: then they have ended. */
async function* untilEnded(
  signal: AbortSignal,
  lines: AsyncIterable<string> | readonly string[],
): AsyncGenerator<string> {
  const iterator = (async function* () {
    yield* lines;
  })();
  for (;;) {
    const next = await untilAborted(signal, iterator.next()).catch((error: unknown) => {
      if (signal.aborted) return { done: true } as const;
      throw error;
    });
    if (next.done === true) return;
    yield next.value;
  }
}

/** A source whose reader stops waiting when the signal is aborted. */
const interruptibly = (stdin: Source, signal: AbortSignal): Source => ({
  readAll: () => untilAborted(signal, stdin.readAll()),
  ...(stdin.lines === undefined ? {} : { lines: () => untilEnded(signal, stdin.lines?.() ?? []) }),
  isTerminal: stdin.isTerminal,
});

/**
 * Runs the process's own command line; the only place besides bin that accesses `process`. A test's program replaces
 * parts of the context.
 */
export async function runProcess(
  replaced = (context: Context): Context => context,
  warnings: NodeWarnings = takeWarnings(),
): Promise<void> {
  const { signal, again } = processSignals();
  const { transport, close } = lazyTransport(process.env);
  const { stdin, stdout, stderr } = systemStreams();
  const context: Context = {
    stdin: interruptibly(stdin, signal),
    stdout,
    stderr,
    argv: process.argv.slice(2),
    env: process.env,
    clock: systemClock,
    random: Math.random,
    randomBytes: (length) => randomBytes(length),
    files: nodeFiles,
    prompter: lazyPrompter(signal),
    signal,
    again,
    transport,
    settingsIn: (directory) => settingsIn(directory, { findFault: findJsonFault }),
    browser: { open: async (url) => (await loadBrowser()).open(url) },
    listenOnLoopback: async (answer) => (await import('./platform/server/http-server.ts')).listenOnLoopback(answer),
    children: nodeChildren,
    warnings,
    get began() {
      return performance.timeOrigin;
    },
    pid: process.pid,
    home: homeOfUser(),
    get user() {
      return nameOfUser();
    },
    workingDirectory: directoryOfWork(),
    platform: process.platform,
    version,
  };
  const used = replaced(context);
  const ended = endByBugs(used);
  const code = await run(used);
  ended();
  process.exitCode = code;
  await close();
  // What was not awaited, such as a connection that hangs, keeps no process alive that a signal has ended.
  if (signal.aborted) setImmediate(() => process.exit());
}
