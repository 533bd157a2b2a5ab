import type * as z from 'zod';
import type { Connection } from '../client/connection.ts';
import type { ControlOperation } from '../contract/control/operation.ts';
import type { View } from '../contract/view.ts';
import type { Browser } from '../platform/browser.ts';
import type { Children } from '../platform/children.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { ListenOnLoopback } from '../platform/loopback-server.ts';
import type { Places } from '../platform/paths.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { Action } from './action.ts';
import type { Advise } from './advice.ts';
import type { CommandRecord, TreeRecord } from './command-records.ts';
import type { ResolvedSettings } from './settings/in-force.ts';
import type { Known } from './settings/setting.ts';

/** One thing to choose, and what a person reads of it. */
export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  /** Of a search: taken only by somebody who goes to it, never by Enter alone. */
  readonly lastResort?: boolean;
}

/** Something a person is asked. The schema reads the answer, and says what is wrong with one that it cannot read. */
export interface Question<Schema extends z.ZodType = z.ZodType> {
  /** What is asked for, as a field's name. */
  readonly name: string;
  /** A function where it changes while the answer is waited for. */
  readonly message: string | (() => string);
  /** A boolean is a yes or no, an enum a choice, anything else a text. */
  readonly schema: Schema;
  /** The answer that is proposed. */
  readonly initial?: z.output<Schema>;
  /** Whether the answer is not to be shown. */
  readonly secret?: boolean;
  /** Ends the question unanswered, which then rejects with the signal's reason: something else came first. */
  readonly until?: AbortSignal;
  /** What there is to choose from, in order; of an enum all its values where it is absent. */
  readonly choices?: readonly Choice[];
  /** The choices for what was typed so far, where they narrow with each letter. */
  readonly search?: (typed: string) => readonly Choice[];
  /** What is unusual about an answer that the schema takes: told once, and taken when it is given again. */
  readonly doubt?: (answer: string) => string | undefined;
}

/** The person who can be asked, if there is one. */
export interface Person {
  /** Whether somebody is there to answer. */
  readonly isThere: boolean;
  /** Whether everything that is asked for agreement was agreed to beforehand. */
  readonly hasAgreed: boolean;
  /** Whether the result goes to them, and not to a program or a file. */
  readonly readsResult: boolean;
  /** Asks; throws PromptEnded where the person leaves instead of answering. Not to be called where nobody is there. */
  ask<Schema extends z.ZodType>(question: Question<Schema>): Promise<z.output<Schema>>;
  /**
   * Says something above the questions. Lines behind the first stand `hang` characters in where they are broken; an aside
   * is of less weight.
   */
  tell(text: string, how?: { readonly hang?: number; readonly isAside?: boolean }): Promise<void>;
  /** Shows rows side by side, above a question about them. */
  show(rows: readonly unknown[], view: View): Promise<void>;
  /**
   * Resolves where it is agreed to, also beforehand. Throws a Refusal `confirmation_needed` with `what` where nobody can be
   * asked, and `not_confirmed` for a no.
   */
  confirm(question: { readonly what: string; readonly message: string }): Promise<void>;
}

/** Tells a person that something is waited for. */
export interface Progress {
  /** Does something that has to be waited for; once a command has waited for a second in all, that is shown. */
  during<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Tells how many records came so far. */
  came(records: number): void;
  /** Writes a line at once; what is shown meanwhile makes room for it. */
  say(line: string): Promise<void>;
}

/** What an action came to, where its value does not fail and is not all well either. */
export type Verdict =
  | 'failure'
  | 'usage'
  | 'notFound'
  | 'credential'
  | 'conflict'
  | 'throttled'
  | 'network'
  | 'pending'
  | 'partial'
  | 'unknownOutcome'
  | 'different'
  | 'policy'
  | 'service'
  | 'configuration';

/** What there is to say beside the value. Each may be told until the last row of a stream. */
export interface Report {
  /** A sentence for a person. It stands behind the result and is not part of it. */
  notice(text: string): void;
  /** A sentence for a person, said at once: beside rows that come as things happen. */
  say(text: string): void;
  /** What a person needs whatever happens next, the name of what was begun for example: said at once, with --quiet too. */
  insist(text: string): void;
  /** What it came to; the first one counts. */
  verdict(verdict: Verdict): void;
  /**
   * That what goes on until it is stopped is ready: a program reads the event, a person the lines. Written at once.
   */
  ready(event: Readonly<Record<string, unknown>>, lines: readonly string[]): Promise<void>;
  /** Gives a result at once, with all that was told beside it, where the action goes on and comes to another one. */
  result(value: unknown): Promise<void>;
  /** What is to be done when the reader has taken the last byte of the result, and not where it went away before. */
  onceTold(work: () => Promise<void>): void;
  /** The exit of a program that was run; it goes on as it is. */
  passOn(exitCode: number): void;
  /** That a list was cut short, and what has to be given beside the same input to go on with it. */
  rest(input: Readonly<Record<string, string>>): void;
}

