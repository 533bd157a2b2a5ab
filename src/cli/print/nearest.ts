/** The known names that a misspelt one most likely meant, the nearest first; none when nothing is near. */
export function nearestNames(name: string, known: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase();
  return [...new Set(known)]
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3)),
    )
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The last part of a path is what people remember (`cod_amount` for `shipping.cod_amount`): it counts as one step. */
function distanceOf(wanted: string, candidate: string): number {
  if (candidate.endsWith(`.${wanted}`)) return 1;
  return editDistance(wanted, candidate);
}

/** Levenshtein distance: inserted, removed and replaced characters. */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
