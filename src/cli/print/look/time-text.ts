/** Where and how times are displayed. */
export interface TimeSettings {
  readonly utc: boolean;
  /** IANA name; the machine's own zone when absent. */
  readonly timeZone?: string | undefined;
}

const wireTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a timestamp as on the wire. */
export function isWireTime(text: string): boolean {
  return wireTime.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * A timestamp for a person: `2026-01-31 08:00` local, `2026-01-31 01:00Z` in UTC; to the second for what happens within
 * a minute.
 */
export function timeText(time: string, { utc, timeZone }: TimeSettings, to: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(time);
  const seconds = to === 'seconds' ? `:${twoDigits(date.getUTCSeconds())}` : '';
  if (utc) return `${date.toISOString().slice(0, 16).replace('T', ' ')}${seconds}Z`;
  if (timeZone !== undefined) return `${inZone(date, timeZone)}${seconds}`;
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}${seconds}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Intl formatters are slow to create, so one per zone is cached, and none for the machine's own zone. */
function inZone(date: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // The Swedish time format is the ISO order with a space.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(date);
}
