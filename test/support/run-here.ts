import { randomBytes } from 'node:crypto';
import { run } from '../../src/main.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { impatientClock } from './impatient-clock.ts';
import { scriptedPrompter } from './scripted-prompter.ts';
import { memorySink } from './sinks.ts';

/** How a command line ended. */
export interface RanHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line as the program does, with its own transport over real sockets and the real disk, but in the test's
 * process, and waits less: for what needs no process of its own to be killed or to run out of something.
 */
export async function runHere(
  directory: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RanHere> {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const { transport, close } = createTransport({ proxies: {} });
  const code = await run({
    argv: words,
    env: { HOME: directory, SHOPCTL_CONFIG_DIR: directory, ...env },
    stdin: { readAll: async () => '', isTerminal: false },
    stdout,
    stderr,
    clock: impatientClock,
    random: () => 0.5,
    randomBytes: (length) => randomBytes(length),
    files: nodeFiles,
    prompter: scriptedPrompter().prompter,
    signal: new AbortController().signal,
    transport,
    settingsIn: (place) => settingsIn(place),
    browser: { open: async () => ({ opened: false }) },
    listenOnLoopback,
    children: nodeChildren,
    pid: process.pid,
    home: directory,
    workingDirectory: directory,
    platform: process.platform,
    version: '0.0.0-test',
  });
  await close();
  return { code, stdout: stdout.text, stderr: stderr.text };
}
