import type { ExitName } from '../exit.ts';
import { reportOf } from '../report.ts';

/** What became of one check. `skipped` was not looked at, because something before it stands in the way. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skipped';

/** One check of `shopctl doctor`. */
export interface Finding {
  readonly check: string;
  readonly result: Verdict;
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** The exit that a failed check leads to. */
  readonly exit?: ExitName;
}

/** A check that found everything as it should be. */
export function fine(check: string, found: string): Finding {
  return { check, result: 'ok', found, hint: null };
}

/** A check that was not made, and why. */
export function skipped(check: string, found: string): Finding {
  return { check, result: 'skipped', found, hint: null };
}

/** A check that found something a person should know, and that stops nothing. */
export function warning(check: string, found: string, hint: string): Finding {
  return { check, result: 'warn', found, hint };
}

/** A check that failed, with the exit it leads to. */
export function failed(check: string, exit: ExitName, found: string, hint?: string): Finding {
  return { check, result: 'fail', found, hint: hint ?? null, exit };
}

/** A check that failed by an error, told as the error's own report tells it. */
export function failedBy(check: string, error: unknown): Finding {
  const { exit, message, hint } = reportOf(error);
  return failed(check, exit, message, hint);
}
