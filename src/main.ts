import { type Context, driftEnded, ledgerOf, patienceOf } from './cli/context.ts';
import { type ExitName, exitCodes } from './cli/errors/exit.ts';
import type { Result } from './cli/flags/command.ts';
import { formatAsked, type Line, readLine, wantsTrace } from './cli/line/line.ts';
import { formatOf } from './cli/print/formats.ts';
import type { Report } from './cli/report/report.ts';
import type { LedgerEntry } from './client/ledger.ts';
import { fieldsIn } from './domain/json/values.ts';
import { PromptEnded } from './platform/terminal/prompter.ts';

/** The exit of a run that a signal ended. */
function exitOfSignal({ reason }: AbortSignal): ExitName {
  if (reason === 'SIGHUP') return 'hungUp';
  return reason === 'SIGTERM' ? 'terminated' : 'interrupted';
}

/** The exit code of a result that was printed: a signal ended the run also where its write was done. */
function codeOfResult(code: number, { applied }: Result, signal: AbortSignal): number {
  const isEnded = signal.aborted && code === exitCodes.success.code && applied === true;
  return isEnded ? exitCodes[exitOfSignal(signal)].code : code;
}

/** Failures that only say that a signal ended something. */
const ofSignals: ReadonlySet<string> = new Set(['internal_error', 'network']);

/**
 * A failure after a signal, which ends a run by its own exit: unless nobody knows whether a write was done, which counts
 * more. A signal is no bug, and no failure of the network.
 */
function afterSignal(report: Report, signal: AbortSignal): Report {
  if (!signal.aborted) return report;
  const isUnknown = report.outcome === 'unknown';
  const exit = isUnknown ? report.exit : exitOfSignal(signal);
  if (!ofSignals.has(report.code)) return { ...report, exit };
  const message = isUnknown
    ? `${signal.reason} came before it was known whether a write was done`
    : `ended by ${signal.reason}`;
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

/** Reports, once a day, that the service answers in a way that shopctl cannot use; a program that reads errors is spared. */
async function tellDrift(context: Context, { globals }: Line, isForProgram: boolean): Promise<void> {
  const [first, ...others] = await driftEnded(context);
  if (first === undefined || globals.quiet === true || isForProgram) return;
  const [{ driftNotice }, { tellLines }, { inScope }, { sessionOf }] = await Promise.all([
    import('./cli/report/drift-notice.ts'),
    import('./cli/print/tell.ts'),
    import('./cli/report/in-scope.ts'),
    import('./cli/session/session.ts'),
  ]);
  const notice = inScope(driftNotice(first, others.length), sessionOf(context)?.scope);
  await tellLines(context.stderr, `${notice}\n`);
}

/**
 * Runs one command line and returns its exit code. It is the composition root: nothing below it exits, and only here
 * are results and errors printed.
 */
export async function run(context: Context): Promise<number> {
  const line = readLine(context.argv);
  const exit = await runLine(context, line).finally(() => patienceOf(context).end());
  await tellDrift(context, line, formatAsked(line, context.env).errorsAsJson === true);
  return exit;
}

async function runLine(context: Context, line: Line): Promise<number> {
  if (context.argv[0] === '__complete') {
    await (await import('./cli/complete/complete.ts')).complete(context);
    return 0;
  }
  try {
    if (line.globals.version === true || (line.words.length === 1 && line.words[0] === 'version')) {
      await context.stdout.write(`${context.version}\n`);
      return 0;
    }
    const { runProgram } = await import('./cli/program.ts');
    const outcome = await runProgram(context);
    if (outcome.kind === 'text') {
      await context.stdout.write(outcome.text);
      return 0;
    }
    const { printResult } = await import('./cli/report/print-result.ts');
    const code = await printResult(context, outcome.session, outcome.result);
    return codeOfResult(code, outcome.result, context.signal);
  } catch (thrown) {
    if (thrown instanceof PromptEnded) return exitCodes[exitOfSignal(context.signal)].code;
    const [reporting, { hintInScope }, { sessionOf }, { concealing }] = await Promise.all([
      import('./cli/report/report.ts'),
      import('./cli/report/in-scope.ts'),
      import('./cli/session/session.ts'),
      import('./cli/session/concealing.ts'),
    ]);
    const { concealedReport, errorEnvelope, errorText, reportOf, withLedger } = reporting;
    const entry = ledgerOf(context).gravest;
    const failure = reportOf(thrown, await adviceFor(thrown, context));
    const known = withLedger(failure, entry, await lookingUp(entry, failure));
    const conceal = concealing(context, sessionOf(context));
    const concealed = concealedReport(hintInScope(known, sessionOf(context)?.scope), conceal);
    const report = afterSignal(concealed, context.signal);
    if (context.signal.aborted && report.outcome === 'not_applied') return exitCodes[report.exit].code;
    const { jsonSafe, makeSafe } = await import('./platform/terminal/text-safety.ts');
    // The profile's own setting counts as soon as the settings are known.
    const inForce = sessionOf(context)?.settings.output.value;
    const { errorsAsJson = false } = inForce === undefined ? formatAsked(line, context.env) : formatOf(inForce);
    if (errorsAsJson) await context.stderr.write(`${jsonSafe(errorEnvelope(report))}\n`);
    else await (await import('./cli/print/tell.ts')).tellLines(context.stderr, errorText(report));
    if (report.code === 'internal_error' && wantsTrace(line, context.env)) {
      const { stack } = fieldsIn(thrown);
      const { mappedStack } = await import('./platform/process/mapped-stack.ts');
      const traced = mappedStack(String(stack ?? ''), `shopctl-${context.version}-maps.tgz`);
      await context.stderr.write(makeSafe(`${conceal(traced)}\n`, 'keep'));
    }
    return exitCodes[report.exit].code;
  }
}
