import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { formats } from '../kinds.ts';
import type { Hands } from '../work.ts';
import type { FromProcess, ToProcess } from './messages.ts';
import { FleetPiece } from './piece.ts';

/** How much faster time passes for the processes than for the test, where nothing else is said. */
const FASTER = 20;

/** When the service's calendar begins. */
const STARTS = Date.parse('2026-01-31T08:00:00Z');

/** A process that runs command lines of the program, one at a time. */
export interface Hand {
  readonly pid: number;
  send(message: ToProcess): void;
  /** Who is told what the process tells; there is one at a time. */
  listener: (message: FromProcess | { readonly type: 'gone' }) => void;
  /** Ends it as a power cut would; resolves when the system has let go of all that it held. */
  kill(): Promise<void>;
}

/** Processes that are kept ready, since to start one takes longer than most command lines. */
export interface Fleet extends Hands {
  take(): Promise<Hand>;
  /** Gives one back whose command line has ended by itself. */
  giveBack(hand: Hand): void;
  remove(): Promise<void>;
}

/** After so many command lines, what was compiled by then is kept for the processes to come. */
const keepsCodeAfter = [3, 60];

/** A process that has run so many is not used again: nothing may pile up in it. */
const MOST_RUNS = 60;

/**
 * Loads the program with what V8 compiled of it in an earlier process, which is more than half of what a new process
 * would do before its first command line has ended.
 */
const loader = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { Script } = require('node:vm');
const filename = __dirname + '/commands-process.cjs';
const kept = filename + '.kept';
const cachedData = existsSync(kept) ? readFileSync(kept) : undefined;
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(filename), module_, filename, __dirname);
process.on('disconnect', () => process.exit());
process.on('message', ({ type }) => {
  if (type !== 'keep') return;
  writeFileSync(kept + process.pid, script.createCachedData());
  renameSync(kept + process.pid, kept);
});
`;

async function bundleInto(directory: string): Promise<string> {
  await build({
    entryPoints: { 'commands-process': resolve('test/promises/interleavings/fleet/commands-process.ts') },
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outExtension: { '.js': '.cjs' },
    external: ['better-sqlite3'],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
  // The native driver is found from where the program lies.
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const program = join(directory, 'loader.cjs');
  writeFileSync(program, loader);
  return program;
}

interface Member extends Hand {
  readonly ready: Promise<void>;
  readonly child: ChildProcess;
  runs: number;
}

function begin(program: string, began: number, faster: number): Member {
  const child = fork(program, [], {
    execArgv: [],
    env: { PATH: process.env.PATH, FASTER: `${faster}`, BEGAN: `${began}`, STARTS: `${STARTS}` },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const member: Member = {
    child,
    pid: child.pid ?? 0,
    runs: 0,
    listener: () => {},
    ready: new Promise((done) => child.once('message', () => done())),
    send: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
  child.on('message', (message: FromProcess) => member.listener(message));
  child.once('exit', () => member.listener({ type: 'gone' }));
  return member;
}

/** Bundles the program of the sources, and keeps so many processes of it ready. */
export async function openFleet(spare: number, faster = FASTER): Promise<Fleet> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-fleet-'));
  const program = await bundleInto(directory);
  const began = Date.now();
  const idle: Member[] = [];
  const all = new Set<Member>();
  let given = 0;
  const fill = () => {
    while (idle.length < spare) {
      const member = begin(program, began, faster);
      all.add(member);
      idle.push(member);
    }
  };
  fill();
  const fleet: Fleet = {
    openScratch: () => mkdtempSync(join(tmpdir(), 'shopctl-interleaved-')),
    closeScratch: (path) => rmSync(path, { recursive: true, force: true }),
    formats,
    piece: (work, service) => new FleetPiece(work, service, fleet),
    now: () => STARTS + Math.floor((Date.now() - began) * faster),
    async take() {
      const member = idle.shift() ?? begin(program, began, faster);
      all.add(member);
      fill();
      await member.ready;
      member.runs += 1;
      return member;
    },
    giveBack(hand) {
      const member = [...all].find((one) => one === hand);
      if (member === undefined) return;
      member.listener = () => {};
      given += 1;
      if (keepsCodeAfter.includes(given)) member.send({ type: 'keep' });
      if (member.runs < MOST_RUNS && idle.length < spare * 2) idle.unshift(member);
      else void member.kill().then(() => all.delete(member));
    },
    async remove() {
      await Promise.all([...all].map((member) => member.kill()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return fleet;
}
