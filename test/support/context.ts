import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { run } from '../../src/main.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { nodeChildren } from '../../src/platform/node-children.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import { listenOnLoopback } from '../../src/platform/node-loopback-server.ts';
import { settingsIn } from '../../src/platform/node-settings.ts';
import type { Settings } from '../../src/platform/settings.ts';
import { fixedRandom } from './sandbox.ts';
import { type ScriptedAnswer, type ScriptedPrompter, scriptedPrompter } from './scripted-prompter.ts';
import { memorySink } from './sinks.ts';
import { standingClock } from './standing-clock.ts';

/** How a run ended and what it said. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly prompter: ScriptedPrompter;
}

/** What a run may differ in. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The text of stdin. */
  readonly stdin?: string;
  /** Whether a person sits at a terminal; absent, nothing is one. */
  readonly terminal?: boolean;
  /** Width of the terminal, 100 when absent. */
  readonly columns?: number;
  /** What the person answers. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Called with each address that a browser shall open; answers whether there is one. */
  readonly browse?: (url: string) => boolean;
  /** Called with each text that goes to stdout. */
  readonly onStdout?: (text: string) => void;
  /** Called with each text that goes to stderr. */
  readonly onStderr?: (text: string) => void;
}

/** A machine with a home of its own on which command lines are run inside the test's process. */
export interface TestMachine {
  /** The directory of the settings; it is removed with the test. */
  readonly directory: string;
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  /** The settings as they stand. */
  settings(): Promise<Settings>;
  save(settings: Settings): Promise<void>;
}

/** A machine whose service is the given transport, `sandbox.handle` for example. */
export function testMachine(transport: Context['transport']): TestMachine {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = settingsIn(directory);
  // One for all runs of the machine: what two of them make must not be the same.
  const randomBytes = fixedRandom('context');
  return {
    directory,
    settings: () => store.read(),
    save: async (settings) => void (await store.update(() => settings)),
    async run(words, options = {}) {
      const { terminal = false, stdin = '', answers = [], env = {} } = options;
      const columns = terminal ? { columns: options.columns ?? 100 } : {};
      const stdout = memorySink({ ...columns, ...(options.onStdout ? { onWrite: options.onStdout } : {}) });
      const stderr = memorySink({ ...columns, ...(options.onStderr ? { onWrite: options.onStderr } : {}) });
      const prompter = scriptedPrompter(...answers);
      const exit = await run({
        argv: words,
        env: { SHOPCTL_CONFIG_DIR: directory, ...env },
        stdin: { readAll: async () => stdin, isTerminal: terminal },
        stdout,
        stderr,
        clock: options.clock ?? standingClock(),
        random: () => 0.5,
        randomBytes,
        files: nodeFiles,
        prompter: prompter.prompter,
        signal: options.signal ?? new AbortController().signal,
        transport,
        settingsIn: (place) => settingsIn(place),
        browser: { open: async (url) => ({ opened: options.browse?.(url) ?? false }) },
        listenOnLoopback,
        children: nodeChildren,
        pid: process.pid,
        home: directory,
        workingDirectory: directory,
        platform: 'linux',
        version: '0.0.0-test',
      });
      return { exit, stdout: stdout.text, stderr: stderr.text, prompter };
    },
  };
}
