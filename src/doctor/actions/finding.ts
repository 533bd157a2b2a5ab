import type { Explained, Ports, Verdict } from '../../action/ports.ts';
import { fieldsIn } from '../../domain/json/values.ts';

/** The result of one check. `skipped` was not run, because an earlier failure prevents it. */
export const results = ['ok', 'warn', 'fail', 'skipped'] as const;

/** One check of the setup. */
export interface Finding {
  readonly check: string;
  readonly result: (typeof results)[number];
  /** The finding, in words. */
  readonly found: string;
  /** What to do about it. */
  readonly hint: string | null;
  /** The verdict of a failed check. */
  readonly verdict?: Verdict;
  /** Why no answer came, where that is what failed. */
  readonly failure?: unknown;
}

/** A check that found no problem. */
export function fine(check: string, found: string): Finding {
  return { check, result: 'ok', found, hint: null };
}

/** A check that was not run, and why. */
export function skipped(check: string, found: string): Finding {
  return { check, result: 'skipped', found, hint: null };
}

/** A check that found something worth knowing that prevents nothing. */
export function warning(check: string, found: string, hint: string): Finding {
  return { check, result: 'warn', found, hint };
}

/** A failed check, with its verdict. */
export function failed(check: string, verdict: Verdict, found: string, hint?: string): Finding {
  return { check, result: 'fail', found, hint: hint ?? null, verdict };
}

/** A check that failed with an error, explained as the front end explains it elsewhere. */
export function failedBy(check: string, error: unknown, { ui }: Pick<Ports, 'ui'>): Finding {
  const { verdict, message, hint }: Explained = ui.explain(error);
  return { ...failed(check, verdict, message, hint), failure: fieldsIn(error).failure };
}
