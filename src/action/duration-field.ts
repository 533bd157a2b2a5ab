import { Refusal } from '../client/refusal.ts';
import { parseDuration } from '../domain/calendar.ts';
import { say } from './texts.ts';

/** Milliseconds of a given duration, `30s` or a plain number of seconds. Throws a Refusal that names the field. */
export function millisecondsOf(path: string, text: string): number {
  const seconds = /^\d{1,9}(?:\.\d{1,3})?$/.exec(text.trim());
  const milliseconds = seconds === null ? parseDuration(text) : Math.round(Number(seconds[0]) * 1000);
  if (milliseconds !== undefined) return milliseconds;
  throw new Refusal('invalid_input', say().duration.none({ path }), {
    fieldErrors: [{ path, message: say().duration.must }],
  });
}