/** How a sandbox is started. */
export interface SandboxStart {
  readonly name: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Directory of the data; undefined keeps nothing. */
  readonly data: string | undefined;
  /** The example records, nothing, or the content of a seed file. */
  readonly seed: 'demo' | 'none' | Readonly<Record<string, unknown>>;
  /** Hosts outside this machine that webhooks may lead to. */
  readonly allowHosts: readonly string[];
  /** Whether its first shop is signed in through its partner, whose profile then has the key. */
  readonly signedIn?: boolean;
  /** Where its record goes, so that it is found; that of this user where it is absent. */
  readonly stateDirectory?: string;
  /** Where its profiles are saved. */
  readonly store: SettingsStore;
}

/** A sandbox that runs in this process. */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly profiles: readonly string[];
  readonly stopRequested: Promise<void>;
  close(): Promise<void>;
}

/** A sandbox that was left running. */
export interface DetachedSandbox {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly profiles: readonly string[];
  readonly pid: number;
  /** Path of the file that gets what it says. */
  readonly says: string;
}

/** What is known of a sandbox of this user. */
export interface KnownSandbox {
  readonly name: string;
  readonly running: boolean;
  readonly base_url: string;
  readonly control_url: string;
  readonly pid: number;
  readonly data: string | null;
  readonly started_at: string;
}

/** Tells a running sandbox something; throws what it refuses. */
export interface ControlCaller {
  call<Input extends z.ZodObject, Output extends z.ZodObject>(
    operation: ControlOperation<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
}

/** The sandboxes of this machine. */
export interface Sandboxes {
  /** The running one of that name, else the newest. Throws a Refusal where none runs. */
  control(name: string | undefined): Promise<ControlCaller>;
  list(): Promise<readonly KnownSandbox[]>;
  /** Throws a Refusal for an invalid name, a port that is taken, data that is in use, and a seed that is wrong. */
  start(start: SandboxStart): Promise<RunningSandbox>;
  /** The same, in a process that goes on when this one has ended; resolves once it is ready. */
  startDetached(start: Omit<SandboxStart, 'store' | 'signedIn' | 'stateDirectory'>): Promise<DetachedSandbox>;
  /** Asks a running one to stop (as `control` finds it), and waits until its process has ended it. Answers its name. */
  stop(name: string | undefined): Promise<string>;
}

/** What a failure comes to, in the words of a front. */
export interface Explained {
  readonly message: string;
  /** What to do about it, where there is something. */
  readonly hint?: string | undefined;
  readonly verdict: Verdict;
}

/** What the front says of itself, and how it words what an action only names. */
export interface Front {
  /** What to do next. */
  readonly advise: Advise;
  /** A failure as the front tells it where it ends a run. */
  explain(error: unknown): Explained;
  /** Every command, as data: its words, arguments, flags, examples and operations. */
  commands(): Promise<readonly CommandRecord[]>;
  /** The commands with their groups, the global flags and the exit codes. */
  tree(): Promise<TreeRecord>;
  /** The names of the groups of commands. */
  groups(): readonly string[];
  /** The actions of a group. */
  actionsOf(group: string): Promise<readonly Action[]>;
  /** The script that teaches a shell its words. */
  completionScript(shell: 'bash' | 'zsh' | 'fish' | 'powershell'): Promise<string>;
}

/** Everything that an action may use of the world. A front makes it; nothing here knows who reads the result, or how. */
export interface Ports {
  readonly clock: Clock;
  /** When this run began, in milliseconds since 1970. */
  readonly began: number;
  readonly random: () => number;
  /** So many random bytes from the system. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly files: Files;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  readonly browser: Browser;
  readonly listenOnLoopback: ListenOnLoopback;
  readonly children: Children;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths begin at. */
  readonly workingDirectory: string;
  readonly version: string;
  /** What the front can do, as far as settings depend on it. */
  readonly known: Known;
  /** The whole text of the standard input. */
  readStdin(): Promise<string>;
  /** Whether only a look was asked for: nothing is sent then, and nothing changed. */
  readonly isLook: boolean;
  /** Why the settings cannot be used, for an action that diagnoses; those in force are then the defaults. */
  readonly problem?: unknown;
  /** What is in force, and where each of it comes from. */
  readonly settings: ResolvedSettings;
  /** The settings as they are kept; where only a look was asked for, what is changed is thrown away. */
  readonly store: SettingsStore;
  /** The same with the settings as they are now, where this run has changed what it stands on. */
  afresh(): Promise<Ports>;
  /** The settings of another directory. */
  readonly settingsIn: (directory: string) => SettingsStore;
  readonly places: Places;
  readonly person: Person;
  readonly progress: Progress;
  readonly sandboxes: Sandboxes;
  readonly front: Front;
  readonly report: Report;
  /**
   * The way to the service in force; throws a Refusal where none is named. Where only a look was asked for, the first
   * call over it ends the run and is shown; where only reading is allowed, a write over it is refused. With an address
   * it leads there instead.
   */
  connection(baseUrl?: string): Connection;
  /**
   * Tells what is about to be done beside calls of the service. Where only a look was asked for, the run ends here, and
   * this is shown.
   */
  intend(what: Readonly<Record<string, unknown>>): void;
}
