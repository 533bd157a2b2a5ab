const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/**
 * Milliseconds of a duration like `30s`, `15m`, `44h1m` or `2d`, with units from days down to seconds; undefined for
 * any other text.
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?=\d)(?:(?<d>\d{1,6})d)?(?:(?<h>\d{1,7})h)?(?:(?<m>\d{1,9})m)?(?:(?<s>\d{1,10})s)?$/.exec(
    text.trim(),
  );
  if (parts?.groups === undefined) return undefined;
  const { groups } = parts;
  const units = Object.keys(UNITS) as (keyof typeof UNITS)[];
  return units.reduce((sum, unit) => sum + Number(groups[unit] ?? 0) * UNITS[unit], 0);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * Milliseconds since 1970 of `2026-02-01T08:00:00Z`, of a time with an offset, or of a day in UTC; undefined for any
 * other text.
 */
export function parseMoment(text: string): number | undefined {
  const [moment, day] = MOMENT.exec(text.trim().toUpperCase()) ?? [];
  if (moment === undefined || day === undefined) return undefined;
  const dayStart = Date.parse(day);
  // Date would accept 30 February as a day in March.
  if (Number.isNaN(dayStart) || new Date(dayStart).toISOString().slice(0, 10) !== day) return undefined;
  const milliseconds = Date.parse(moment);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
