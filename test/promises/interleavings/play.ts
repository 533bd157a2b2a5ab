import { Game } from './game.ts';
import { judge } from './judge.ts';
import { kinds } from './kinds.ts';
import { type Misfortune, misfortunes } from './service.ts';
import { themes } from './themes.ts';
import type { Hands } from './work.ts';
import { type About, Dice, type Reported, World } from './world.ts';

/** What came of one interleaving. */
export interface Played {
  readonly seed: number;
  readonly trace: readonly string[];
  /** Promises that were not kept. */
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly records: number;
}

const likely: readonly (readonly [string, number])[] = [
  ['ship', 6],
  ['orders', 2],
  ['customers', 3],
  ['products', 3],
  ['variants', 1],
  ['collections', 2],
  ['groups', 1],
  ['addresses', 1],
  ['shipnow', 2],
];

const kindNames = likely.flatMap(([name, times]) => Array.from({ length: times }, () => name));

const isOpen = ({ counts }: Reported) => (counts.left ?? 0) > 0 || (counts.unclear ?? 0) > 0;

const LONGEST_MS = 90_000;

/** Wakes what stands, and what comes to stand when others have made room, until every piece of work has ended. */
async function finish(game: Game): Promise<void> {
  const { tasks } = game.world;
  const since = Date.now();
  for (;;) {
    for (const task of tasks) if (task.isStanding) await game.wake(task);
    const open = tasks.filter(({ ended }) => ended === undefined);
    if (open.length === 0) return;
    await Promise.all(open.map((task) => task.settled()));
    const [first] = open;
    if (Date.now() - since > LONGEST_MS) throw new Error(`${first?.work.argv.join(' ')} does not end`);
  }
}

/** A person looks at the service, and says of each unclear row what became of it; what was not done is sent again. */
async function settle(game: Game): Promise<void> {
  const { world, dice, kind, profiles } = game;
  for (const { id, machine, profile, rows } of await world.withRows(await world.batches(profiles), kind)) {
    const about: About = { verb: 'settle', machine, profile, kind, batch: id };
    for (const row of rows.filter(({ state }) => state === 'unclear')) {
      const claimed = new Set(rows.map((one) => one.id));
      const isThere = world.service.made.some((made) => made.content === row.content && !claimed.has(made.id));
      const words = ['batch', 'settle', id, `${row.number}`, isThere ? '--done' : '--not-done', '--yes'];
      await world.begin(about, words, { terminal: false, stop: undefined });
    }
    if (rows.some(({ state }) => state === 'unclear') && dice.chance(0.7)) {
      const words = ['batch', 'retry', id, '--yes', '-o', 'json'];
      await world.begin({ ...about, verb: 'retry' }, words, { terminal: false, stop: undefined });
    }
  }
  await finish(game);
}

/** Everything that stands is let go of, one way or the other; the service is back; what is open is gone on with. */
async function conclude(game: Game): Promise<Reported[]> {
  const { world, dice, kind, profiles } = game;
  await finish(game);
  world.calm();
  const copiesFirst = dice.chance(0.5);
  if (copiesFirst) await world.service.deliverLate();
  let reported = await world.batches(profiles);
  for (let round = 0; round < 2 && reported.some(isOpen); round += 1) {
    for (const { id, machine, profile } of reported.filter(isOpen)) {
      const about: About = { verb: 'resume', machine, profile, kind, batch: id };
      await world.begin(about, ['batch', 'resume', id, '--yes', '-o', 'json'], { terminal: false, stop: undefined });
    }
    await finish(game);
    reported = await world.batches(profiles);
  }
  if (!copiesFirst) await world.service.deliverLate();
  else if (dice.chance(0.3)) {
    await settle(game);
    reported = await world.batches(profiles);
  }
  return world.withRows(
    reported.filter((batch) => batch.do === kind.words),
    kind,
  );
}

/** What a name that is not unique does not make worse by itself. */
const quiet: readonly Misfortune[] = ['drop-before', 'drop-after', 'unavailable-after', 'refused-once'];

/** Plays the interleaving of a seed on a world of its own, and has it judged. */
export async function play(seed: number, hands: Hands, workspace?: string): Promise<Played> {
  const dice = new Dice(seed);
  const wanted = dice.of(kindNames);
  const kind = kinds.find(({ title }) => title === wanted);
  if (kind === undefined) throw new Error(`no kind ${wanted}`);
  const long = dice.chance(0.2);
  // A service that keeps no name unique: then nothing but the ledger guards an order.
  const keepsNamesUnique = !(kind.isOrder && dice.chance(0.15));
  const machines = kind.isOrder && keepsNamesUnique && dice.chance(0.25) ? 2 : 1;
  const world = await World.open(hands, {
    seed,
    machines,
    cutsNotes: long && dice.chance(0.7),
    keepsNamesUnique,
    workspace,
  });
  try {
    const game = new Game(dice, world, kind, { named: kind.takesNames && dice.chance(0.5), long });
    for (let count = Math.floor(dice.next() * 4); count > 0; count -= 1)
      world.service.faults.set(dice.upTo(10), dice.of(keepsNamesUnique ? misfortunes : quiet));
    world.tell(
      `${seed}: ${kind.title}${game.named ? ', named' : ''}${long ? ', long notes' : ''}${keepsNamesUnique ? '' : ', names not unique'}, ${machines} machines, profiles ${game.profiles.join(' ')}; ${[...world.service.faults].map(([nth, fault]) => `${fault} at ${nth}`).join(', ')}`,
    );
    const theme = dice.of(themes);
    world.tell(`theme: ${theme.name}`);
    await theme(game);
    for (let steps = dice.upTo(4); steps > 0; steps -= 1) await game.step();
    const reported = await conclude(game);
    const verdict = await judge(world, kind, reported);
    return { seed, trace: world.trace, ...verdict, records: world.service.made.length };
  } catch (error) {
    const stack = error instanceof Error ? String(error.stack) : String(error);
    return { seed, trace: world.trace, broken: [stack], counts: new Map([['told wrongly', 1]]), records: 0 };
  } finally {
    await world.close();
  }
}
