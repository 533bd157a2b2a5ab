/** What a run with `-o json` or `-o jsonl` has written on stderr: each line is one object, with one of four keys. */
export interface StderrLines {
  readonly errors: readonly Record<string, unknown>[];
  readonly notices: readonly {
    readonly code: string | null;
    readonly message: string;
    readonly [fact: string]: unknown;
  }[];
  readonly progress: readonly Record<string, unknown>[];
  readonly debug: readonly Record<string, unknown>[];
}

const kinds = ['error', 'notice', 'progress', 'debug'] as const;

/** Throws if a line is something else, if there are two errors, or if an error is not the last line. */
export function stderrLines(stderr: string): StderrLines {
  if (stderr !== '' && !stderr.endsWith('\n')) throw new Error(`stderr ends within a line: ${JSON.stringify(stderr)}`);
  const found: Record<(typeof kinds)[number], Record<string, unknown>[]> = {
    error: [],
    notice: [],
    progress: [],
    debug: [],
  };
  for (const line of stderr.split('\n').slice(0, -1)) {
    if (found.error.length > 0) throw new Error(`a line stands behind the error: ${line}`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new Error(`a line of stderr is no JSON: ${line}`);
    }
    const given = kinds.filter((kind) => Object.hasOwn(Object(value), kind));
    const [kind, ...others] = given;
    const content: unknown = kind === undefined ? undefined : Reflect.get(Object(value), kind);
    const further = Object.keys(Object(value)).filter(
      (key) => key !== kind && !(kind === 'error' && key === 'schema_version'),
    );
    if (kind === undefined || others.length + further.length > 0 || typeof content !== 'object' || content === null) {
      throw new Error(`a line of stderr has not one of ${kinds.join(', ')}: ${line}`);
    }
    found[kind].push({ ...content });
  }
  return { errors: found.error, notices: found.notice as never, progress: found.progress, debug: found.debug };
}

type Printed = string | { readonly stderr: string };

const textOf = (printed: Printed) => (typeof printed === 'string' ? printed : printed.stderr);

/** The error of a run with `-o json` or `-o jsonl`; throws if it has none, or stderr is not as promised. */
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects
export function errorOf(printed: Printed): any {
  const [error] = stderrLines(textOf(printed)).errors;
  if (error === undefined) throw new Error(`no error on stderr: ${textOf(printed)}`);
  return error;
}

/** The field errors of such a run; none if it has not failed. */
export function fieldErrorsOf(printed: Printed): readonly { readonly path: string; readonly message: string }[] {
  const [error] = stderrLines(textOf(printed)).errors;
  return error === undefined ? [] : errorOf(printed).field_errors;
}

/** The sentences of the notices of such a run, a line each. */
export const noticeText = (printed: Printed): string =>
  stderrLines(textOf(printed))
    .notices.map(({ message }) => `${message}\n`)
    .join('');

/** What has been written on stderr so far, with each notice as its message; a line that is not whole yet stands as it is. */
export const messagesOf = (stderr: string): string =>
  stderr.replaceAll(/^\{"notice":.*\}$/gm, (line) => String(JSON.parse(line).notice.message));
