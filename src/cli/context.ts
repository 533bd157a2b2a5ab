import { WriteLedger } from '../client/ledger.ts';
import type { Browser } from '../platform/browser.ts';
import type { Children } from '../platform/children.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { ListenOnLoopback } from '../platform/loopback-server.ts';
import type { Prompter } from '../platform/prompter.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { Sink, Source } from '../platform/streams.ts';
import type { Transport } from '../platform/transport.ts';

/** Everything of the outside world that a command may touch; made once in bin, or by a test. Nobody else reads `process`. */
export interface Context {
  /** The words after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  readonly random: () => number;
  /** So many random bytes from the system. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly files: Files;
  readonly prompter: Prompter;
  /** Aborted by SIGINT or SIGTERM; the reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Sends a request; undici is loaded with the first one. */
  readonly transport: Transport;
  /** The settings of a directory. */
  readonly settingsIn: (directory: string) => SettingsStore;
  /** Shows a page to the person. */
  readonly browser: Browser;
  /** Serves a page to the person's browser. */
  readonly listenOnLoopback: ListenOnLoopback;
  /** Programs that a command runs. */
  readonly children: Children;
  /** When this process began, in milliseconds since 1970; absent where nothing of it tells. */
  readonly began?: number;
  /** Id of this process. */
  readonly pid: number;
  /** Home directory, working directory and platform, for the default places of files. */
  readonly home: string;
  readonly workingDirectory: string;
  readonly platform: string;
  readonly version: string;
}

const ledgers = new WeakMap<Context, WriteLedger>();

/** What the run of a context has sent so far that may change something; one for all of its connections. */
export function ledgerOf(context: Context): WriteLedger {
  const ledger = ledgers.get(context) ?? new WriteLedger();
  ledgers.set(context, ledger);
  return ledger;
}
