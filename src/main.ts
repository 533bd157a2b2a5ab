import { type Context, driftEnded, ledgerOf, patienceOf } from './cli/context.ts';
import { type ExitName, exitCodes } from './cli/errors/exit.ts';
import type { Result } from './cli/flags/command.ts';
import { formatAsked, type Line, readLine, wantsTrace } from './cli/line/line.ts';
import { diagnosticsOf } from './cli/print/diagnostics.ts';
import type { Report, signalText } from './cli/report/report.ts';
import type { LedgerEntry } from './client/ledger.ts';
import { fieldsIn } from './domain/json/values.ts';
import { speak } from './domain/language.ts';
import { PromptEnded } from './platform/terminal/prompter.ts';

/** The exit of a run that a signal ended. */
function exitOfSignal({ reason }: AbortSignal): ExitName {
  if (reason === 'SIGHUP') return 'hungUp';
  return reason === 'SIGTERM' ? 'terminated' : 'interrupted';
}

/** The exit code of a result that was printed: a signal ended the run also where its write was done. */
function codeOfResult(code: number, { wrote }: Result, signal: AbortSignal): number {
  const isEnded = signal.aborted && code === exitCodes.success.code && wrote === true;
  return isEnded ? exitCodes[exitOfSignal(signal)].code : code;
}

/** Failures that only say that a signal ended something. */
const ofSignals: ReadonlySet<string> = new Set(['internal_error', 'network']);

/**
 * A failure after a signal, which ends a run by its own exit: unless nobody knows whether a write was done, which counts
 * more. A signal is no bug, and no failure of the network.
 */
function afterSignal(report: Report, signal: AbortSignal, said: typeof signalText): Report {
  if (!signal.aborted) return report;
  const isUnknown = report.outcome === 'unknown';
  const exit = isUnknown ? report.exit : exitOfSignal(signal);
  if (!ofSignals.has(report.code)) return { ...report, exit };
  const message = said(String(signal.reason), isUnknown);
  const { hint, ...rest } = report;
  const isHelp = isUnknown && hint !== undefined;
  return { ...rest, code: isUnknown ? 'outcome_unknown' : 'interrupted', message, exit, ...(isHelp ? { hint } : {}) };
}

/** How to find out what became of a write; if this fails, the error is still reported. */
async function lookingUp(entry: LedgerEntry | undefined, report: Report): Promise<string | undefined> {
  if (entry === undefined && report.outcome !== 'unknown') return undefined;
  try {
    const { earlierWrite, wayToFindOut } = await import('./cli/report/find-out.ts');
    const write = entry ?? earlierWrite(report);
    return write && (await wayToFindOut(write));
  } catch {
    return undefined;
  }
}

/** What to do about a failure, if that depends on the profile in force; not knowing it is not a failure. */
async function adviceFor(thrown: unknown, context: Context): Promise<string | undefined> {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    const [{ hintForProfile }, { sessionOf }] = await Promise.all([
      import('./cli/report/hint-for-profile.ts'),
      import('./cli/session/session.ts'),
    ]);
    const session = sessionOf(context);
    return session === undefined ? undefined : await hintForProfile(thrown, session, context.env);
  } catch {
    return undefined;
  }
}

/** Reports, once a day, that the service answers in a way that shopctl cannot use. */
async function tellDrift(context: Context, { globals }: Line): Promise<void> {
  const [first, ...others] = await driftEnded(context);
  if (first === undefined || globals.quiet === true) return;
  const [{ driftNotice }, { inScope }, { sessionOf }] = await Promise.all([
    import('./cli/report/report.ts'),
    import('./cli/report/in-scope.ts'),
    import('./cli/session/session.ts'),
  ]);
  const message = inScope(driftNotice(first, others.length), sessionOf(context)?.scope);
  await diagnosticsOf(context).notice({ message, about: { code: 'drift', id: first.id } });
}

/** Passes warnings of Node and of libraries on as notices; what looks like a key is left out. */
function hearWarnings(context: Context, { globals }: Line): void {
  context.warnings?.hear(({ name, message, code }) => {
    if (globals.quiet === true) return;
    void (async () => {
      const [{ sessionOf }, { concealing }] = await Promise.all([
        import('./cli/session/session.ts'),
        import('./cli/session/concealing.ts'),
      ]);
      const text = concealing(context, sessionOf(context))(message).replace(/\s*\n\s*/g, ' ');
      const about = { code: 'runtime_warning', type: name, warning: code ?? null };
      await diagnosticsOf(context).warning({ message: text, about }, 'shopctl: ');
    })();
  });
}

/** How a line ended: its exit code, and the failure that is still to be reported. */
interface Ended {
  readonly code: number;
  readonly report?: () => Promise<void>;
}

/**
 * Runs one command line and returns its exit code. It is the composition root: nothing below it exits, and only here
 * are results and errors printed. The error comes last on stderr.
 */
