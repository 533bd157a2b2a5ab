import { DAY_MS, dayInZone, wallClock } from '../../../domain/calendar.ts';
import { momentOf } from '../declared-columns.ts';

const QUARTER_MS = 900_000;
const MOST_KNOWN = 10_000;

/** The day of a moment, YYYY-MM-DD; empty for no moment. */
export type DayOf = (moment: unknown) => string;

/** Remembers what was computed for a number. */
function remembered<Value>(compute: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    if (known.size > MOST_KNOWN) known.clear();
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}

/**
 * Days in a time zone. Every zone is a whole number of quarter hours away from UTC, so that one quarter hour is always
 * within one day. Throws a RangeError for an unknown zone.
 */
export function daysIn(timeZone: string): DayOf {
  const offsetAt = (at: number) => wallClock(at, timeZone) - at;
  /** How far the zone is ahead of UTC on a day of UTC; undefined on a day on which its clocks are set. */
  const offsetOn = remembered((day) => {
    const offset = offsetAt(day * DAY_MS);
    return offset % QUARTER_MS === 0 && offset === offsetAt((day + 1) * DAY_MS) ? offset : undefined;
  });
  const dayText = remembered((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  const dayOfQuarter = remembered((quarter) => dayInZone(quarter * QUARTER_MS, timeZone));
  return (moment) => {
    const at = momentOf(moment);
    if (at === undefined) return '';
    const offset = offsetOn(Math.floor(at / DAY_MS));
    if (offset === undefined) return dayOfQuarter(Math.floor(at / QUARTER_MS));
    return dayText(Math.floor((at + offset) / DAY_MS));
  };
}
