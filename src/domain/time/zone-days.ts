const QUARTER_MS = 900_000;
/** No zone is further from UTC than this. */
const FARTHEST_QUARTERS = 64;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, made);
  return made;
}

/** The calendar day of a moment (milliseconds since 1970) in a zone, YYYY-MM-DD. Throws a RangeError for no zone. */
export function dayInZone(moment: number, timeZone: string): string {
  return formatOf(timeZone).format(moment);
}

/** A moment (milliseconds since 1970) as the clocks of a zone show it, to the minute: 2026-11-22 08:05. */
export function momentInZone(moment: number, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(moment);
  return `${dayInZone(moment, timeZone)} ${time}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * What the clocks of a zone show at a moment (milliseconds since 1970), to the second, as the moment at which those of
 * UTC show it.
 */
export function wallClock(moment: number, timeZone: string): number {
  // The Swedish form is the ISO order with a space.
  const format =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, format);
  return Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
}

/**
 * The first moment of a calendar day in a zone, in milliseconds since 1970. Where the clocks skip midnight it is the
 * moment after. Every zone is whole quarter hours away from UTC.
 */
export function startOfDayInZone(day: string, timeZone: string): number {
  const middle = Date.parse(`${day}T00:00:00Z`) / QUARTER_MS;
  let before = middle - FARTHEST_QUARTERS;
  let after = middle + FARTHEST_QUARTERS;
  while (after - before > 1) {
    const half = Math.floor((before + after) / 2);
    if (dayInZone(half * QUARTER_MS, timeZone) < day) before = half;
    else after = half;
  }
  return after * QUARTER_MS;
}
