import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { httpAnswer, rawServer } from '../support/raw-server.ts';
import { runHere } from '../support/run-here.ts';
import { type Attack, attacks, largestPages } from './hostile-service.ts';

// It has the shop's id, so that the ledger need not ask whose it is: with another one nothing would be sent.
const key = '1042:canary-3f9c/7d21ab88e0c4';

let program: BuiltProgram;
let usage: string;
/** What a read takes of the machine where the service answers as it should. */
let usual: Pick<Ended, 'megabytes' | 'seconds'>;
beforeAll(async () => {
  program = await buildProgram();
  usage = join(program.home, 'usage.cjs');
  // What the process has taken of the machine, told by itself at its end.
  writeFileSync(
    usage,
    `process.on('exit', () =>
       require('node:fs').writeFileSync(process.env.USAGE, JSON.stringify(process.resourceUsage())));`,
  );
  const server = await rawServer((socket) => void socket.end(httpAnswer(200, '{"id":"1","full_name":"An"}')));
  usual = await run(read, server.origin);
  await server.close();
});
afterAll(() => program.remove());

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Most memory that was in use, in MB. */
  readonly megabytes: number;
  /** Processor time, in seconds. */
  readonly seconds: number;
}

/**
 * How many times as much memory and processor time as usual an answer may take, which is at most a body of 4 MiB. What
 * reads such a body twice over takes some twenty times as long; what grows with its square, hours.
 */
const MOST_MEMORY = 4.5;
const MOST_PROCESSOR = 60;

let runs = 0;
function placeOfRun(): string {
  runs += 1;
  const place = join(program.home, String(runs));
  mkdirSync(place);
  return place;
}

const environment = (origin: string, limit: string) => ({
  SHOPCTL_BASE_URL: origin,
  SHOPCTL_AS: 'shop',
  SHOPCTL_API_KEY: key,
  SHOPCTL_TIMEOUT: limit,
  SHOPCTL_MAX_RETRIES: '0',
});

/** In this process, where an answer is too small to take anything of a machine. */
async function runSmall(words: readonly string[], origin: string): Promise<Ended> {
  const { code, stdout, stderr } = await runHere(placeOfRun(), words, environment(origin, '60'));
  return { exit: code, stdout, stderr, megabytes: 0, seconds: 0 };
}

async function run(words: readonly string[], origin: string, limit = '60'): Promise<Ended> {
  const place = placeOfRun();
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--require', usage, join(program.bin, 'shopctl.js'), ...words], {
    cwd: place,
    env: {
      PATH,
      USAGE: join(place, 'usage.json'),
      SHOPCTL_CONFIG_DIR: place,
      ...environment(origin, limit),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(join(place, 'usage.json'), 'utf8'));
  return { exit, stdout, stderr, megabytes: maxRSS / 1000, seconds: (userCPUTime + systemCPUTime) / 1e6 };
}

const read = ['customers', 'get', '1', '-o', 'json', '--debug'];
const write = ['customers', 'create', '--full-name', 'An', '--phone', '0901234567', '--external-id', 'CRM-1'];

function judge({ exit, stdout, stderr, megabytes, seconds }: Ended, expected: number, says?: RegExp): void {
  expect({ exit, stderr: stderr.slice(0, 2000) }).toMatchObject({ exit: expected });
  expect(stdout + stderr).not.toContain(key.slice(key.indexOf(':') + 1));
  expect(megabytes).toBeLessThan(MOST_MEMORY * usual.megabytes);
  expect(seconds).toBeLessThan(MOST_PROCESSOR * usual.seconds);
  if (expected === 0) return;
  expect(stdout).toBe('');
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !/^(?:debug: |\{"debug":)/.test(line));
  const failure = lines.find((line) => /^(?:shopctl: error: |\{"error":)/.test(line));
  // A write also says its name, its look-up, the id to settle it by, and what drifted.
  expect(lines.length).toBeLessThanOrEqual(expected === 10 ? 7 : 5);
  expect(stderr).not.toMatch(/\n\s+at |bug in shopctl/);
  if (says !== undefined) expect(failure).toMatch(says);
}

/** Every attack is on a write, which decides about money; every other one on a read too, which decodes in the same way. */
async function attacked(place: number, { answer, read: ofRead, write: ofWrite, says, isLarge }: Attack): Promise<void> {
  const isRead = place % 2 === 0;
  const server = await rawServer((socket, _, request) => {
    // Asked which sandbox it is, it is none: what is attacked is the write.
    if (request.includes('VersionInfo')) socket.write(httpAnswer(200, '{}'));
    else answer(socket);
  });
  try {
    // Only what never ends is waited for, and alone: a flood for the one would keep the other's first call waiting.
    const endless = says?.test('did not answer within 2 s') === true;
    const runOne = isLarge ? run : runSmall;
    const reads = () => runOne(read, server.origin, endless ? '2' : '60');
    const writes = () => runOne(write, server.origin, endless ? '2' : '60');
    // What is endless is waited for alone.
    const reading = isRead ? reads() : undefined;
    if (endless) await reading;
    const writing = await writes();
    if (reading !== undefined) judge(await reading, ofRead, says);
    judge(writing, ofWrite, isRead ? undefined : says);
    // A write that may have happened is never sent again.
    expect(server.requests.filter((request) => request.includes('CreateCustomer'))).toHaveLength(1);
  } finally {
    await server.close();
  }
}

it.each(attacks.map((attack, place) => [attack.name, place, attack] as const))(
  'a service that answers with %s ends a write as it should, and a read',
  (_, place, attack) => attacked(place, attack),
);

it.each(Object.entries(largestPages))(
  'the largest page of a list, with %s, takes no more memory or time',
  async (_, answer) => {
    const server = await rawServer(answer);
    try {
      for (const format of ['json', 'table']) {
        // The time of the machine is no matter here: what is measured is the program's own.
        const words = ['customers', 'list', '--limit', '3', '-o', format];
        judge(await run(words, server.origin), 0);
      }
    } finally {
      await server.close();
    }
  },
);
