import type * as z from 'zod';
import type { Connection } from '../client/connection.ts';
import type { SeedName } from '../contract/control/names.ts';
import type { ControlOperation } from '../contract/control/operation.ts';
import type { View } from '../contract/view.ts';
import type { CsvStyle } from '../domain/csv-guard.ts';
import type { Fields } from '../domain/json/values.ts';
import type { Files } from '../platform/files/files.ts';
import type { Places } from '../platform/files/paths.ts';
import type { Transport } from '../platform/http/transport.ts';
import type { Browser } from '../platform/process/browser.ts';
import type { Children } from '../platform/process/children.ts';
import type { Clock } from '../platform/process/clock.ts';
import type { Waiting } from '../platform/process/interruptible.ts';
import type { ListenOnLoopback } from '../platform/server/loopback-server.ts';
import type { SettingsStore } from '../platform/settings/settings.ts';
import type { ResolvedSettings } from '../settings/in-force.ts';
import type { Known } from '../settings/setting.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Advise } from './advice.ts';
import type { CommandRecord, Declared, TreeRecord } from './declared.ts';

/** One choice, with its text for a person. */
export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  /** In a search: must be selected explicitly, and is never taken by Enter alone. */
  readonly lastResort?: boolean;
}

/** A question to a person. The schema parses the answer, and says what is wrong with an invalid one. */
export interface Question<Schema extends z.ZodType = z.ZodType> {
  /** The field being asked for. */
  readonly name: string;
  /** A function if it changes while waiting for the answer. */
  readonly message: string | (() => string);
  /** A boolean is a yes/no question, an enum a choice, anything else a text. */
  readonly schema: Schema;
  /** The default answer. */
  readonly initial?: z.output<Schema>;
  /** Whether the input is hidden. */
  readonly secret?: boolean;
  /** Whether several lines that are pasted are one answer; in a search they are joined by semicolons. */
  readonly takesMessage?: boolean;
  /** Whether it asks for more of a message, which may have ended with the answer before. */
  readonly isMore?: boolean;
  /** Aborts the question, which then rejects with the signal's reason: something else happened first. */
  readonly until?: AbortSignal;
  /** The choices in order; for an enum, all its values when absent. */
  readonly choices?: readonly Choice[];
  /** The choices for what was typed so far, narrowing with each letter. */
  readonly search?: (typed: string) => readonly Choice[];
  /** What is unusual about a valid answer: reported once, and accepted when the answer is repeated. */
  readonly doubt?: (answer: string) => string | undefined;
}

/** The person to ask, if there is one. */
export interface Person {
  /** Whether somebody is there to answer. */
  readonly isThere: boolean;
  /** Whether everything was agreed to beforehand. */
  readonly hasAgreed: boolean;
  /** Whether the result is read by the person, not by a program or from a file. */
  readonly readsResult: boolean;
  /** Whether it is somebody at a page, who is asked by showing the question, and agrees by running it again. */
  readonly isAtPage?: true;
  /** Asks; throws PromptEnded if the person leaves instead of answering. Must not be called if nobody is there. */
  ask<Schema extends z.ZodType>(question: Question<Schema>): Promise<z.output<Schema>>;
  /**
   * Prints text above the questions. Wrapped lines are indented by `hang` characters; an aside is displayed less
   * prominently.
   */
  tell(text: string, how?: { readonly hang?: number; readonly isAside?: boolean }): Promise<void>;
  /** Prints a table above a question about its rows; returns the paths of the columns for which there was room. */
  show(rows: readonly unknown[], view: View): Promise<readonly string[]>;
  /**
   * Resolves once agreed to, possibly beforehand. Throws a Refusal `confirmation_needed` with `what` if nobody can be
   * asked, and `not_confirmed` for a no.
   */
  confirm(question: { readonly what: string; readonly message: string }): Promise<void>;
}

/** Shows a person that work is in progress. */
export interface Progress {
  /** Runs work that has to be waited for; shown once a command has waited for a second in total. */
  during<Value>(work: () => Promise<Value>): Promise<Value>;
  /**
   * Reports how many records have arrived so far; if it is known how many there will be, how many of them failed, and
   * where nobody watches a line every half minute. A list that is one of several is told by its name.
   */
  came(records: number, of?: { readonly all: number; readonly failed: number }, list?: string): void;
  /** Prints a line at once, above the progress display. */
  say(line: string, about?: About): Promise<void>;
}

/** What a sentence is about, for a program that does not read it: a code, and facts by names of their own. */
export interface About {
  readonly code: string;
  readonly [fact: string]: unknown;
}

/** The result of an action that neither fails nor is completely successful. */
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

