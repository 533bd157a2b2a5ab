import type { Catalogue, Changed, ErrorData, FormData, Ran, RunRequest } from './wire.ts';

/** What a console serves: the actions of one profile, each of which may be run from a page. */
export interface Served {
  /** Everything that may be run, as data, or what is wrong with the settings. */
  catalogue(): Promise<Catalogue | { readonly error: ErrorData }>;
  /** The input of an action; undefined if it may not be run from a page. */
  form(id: string): Promise<FormData | undefined>;
  /**
   * Runs an action and returns its result, its question or its error; undefined if it may not be run from a page.
   * `left` is aborted when the page leaves, which ends a read and never a write.
   */
  run(id: string, request: RunRequest, left: AbortSignal): Promise<Ran | undefined>;
  /** Calls back whenever something may look different, until the returned function is called. */
  watch(changed: (change: Changed) => void): () => void;
}
