import type { Context } from '../context.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Texts that a command line refers to instead of containing them. */
export interface TextSource {
  /** The text of a file. */
  file(path: string): Promise<string>;
  /** The text of stdin, which only one value of a command line may use. */
  stdin(): Promise<string>;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/** The files and stdin of a run. It is a usage error if stdin is a terminal, or is requested twice. */
export function textSource(context: Context): TextSource {
  let taken = false;
  return {
    signal: context.signal,
    file: (path) => context.files.read(path),
    async stdin() {
      if (taken) throw new UsageError('stdin (-) can be read for one value only');
      taken = true;
      return context.stdin.readAll();
    },
  };
}
