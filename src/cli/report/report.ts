import type { Outcome } from '../../client/errors.ts';
import { graver, type LedgerEntry } from '../../client/ledger.ts';
import { Refusal } from '../../client/refusal.ts';
import { labels } from '../../contract/labels.ts';
import type { FieldError } from '../../contract/operation.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { englishOf, isVietnamese } from '../../domain/language.ts';
import type { DriftFinding } from '../../live/findings.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { shellWord } from '../errors/advice.ts';
import { type ExitName, exitCodes, exitOf } from '../errors/exit.ts';
import { hintFor } from '../errors/hints.ts';
import { say } from '../errors/texts.ts';
import { respelled } from '../flags/field-names.ts';
import type { Concealing } from '../session/concealing.ts';
import { inWords } from './refusal-words.ts';

/** What is reported about a failure, as text or JSON. */
export interface Report {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exit: ExitName;
  readonly httpStatus?: number;
  readonly meta?: Readonly<Record<string, string>>;
  readonly operation?: string | undefined;
  readonly fieldErrors?: readonly FieldError[];
  /** `partial`: some of several writes were applied, and all of those are known. */
  readonly outcome: Outcome | 'partial';
  readonly usage?: string;
}

/** What an error of ours may know. */
interface Facts {
  readonly [name: string]: unknown;
  readonly fieldErrors?: readonly FieldError[];
  readonly meta?: Readonly<Record<string, string>>;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const codeOfKind: Readonly<Record<string, string>> = {
  usage: 'usage',
  configuration: 'configuration',
};

/** Kinds whose own code is the system's (`ENOENT`), which is in the message. */
const codeOfSystem: Readonly<Record<string, string>> = { file: 'file', output: 'output' };

function outcomeOf(error: Facts): Report['outcome'] {
  const outcome = error.outcome;
  return outcome === 'applied' || outcome === 'unknown' || outcome === 'partial' ? outcome : 'not_applied';
}

/** Whether a hint says more than the usage would; the one that names the help does not. */
const saysMore = (hint: string | undefined): boolean => hint !== undefined && !/^\S+ `.* --help`$/.test(hint);

/**
 * Extracts a report from any error: all of our classes have a `kind`; anything else is a bug. `advice` is what to do
 * about it in the profile in force.
 */
export function reportOf(failure: unknown, advice?: string): Report {
  const thrown = failure instanceof Refusal ? inWords(failure) : failure;
  const error: Facts = fieldsIn(thrown);
  const known = typeof error.kind === 'string';
  const kind = String(error.kind);
  const code = codeOfSystem[kind] ?? textOf(error.code) ?? codeOfKind[kind] ?? 'internal_error';
  const hint = advice ?? textOf(error.hint) ?? hintFor(known ? code : 'internal_error', error);
  const operation = textOf(error.operation);
  const usage = textOf(error.usage);
  const { fieldErrors } = error;
  const path = textOf(error.path);
  const said = textOf(error.message) ?? String(thrown);
  // A service words it as it likes: what it says stands below.
  const isKeyRefused = code === 'unauthenticated' && operation !== undefined;
  const meta = isKeyRefused ? { ...error.meta, answer: said } : error.meta;
  return {
    code: known ? code : 'internal_error',
    message: isKeyRefused ? say().report.keyRefused : said,
    exit: exitOf(error),
    outcome: outcomeOf(error),
    ...(hint === undefined ? {} : { hint }),
    ...(typeof error.status === 'number' ? { httpStatus: error.status } : {}),
    ...(meta === undefined ? {} : { meta }),
    ...(operation === undefined ? {} : { operation }),
    ...(fieldErrors !== undefined && fieldErrors.length > 0
      ? { fieldErrors }
      : error.kind === 'contract' && path
        ? { fieldErrors: [{ path, message: textOf(error.message) ?? '' }] }
        : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Exit codes that promise that nothing was sent, or not applied: never used for a run that changed something. */
const ofNothingSent: ReadonlySet<ExitName> = new Set(['usage', 'network', 'configuration', 'policy', 'credential']);

/**
 * Adds what is known about the run's writes to a report, whatever failed afterwards: the more serious outcome, an exit
 * code consistent with it, the external_id, and how to find out what became of it.
 */
export function withLedger(report: Report, entry: LedgerEntry | undefined, wayToFindOut: string | undefined): Report {
  // A batch counts its own writes, and says how it ends.
  if (report.outcome === 'partial') return report;
  const outcome = graver(report.outcome, entry?.outcome ?? 'not_applied');
  if (outcome === 'not_applied') return report;
  const exit =
    outcome === 'unknown' ? 'unknownOutcome' : ofNothingSent.has(report.exit) ? ('failure' as const) : report.exit;
  const { external_id } = entry?.names ?? {};
  const way = wayToFindOut ?? (outcome === 'unknown' ? say().report.check : undefined);
  // A hint about something else does not help to find out; one with a shopctl command does.
  const known = report.hint?.includes('shopctl ') ? [report.hint] : [report.hint, way];
  const { intent } = report.meta ?? {};
  const settle =
    outcome === 'unknown' && intent !== undefined
      ? say().report.settle({ command: `shopctl ledger settle ${shellWord(intent)}` })
      : undefined;
  const hint = [...known, settle].filter((part) => part !== undefined).join('; ');
  return {
    ...report,
    outcome,
    exit,
    operation: report.operation ?? entry?.operation,
    meta: { ...(external_id === undefined ? {} : { external_id }), ...report.meta },
    ...(hint === '' ? {} : { hint }),
  };
}

/** A report whose every text is concealed. */
export function concealedReport(report: Report, conceal: Concealing): Report {
  const { code, meta, hint, usage, operation, fieldErrors } = report;
  const ofMeta = Object.entries(meta ?? {}).map(([name, value]) => [conceal(name), conceal(value)]);
  return {
    ...report,
    code: conceal(code),
    message: conceal(report.message),
    ...(operation === undefined ? {} : { operation: conceal(operation) }),
    ...(hint === undefined ? {} : { hint: conceal(hint) }),
    ...(usage === undefined ? {} : { usage: conceal(usage) }),
    ...(meta === undefined ? {} : { meta: Object.fromEntries(ofMeta) }),
    ...(fieldErrors === undefined
      ? {}
      : {
          fieldErrors: fieldErrors.map(({ path, label, message }) => ({
            path: conceal(path),
            message: conceal(message),
            ...(label === undefined ? {} : { label: conceal(label) }),
          })),
        }),
  };
}

/** One line of JSON for scripts. */
export function errorEnvelope(report: Report): string {
  return JSON.stringify({
    error: {
      code: report.code,
      message: report.message,
      hint: report.hint ?? null,
      exit_code: exitCodes[report.exit].code,
      http_status: report.httpStatus ?? null,
      meta: report.meta ?? {},
      operation: report.operation ?? null,
      field_errors: (report.fieldErrors ?? []).map(({ path, message }) => ({ path, message })),
      outcome: report.outcome,
    },
    schema_version: 1,
  });
}

/** The message of a failure; what was not said in the language of the run, like the service's words, stands in a sentence of ours. */
export const messageOf = ({ code, message }: Pick<Report, 'code' | 'message'>): string =>
  englishOf(message) === message ? say().report.failure({ code, message }) : message;

/** How many faulty fields a person is shown. */
const MOST_FIELDS = 20;

/**
 * The message for a person, and the hint on its own line. External text cannot inject lines: it was made safe before.
 */
export function errorText(report: Report): string {
  const several = (report.fieldErrors?.length ?? 0) > 1;
  // Of what the service refused, a person gave a flag; a script gets the path.
  const [refused] = report.httpStatus === undefined ? [] : (report.fieldErrors ?? []);
  const reported = respelled(report.message, report.meta?.field ?? '', refused?.label);
  const message = several
    ? say().report.severalFields({ count: report.fieldErrors?.length ?? 0 })
    : makeSafe(messageOf({ code: report.code, message: reported }));
  const { httpStatus } = report;
  // What fails there, or in front of it, is told by its status.
  const status = httpStatus !== undefined && httpStatus >= 500 ? `, HTTP ${httpStatus}` : '';
  const code = httpStatus === undefined ? undefined : `${makeSafe(report.code)}${status}`;
  const given = (name: string, value: string) => (name === 'field' ? (refused?.label ?? value) : value);
  const meta = Object.entries(report.meta ?? {})
    .filter(([, value]) => value !== report.message)
    .map(([name, value]) => `  ${makeSafe(labels().heading(name))}: ${makeSafe(given(name, value))}`);
  const errors = several ? (report.fieldErrors ?? []) : [];
  const shown = errors
    .slice(0, MOST_FIELDS)
    .map(
      ({ path, label, message }) =>
        `  ${say().report.field({ field: makeSafe(label ?? path), what: makeSafe(message) })}`,
    );
  const more = errors.length - shown.length;
  const fields = more > 0 ? [...shown, `  ${say().report.moreFields({ count: more })}`] : shown;
  return [
    say().report.error({ message, code }),
    ...fields,
    ...meta,
    ...outcomeLine(report.outcome, message),
    ...(report.hint === undefined ? [] : [say().report.hint({ hint: makeSafe(report.hint) })]),
    ...(report.usage && !saysMore(report.hint) ? [report.usage] : []),
    '',
  ].join('\n');
}

/** What a person has to know if something was changed, or may have been. */
function outcomeLine(outcome: Report['outcome'], message: string): string[] {
  // Only the English messages say it by themselves.
  if (outcome === 'unknown' && !isVietnamese() && /[Ii]t may exist|may have been carried out/.test(message)) return [];
  if (outcome === 'unknown') return [say().report.unknown];
  if (outcome === 'partial') return [say().report.partial];
  return outcome === 'applied' ? [say().report.applied] : [];
}

/** What is said of a new deviation that shopctl cannot use, and how to see the others. */
export function driftNotice({ operation, path, expected, seen, id }: DriftFinding, others: number): string {
  return say().report.drift({
    operation,
    path,
    expected: labels().sentence(expected),
    seen: labels().sentence(seen),
    others,
    show: `shopctl drift show ${shellWord(id)}`,
  });
}

/** That a signal has ended a run, perhaps before it was known whether a write was done. */
export const signalText = (signal: string, isUnknown: boolean): string =>
  isUnknown ? say().report.signalledUnknown({ signal }) : say().report.signalled({ signal });
