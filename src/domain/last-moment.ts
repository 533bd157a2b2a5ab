/**
 * The last moment that a text covers, in milliseconds since 1970: for a day (2026-02-03), its end in the local time
 * zone; otherwise a time with a zone. Undefined for anything else.
 */
export function lastMomentOf(text: string): number | undefined {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (day !== null) {
    const [year = 0, month = 0, date = 0] = day.slice(1).map(Number);
    const end = new Date(year, month - 1, date, 23, 59, 59, 999);
    if (end.getMonth() === month - 1 && end.getDate() === date) return end.getTime();
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isFinite(moment) ? moment : undefined;
}
