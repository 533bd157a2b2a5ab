import { appendFileSync } from 'node:fs';
import { testSeed } from '../../support/test-seed.ts';
import { play } from './play.ts';
import type { Hands } from './work.ts';

/** Which interleavings are played: those of the seeds from the first one on. */
export interface Series {
  readonly first: number;
  readonly many: number;
  /** How many are played at a time. */
  readonly atOnce: number;
  /** The workspace of each; without it, each machine has its own file. */
  readonly workspace?: () => Promise<string>;
}

/** What came of a series. */
export interface Outcome {
  /** What was broken, each with the seed that plays it again, and every command line until then. */
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly records: number;
}

/** Where the first seed and their number come from, if somebody wants others: SHOPCTL_TEST_SEED, SHOPCTL_TEST_INTERLEAVINGS. */
export function seriesOf(many: number): Pick<Series, 'first' | 'many'> {
  const { SHOPCTL_TEST_INTERLEAVINGS = `${many}` } = process.env;
  return { first: testSeed(), many: Number(SHOPCTL_TEST_INTERLEAVINGS) };
}

/** Plays a series; with SHOPCTL_TEST_TRACE, what was broken is added to that file at once. */
export async function playAll(hands: Hands, { first, many, atOnce, workspace }: Series): Promise<Outcome> {
  const { SHOPCTL_TEST_TRACE: file } = process.env;
  const broken: string[] = [];
  const counts = new Map<string, number>();
  let records = 0;
  let next = first;
  const player = async () => {
    while (next < first + many) {
      const seed = next;
      next += 1;
      const played = await play(seed, hands, await workspace?.()).catch((error: Error) => ({
        ...{ trace: [], counts: new Map<string, number>(), records: 0 },
        broken: [String(error.stack)],
      }));
      records += played.records;
      for (const [name, count] of played.counts) counts.set(name, (counts.get(name) ?? 0) + count);
      if (played.broken.length === 0) continue;
      const lines = [...played.trace, ...played.broken.map((line) => `!! ${line}`)];
      const text = `SHOPCTL_TEST_SEED=${seed} SHOPCTL_TEST_INTERLEAVINGS=1\n  ${lines.join('\n  ')}`;
      broken.push(text);
      if (file !== undefined) appendFileSync(file, `${text}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, player));
  return { broken, counts, records };
}
