// Plays the worlds of some seeds, and prints what came of them as one line of JSON. Bundled by bundle.mjs, which puts
// the scheduler in the place of the machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { playEdges } from '../promises/interleavings/edges.ts';
import { play } from '../promises/interleavings/play.ts';
import type { Hands } from '../promises/interleavings/work.ts';
import { Dice } from '../promises/interleavings/world.ts';
import { playAgents } from './agents.ts';
import { playListeners } from './listeners.ts';
import { SimWorld, stage } from './scheduler.ts';
import { SimPiece } from './sim-piece.ts';
import { backUpStore, emptyStore, type FreshStore, freshStore, isRowDone, removeStore, sweepWorld } from './stores.ts';

/** When the calendar of every world begins. */
const STARTS = Date.parse('2026-01-31T08:00:00Z');
/** How likely each step of a world with crashes kills the process whose turn it is. */
const CRASHES = 0.003;
/** How likely each step of a world with bad clocks sets the clock of the process whose turn it is. */
const JUMPS = 0.02;
/** How likely each write of a world with small disks finds no room. */
const FULL_DISKS = 0.01;

/** Every so-manieth world is one of listeners. */
const LISTENERS = 10;

/** Every so-manieth world is one at the edges of the promise, from the seed of that number on. */
const EDGES = 5;
const FIRST_EDGES = 2;

/** How many machines begin without a store, which their first commands make; the others have an empty one. */
const FROM_NOTHING = 0.2;

/** What came of a world. */
interface Ended {
  readonly trace: string;
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly steps: number;
}

/** Where the worlds of a process are played, one after another. */
interface Place {
  readonly directory: string;
  readonly fresh: FreshStore;
}

/** Puts an empty store into a machine's directory, or none. */
async function newMachine(machine: string, dice: Dice, fresh: FreshStore): Promise<string> {
  const store = join(machine, 'state', 'workspace.db');
  if (dice.chance(FROM_NOTHING)) {
    removeStore(store);
    rmSync(dirname(store), { recursive: true, force: true });
  } else await emptyStore(store, fresh);
  return store;
}

async function playWorld(seed: number, { directory, fresh }: Place, isOfAgents: boolean): Promise<Ended> {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const dice = new Dice(seed + 1_000_000);
  const world = new SimWorld(seed, dice, STARTS, tell);
  if (dice.chance(0.5)) world.crashes = CRASHES;
  const isOfListeners = !isOfAgents && seed % LISTENERS === 0;
  if (!isOfListeners && !isOfAgents && dice.chance(0.25)) world.jumps = JUMPS;
  if (dice.chance(0.25)) world.fullDisks = FULL_DISKS;
  stage.world = world;
  stage.process = undefined;
  const hands: Hands = {
    openScratch() {
      sweepWorld(directory);
      return directory;
    },
    closeScratch: () => {},
    // A workbook is unpacked by threads, which no scheduler holds.
    formats: ['csv', 'json', 'jsonl'],
    now: () => world.now,
    piece: (work, service) => new SimPiece(work, service, world),
    newMachine: async (machine) => void (await newMachine(machine, dice, fresh)),
    isDone: (machine, id) => isRowDone(join(machine, 'state', 'workspace.db'), id),
    backUp: (machine) => backUpStore(join(machine, 'state', 'workspace.db')),
    calm: () => world.calm(),
    tell,
  };
  const onlyMachine = () => newMachine(join(hands.openScratch(), 'machine-0'), dice, fresh);
  const { broken, counts } = isOfAgents
    ? await playAgents(world, dice, await onlyMachine())
    : isOfListeners
      ? await ofListeners(world, dice, await onlyMachine())
      : await (seed % EDGES === FIRST_EDGES ? playEdges : play)(seed, hands);
  for (const line of broken) tell(`!! ${line}`);
  return {
    // Without what differs between two runs: where its files lie.
    trace: lines.join('\n').replaceAll(directory, ''),
    broken,
    counts: new Map([...counts, ...world.seen]),
    steps: world.steps,
  };
}

/** A world of listeners, as others are told. */
async function ofListeners(world: SimWorld, dice: Dice, store: string): Promise<Pick<Ended, 'broken' | 'counts'>> {
  const broken = await playListeners(world, dice, store);
  return {
    broken,
    counts: new Map([
      ['interleavings', 1],
      ['worlds of listeners', 1],
      ['told wrongly', broken.length],
    ]),
  };
}

/** What came of a series of worlds, as far as it fits into a message. */
interface Reported {
  readonly steps: number;
  readonly hash: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly seed: number; readonly trace: string }[];
  /** That of the last world. */
  readonly trace: string;
}

/** Which worlds are played: so many, from the seed of the first. */
interface Series {
  readonly first: number;
  readonly many: number;
  readonly isOfAgents: boolean;
}

async function playSeries({ first, many, isOfAgents }: Series, place: Place): Promise<Reported> {
  const counts = new Map<string, number>();
  const hash = createHash('sha256');
  const broken: { readonly seed: number; readonly trace: string }[] = [];
  let steps = 0;
  let trace = '';
  for (let seed = first; seed < first + many; seed += 1) {
    const ended = await playWorld(seed, place, isOfAgents);
    steps += ended.steps;
    trace = ended.trace;
    hash.update(ended.trace);
    for (const [name, count] of ended.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    if (ended.broken.length > 0) broken.push({ seed, trace });
  }
  return { steps, hash: hash.digest('hex'), counts: Object.fromEntries(counts), broken, trace };
}

/** Plays the series that it is told of, one after another, until nobody tells it of any more. */
async function main(): Promise<void> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'shopctl-simulation-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  stage.world = new SimWorld(0, new Dice(0), STARTS, () => {});
  const place = { directory: join(root, 'world'), fresh: await freshStore(join(root, 'fresh', 'workspace.db')) };
  process.on('message', async (series: Series) => {
    process.send?.(await playSeries(series, place));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
