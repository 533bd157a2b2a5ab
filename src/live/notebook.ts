import type { DeviationKind } from '../contract/deviations.ts';
import { isRecord } from '../domain/json/values.ts';
import type { Reported } from './probe.ts';

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

/** One place in which two services differ; ids, names and times are not compared, only their types. */
interface ServiceDifference {
  readonly operation: string;
  /** The check that ended differently, or `form` for a field whose type differs. */
  readonly check: string;
  /** Path of the field; empty for a check. */
  readonly path: string;
  readonly service: string;
  readonly sandbox: string;
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** The types that each field of an operation's answers has had, by path; values are not kept. */
export class AnswerForms {
  readonly #types = new Map<string, Map<string, Set<string>>>();

  /** Takes note of a successful answer. */
  see({ operation, plain, response }: Reported): void {
    if (response === undefined || response.status !== 200 || plain === undefined) return;
    const paths = this.#types.get(operation.id) ?? new Map<string, Set<string>>();
    this.#types.set(operation.id, paths);
    this.#note(paths, plain, '');
  }

  #note(paths: Map<string, Set<string>>, value: unknown, path: string): void {
    const types = paths.get(path) ?? new Set<string>();
    paths.set(path, types.add(typeOf(value)));
    if (Array.isArray(value)) for (const item of value) this.#note(paths, item, `${path}[]`);
    // The names in a map of text are data, as ids are.
    else if (isRecord(value) && !/(?:^|\.)(?:external_)?meta$/.test(path)) {
      for (const [name, inner] of Object.entries(value))
        this.#note(paths, inner, path === '' ? name : `${path}.${name}`);
    }
  }

  /** Fields that never had a type in common with those of another service; one that was never set says nothing. */
  differences(sandbox: AnswerForms): readonly ServiceDifference[] {
    return [...this.#types].flatMap(([operation, paths]) => {
      const others = sandbox.#types.get(operation);
      if (others === undefined) return [];
      const all = new Set([...paths.keys(), ...others.keys()]);
      return [...all].flatMap((path) => {
        const [own, other] = [reported(paths, path), reported(others, path)];
        if (own === undefined || other === undefined || own === other) return [];
        return [{ operation, check: 'form', path, service: own, sandbox: other }];
      });
    });
  }
}

const parentOf = (path: string) => path.replace(/(?:\[\]|\.[^.[\]]+|^[^.[\]]+)$/, '');

/** The types of a field in words; undefined if nothing is known of it, because it or what holds it was never set. */
function reported(paths: ReadonlyMap<string, ReadonlySet<string>>, path: string): string | undefined {
  const types = paths.get(path);
  if (types === undefined) return path.endsWith('[]') || !paths.has(parentOf(path)) ? undefined : 'absent';
  const set = [...types].filter((type) => type !== 'null');
  return set.length === 0 ? undefined : set.sort().join(' or ');
}

/** Checks that both services decided, and that ended differently. */
export function checkDifferences(
  service: readonly Checked[],
  sandbox: readonly Checked[],
): readonly ServiceDifference[] {
  const others = new Map(sandbox.map((one) => [`${one.operation} ${one.check}`, one.result]));
  const isDecided = (result: string | undefined) => result === 'holds' || result === 'deviates';
  return service.flatMap(({ operation, check, result }) => {
    const other = others.get(`${operation} ${check}`);
    if (other === undefined || !isDecided(result) || !isDecided(other) || result === other) return [];
    return [{ operation, check, path: '', service: result, sandbox: other }];
  });
}
