import { isRecord } from '../../domain/json/json-extent.ts';
import type { Checked } from './notebook.ts';
import type { Told } from './probe.ts';

/** One place in which two services differ; ids, names and times are not compared, only their types. */
export interface ServiceDifference {
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
  see({ operation, plain, response }: Told): void {
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
        const [own, other] = [told(paths, path), told(others, path)];
        if (own === undefined || other === undefined || own === other) return [];
        return [{ operation, check: 'form', path, service: own, sandbox: other }];
      });
    });
  }
}

const parentOf = (path: string) => path.replace(/(?:\[\]|\.[^.[\]]+|^[^.[\]]+)$/, '');

/** The types of a field in words; undefined if nothing is known of it, because it or what holds it was never set. */
function told(paths: ReadonlyMap<string, ReadonlySet<string>>, path: string): string | undefined {
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
