import type { Format } from './kinds.ts';
import type { Service } from './service.ts';

/** Where a piece of work stops, and stands until it is told to go on. */
export interface Stop {
  /** At the question, at a request, in the midst of its file, or (never to go on again) at a write to its store. */
  readonly at: 'question' | 'create' | 'read' | 'file' | 'store';
  /** The so-manieth of them. */
  readonly nth: number;
  /** At a request: whether it happened already, and only its answer is held. */
  readonly happened: boolean;
}

/** One command line. */
export interface Work {
  readonly number: number;
  readonly argv: readonly string[];
  readonly directory: string;
  readonly terminal: boolean;
  readonly stop?: Stop | undefined;
  /** For a stop in the midst of the file: a pipe in its place, and its text. */
  readonly pipe?: { readonly path: string; readonly text: string } | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A piece of work under way. */
export interface Piece {
  readonly work: Work;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | undefined;
  readonly ended: 'by itself' | 'killed' | undefined;
  readonly wasInterrupted: boolean;
  /** When it began and ended, in steps of the world or in milliseconds. */
  readonly beganAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Whether its disk had no room for something that it wrote. */
  readonly diskWasFull?: boolean;
  /** Whether the clock of its machine was set while it ran. */
  readonly clockWasSet?: boolean;
  /** What it asked the service to make, one text a request. */
  readonly sent: readonly string[];
  readonly isStanding: boolean;
  /** What the last page was answered that asked it. */
  readonly answered?: string | undefined;
  /** Sends a request of a page to what it serves, or fetches where nothing is sent; resolves like `settled`. */
  ask?(path: string, sent: object | undefined, stop?: Stop): Promise<void>;
  /** Begins; resolves when it stands, has ended, or waits for somebody else. */
  begin(): Promise<void>;
  /** Resolves when it stands, has ended, or nothing has been heard of it for a while. */
  settled(patient?: boolean): Promise<void>;
  /** Goes on; `cut` closes the connection of the request at which it stands. */
  goOn(how: 'pass' | 'cut', patient?: boolean): Promise<void>;
  /** Ctrl-C; then what it waits for comes, or does not. */
  interrupt(how: 'pass' | 'cut'): Promise<void>;
  /** A power cut: nothing more of it reaches anybody, but for a request that is on its way. */
  kill(requestArrives: boolean): Promise<void>;
}

/** Those who do the work of a world. */
export interface Hands {
  /** Where a world may put its files: a directory of its own, and what becomes of it afterwards. */
  openScratch(): string;
  closeScratch(path: string): void;
  /** How files may be written for them. */
  readonly formats: readonly Format[];
  /** The time for whoever works and for the service. */
  now(): number;
  piece(work: Work, service: Service): Piece;
  /** Is told of a machine that has nothing yet: where its settings and its store are to lie. */
  newMachine?(directory: string): Promise<void>;
  /** Whether a machine's store has a row that is done with this record; undefined where nobody can see that. */
  isDone?(directory: string, id: string): Promise<boolean>;
  /** Copies a machine's store, which nobody uses now; what it returns puts the copy back, as `cp` does. Undefined if it has none. */
  backUp?(directory: string): (() => boolean) | undefined;
  /** From now on nothing befalls anybody: the work is brought to its end. */
  calm?(): void;
  /** Is told every line of the trace. */
  tell?(line: string): void;
}
