import type { ErrorData } from '../contract/operation.ts';
import type { Cell, ColumnKind } from '../contract/view.ts';
import type { Fields } from '../domain/json/values.ts';
import type { Action } from './action.ts';
import type { Ports, Report } from './ports.ts';

/** How one run is opened. */
export interface Opening {
  /** Whether it is a dry run. */
  readonly isLook: boolean;
  /** The questions that were answered with yes. */
  readonly agreed: readonly string[];
  /** Told each question that a dry run would wait for. */
  readonly asks?: ((question: string) => void) | undefined;
  readonly signal: AbortSignal;
  readonly report: Report;
  /** The mark of the form that asks for it; what was told since the console began was told for it when absent. */
  readonly opened?: string | undefined;
}

/** One run, until it ends. */
export interface Opened {
  readonly ports: Ports;
  /**
   * Parses and checks an input as the command line does, with the settings that supply fields, and reports what is
   * unusual about it. Throws all errors at once.
   */
  check(action: Action, input: Fields): Promise<Record<string, unknown>>;
  /** Ends the run: what was noted about the service's answers is saved. */
  end(): Promise<void>;
}

/** A report that passes on what is asked for, and nothing else. */
export const quietReport = (own: Partial<Report> = {}): Report => ({
  notice: () => {},
  alone: () => {},
  say: () => {},
  insist: () => {},
  verdict: () => {},
  ready: async () => {},
  result: async () => {},
  onceReported: () => {},
  passOn: () => {},
  rest: () => {},
  ...own,
});

/** Opens a run to which nobody has agreed beforehand, and ends it however its work ends. */
export async function inRun<Result>(
  { open }: Pick<Means, 'open'>,
  opening: Pick<Opening, 'signal'> & Partial<Opening>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await open({ isLook: false, agreed: [], report: quietReport(), ...opening });
  try {
    return await work(opened);
  } finally {
    await opened.end();
  }
}

/** How a run that was not completed ended. */
export type Ending =
  /** A dry run: what would have been sent. */
  | { readonly kind: 'looked'; readonly request: unknown }
  /** A question to which nobody had agreed. */
  | { readonly kind: 'asked'; readonly question: string }
  | { readonly kind: 'failed'; readonly error: ErrorData };

/**
 * What the command line lends to the other interpreters of the actions, so that all say the same: ports, words and the
 * commands themselves. None of them sees how a command line is read.
 */
export interface Means {
  readonly version: string;
  /** Every action; of those that share their words, the one for the profile's kind. */
  actions(): Promise<readonly Action[]>;
  /** Opens one run, with settings that are read again. Throws what is wrong with them. */
  open(opening: Opening): Promise<Opened>;
  /** What a thrown error means, in the words of the command line. */
  ending(thrown: unknown, action: Action | undefined, opened: Opened | undefined): Promise<Ending>;
  /** The command line that does the same, with the flags that choose the account, and further flags. */
  typed(action: Action, input: Fields, further?: Readonly<Record<string, string | undefined>>): string;
  /** A value as a table shows it. */
  cell(value: unknown, kind?: ColumnKind): Cell;
}