/** Everything an action reports besides its value. All of it may be called until the last row of a stream. */
export interface Report {
  /** A sentence for a person, printed after the result and not part of it. */
  notice(text: string, about?: About): void;
  /** The one sentence that matters: a person sees it in place of the result, a program beside that; also with --quiet. */
  alone(text: string, about?: About): void;
  /** A sentence for a person, printed at once: for actions whose rows arrive as things happen. */
  say(text: string, about?: About): void;
  /**
   * Something a person needs whatever happens next, such as the name of what was started: printed at once, even with
   * --quiet.
   */
  insist(text: string, about?: About): void;
  /**
   * Takes a line that a program of the user's has written on stderr; absent where it may write there itself.
   */
  readonly ofProgram?: ((line: string) => void) | undefined;
  /** The verdict; an unknown outcome counts before everything else, and of anything else the first. */
  verdict(verdict: Verdict): void;
  /** Reports that a long-running action is ready: a program reads the event, a person the lines. Written at once. */
  ready(event: Fields, lines: readonly string[]): Promise<void>;
  /**
   * Writes a result at once, with everything reported so far, when the action continues and will produce another one.
   */
  result(value: unknown): Promise<void>;
  /** Runs work once the reader has received the last byte of the result, and not if it disconnected before. */
  onceReported(work: () => Promise<void>): void;
  /** Uses the exit code of a program that was run, unchanged. */
  passOn(exitCode: number): void;
  /** Reports that a list was truncated, and what to add to the same input to continue. */
  rest(input: Readonly<Record<string, string>>): void;
}

/** Options for starting a sandbox. */
export interface SandboxStart {
  readonly name: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Data directory; undefined keeps nothing. */
  readonly data: string | undefined;
  /** The name of a seed, or the content of a seed file. */
  readonly seed: SeedName | Fields;
  /** Hosts outside this machine that webhooks may be delivered to. */
  readonly allowHosts: readonly string[];
  /** The flags that start it as it is, besides its name and port. */
  readonly flags?: readonly string[];
  /** Whether its first shop is signed in through its partner, whose profile then has the key. */
  readonly signedIn?: boolean;
  /** The directory for its record, by which it is found; this user's when absent. */
  readonly stateDirectory?: string;
  /** Whether this process goes on when the sandbox is stopped. */
  readonly processGoesOn?: boolean;
  /** Where to save its profiles. */
  readonly store: SettingsStore;
}

/** A sandbox running in this process. */
export interface RunningSandbox {
  /** Asks it without a connection. */
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly profiles: readonly string[];
  /** The names of the shops whose sign-ins its profile had: they ended with the sandbox that it replaces. */
  readonly dropped: readonly string[];
  readonly stopRequested: Promise<void>;
  close(): Promise<void>;
}

/** A sandbox running in the background. */
export interface DetachedSandbox {
  /** The address of its console, if it has one. */
  readonly consoleUrl?: string | undefined;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly profiles: readonly string[];
  /** As of a running one. */
  readonly dropped: readonly string[];
  readonly pid: number;
  /** Path of the file with its output. */
  readonly says: string;
}

/** The known facts about a sandbox of this user. */
export interface KnownSandbox {
  readonly name: string;
  readonly running: boolean;
  readonly base_url: string;
  readonly control_url: string;
  readonly pid: number;
  readonly data: string | null;
  readonly started_at: string;
}

