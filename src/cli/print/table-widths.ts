/** Blanks between two columns. */
const gap = 2;
/** A column is never cut below this: less tells nothing. */
const least = 5;
/** Where the rest alone is too wide and the terminal wraps every row anyway, cutting deep would gain nothing. */
const leastWhenWrapped = 20;

/** Cut below this, a column of prose is no longer worth its place. */
const worthReading = 12;

/**
 * Which columns are shown: all of them where a row fits `available` columns with its prose still worth reading; else the
 * last optional one goes, and so on; one that fits behind all comes back.
 */
export function columnsThatFit(
  wanted: readonly number[],
  cuttable: readonly boolean[],
  optional: readonly boolean[],
  available: number,
): number[] {
  const widthOf = (index: number) =>
    Math.min(wanted[index] ?? 0, cuttable[index] ? worthReading : Number.POSITIVE_INFINITY);
  const leastOf = (index: number) => Math.min(wanted[index] ?? 0, cuttable[index] ? least : Number.POSITIVE_INFINITY);
  const shown = wanted.map((_, index) => index);
  const row = () => shown.reduce((sum, index) => sum + widthOf(index), gap * (shown.length - 1));
  const left: number[] = [];
  while (row() > available) {
    const last = shown.findLastIndex((index) => optional[index]);
    if (last < 0) break;
    left.push(...shown.splice(last, 1));
  }
  // A wide one that went last may have made room for narrow ones that went before it.
  for (const index of left.slice(0, -1).toReversed()) {
    if (row() + gap + widthOf(index) > available) continue;
    shown.push(index);
    shown.sort((one, other) => one - other);
  }
  // A row that the terminal breaks is read by nobody: then the last ones go too, but for the first two, which name it.
  const leastRow = () => shown.reduce((sum, index) => sum + leastOf(index), gap * (shown.length - 1));
  while (shown.length > 2 && leastRow() > available) shown.pop();
  return shown;
}

/**
 * Widths of the columns so that a row fits `available` columns of the terminal: the widest cuttable column gives way
 * first. When all are at their least and a row still does not fit, it stays too wide, and the terminal wraps it.
 */
export function fitWidths(wanted: readonly number[], cuttable: readonly boolean[], available: number): number[] {
  const cutTo = (limit: number) => wanted.map((width, index) => (cuttable[index] ? Math.min(width, limit) : width));
  const rowOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
  if (rowOf(cutTo(least)) > available) return cutTo(leastWhenWrapped);
  let limit = available;
  while (rowOf(cutTo(limit)) > available) limit -= 1;
  return spend(cutTo(limit), wanted, available - rowOf(cutTo(limit)));
}

/** Gives the columns that are left over to those that were cut, from the left. */
function spend(widths: readonly number[], wanted: readonly number[], spare: number): number[] {
  let left = spare;
  return widths.map((width, index) => {
    const more = left > 0 && width < (wanted[index] ?? width) ? 1 : 0;
    left -= more;
    return width + more;
  });
}
