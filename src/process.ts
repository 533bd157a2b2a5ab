import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Context } from './cli/context.ts';
import { findJsonFault } from './domain/json-fault.ts';
import { run } from './main.ts';
import { systemClock } from './platform/clock.ts';
import { nodeChildren } from './platform/node-children.ts';
import { nodeFiles } from './platform/node-files.ts';
import { settingsIn } from './platform/node-settings.ts';
import { systemStreams } from './platform/node-streams.ts';
import type { Prompter } from './platform/prompter.ts';
import type { OpenTransport } from './platform/undici-transport.ts';

function versionOfPackage(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/** A transport that loads undici with its first request, and the end of it. */
function lazyTransport(env: NodeJS.ProcessEnv) {
  let opened: Promise<OpenTransport> | undefined;
  const open = async () => {
    const [{ createTransport }, { proxyVariables }] = await Promise.all([
      import('./platform/undici-transport.ts'),
      import('./platform/proxy.ts'),
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

/** A prompter that loads inquirer with its first question. */
function lazyPrompter(signal: AbortSignal): Prompter {
  const load = async () => (await import('./platform/node-prompter.ts')).nodePrompter({ signal });
  return {
    text: async (question) => (await load()).text(question),
    secret: async (question) => (await load()).secret(question),
    confirm: async (question) => (await load()).confirm(question),
    choose: async (question) => (await load()).choose(question),
    search: async (question) => (await load()).search(question),
  };
}

/** The signal that SIGINT and SIGTERM abort. A second one ends the process at once, as if nobody listened. */
function processSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(name));
  return controller.signal;
}

/** Runs the process's own command line; the only place beside bin that knows `process`. */
export async function runProcess(): Promise<void> {
  const signal = processSignal();
  const { transport, close } = lazyTransport(process.env);
  process.exitCode = await run({
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
    children: nodeChildren,
    pid: process.pid,
    home: homedir(),
    workingDirectory: process.cwd(),
    platform: process.platform,
    version: versionOfPackage(),
  });
  await close();
}
