import { fine, type Look, unusual } from './likeness.ts';

/** Year first with `-`, as in ISO 8601, or day first with any separator, as it is written in the country. */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;

/** The oldest plausible age. */
const MOST_YEARS = 130;

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Checks a birthday as typed; `today` is like 2026-01-31. The service takes any text (decisions, section 1), so whatever
 * is no birthday is unusual, and never refused.
 */
export function lookAtBirthday(text: string, today: string): Look {
  const written = text.trim();
  const yearFirst = YEAR_FIRST.exec(written);
  const [, first, second, third] = yearFirst ?? DAY_FIRST.exec(written) ?? [];
  if (first === undefined)
    return /^\d{4}$/.test(written) ? fine : unusual('no_date', 'is not a date like 1990-05-17 or 17/05/1990');
  const [year = 0, month = 0, day = 0] = (yearFirst ? [first, second, third] : [third, second, first]).map(Number);
  if (!exists(year, month, day)) {
    if (!yearFirst && exists(year, day, month))
      return unusual('month_first', 'names the month first; day first is usual: 17/05/1990');
    return unusual('no_such_day', 'is a day that does not exist');
  }
  const iso = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  if (iso > today) return unusual('future_birthday', 'is in the future');
  return year < Number(today.slice(0, 4)) - MOST_YEARS
    ? unusual('early_birthday', `is more than ${MOST_YEARS} years ago`)
    : fine;
}
