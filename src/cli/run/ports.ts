import { curlOf, keyVariable } from '../../action/curl.ts';
import type { About, Ports, Report, UserInterface, Verdict } from '../../action/ports.ts';
import { checkedBaseUrl, endpoint } from '../../client/base-url.ts';
import type { Connection } from '../../client/connection.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Credential, Effect } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { parseJson } from '../../domain/json/json.ts';
import { repeatedKey } from '../../domain/json/repeated-key.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import type { Waiting } from '../../platform/process/interruptible.ts';
import { jsonSafe, makeSafe } from '../../platform/terminal/text-safety.ts';
import { heldBy } from '../../settings/in-force.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { patienceOf } from '../context.ts';
import { ReadOnlyError } from '../errors/usage-error.ts';
import type { Invocation, Result } from '../flags/command.ts';
import { known } from '../line/globals.ts';
import { diagnosticsOf, type Notice, tellLines } from '../print/diagnostics.ts';
import { formatOf } from '../print/formats.ts';
import { csvStyle } from '../report/how-to-print.ts';
import { hintInScope, inScope } from '../report/in-scope.ts';
import { sandboxesOf } from '../sandbox/sandboxes.ts';
import { concealed, concealing } from '../session/concealing.ts';
import { openSession, zoneOf } from '../session/session.ts';
import { personAt } from './prompt-person.ts';
import { say } from './texts.ts';

/** The request about to be sent, as far as previews and policies need it. */
interface Outgoing {
  readonly id: OperationId;
  readonly effect: Effect;
  readonly credential: Credential;
  readonly body: string;
}

/** A body as it would be sent: its text where its value alone would not say that, such as one that is no JSON. */
function bodyAsSent(text: string): unknown {
  try {
    const value = parseJson(text);
    // A long integer is read as text.
    const isWhole = JSON.stringify(JSON.parse(text)) === JSON.stringify(value) && repeatedKey(text) === undefined;
    return isWhole ? value : text;
  } catch {
    return text;
  }
}

/** The command that prints a key of each kind. */
const printsKey: Readonly<Record<Credential, string>> = {
  'partner-api-key': '`shopctl auth token --api-key --yes`',
  'shop-api-key': '`shopctl auth token --api-key --yes`',
  'shop-key': '`shopctl auth token --yes`',
};

/** How the variable is set that a curl command takes its key from, unless it is set. */
function keyForCurl({ context: { env }, session }: Invocation, { credential }: Outgoing): Notice[] {
  const variable = keyVariable[credential];
  if (env[variable]) return [];
  const command = inScope(printsKey[credential], session.scope);
  const message = say().keyForCurl({ variable, command });
  return [{ message, about: { code: 'key_for_curl', variable, command: command.replaceAll('`', '') } }];
}

/** Applies the policies and previews to a call, for every command: read-only, `--dry-run` and `--curl`. */
function guard(invocation: Invocation, outgoing: Outgoing, baseUrl?: string): Result | undefined {
  const { session } = invocation;
  const { globals, settings } = session;
  const previewed = globals['dry-run'] === true || globals.curl === true;
  if (settings.readOnly.value !== false && outgoing.effect !== 'read' && !previewed) {
    throw new ReadOnlyError(outgoing.id, heldBy(settings.readOnly));
  }
  if ((invocation.context.env.SHOPCTL_AGENT ?? '') !== '' && outgoing.effect !== 'read' && !previewed)
    throw new Refusal('person_needed', say().personNeeded({ operation: outgoing.id }), {
      kind: 'policy',
    });
  if (!previewed) return undefined;
  const url = endpoint(checkedBaseUrl(baseUrl ?? baseUrlOf(settings)), outgoing.id);
  if (globals.curl === true) {
    return {
      document: { kind: 'text', text: `${curlOf({ url, ...outgoing })}\n` },
      notices: keyForCurl(invocation, outgoing),
    };
  }
  const value = { operation: outgoing.id, method: 'POST', url, body: bodyAsSent(outgoing.body) };
  const columns = ['operation', 'method', 'url', 'body'].map((path) => ({ path }));
  return {
    document: { kind: 'record', value, view: { columns } },
    defaultFormat: 'json',
    notices: [{ message: say().dryRun.notSent, about: { code: 'dry_run' } }],
  };
}

/** In a dry run, shows what a command that makes no call would do, instead of doing it. */
function localPreview({ context, session }: Invocation, intended: Fields): Result | undefined {
  if (session.globals['dry-run'] !== true && session.globals.curl !== true) return undefined;
  const value = concealed(intended, concealing(context, session));
  const columns = Object.keys(intended).map((path) => ({ path }));
  return {
    document: { kind: 'record', value, view: { columns } },
    defaultFormat: 'json',
    notices: [{ message: say().dryRun.notDone, about: { code: 'dry_run' } }],
  };
}

/** What an action reported besides its value, once it has ended. */
export interface Reported {
  readonly notices: Notice[];
  verdict: Verdict | undefined;
  /** The exit of a program that was run. */
  exitCode: number | undefined;
  /** Whether a write was started. */
  wrote: boolean;
  /** Work to run when stdout has accepted the last byte. */
  onceReported: (() => Promise<void>) | undefined;
  /** Prints a result while the action continues. */
  printed: (value: unknown) => Promise<void>;
  /** What a person sees in place of the result. */
  alone: Notice | undefined;
  /** How to continue a truncated list. */
  rest: Readonly<Record<string, string>> | undefined;
}

/** What an action has reported before it does; `printed` prints a result of several. */
export const newReport = (printed: Reported['printed']): Reported => ({
  notices: [],
  verdict: undefined,
  exitCode: undefined,
  wrote: false,
  onceReported: undefined,
  alone: undefined,
  printed,
  rest: undefined,
});

