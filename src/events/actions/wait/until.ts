import * as z from 'zod';
import { millisecondsOf } from '../../../action/duration-field.ts';
import type { Ports } from '../../../action/ports.ts';
import { int, text } from '../../../contract/schema/scalars.ts';

/** What a look found: the states that something is in, the one to show first. */
export interface Standing {
  readonly name: string;
  readonly states: readonly string[];
  /** Whether none of its states will change again. */
  readonly isOver: boolean;
}

export const within = z.optional(
  text('how long to wait at most, for example 30s, 10m or 2h; without it, until the state is reached'),
);

export const withinHint = { placeholder: 'DURATION', isManner: true, from: 'path' } as const;

/** What waiting returns. */
export const waited = z.object({
  name: text('What was waited for'),
  state: text('Its state, or its states, when the waiting ended'),
  waited_seconds: int('How long that took', 's'),
});

/** Looks are frequent at first, and rarer the longer it takes. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * Looks again and again until something is in one of these states. The verdict is `different` if it is over in another
 * one, or if the time is up.
 */
export async function waitUntil(
  { clock, progress, report, signal }: Ports,
  wanted: readonly string[],
  given: string | undefined,
  look: () => Promise<Standing>,
): Promise<z.output<typeof waited>> {
  const mostMs = given === undefined ? Number.POSITIVE_INFINITY : millisecondsOf('within', given);
  const began = clock.now();
  const spentMs = () => clock.now() - began;
  return progress.during(async () => {
    for (;;) {
      const { name, states, isOver } = await look();
      const spent = spentMs();
      const isReached = states.some((state) => wanted.includes(state));
      if (isReached || isOver || spent >= mostMs) {
        const state = states.join(', ');
        const why = isOver ? 'and will not change' : `after ${Math.round(spent / 1000)} s`;
        if (!isReached) {
          report.verdict('different');
          report.notice(`${name} is ${state} ${why}; ${wanted.join(' or ')} was waited for`);
        }
        return { name, state, waited_seconds: Math.round(spent / 1000) };
      }
      const pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.ceil(spent / 10)));
      await clock.wait(Math.min(pause, mostMs - spent), signal);
    }
  });
}
