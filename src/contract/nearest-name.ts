/** How many letters must be put in, taken out or changed to turn one word into the other. */
function distance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1);
      current[column] = Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    above = current;
  }
  return above[right.length] ?? 0;
}

/** Longer than any name: whatever is, was not meant to be one. */
const LONGEST_NAME = 64;

/** `codAmount`, `cod-amount` and `cod_amount` are one name. */
const folded = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/** The name that was probably meant, if one is close: at most one letter in three differs. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(folded(name), folded(candidate)) }))
    .filter(({ candidate, away }) => away <= Math.floor(candidate.length / 3))
    .sort((left, right) => left.away - right.away);
  return best?.candidate;
}
