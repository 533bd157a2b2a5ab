// Plays the worlds of some seeds, and prints what came of them as one line of JSON. Bundled by bundle.mjs, which puts
// the scheduler in the place of the machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { play } from '../promises/interleavings/play.ts';
import { Dice } from '../promises/interleavings/world.ts';
import { SimWorld, stage } from './scheduler.ts';
import { SimPiece } from './sim-piece.ts';
import { freshStore, plantStore } from './stores.ts';
import { closeIdle } from './substitutes/sqlite-connection.ts';

/** When the calendar of every world begins. */
const STARTS = Date.parse('2026-01-31T08:00:00Z');
/** How likely each step of a world with crashes kills the process whose turn it is. */
const CRASHES = 0.003;
/** How likely each step of a world with bad clocks sets the clock of the process whose turn it is. */
const JUMPS = 0.02;
/** How likely each write of a world with small disks finds no room. */
const FULL_DISKS = 0.01;

/** How many machines begin without a store, which their first commands make; the others have an empty one. */
const FROM_NOTHING = 0.2;

/** What came of a world. */
interface Ended {
  readonly trace: string;
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly steps: number;
}

/** Without what differs between two runs: where its files lie. */
const placeless = (text: string) =>
  text.replaceAll(/\/\S*shopctl-simulation-\w+|\/?shopctl-interleaved-\w+|machine-\w+/g, '');

async function playWorld(seed: number, directory: string, fresh: Buffer): Promise<Ended> {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const dice = new Dice(seed + 1_000_000);
  const world = new SimWorld(seed, dice, STARTS, tell);
  if (dice.chance(0.5)) world.crashes = CRASHES;
  if (dice.chance(0.25)) world.jumps = JUMPS;
  if (dice.chance(0.25)) world.fullDisks = FULL_DISKS;
  stage.world = world;
  stage.process = undefined;
  const { broken, counts } = await play(seed, {
    directory,
    // A workbook is unpacked by threads, which no scheduler holds.
    formats: ['csv', 'json', 'jsonl'],
    now: () => world.now,
    piece: (work, service) => new SimPiece(work, service, world),
    newMachine: async (machine) => {
      if (dice.chance(FROM_NOTHING)) return;
      await plantStore(join(machine, 'state', 'workspace.db'), fresh);
    },
    calm: () => world.calm(),
    tell,
  });
  closeIdle();
  for (const line of broken) tell(`!! ${line}`);
  return {
    trace: placeless(lines.join('\n')),
    broken,
    counts: new Map([...counts, ...world.seen]),
    steps: world.steps,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, worlds: { type: 'string' } } });
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'shopctl-simulation-'));
  const counts = new Map<string, number>();
  const hash = createHash('sha256');
  const broken: { readonly seed: number; readonly trace: string }[] = [];
  let steps = 0;
  let trace = '';
  const first = Number(values.seed);
  try {
    stage.world = new SimWorld(0, new Dice(0), STARTS, () => {});
    const fresh = await freshStore(join(root, 'fresh', 'workspace.db'));
    for (let seed = first; seed < first + Number(values.worlds); seed += 1) {
      const ended = await playWorld(seed, root, fresh);
      steps += ended.steps;
      trace = ended.trace;
      hash.update(ended.trace);
      for (const [name, count] of ended.counts) counts.set(name, (counts.get(name) ?? 0) + count);
      if (ended.broken.length > 0) broken.push({ seed, trace });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const told = { steps, hash: hash.digest('hex'), counts: Object.fromEntries(counts), broken, trace };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
