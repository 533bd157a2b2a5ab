import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { programOfThisRun } from '../once/made-once.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import type { TestSandbox } from '../support/sandbox.ts';
import { manyOrders } from './batch-world.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** What may befall a run. */
export interface Doom {
  /** The number of the point at which it kills itself. */
  readonly at?: number;
  /** Only points of the journal count. */
  readonly onlyJournal?: boolean;
  /** It is killed from outside, so many milliseconds after it said its first word. */
  readonly afterMs?: number;
  /** It is killed from outside when this has come. */
  readonly when?: Promise<unknown>;
  /** What is let go once it has ended, and not before. */
  readonly afterwards?: () => unknown;
  /** The number of the commit from which on the disk is full. */
  readonly fullAt?: number;
}

/** How a run ended. */
export interface Ended {
  readonly code: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with the program and a workspace of its own. */
export interface Machine {
  readonly directory: string;
  run(words: readonly string[], doom?: Doom): Promise<Ended>;
}

/** The program that kills itself, and machines that are removed with it. */
export async function killableProgram() {
  const { home, line, remove } = await buildProgram(programOfThisRun('killable'));
  let machines = 0;
  return {
    remove,
    async machine(baseUrl: string, apiKey: string, workspace?: string): Promise<Machine> {
      machines += 1;
      const directory = join(home, `machine-${machines}`);
      mkdirSync(directory, { mode: 0o700 });
      await settingsIn(directory).update(() => ({
        version: 1,
        current_profile: 'shop',
        profiles: { shop: { kind: 'shop', base_url: baseUrl, api_key: apiKey } },
      }));
      const env = {
        PATH: process.env.PATH,
        HOME: directory,
        SHOPCTL_CONFIG_DIR: directory,
        PROJECT: project,
        ...(workspace === undefined ? {} : { SHOPCTL_WORKSPACE: workspace }),
      };
      return { directory, run: (words, doom) => runDoomed(line(...words), env, doom) };
    },
  };
}

async function runDoomed(
  line: ReturnType<BuiltProgram['line']>,
  env: Readonly<Record<string, string | undefined>>,
  { at, onlyJournal, fullAt, afterMs, when, afterwards }: Doom = {},
): Promise<Ended> {
  const points = `${env.SHOPCTL_CONFIG_DIR}/points-${randomUUID()}`;
  const child = spawn(...line, {
    env: {
      ...env,
      ...(at === undefined ? {} : { KILL_AT: String(at), POINTS: points }),
      ...(onlyJournal === true ? { KILL_ON: 'journal' } : {}),
      ...(fullAt === undefined ? {} : { FULL_AT: String(fullAt) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  let timer: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  child.stderr.on('data', (chunk) => {
    err.push(String(chunk));
    if (afterMs !== undefined) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  const closed = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  when?.then(kill, kill);
  const [code, signal] = await closed;
  await when;
  await afterwards?.();
  rmSync(points, { force: true });
  clearTimeout(timer);
  return { code, killed: signal === 'SIGKILL', stdout: out.join(''), stderr: err.join('') };
}

/** The referee: how often each recipient has a live order, asked of the service and of nobody else. */
export async function ordersByPhone({ post, shop }: TestSandbox): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after = '.'; ; ) {
    const { body } = await post('shop.Order/ListOrders', { paging: { after } }, shop.apiKey);
    for (const { status, shipping_address } of body.orders) {
      if (status !== 'N') counts.set(shipping_address.phone, (counts.get(shipping_address.phone) ?? 0) + 1);
    }
    if (body.orders.length === 0) return counts;
    after = body.paging.next;
  }
}

/** What the referee says of a service that should have so many orders. */
export async function judged(service: TestSandbox, expected: number) {
  const counts = await ordersByPhone(service);
  const twice = [...counts].filter(([, count]) => count > 1);
  return { orders: counts.size, twice, missing: expected - counts.size };
}

/** What a campaign came to: what it did, and everything that was not as promised. */
export interface Campaign {
  readonly kills: number;
  readonly rows: number;
  readonly wrong: readonly unknown[];
}

/** How long a run may go on that is killed from outside, once it has said something. */
const MOST_MS = 400;
/** More than a row of a run passes, so that some runs end before they are killed. */
const POINTS_A_ROW = 7;
const MOST_ROWS_OF_A_SHEET = 300;
/** Of those that only give the last kills something to kill. */
const ROWS_OF_A_LATER_SHEET = 10;

/**
 * The first one is amid its sending: each row passes three points while it is quoted, and three while it is sent. Of rows
 * with names others are from outside than of those without.
 */
function doomOf(kill: number, size: number, named: boolean, random: () => number): Doom {
  if (kill === 0) return { at: 5 * size };
  const isFromOutside = kill % 4 === (named ? 1 : 3);
  return isFromOutside ? { afterMs: random() * MOST_MS } : { at: Math.floor(random() * (POINTS_A_ROW * size + 20)) };
}

/**
 * Runs sheets of orders and kills the runs until there were so many kills; every fourth from outside, the others at one
 * of their points. A run that ends ends its sheet, and the next one begins. All sheets are finished, and each tells what it did.
 */
export async function killAndResume(
  machine: Machine,
  {
    kills,
    rows,
    named,
    random,
    flags,
    afterKill = () => {},
  }: {
    readonly kills: number;
    /** How many rows there are at least; more where they are all done and not all kills were. */
    readonly rows: number;
    readonly named: boolean;
    readonly random: () => number;
    readonly flags: readonly string[];
    /** What passes before the next run begins. */
    readonly afterKill?: () => Promise<void> | void;
  },
): Promise<Campaign> {
  const file = join(machine.directory, 'orders.csv');
  const words = ['batch', 'run', file, '--pick', 'cheapest', '--yes', '--concurrency', '8', '-o', 'json', ...flags];
  const wrong: unknown[] = [];
  let [killed, written, size] = [0, 0, 0];
  const finished = (ended: Ended) => {
    const reported = ended.code === 0 ? JSON.parse(ended.stdout).counts : undefined;
    // What a batch sent and finds again is its own: done, and not `existed`.
    const isWhole = reported?.done === size && reported.rows === size && reported.existed === 0 && reported.left === 0;
    if (!isWhole) wrong.push(reported ?? [ended.code, ended.stderr]);
  };
  while (wrong.length === 0 && (killed < kills || written < rows)) {
    size = written < rows ? Math.min(MOST_ROWS_OF_A_SHEET, rows - written) : ROWS_OF_A_LATER_SHEET;
    writeFileSync(file, manyOrders(size, named, written + 1));
    written += size;
    let ended: Ended | undefined;
    while (ended === undefined && killed < kills) {
      const run = await machine.run(words, doomOf(killed, size, named, random));
      if (run.killed) {
        killed += 1;
        await afterKill();
      } else ended = run;
    }
    finished(ended ?? (await machine.run(words)));
  }
  return { kills: killed, rows: written, wrong };
}