/** Sends a command to a running sandbox; throws its refusals. */
export interface ControlCaller {
  /** The name of the sandbox. */
  readonly name: string;
  /** Whether other sandboxes run beside it. */
  readonly others: boolean;
  call<Input extends z.ZodObject, Output extends z.ZodObject>(
    operation: ControlOperation<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
}

/** The sandboxes of this machine. */
export interface Sandboxes {
  /** The running one of that name, otherwise the one that `meant` returns. Throws a Refusal if it does not run. */
  control(name: string | undefined): Promise<ControlCaller>;
  list(): Promise<readonly KnownSandbox[]>;
  /** A new address of the console of a running one, which works once; undefined if none is served, or a page asks. */
  consoleOf(name: string): Promise<string | undefined>;
  /** The running one at the address in force, or that saved the profile in force; otherwise the newest. */
  meant(): Promise<Pick<KnownSandbox, 'name' | 'base_url' | 'control_url'> | undefined>;
  /** Throws a Refusal for an invalid name, a port or data in use, and an invalid seed. */
  start(start: SandboxStart): Promise<RunningSandbox>;
  /** The same, in a process that outlives this one; resolves once it is ready. */
  startDetached(
    start: Omit<SandboxStart, 'store' | 'signedIn' | 'stateDirectory' | 'processGoesOn'> & {
      readonly withConsole: boolean;
    },
  ): Promise<DetachedSandbox>;
  /**
   * Asks a running one to stop (found like in `control`), and waits until its process has ended. Returns its name, or
   * undefined if none runs; throws a Refusal if others run, but none of that name.
   */
  stop(name: string | undefined): Promise<string | undefined>;
}

/** Options of a console. */
export interface ConsoleStart {
  /** 0 picks a free one. */
  readonly port: number;
  /** The profile that it serves; the current one when absent. */
  readonly profile?: string;
  /** How the service is reached; over the network when absent. */
  readonly transport?: Transport;
  /** Whether a console of this user that already serves the same profile at that port is used instead. */
  readonly isShared?: boolean;
}

/** A console that runs. */
export interface RunningConsole {
  /** The address to open, which works once. */
  readonly url: string;
  /** Whether it runs in this process. */
  readonly isOwn: boolean;
  /** Stops it, if it runs in this process. */
  close(): Promise<void>;
}

/** Options of a server for agents. */
export interface AgentStart {
  /** Whether phone numbers and e-mail addresses are shown. */
  readonly isPersonal: boolean;
}

/** A failure, in the words of a front end. */
export interface Explained {
  readonly message: string;
  /** How to fix it, if known. */
  readonly hint?: string | undefined;
  readonly verdict: Verdict;
}

/** What the front end says about itself, and how it words what an action only names. */
export interface UserInterface {
  /** What to do next. */
  readonly advise: Advise;
  /** Explains a failure as the front end does when it ends a run. */
  explain(error: unknown): Explained;
  /** Every command, as data: its words, arguments, flags, examples and operations. */
  commands(): Promise<readonly CommandRecord[]>;
  /** The commands with their groups, the global flags and the exit codes. */
  tree(): Promise<TreeRecord>;
  /** The names of the command groups. */
  groups(): readonly string[];
  /** The actions of a group. */
  actionsOf(group: string): Promise<readonly Declared[]>;
  /** How an agent works with this version, as a document. */
  skill(version: string): Promise<string>;
  /** The completion script for a shell. */
  completionScript(shell: 'bash' | 'zsh' | 'fish' | 'powershell'): Promise<string>;
}

/** What polling for changes that no webhook has delivered requires. */
export interface Polling {
  readonly workspace: Workspace;
  readonly account: string;
  readonly entities: readonly string[];
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** When the present webhook was created, ISO 8601; undefined if it is not known. */
  readonly webhookSince: () => string | undefined;
  /** Called when a poll has stored changes. */
  readonly onStored: () => void;
}

/** All side effects available to an action. Created by a front end; nothing here knows who reads the result, or how. */
export interface Ports {
  readonly clock: Clock;
  /** When this run started, in milliseconds since 1970. */
  readonly began: number;
  /** The mark of the form that asks for this run, if one does. */
  readonly opened?: string | undefined;
  readonly random: () => number;
  /** That many random bytes from the system. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly files: Files;
  /** Aborted when the run should end. */
  readonly signal: AbortSignal;
  /** How this run waits for a database or a lock. */
  readonly waiting?: Waiting | undefined;
  readonly browser: Browser;
  readonly listenOnLoopback: ListenOnLoopback;
  readonly children: Children;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of the user of this machine; empty if there is none. */
  user(): string;
  /** The base directory for relative paths. */
  readonly workingDirectory: string;
  readonly version: string;
  /** The front end's capabilities, where settings depend on them. */
  readonly known: Known;
  /** Reads all of stdin as text. */
  readStdin(): Promise<string>;
  /** How csv is written to a file. */
  readonly csv: CsvStyle;
  /** Whether this is a dry run: nothing is sent then, and nothing changed. */
  readonly isLook: boolean;
  /** In a dry run, the path of a directory in which it works on copies; removed when the run has ended. */
  readonly scratch?: () => string;
  /** Why the settings cannot be used, for an action that diagnoses; the defaults are then in force. */
  readonly problem?: unknown;
  /** The current settings, and where each comes from. */
  readonly settings: ResolvedSettings;
  /** The name of the zone of every time that a person sees. */
  timeZone(): string;
  /** The settings store; in a dry run, changes are discarded. */
  readonly store: SettingsStore;
  /** The same ports with freshly read settings, after this run changed them. */
  afresh(): Promise<Ports>;
  /** The settings of another directory. */
  readonly settingsIn: (directory: string) => SettingsStore;
  readonly places: Places;
  readonly person: Person;
  readonly progress: Progress;
  readonly sandboxes: Sandboxes;
  /** Serves the actions to a browser. Throws a PortError if the port cannot be bound. */
  startConsole(start: ConsoleStart): Promise<RunningConsole>;
  /** Serves the actions to an agent until stdin ends. Throws a Refusal if its policy was not accepted. */
  serveAgents(start: AgentStart): Promise<void>;
  /**
   * With a copy of the shop, compares it now and then periodically, and stores what no webhook has delivered as changes of
   * its own; returns a way to wait for its end.
   */
  pollChanges(polling: Polling): Promise<() => Promise<void>>;
  readonly ui: UserInterface;
  readonly report: Report;
  /**
   * A connection to the service in force, or to the given address; throws a Refusal if none is known. In a dry run the
   * first call ends the run and is shown; in read-only mode a write is refused.
   */
  connection(baseUrl?: string): Connection;
  /** Announces an effect other than a call to the service. In a dry run, the run ends here and shows it. */
  intend(what: Fields): void;
}
