import type {
  Acknowledged,
  Catalogue,
  Changed,
  ErrorData,
  FileAnswer,
  FormData,
  Ran,
  RunRequest,
  UploadPiece,
} from './wire.ts';

/** What a console serves: the actions of one profile, each of which may be run from a page. */
export interface Served {
  /**
   * Everything that may be run, as data, or what is wrong with the settings; with the first page of the table of the screen
   * at an address that names nothing else, which is drawn sooner for it.
   */
  catalogue(at: string, left: AbortSignal): Promise<Catalogue | { readonly error: ErrorData }>;
  /** The input of an action; undefined if it may not be run from a page. */
  form(id: string): Promise<FormData | undefined>;
  /**
   * Runs an action and returns its result, its question or its error; undefined if it may not be run from a page.
   * `left` is aborted when the page leaves, which ends a read and never a write. `early` is told what was found of a list
   * that takes long, if the request allows it.
   */
  run(id: string, request: RunRequest, left: AbortSignal, early?: (ran: Ran) => void): Promise<Ran | undefined>;
  /** Marks the result of a receipt as told; what is not known any more stays untold, and is told once more. */
  reported(receipt: string): Promise<Acknowledged>;
  /** Calls back whenever something may look different, until the returned function is called. */
  watch(changed: (change: Changed) => void): () => void;
  /** Adds a piece to a file that a page sends; returns its id, or undefined if it cannot be taken. */
  receive(piece: UploadPiece): Promise<string | undefined>;
  /** A file that a run has written for the page; undefined if there is none of that id. */
  file(id: string): Promise<FileAnswer | undefined>;
  /** Removes what was kept for pages. */
  end(): Promise<void>;
}
