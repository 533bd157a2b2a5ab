import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import type { Context } from './cli/context.ts';
import { findJsonFault } from './domain/json/json-fault.ts';
import { run } from './main.ts';
import { nodeFiles } from './platform/files/node-files.ts';
import type { OpenTransport } from './platform/http/undici-transport.ts';
import { systemClock } from './platform/process/clock.ts';
import { nodeChildren } from './platform/process/node-children.ts';
import { type NodeWarnings, takeWarnings } from './platform/process/node-warnings.ts';
import { settingsIn } from './platform/settings/node-settings.ts';
import type { Prompter } from './platform/terminal/prompter.ts';
import { systemStreams } from './platform/terminal/streams.ts';
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

/** A signal that SIGINT and SIGTERM abort. A second one kills the process, as by default. */
function processSignal(): AbortSignal {
  const controller = new AbortController();
  // Each call in progress adds a listener; a batch has more than Node's default limit.
  setMaxListeners(0, controller.signal);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(name));
  return controller.signal;
}

/**
 * Runs the process's own command line; the only place besides bin that accesses `process`. A test's program replaces
 * parts of the context.
 */
export async function runProcess(
  replaced = (context: Context): Context => context,
  warnings: NodeWarnings = takeWarnings(),
): Promise<void> {
  const signal = processSignal();
  const { transport, close } = lazyTransport(process.env);
  const context: Context = {
    ...systemStreams(),
    argv: process.argv.slice(2),
    env: process.env,
    clock: systemClock,
    random: Math.random,
    randomBytes: (length) => randomBytes(length),
    files: nodeFiles,
    prompter: lazyPrompter(signal),
    signal,
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
    home: homedir(),
    workingDirectory: process.cwd(),
    platform: process.platform,
    version,
  };
  process.exitCode = await run(replaced(context));
  await close();
}
