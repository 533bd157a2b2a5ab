// The program of a process in which command lines run one after another, all that they reach being in the hands of the
// process that began it: the service, the questions, the clock. Bundled by `fleet.ts`.
import { createHash } from 'node:crypto';
import { run } from '../../../../src/main.ts';
import { nodeFiles } from '../../../../src/platform/files/node-files.ts';
import { TransportError, type WireRequest, type WireResponse } from '../../../../src/platform/http/transport.ts';
import { nodeChildren } from '../../../../src/platform/process/node-children.ts';
import { listenOnLoopback } from '../../../../src/platform/server/http-server.ts';
import { settingsIn } from '../../../../src/platform/settings/node-settings.ts';
import { PromptEnded } from '../../../../src/platform/terminal/prompter.ts';
import type { FromProcess, ToProcess } from './messages.ts';
import { killAtStatement } from './store-points.ts';

const { FASTER = '1', BEGAN = '0', STARTS = '0' } = process.env;
const [faster, began, starts] = [Number(FASTER), Number(BEGAN), Number(STARTS)];

/** Time passes faster than elsewhere, and equally so in all processes: nobody waits long, and leases stay comparable. */
const now = () => starts + Math.floor((Date.now() - began) * faster);

const clock = {
  now,
  wait: (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds / faster);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

const say = (message: FromProcess) => void process.send?.(message);

interface Open {
  resolve(value: WireResponse | string | boolean): void;
  reject(error: Error): void;
}

const open = new Map<number, Open>();
let asked = 0;
let stopping = new AbortController();

function ask(question: (call: number) => FromProcess): Promise<WireResponse | string | boolean> {
  asked += 1;
  const call = asked;
  return new Promise((resolve, reject) => {
    open.set(call, { resolve, reject });
    say(question(call));
  });
}

async function transport({ method, url, headers, body, signal }: WireRequest): Promise<WireResponse> {
  const aborted = () => new TransportError('aborted', 'maybe', 'the caller ended it');
  if (signal?.aborted) throw new TransportError('aborted', 'no', 'the caller ended it');
  const answer = ask((call) => ({ type: 'request', call, request: { method, url, headers: { ...headers }, body } }));
  const ended = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(aborted()), { once: true });
  });
  const response = await Promise.race([answer, ended]);
  if (typeof response !== 'object') throw new TypeError('no response');
  return response;
}

async function question(kind: string, message: string, initial = ''): Promise<string | boolean> {
  const answer = await ask((call) => ({ type: 'question', call, kind, message, initial }));
  return typeof answer === 'object' ? '' : answer;
}

const prompter = {
  text: async ({ message, initial }: { message: string; initial?: string }) =>
    String(await question('text', message, initial)),
  secret: async ({ message }: { message: string }) => String(await question('secret', message)),
  confirm: async ({ message }: { message: string }) => (await question('confirm', message)) === true,
  choose: async <Value>({
    message,
    choices,
  }: {
    message: string;
    choices: readonly { name: string; value: Value }[];
  }) => {
    const name = await question('choose', message);
    const choice = choices.find((each) => each.name === name) ?? choices[0];
    if (choice === undefined) throw new PromptEnded();
    return choice.value;
  },
  search: async <Value>({
    message,
    source,
  }: {
    message: string;
    source: (typed: string) => readonly { name: string; value: Value }[];
  }) => {
    const [choice] = source(String(await question('search', message)));
    if (choice === undefined) throw new PromptEnded();
    return choice.value;
  },
  textUntil: ({ message, signal }: { message: () => string; signal: AbortSignal }) =>
    Promise.race([
      question('text', message()).then(String),
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    ]),
};

function sink(type: 'stdout' | 'stderr', isTerminal: boolean) {
  return {
    closed: false,
    isTerminal,
    columns: isTerminal ? 100 : undefined,
    write: async (text: string) => say({ type, text }),
  };
}

async function start({ argv, env, stdin, terminal, directory, seed, killAtStore }: ToProcess & { type: 'run' }) {
  stopping = new AbortController();
  killAtStatement(killAtStore);
  let count = 0;
  const randomBytes = (length: number) => {
    const blocks: Buffer[] = [];
    while (blocks.length * 32 < length) blocks.push(createHash('sha256').update(`${seed} ${count++}`).digest());
    return Buffer.concat(blocks).subarray(0, length);
  };
  const exit = await run({
    argv,
    env,
    stdin: { readAll: async () => stdin, isTerminal: terminal },
    stdout: sink('stdout', terminal),
    stderr: sink('stderr', terminal),
    clock,
    random: () => 0.5,
    randomBytes,
    files: nodeFiles,
    prompter,
    signal: stopping.signal,
    transport,
    settingsIn: (place) => settingsIn(place),
    browser: { open: async () => ({ opened: false }) },
    listenOnLoopback,
    children: nodeChildren,
    began: now(),
    pid: process.pid,
    home: directory,
    workingDirectory: directory,
    platform: 'linux',
    version: '0.0.0-test',
  });
  say({ type: 'ended', exit });
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'run') {
    start(message).catch((error: Error) => say({ type: 'ended', exit: -1, error: String(error.stack) }));
    return;
  }
  if (message.type === 'keep') return;
  if (message.type === 'interrupt') return stopping.abort('SIGINT');
  const waiting = open.get(message.call);
  open.delete(message.call);
  if (message.type === 'answer') waiting?.resolve(message.value);
  else if (message.type === 'leave') waiting?.reject(new PromptEnded());
  else if (message.type === 'unsent') waiting?.reject(new TransportError('refused', 'no', 'nobody listens'));
  else waiting?.reject(new TransportError('closed', 'maybe', 'the connection was closed'));
});

say({ type: 'ready' });
