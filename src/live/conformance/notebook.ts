import type { DeviationKind } from '../../contract/reading/deviations.ts';

/**
 * How a check ended. `unchecked` could not be decided and is never a success; `not asked` is out of the run's scope, such
 * as writes in a run that only reads.
 */
export type CheckResult = 'holds' | 'deviates' | 'unchecked' | 'not asked';

/** One check of one operation, and why it was not decided if it was not. */
export interface Checked {
  readonly check: string;
  readonly operation: string;
  readonly result: CheckResult;
  readonly reason: string | null;
}

/** One deviation that a run has found. */
export interface ConformanceFinding {
  readonly check: string;
  readonly operation: string;
  /** Path of the field, `[]` for any record; empty for the whole answer. */
  readonly path: string;
  readonly kind: DeviationKind;
  readonly expected: string;
  readonly seen: string;
  /** The request as a curl command, without the key. */
  readonly curl: string;
}

/** What a check found wrong. */
export type Wrong = Pick<ConformanceFinding, 'path' | 'expected' | 'seen' | 'kind'> & { readonly curl?: string };

/** The outcome of a check, from the check itself: nothing wrong, what is wrong, or why it could not be decided. */
export type Verdict = readonly Wrong[] | { readonly unchecked: string };

const graver: Readonly<Record<CheckResult, number>> = { 'not asked': 0, holds: 1, unchecked: 2, deviates: 3 };

/** What a run has found so far: each check once, with its worst result; each finding once. */
export class Notebook {
  readonly #checks = new Map<string, Checked>();
  readonly #findings = new Map<string, ConformanceFinding>();

  /** Takes note of a check's outcome; `curl` is the request that showed it. */
  note(operation: string, check: string, verdict: Verdict, curl: string): void {
    if ('unchecked' in verdict) {
      this.skip(operation, check, 'unchecked', verdict.unchecked);
      return;
    }
    for (const wrong of verdict) {
      const key = [operation, check, wrong.path, wrong.kind].join('\n');
      if (!this.#findings.has(key)) this.#findings.set(key, { check, operation, curl, ...wrong });
    }
    this.#put({ check, operation, result: verdict.length === 0 ? 'holds' : 'deviates', reason: null });
  }

  /** Forgets that a check could not be decided, before it is made with something that was not there at first. */
  reopen(operation: string, check: string): void {
    const key = `${operation}\n${check}`;
    if (this.#checks.get(key)?.result !== 'deviates') this.#checks.delete(key);
  }

  /** Takes note of a check that was not made, and why. */
  skip(operation: string, check: string, result: 'unchecked' | 'not asked', reason: string): void {
    this.#put({ check, operation, result, reason });
  }

  #put(checked: Checked): void {
    const key = `${checked.operation}\n${checked.check}`;
    const known = this.#checks.get(key);
    if (known === undefined || graver[checked.result] > graver[known.result]) this.#checks.set(key, checked);
  }

  /** Whether a check of an operation went wrong so far. */
  failed(operation: string, check: string): boolean {
    return this.#checks.get(`${operation}\n${check}`)?.result === 'deviates';
  }

  get checks(): readonly Checked[] {
    return [...this.#checks.values()];
  }

  get findings(): readonly ConformanceFinding[] {
    return [...this.#findings.values()];
  }
}
