import { WriteLedger } from '../client/ledger.ts';
import type { Spoken } from '../domain/language.ts';
import type { DriftFinding } from '../live/findings.ts';
import type { DriftRecorder } from '../live/recorder.ts';
import type { Files } from '../platform/files/files.ts';
import type { Transport } from '../platform/http/transport.ts';
import type { Browser } from '../platform/process/browser.ts';
import type { Children } from '../platform/process/children.ts';
import type { Clock } from '../platform/process/clock.ts';
import { type Patience, patienceFor } from '../platform/process/interruptible.ts';
import type { NodeWarnings } from '../platform/process/node-warnings.ts';
import type { ListenOnLoopback } from '../platform/server/loopback-server.ts';
import type { SettingsStore } from '../platform/settings/settings.ts';
import type { Prompter } from '../platform/terminal/prompter.ts';
import type { Sink, Source } from '../platform/terminal/streams.ts';

/** All side effects available to a command; created once in bin, or by a test. Nothing else accesses `process`. */
export interface Context {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  readonly random: () => number;
  /** That many random bytes from the system. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly files: Files;
  readonly prompter: Prompter;
  /** Aborted by SIGINT, SIGTERM or SIGHUP; the reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: nothing is waited for any more. */
  readonly again?: AbortSignal;
  /** Sends a request; undici is loaded for the first one. */
  readonly transport: Transport;
  /** The settings of a directory. */
  readonly settingsIn: (directory: string) => SettingsStore;
  /** Opens a page in the user's browser. */
  readonly browser: Browser;
  /** Serves a page to the user's browser. */
  readonly listenOnLoopback: ListenOnLoopback;
  /** Programs that a command runs. */
  readonly children: Children;
  /** Warnings of Node and of libraries; absent where nobody hears them. */
  readonly warnings?: NodeWarnings | undefined;
  /** When this process started, in milliseconds since 1970; absent if unknown. */
  readonly began?: number;
  /** Id of this process. */
  readonly pid: number;
  /** The name of the user of this machine; empty if there is none. */
  readonly user?: string;
  /** Home directory, working directory and platform, for the default places of files. */
  readonly home: string;
  readonly workingDirectory: string;
  readonly platform: string;
  readonly version: string;
  /** The language of the run whatever the settings say, as tests choose it. */
  readonly spoken?: Spoken | undefined;
}

const ledgers = new WeakMap<Context, WriteLedger>();

/** The ledger of all writes sent in a context's run; shared by all of its connections. */
export function ledgerOf(context: Context): WriteLedger {
  const ledger = ledgers.get(context) ?? new WriteLedger();
  ledgers.set(context, ledger);
  return ledger;
}

const patiences = new WeakMap<AbortSignal, Patience>();

/** How long a context's run still waits after a signal; contexts that share the signal share it. */
export function patienceOf(context: Context): Patience {
  const { signal, clock, again } = context;
  const patience = patiences.get(signal) ?? patienceFor(signal, { clock, ...(again === undefined ? {} : { again }) });
  patiences.set(signal, patience);
  return patience;
}

const recorders = new WeakMap<Context, Promise<DriftRecorder>>();

/** The recorder of a context's run, for all of its connections: loaded when an answer first differs from the contract. */
export function driftOf(context: Context, state: string): Promise<DriftRecorder> {
  const { clock, files } = context;
  const load = async () => new (await import('../live/recorder.ts')).DriftRecorder({ clock, files, state });
  const recorder = recorders.get(context) ?? load();
  recorders.set(context, recorder);
  return recorder;
}

/** Ends the notes of a run; returns what is new in it. Loads nothing if every answer was as the contract says. */
export async function driftEnded(context: Context): Promise<readonly DriftFinding[]> {
  const recorder = await recorders.get(context);
  recorders.delete(context);
  return recorder?.end() ?? [];
}