/** Whether this is a dry run. */
export function isPreview({ session }: Pick<Invocation, 'session'>): boolean {
  return session.globals['dry-run'] === true || session.globals.curl === true;
}

function reportTo(reported: Reported, { context, session }: Invocation): Report {
  const { scope } = session;
  const conceal = concealing(context, session);
  const diagnostics = diagnosticsOf(context);
  const noticeOf = (text: string, about?: About): Notice => ({
    message: conceal(inScope(text, scope)),
    ...(about === undefined ? {} : { about: { ...fieldsIn(concealed(about, conceal)), code: about.code } }),
  });
  const tell = (text: string, about?: About) => {
    const notice = noticeOf(text, about);
    void session.progress.say(notice.message, notice.about);
  };
  const ofProgram = (message: string) => void diagnostics.notice({ message, about: { code: 'program_output' } });
  return {
    async ready(event, lines) {
      const { stdout } = context;
      if (formatOf(session.settings.output.value).forPeople !== true) {
        await stdout.write(`${jsonSafe(JSON.stringify(event))}\n`);
      } else await tellLines(stdout, lines.map((line) => makeSafe(line)).join('\n'));
    },
    passOn(exitCode) {
      reported.exitCode = exitCode;
    },
    result: (value) => reported.printed(value),
    onceReported(work) {
      reported.onceReported = work;
    },
    notice(text, about) {
      reported.notices.push(noticeOf(text, about));
    },
    alone(text, about) {
      reported.alone = noticeOf(text, about);
    },
    say(text, about) {
      if (session.globals.quiet !== true) tell(text, about);
    },
    insist: tell,
    ...(diagnostics.isForPrograms ? { ofProgram } : {}),
    verdict(verdict) {
      // An unknown outcome counts before everything else; of anything else the first.
      if (verdict === 'unknownOutcome') reported.verdict = verdict;
      else reported.verdict ??= verdict;
    },
    rest(input) {
      reported.rest = input;
    },
  };
}

/** The user interface whose commands work as they are pasted. */
const uiOf = ({ ui, session: { scope } }: Invocation): UserInterface => ({
  ...ui,
  advise: (code, facts) => inScope(ui.advise(code, facts), scope),
  explain: (error) => hintInScope(ui.explain(error), scope),
});

/** A connection whose gate ends a dry run at its first call, and refuses what is not allowed. */
function guarded(invocation: Invocation, reported: Reported, baseUrl: string | undefined): Connection {
  const connection = invocation.session.connection(baseUrl);
  return {
    ...connection,
    gate(outgoing) {
      // Before a preview too: a key of another shop than the one asked for is refused.
      connection.key(outgoing.credential);
      const shown = guard(invocation, outgoing, baseUrl);
      if (shown !== undefined) throw new Previewed(shown);
      reported.wrote ||= outgoing.effect !== 'read';
    },
  };
}

/** How long a look waits for a database that is away; a write waits as long as the database is worth it. */
const LOOK_PATIENCE_MS = 5_000;

/** How an action waits for the database: it is said once what for. */
function waitingOf({ context, session }: Invocation, report: Report, isLook: boolean): Waiting {
  const said = new Set<string>();
  return {
    signal: patienceOf(context).signal,
    onWait(what) {
      if (!said.has(what)) report.say(say().waiting({ what }));
      said.add(what);
    },
    ...(isLook || session.globals['dry-run'] === true ? { patienceMs: LOOK_PATIENCE_MS } : {}),
  };
}

/** The ports of an action on the command line; one that only looks waits less. */
export function portsOf(invocation: Invocation, reported: Reported, isLook = false): Ports {
  const { context, session } = invocation;
  const { clock, random, randomBytes, files, signal, env, workingDirectory, version } = context;
  const report = reportTo(reported, invocation);
  const ports: Ports = {
    clock,
    get began() {
      return context.began ?? clock.now() + 1;
    },
    random,
    randomBytes,
    files,
    signal,
    env,
    workingDirectory,
    version,
    // What most runs do not need is read from the context on first use.
    get browser() {
      return context.browser;
    },
    get listenOnLoopback() {
      return context.listenOnLoopback;
    },
    get children() {
      return context.children;
    },
    user: () => env.USER || env.USERNAME || (context.user ?? ''),
    readStdin: () => context.stdin.readAll(),
    csv: csvStyle(session),
    afresh: async () =>
      portsOf({ ...invocation, session: await openSession(context, session.globals) }, reported, isLook),
    settingsIn: (directory) => context.settingsIn(directory),
    known,
    isLook: isPreview(invocation),
    ...(isPreview(invocation) ? { scratch: session.scratch.path } : {}),
    problem: session.problem,
    settings: session.settings,
    timeZone: () => zoneOf(session) ?? session.settings.tz.value,
    store: session.store,
    places: session.places,
    person: personAt(context, session, isPreview(invocation)),
    progress: session.progress,
    ui: uiOf(invocation),
    get sandboxes() {
      return sandboxesOf(context, session);
    },
    startConsole: (start) => invocation.startConsole(invocation, start),
    serveAgents: (start) => invocation.serveAgents(invocation, start),
    report,
    waiting: waitingOf(invocation, report, isLook),
    connection: (baseUrl) => guarded(invocation, reported, baseUrl),
    intend(what) {
      const shown = localPreview(invocation, what);
      if (shown !== undefined) throw new Previewed(shown);
    },
    pollChanges: async (polling) =>
      (await import('../../mirror/actions/listen-mirror.ts')).pollThroughMirror(ports, polling),
  };
  return ports;
}

/** Thrown to end a dry run before anything is done; carries what to show. */
export class Previewed extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('this was only a preview');
    this.name = 'Previewed';
    this.result = result;
  }
}
