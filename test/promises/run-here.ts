import { randomBytes } from 'node:crypto';
import { run } from '../../src/main.ts';
import { nodeChildren } from '../../src/platform/children/node-children.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { listenOnLoopback } from '../../src/platform/server/node-loopback-server.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { scriptedPrompter } from '../support/scripted-prompter.ts';
import { memorySink } from '../support/sinks.ts';
import type { Ran } from './stage.ts';

/**
 * Runs a command line as the program does, with its own transport over real sockets, the real disk and the real clock,
 * but in the test's process: for what needs no process of its own to be killed or to run out of something.
 */
export async function runHere(directory: string, words: readonly string[]): Promise<Ran> {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const { transport, close } = createTransport({ proxies: {} });
  const code = await run({
    argv: words,
    env: { HOME: directory, SHOPCTL_CONFIG_DIR: directory },
    stdin: { readAll: async () => '', isTerminal: false },
    stdout,
    stderr,
    clock: systemClock,
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
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text, points: [] };
}