export async function run(context: Context): Promise<number> {
  const line = readLine(context.argv);
  speak(context.spoken, context.clock.now());
  diagnosticsOf(context).use(formatAsked(line, context.env));
  hearWarnings(context, line);
  try {
    const { code, report } = await runLine(context, line).finally(() => patienceOf(context).end());
    await tellDrift(context, line);
    await report?.();
    return code;
  } finally {
    // The next run in this process chooses its own.
    speak(undefined, context.clock.now());
  }
}

/**
 * Whether nobody knows what became of a write when a bug ends the run. What a batch has sent stands in its own ledger, which
 * a bug may have left behind: it is not known then.
 */
function isUnknownNow(context: Context): boolean {
  const { gravest } = ledgerOf(context);
  return gravest === undefined ? patienceOf(context).hasSent : gravest.outcome === 'unknown';
}

/** The stack and message of whatever was thrown, and nothing else: a failure that nobody has caught is a bug, of any kind. */
function asBug(thrown: unknown, context: Context): Error {
  const { message, stack } = fieldsIn(thrown);
  const bug = new Error(typeof message === 'string' ? message : String(thrown));
  const isOfBatch = ledgerOf(context).gravest === undefined && isUnknownNow(context);
  return Object.assign(bug, typeof stack === 'string' ? { stack } : {}, isOfBatch ? { outcome: 'unknown' } : {});
}

/** The exit of a run that a bug ends, by its writes alone: a write in flight may have happened. */
export const codeOfBug = (context: Context): number =>
  exitCodes[isUnknownNow(context) ? 'unknownOutcome' : 'failure'].code;

/**
 * Reports what nothing in a run has caught, as any other failure of it, and returns its exit code. Nothing is written behind
 * an error that was reported before.
 */
export async function reportBug(context: Context, thrown: unknown): Promise<number> {
  const { code, report } = await failed(asBug(thrown, context), context, readLine(context.argv));
  await report?.();
  return code;
}

/** The version alone for people, and as a record for programs. It needs no settings, which may be what is broken. */
async function printVersion({ version, stdout, env }: Context, line: Line): Promise<void> {
  const { name, forPeople } = formatAsked(line, env);
  if (forPeople === true || name === 'name') return stdout.write(`${version}\n`);
  const { printDocument } = await import('./cli/print/print-document.ts');
  const view = { columns: [{ path: 'version' }] };
  const settings = { format: name, colour: false, terminal: false, quiet: false };
  await printDocument({ kind: 'record', value: { version }, view, isWhole: true }, settings, stdout);
}

async function runLine(context: Context, line: Line): Promise<Ended> {
  if (context.argv[0] === '__complete') {
    await (await import('./cli/complete/complete.ts')).complete(context);
    return { code: 0 };
  }
  try {
    if (line.globals.version === true || (line.words.length === 1 && line.words[0] === 'version')) {
      await printVersion(context, line);
      return { code: 0 };
    }
    const { runProgram } = await import('./cli/program.ts');
    const outcome = await runProgram(context);
    if (outcome.kind === 'text') {
      await context.stdout.write(outcome.text);
      return { code: 0 };
    }
    const { printResult } = await import('./cli/report/print-result.ts');
    const code = await printResult(context, outcome.session, outcome.result);
    return { code: codeOfResult(code, outcome.result, context.signal) };
  } catch (thrown) {
    if (thrown instanceof PromptEnded) return { code: exitCodes[exitOfSignal(context.signal)].code };
    return failed(thrown, context, line);
  }
}

async function failed(thrown: unknown, context: Context, line: Line): Promise<Ended> {
  const [reporting, { hintInScope }, { formatBefore, sessionOf }, { concealing }] = await Promise.all([
    import('./cli/report/report.ts'),
    import('./cli/report/in-scope.ts'),
    import('./cli/session/session.ts'),
    import('./cli/session/concealing.ts'),
  ]);
  const { concealedReport, errorEnvelope, errorText, reportOf, signalText, withLedger } = reporting;
  const session = sessionOf(context);
  const entry = ledgerOf(context).gravest;
  const failure = reportOf(thrown, await adviceFor(thrown, context));
  const known = withLedger(failure, entry, await lookingUp(entry, failure));
  const conceal = concealing(context, session);
  const shown = afterSignal(concealedReport(hintInScope(known, session?.scope), conceal), context.signal, signalText);
  if (context.signal.aborted && shown.outcome === 'not_applied') return { code: exitCodes[shown.exit].code };
  const diagnostics = diagnosticsOf(context);
  // With the settings the format is known; a line that cannot be read does not get that far.
  if (session === undefined) diagnostics.use(await formatBefore(context, line));
  const trace = async () => {
    if (shown.code !== 'internal_error' || !wantsTrace(line, context.env)) return;
    const { stack } = fieldsIn(thrown);
    const { mappedStack } = await import('./platform/process/mapped-stack.ts');
    const traced = mappedStack(String(stack ?? ''), `shopctl-${context.version}-maps.tgz`);
    await diagnostics.debug({ event: 'stack', stack: conceal(traced) });
  };
  return {
    code: exitCodes[shown.exit].code,
    async report() {
      await trace();
      await diagnostics.error({ json: () => errorEnvelope(shown), text: () => errorText(shown) });
    },
  };
}
