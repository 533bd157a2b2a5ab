import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { inParallel } from './in-parallel.ts';
import { type Doom, openStage, type Stage } from './stage.ts';
import { type Creating, creatings, printedId } from './writes.ts';

/** `SHOPCTL_TEST_KILLS=2000 npx vitest run test/promises/kills.proof.test.ts` for a long run; 16 random kills when absent. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 16);
const atATime = 3;
const signals: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'];

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** One run that is killed, and what has to be there afterwards. */
interface Try {
  readonly creating: Creating;
  readonly doom: Doom;
  /** How often the command is run again, all at once. */
  readonly reruns: 1 | 6;
}

interface Outcome {
  readonly title: string;
  readonly live: number;
  readonly wrong: string | undefined;
  readonly rerun: boolean;
}

let recipients = 0;

/** Kills a run, runs the same command again where its answer was not wholly read, and lets the referee count. */
async function attempt(stage: Stage, { creating, doom, reruns }: Try): Promise<Outcome> {
  const machine = await stage.machine();
  recipients += 1;
  const recipient = `Buyer ${recipients}`;
  const words = await creating.words(stage, machine, recipient);
  const doomed = await machine.run(words, doom);
  const where = `${doom.signal} ${doom.delayMs ?? 0} ms after point ${doom.at}, at ${doomed.points.at(-1)}`;
  const title = `${creating.title}, ${where}, ${reruns} again`;
  const seen = [printedId(doomed)].filter((id) => id !== undefined);
  let wrong: string | undefined;
  if (seen.length === 0) {
    const again = await Promise.all(Array.from({ length: reruns }, () => machine.run(words)));
    for (const ran of again) {
      const id = printedId(ran);
      if (ran.code !== 0 || id === undefined) wrong = `exit ${ran.code}: ${ran.stderr}`;
      else seen.push(id);
    }
  }
  const live = await stage.liveOrders(recipient);
  if (live.some(({ id }) => !seen.includes(id)) || seen.some((id) => !live.some((order) => order.id === id))) {
    wrong ??= `printed ${seen.join(', ')}, and there is ${live.map(({ id }) => id).join(', ')}`;
  }
  return { title, live: live.length, wrong, rerun: doomed.code !== 0 };
}

function judge(outcomes: readonly Outcome[], reported: string): void {
  const doubled = outcomes.filter(({ live }) => live > 1);
  const missing = outcomes.filter(({ live }) => live === 0);
  const stopped = outcomes.filter(({ rerun }) => rerun).length;
  if (process.env.SHOPCTL_TEST_KILLS !== undefined) {
    const orders = outcomes.reduce((sum, { live }) => sum + live, 0);
    console.log(
      `${reported}: ${outcomes.length} kills (${stopped} of them in time) × ${orders} orders × ${doubled.length} doubled × ${missing.length} missing`,
    );
  }
  expect(doubled).toEqual([]);
  expect(missing).toEqual([]);
  expect(outcomes.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(stopped).toBeGreaterThan(outcomes.length / 3);
}

describe('an order is created once, however the program is killed', () => {
  it(
    'at the points around its writes, its requests and its output',
    async () => {
      const stage = await openStage(program);
      const tries: Try[] = [];
      for (const [variant, creating] of creatings.entries()) {
        const machine = await stage.machine();
        const whole = await machine.run(await creating.words(stage, machine, `Whole ${variant}`), { counting: true });
        expect([creating.title, whole.code, whole.stderr]).toEqual([creating.title, 0, expect.any(String)]);
        expect(whole.points.filter((point) => point.endsWith('request')).length).toBeGreaterThan(1);
        // The command that costs most, as people type it, at each point; the others at every eighth, each at other ones.
        const stride = variant === 0 || kills > 100 ? 1 : 8;
        for (let at = variant % stride; at < whole.points.length; at += stride) {
          const signal = signals[stride === 1 ? 0 : tries.length % signals.length] ?? 'SIGKILL';
          tries.push({ creating, doom: { at, signal }, reruns: tries.length % 18 === 8 ? 6 : 1 });
        }
      }
      judge(await inParallel(tries, atATime, (one) => attempt(stage, one)), 'at fault points');
    },
    Math.max(240_000, kills * 2_000),
  );

  it(
    'at any moment',
    async () => {
      const stage = await openStage(program);
      const random = seededRandom('the moments of the kills');
      const points: number[] = [];
      for (const creating of creatings) {
        const machine = await stage.machine();
        const words = await creating.words(stage, machine, `Counted ${points.length}`);
        points.push((await machine.run(words, { counting: true })).points.length);
      }
      const tries = Array.from({ length: kills }, (_, index): Try => {
        const variant = index % creatings.length;
        const at = Math.floor(random() * (points[variant] ?? 1));
        // Some in the same turn of the event loop, most in the midst of what goes on behind it.
        const delayMs = Math.floor(random() ** 2 * 25);
        const signal = signals[index % 8 < 5 ? 0 : (index % 8) - 4] ?? 'SIGKILL';
        return {
          creating: creatings[variant] as Creating,
          doom: { signal, at, delayMs },
          reruns: index % 10 === 9 ? 6 : 1,
        };
      });
      judge(await inParallel(tries, atATime, (one) => attempt(stage, one)), 'at random moments');
    },
    Math.max(240_000, kills * 2_000),
  );
});
