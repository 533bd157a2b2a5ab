import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import type { Spoken } from '../../src/domain/language.ts';
import { run } from '../../src/main.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import type { Settings } from '../../src/platform/settings/settings.ts';
import { fixedRandom } from './sandbox.ts';
import { type ScriptedAnswer, type ScriptedPrompter, scriptedPrompter } from './scripted-prompter.ts';
import { memorySink } from './sinks.ts';
import { standingClock } from './standing-clock.ts';

/** The exit code and output of a run. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly prompter: ScriptedPrompter;
}

/** Options of a run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The text of stdin. */
  readonly stdin?: string;
  /** Lines of stdin, as they come. */
  readonly lines?: AsyncIterable<string>;
  /** Whether a person sits at a terminal; when absent, no stream is a terminal. */
  readonly terminal?: boolean;
  /** Whether stderr goes elsewhere, as with `2> FILE`. */
  readonly redirected?: boolean;
  /** Width of the terminal, 100 when absent. */
  readonly columns?: number;
  /** The person's answers. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Called with each address to open in a browser; returns whether there is a browser. */
  readonly browse?: (url: string) => boolean;
  /** Called with each text written to stdout. */
  readonly onStdout?: (text: string) => void;
  /** Called with each text written to stderr. */
  readonly onStderr?: (text: string) => void;
  /** The language of the run whatever the settings say. */
  readonly spoken?: Spoken;
  /** The platform, whose own places are meant then: only `env` says where they are. Linux when absent. */
  readonly platform?: string;
}

/** A machine with its own home directory on which command lines run in the test's process. */
export interface TestMachine {
  /** The directory of the settings; removed after the test. */
  readonly directory: string;
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  /** The current settings. */
  settings(): Promise<Settings>;
  save(settings: Settings): Promise<void>;
}

/** A machine whose service is the given transport, for example `sandbox.handle`. */
export function testMachine(transport: Context['transport']): TestMachine {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = settingsIn(directory);
  // Shared by all runs of the machine: two of them must not generate the same values.
  const randomBytes = fixedRandom('context');
  return {
    directory,
    settings: () => store.read(),
    // As they are stored, without the lock and the care for other processes: this is done for almost every test.
    save: async (settings) => writeFileSync(store.path, JSON.stringify(settings), { mode: 0o600 }),
    async run(words, options = {}) {
      const { terminal = false, stdin = '', answers = [], env = {} } = options;
      const columns = terminal ? { columns: options.columns ?? 100 } : {};
      const stdout = memorySink({ ...columns, ...(options.onStdout ? { onWrite: options.onStdout } : {}) });
      const stderr = memorySink({
        ...(options.redirected === true ? {} : columns),
        ...(options.onStderr ? { onWrite: options.onStderr } : {}),
      });
      const prompter = scriptedPrompter(...answers);
      const exit = await run({
        argv: words,
        env: options.platform === undefined ? { SHOPCTL_CONFIG_DIR: directory, ...env } : env,
        stdin: {
          readAll: async () => stdin,
          isTerminal: terminal,
          ...(options.lines === undefined ? {} : { lines: () => options.lines ?? ([] as never) }),
        },
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
        user: 'lan',
        workingDirectory: directory,
        platform: options.platform ?? 'linux',
        version: '0.0.0-test',
        ...(options.spoken === undefined ? {} : { spoken: options.spoken }),
      });
      return { exit, stdout: stdout.text, stderr: stderr.text, prompter };
    },
  };
}
