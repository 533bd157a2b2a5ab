import type { Explained, Ports, Verdict } from '../ports.ts';

/** What became of one check. `skipped` was not looked at, because something before it stands in the way. */
export const results = ['ok', 'warn', 'fail', 'skipped'] as const;

/** One check of what is set up here. */
export interface Finding {
  readonly check: string;
  readonly result: (typeof results)[number];
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** What a failed check comes to. */
  readonly verdict?: Verdict;
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

/** A check that failed, with what it comes to. */
export function failed(check: string, verdict: Verdict, found: string, hint?: string): Finding {
  return { check, result: 'fail', found, hint: hint ?? null, verdict };
}

/** A check that failed by an error, told as the front tells it elsewhere. */
export function failedBy(check: string, error: unknown, { front }: Pick<Ports, 'front'>): Finding {
  const { verdict, message, hint }: Explained = front.explain(error);
  return failed(check, verdict, message, hint);
}
