import type { Context } from './context.ts';
import { UsageError } from './usage-error.ts';

/** Texts that a command line names instead of spelling out. */
export interface TextSource {
  /** The text of a file. */
  file(path: string): Promise<string>;
  /** The text of stdin, which one value of a command line may take. */
  stdin(): Promise<string>;
}

/** The files and the stdin of a run. A stdin that is a terminal, or is asked for twice, is a usage error. */
export function textSource(context: Context): TextSource {
  let taken = false;
  return {
    file: (path) => context.files.read(path),
    async stdin() {
      if (taken) throw new UsageError('stdin (-) can be read for one value only');
      taken = true;
      return context.stdin.readAll();
    },
  };
}
