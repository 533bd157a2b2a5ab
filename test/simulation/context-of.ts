import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../../src/cli/context.ts';
import { acquireLock } from '../../src/platform/files/file-lock.ts';
import { FileError, type Files } from '../../src/platform/files/files.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import type { SimProcess } from './scheduler.ts';
import { clockOf } from './substitutes/clock.ts';
import { simulatedBytes, simulatedRandom } from './substitutes/globals.ts';

/** The machine's files, without waiting for its disk in between. */
const files: Files = {
  async read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new FileError(path, 'ENOENT', `no such file: ${path}`, { cause: error });
    }
  },
  async write(path, content) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.draft`, content);
    renameSync(`${path}.draft`, path);
  },
  async append(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'a' });
    return readFileSync(path).length;
  },
  async list(directory) {
    try {
      return readdirSync(directory).sort();
    } catch {
      return [];
    }
  },
  freeBytes: async () => undefined,
  isWritable: async () => true,
  remove: async (path) => rmSync(path, { force: true }),
  async lock(path, timeoutMs) {
    mkdirSync(dirname(path), { recursive: true });
    const lock = await acquireLock(path, { timeoutMs });
    return () => lock.release();
  },
};

/** What a piece of work shows of itself, and is asked. */
export interface Outside {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly terminal: boolean;
  readonly signal: AbortSignal;
  readonly transport: Transport;
  wrote(stream: 'stdout' | 'stderr', text: string): void;
  ask(kind: string, message: string, initial: string): Promise<string | boolean>;
}

function prompterOf(ask: Outside['ask']): Context['prompter'] {
  return {
    text: async ({ message, initial = '' }) => String(await ask('text', message, initial)),
    secret: async ({ message }) => String(await ask('secret', message, '')),
    confirm: async ({ message }) => (await ask('confirm', message, '')) === true,
    async choose({ message, choices }) {
      const name = await ask('choose', message, '');
      const choice = choices.find((each) => each.name === name) ?? choices[0];
      if (choice === undefined) throw new PromptEnded();
      return choice.value;
    },
    async search({ message, source }) {
      const [choice] = source(String(await ask('search', message, '')));
      if (choice === undefined) throw new PromptEnded();
      return choice.value;
    },
    textUntil: ({ message, signal }) =>
      Promise.race([
        ask('text', message(), '').then(String),
        new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
      ]),
  };
}

const nothing = () => {
  throw new Error('a simulated process has none');
};

/** Everything that a command line reaches, in the hands of the scheduler. */
export function contextOf(process: SimProcess, outside: Outside): Context {
  const { argv, env, directory, terminal, signal, transport } = outside;
  const sink = (stream: 'stdout' | 'stderr') => ({
    closed: false,
    isTerminal: terminal,
    columns: terminal ? 100 : undefined,
    write: (text: string) =>
      stream === 'stderr'
        ? Promise.resolve(outside.wrote(stream, text))
        : process.waitFor('output', 'stdout', () => outside.wrote(stream, text)),
  });
  return {
    argv,
    env: { SHOPCTL_CONFIG_DIR: directory, ...env },
    stdin: { readAll: async () => '', isTerminal: terminal },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    clock: clockOf(() => process),
    random: simulatedRandom,
    randomBytes: simulatedBytes,
    files,
    prompter: prompterOf(outside.ask),
    signal,
    transport,
    settingsIn: (place) => settingsIn(place),
    browser: { open: async () => ({ opened: false }) },
    listenOnLoopback: nothing,
    children: {
      ownProgram: [],
      run: nothing,
      detach: nothing,
      isRunning: () => false,
      temporaryDirectory: nothing,
      directoryOfProgram: nothing,
    },
    began: process.now(),
    pid: 1_000 + process.number,
    home: directory,
    workingDirectory: directory,
    platform: 'linux',
    version: '0.0.0-test',
  };
}
