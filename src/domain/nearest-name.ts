import { editDistance } from './likeness.ts';

/** Longer than any name; longer input was not meant as one. */
const LONGEST_NAME = 64;

/** `codAmount`, `cod-amount` and `cod_amount` are the same name. */
const folded = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/**
 * People remember the last part of a path (`cod_amount` of `shipping.cod_amount`): leaving out the rest costs one step.
 */
function stepsBetween(wanted: string, candidate: string): number {
  if (candidate.endsWith(`.${wanted}`)) return 1;
  const most = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
  const steps = editDistance(wanted, candidate, most);
  return steps > most ? Number.POSITIVE_INFINITY : steps;
}

/** The known names that a misspelt one most likely means, nearest first: at most one character in three differs. */
export function nearestNames(name: string, known: Iterable<string>, most = 3): string[] {
  if (name.length > LONGEST_NAME) return [];
  const wanted = folded(name);
  return [...new Set(known)]
    .map((candidate) => ({ candidate, steps: stepsBetween(wanted, folded(candidate)) }))
    .filter(({ steps }) => steps < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.steps - other.steps)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The one name that was probably meant; undefined when none is close. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known, 1)[0];
}
