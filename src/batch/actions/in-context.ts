import { basename, sep } from 'node:path';
import type * as z from 'zod';
import type { About, Ports, Verdict } from '../../action/ports.ts';
import { shopOfPartner } from '../../client/account.ts';
import type { Connection } from '../../client/connection.ts';
import { ServiceError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { identityOf, requireOwnLedger } from '../../ledger/actions/own-ledger.ts';
import { openedPlace, openWorkspace, sayRestored, workspacePlace } from '../../ledger/open.ts';
import { rowOfHolder } from '../../ledger/store/undone.ts';
import type { RowWork } from '../../ledger/work.ts';
import { consolesIn } from '../../platform/files/paths.ts';
import { profileOfAccount } from '../../settings/profile-of-account.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import type { BatchContext, BatchEvent } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import type { OpenBatches } from '../open.ts';
import type { Ran } from '../runs.ts';
import { passingOf } from '../send/pace.ts';
import { BatchStopped } from '../send/tally.ts';
import type { Batch, Reason } from '../store/batches.ts';
import { faultInWords } from '../store/row.ts';
import { sourceOf } from '../stored-source.ts';
import { type BatchSummary, mayPass } from '../summary.ts';
import { say } from '../texts.ts';
import { annotations, faultErrors, faultLines } from './fault-lines.ts';
import { durationOf } from './inputs.ts';
import type { batchSummary } from './outputs.ts';
import { limitOf, sendingChanged, withColumn } from './what-to-change.ts';

/** Options for reporting the progress of a run. */
export interface Running {
  /** The sheet, if it is one of a person. */
  readonly file?: string | null | undefined;
  readonly concurrency?: number | null | undefined;
  readonly max_outage?: string | null | undefined;
  /** Whether nothing is written, and so no ledger is chosen for the account. */
  readonly isPlan?: boolean;
}

const MOST_IN_FLIGHT = 32;

function checkedConcurrency(given: number | null | undefined): number | undefined {
  if (given === undefined || given === null) return undefined;
  if (given >= 1 && given <= MOST_IN_FLIGHT) return given;
  throw new Refusal('concurrency_wrong', say().run.concurrency({ given, most: MOST_IN_FLIGHT }));
}

/** The message for an event as it happens; undefined if it only advances the progress. */
function saidOf(event: BatchEvent): string | undefined {
  const said = say().run;
  switch (event.event) {
    case 'waiting':
      return said.waiting;
    case 'away':
      return said.away(event);
    case 'back':
      return said.back({ seconds: Math.round(event.afterMs / 1000) });
    case 'others':
      return said.others;
    case 'nothing':
      return event.bad > 0 ? said.nothingBad(event) : said.nothingFailed;
    case 'stopping':
      return said.stopping;
    default:
      return undefined;
  }
}

/** An event for a program: its code and its facts, named as in results. */
function aboutOf({ event, ...facts }: BatchEvent): About {
  const named = Object.entries(facts).map(([name, value]) => [
    name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`),
    value,
  ]);
  return { ...Object.fromEntries(named), code: `batch_${event}` };
}

/**
 * Opens the workspace for a command, and closes it afterwards. A service that is unreachable, or answers that it is, ends
 * every step of a batch with the same exit code.
 */
export async function inContext<Result>(
  ports: Ports,
  running: Running,
  work: (context: BatchContext) => Promise<Result>,
): Promise<Result> {
  try {
    return await inOpenContext(ports, running, work);
  } catch (error) {
    if (!(error instanceof ServiceError && passingOf(error) === 'away')) throw error;
    throw new Refusal('service_away', say().run.unreachable(error), { kind: 'network' });
  }
}

/** A connection for a dry run that reads: what would be written ends it. */
function lookingConnection(ports: Ports): Connection {
  const connection = ports.connection();
  return {
    ...connection,
    gate(outgoing) {
      if (outgoing.effect !== 'read') connection.gate?.(outgoing);
    },
  };
}

/** The most rows that a program gets of a plan. */
export const MOST_ROWS = 10_000;

/** In a dry run, ends the run with the plan: the batch, and the rows that would be sent. */
async function intended(context: BatchContext, planned: { batch: Batch; work: RowWork }, ports: Ports): Promise<void> {
  const [{ planRows }, { summaryOf }] = await Promise.all([import('../plan-rows.ts'), import('../summary.ts')]);
  const rows: unknown[] = [];
  for await (const row of planRows(context, { ...planned, deliveries: [], changes: new Map() })) {
    if (rows.push(row) >= MOST_ROWS) break;
  }
  const { next: _, ...summary } = await summaryOf(context.batches, planned.batch);
  ports.intend({ ...summary, rows });
}

async function inOpenContext<Result>(
  ports: Ports,
  running: Running,
  work: (context: BatchContext) => Promise<Result>,
): Promise<Result> {
  const { openContext } = await import('../open-context.ts');
  // The journal of the batch is the better ledger: it is persistent and covers every row.
  const { ledger: _, ...connection } = ports.isLook ? lookingConnection(ports) : ports.connection();
  const { place, options, isCopy } = await openedPlace(ports);
  const context: Awaited<ReturnType<typeof openContext>> = await openContext({
    workspace: place,
    ledger: options,
    family: ports.settings.as?.value ?? 'partner',
    shops: ports.settings.profile?.shops,
    connection,
    signal: ports.signal,
    randomBytes: ports.randomBytes,
    timeZone: ports.settings.tz.value,
    concurrency: checkedConcurrency(running.concurrency),
    maxOutageMs: durationOf(running.max_outage),
    beforeSending: ports.isLook ? (batch, work) => intended(context, { batch, work }, ports) : undefined,
    tell: (event) => {
      if (ports.isLook && (event.event === 'began' || event.event === 'dropped')) return;
      if ('done' in event) ports.progress.came(event.done, 'all' in event ? event : undefined);
      if (event.event === 'began')
        ports.report.insist(event.resumed ? say().run.continues(event) : say().run.began(event), aboutOf(event));
      if (event.event === 'dropped') ports.report.insist(say().run.dropped(event), aboutOf(event));
      const said = saidOf(event);
      if (said !== undefined) ports.report.say(said, aboutOf(event));
    },
  });
  try {
    if (!isCopy) sayRestored(context.workspace, ports.report);
    const called = { ...context.workspace, place: workspacePlace(ports) };
    if (running.isPlan !== true) await requireOwnLedger(ports, context.account, await identityOf(called));
    return await work(context);
  } catch (error) {
    throw error instanceof BatchError ? await worded(error, ports, running.file) : withAdvice(error, ports);
  } finally {
    await context.close();
  }
}

/** A refusal with every invalid cell: for a program as field errors, for a person one line each. */
export async function worded(error: BatchError, ports: Ports, file?: string | null): Promise<Error> {
  const { code, kind, message, faults, rows, meta } = error;
  if (kind === 'missing') return error;
  const isForPrograms = ['json', 'jsonl'].includes(ports.settings.output.value);
  if (!isForPrograms) for (const line of faultLines(faults, rows)) ports.report.say(line);
  for (const line of annotations(faults, file, ports.env)) ports.report.say(line, { code: 'annotation' });
  const ofInput = meta.field === undefined ? [] : [{ path: meta.field, message }];
  const fieldErrors = isForPrograms ? [...ofInput, ...faultErrors(faults)] : [];
  const facts = { ...(await withProfile(meta, ports)), ...lackingOf(faults, file) };
  return new Refusal(code, message, { kind, facts, fieldErrors });
}

/** What is said of a field without a column has its name. */
const UNMAPPED = /\bshipping\.(?:pickup_address|try_on)\b/;

/** That rows of a file need what `batch map` asks for once, since no sheet has it in a column. */
function lackingOf(faults: BatchError['faults'], file: string | null | undefined): Readonly<Record<string, string>> {
  const lacks = faults.some(({ message, value }) => value === '' && UNMAPPED.test(message));
  return lacks && file ? { file, unmapped: 'constants' } : {};
}

/** The facts of an error with the profile that acts on their account, if one is saved. */
async function withProfile(meta: BatchError['meta'], { store }: Ports): Promise<Readonly<Record<string, string>>> {
  const { origin, family, shop } = meta;
  if (origin === undefined || shop === undefined || (family !== 'partner' && family !== 'shop')) return meta;
  const found = profileOfAccount({ origin, family, shop }, await store.read());
  if (found === undefined) return meta;
  return { ...meta, of_profile: found.profile, ...(found.shop === undefined ? {} : { of_shop: found.shop }) };
}

/** How to continue a batch that was stopped, behind what its cause asks for. */
function withAdvice(error: unknown, { ui }: Ports): unknown {
  if (!(error instanceof BatchStopped)) return error;
  const way = ui.advise('resume_batch', { batch: error.meta.batch ?? '' });
  const hint = error.hint === undefined ? way : say().run.hintThen({ hint: error.hint, way });
  const { kind, code, message, outcome, ends, meta } = error;
  return Object.assign(new Error(message, { cause: error }), { kind, code, outcome, ends, meta, hint });
}

/** Whether the key of a batch was refused, or is missing. */
function isOfKey(failure: unknown): boolean {
  const { kind, code } = fieldsIn(failure);
  return kind === 'credential' || code === 'unauthenticated' || code === 'permission_denied';
}

/** The exit code of a batch, the most serious first (exit codes: 10, 4, 7, 9). */
function verdictOf({ counts }: BatchSummary, { failure, held, isUnclear }: Ran, leftOut: number): Verdict | undefined {
  if (isUnclear || counts.unclear > 0 || held.length > 0) return 'unknownOutcome';
  if (failure !== undefined) {
    const { kind, status } = fieldsIn(failure);
    if (isOfKey(failure)) return 'credential';
    if (kind === 'network' || kind === 'service' || status !== undefined) return 'network';
    return 'failure';
  }
  return counts.failed > 0 || leftOut > 0 ? 'partial' : undefined;
}

/** How a signal ends a batch. */
const exitsOfSignals: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** How many rows were in flight when they were not waited for any more: what became of them is not known. */
async function leftInFlight({ batches, workspace }: BatchContext, { number }: Batch): Promise<number> {
  // What other workers have in flight is theirs to say.
  if (workspace.serverTime !== undefined) return 0;
  return (await batches.shares(number)).reduce((sum, { state, rows }) => sum + (state === 'sending' ? rows : 0), 0);
}

/** The value, exit code and notices of a finished run; what was `told` before and is still true is not repeated. */
export async function reportRun(
  context: BatchContext,
  batch: Batch,
  ran: Ran,
  ports: Ports,
  reported: readonly string[] = [],
): Promise<z.output<typeof batchSummary>> {
  const { summary, failure, stopped } = ran;
  const { report } = ports;
  const verdict = verdictOf(summary, ran, await context.rows.leftOut(batch.number));
  const inFlight = await leftInFlight(context, batch);
  const isInDoubt = summary.counts.unclear > 0 || inFlight > 0;
  const isUnknown = verdict === 'unknownOutcome' || isInDoubt;
  if (stopped === 'interrupted' && isUnknown) report.verdict('unknownOutcome');
  else if (stopped === 'interrupted') report.passOn(exitsOfSignals[String(ports.signal.reason)] ?? 130);
  else if (verdict !== undefined) report.verdict(verdict);
  if (failure !== undefined) report.notice(say().run.stopped(failure));
  if (inFlight > 0) report.insist(say().run.leftInFlight({ count: inFlight, left: summary.counts.left }));
  const holders = await holdersOf(context, ran);
  for (const { warning } of holders.slice(0, MOST_HOLDERS)) report.notice(warning);
  for (const line of await reasonLines(context, batch, ports)) report.notice(line);
  const shown = { ...shownSummary(summary, batch, ports), ...instead(ran, holders, ports) };
  for (const line of linesOf(shown)) if (!reported.includes(line)) report.notice(line);
  if (summary.state === 'finished' && sourceOf(batch).isUntold) report.onceReported(() => markReported(batch, ports));
  return shown;
}

/** Opens the workspace in force for its batches. Throws a WorkspaceError. */
export async function openBatchesOf(ports: Parameters<typeof openWorkspace>[0]): Promise<OpenBatches> {
  const { batchesIn, openWorkspace: open } = await import('../open.ts');
  return batchesIn(await openWorkspace(ports, open));
}

/** Writes that stdout took the summary of a batch. If that fails, `--again` prints it once more, and sends nothing. */
async function markReported(batch: Batch, ports: Ports): Promise<void> {
  const opened = await openBatchesOf(ports).catch(() => undefined);
  const { isUntold: _, ...source } = sourceOf(batch);
  await opened?.batches
    .describe(batch.number, { content: batch.content, source: JSON.stringify(source) })
    .catch(() => {});
  await opened?.workspace.close().catch(() => {});
}

const MOST_REASONS = 3;

/** A sheet as people find it: one that a page has sent is theirs by its name, wherever the console kept it. */
const asFound = (path: string, places: Ports['places']) =>
  path.startsWith(`${consolesIn(places)}${sep}`) ? basename(path) : path;

/** Why rows failed or were left out, grouped, and what to do about them. */
export async function reasonLines(
  { batches }: Pick<BatchContext, 'batches'>,
  batch: Batch,
  { ui, places }: Pick<Ports, 'ui' | 'places'>,
): Promise<string[]> {
  const { number, id } = batch;
  const reasons = await batches.reasons(number);
  if (reasons.length === 0) return [];
  const source = sourceOf(batch);
  const lines = reasons.slice(0, MOST_REASONS).map(({ code, rows, message, cell }) => {
    const said = withColumn(faultInWords(code, message), { source, do: batch.do });
    const about = { count: rows, cell: placeText(cell), message: said };
    if (rows > 1) return say().run.reasonMany(about);
    return message.startsWith(`${cell}, `) ? say().run.reasonOne(about) : say().run.reasonOneAt(about);
  });
  const more = reasons.length - lines.length;
  if (more > 0) lines.push(say().run.otherReasons({ count: more }));
  // What an undo could not undo is not in a file.
  const { path, undoes } = source;
  if (undoes !== undefined) return lines;
  const again = reasons.filter(mayPass);
  if (again.length > 0) lines.push(ui.advise('send_again', { batch: id }));
  const limits = new Set(reasons.flatMap(({ code }) => limitOf[code] ?? []));
  for (const limit of limits) lines.push(ui.advise('raise_limit', { batch: id, limit }));
  const file = path === undefined ? 'FILE' : asFound(path, places);
  const sent = reasons.flatMap(({ code, name }) => (code === 'differs' ? [name] : []));
  const sendsChanged = sendingChanged(sent, { ...batch, file }, { ui });
  // Who gives another name to what was sent before sends it twice.
  const isSent = ({ code, made }: Reason) => code === 'sent_before' || (code === 'differs' && made > 0);
  if (reasons.every((each) => again.includes(each) || limitOf[each.code] !== undefined || isSent(each)))
    return [...lines, ...sendsChanged];
  const skipped = (await batches.shares(number)).some(({ state }) => state === 'skipped');
  const isNamed = sent.length === reasons.length;
  return [...lines, ...sendsChanged, ui.advise('fix_rows', { batch: id, skipped, file, isNamed })];
}

const MOST_HOLDERS = 5;

/** Who may have made records of rows that were not sent, and where to look for what became of them. */
interface Holder {
  readonly warning: string;
  readonly look: Parameters<Ports['ui']['advise']>;
}

async function holdersOf({ batches }: BatchContext, { held }: Ran): Promise<readonly Holder[]> {
  const rows = held.map((holder) => rowOfHolder(holder)?.batch);
  const known = held.length === 0 ? [] : await batches.list({});
  const own = known
    .filter(({ number }) => rows.includes(number))
    .map(
      ({ id: batch }): Holder => ({ warning: say().run.holderBatch({ batch }), look: ['look_at_unclear', { batch }] }),
    );
  const singles = held
    .filter((holder) => rowOfHolder(holder) === undefined)
    .map((entry): Holder => ({ warning: say().run.holderEntry({ entry }), look: ['look_at_entry', { entry }] }));
  return [...own, ...singles];
}

/** What comes before a batch goes on that was stopped by what going on alone does not change. */
function instead({ failure }: Ran, [holder]: readonly Holder[], { ui }: Ports): { next?: string } {
  if (holder !== undefined) return { next: ui.advise(...holder.look) };
  return isOfKey(failure) ? { next: ui.advise('check_keys') } : {};
}

type ShownSummary = z.output<typeof batchSummary>;

const advised = {
  resume: 'resume_batch',
  look: 'look_at_unclear',
  retry: 'retry_batch',
  fix: 'look_at_failed',
} as const;

/** A batch as displayed: the front end words how to continue it, with its shop where that is not the one in use. */
export function shownSummary(
  summary: BatchSummary,
  { account }: Pick<Batch, 'account'>,
  { ui, settings }: Pick<Ports, 'ui' | 'settings'>,
): ShownSummary {
  const { next, batch } = summary;
  const of = shopOfPartner(account);
  const shop = of === undefined || of === settings.shop?.value ? {} : { shop: of };
  const skipped = summary.counts.skipped > 0;
  return { ...summary, next: next === null ? null : ui.advise(advised[next], { batch, skipped, ...shop }) };
}

/** The lines printed below a batch's table. */
export function linesOf({ fees, next }: ShownSummary): string[] {
  const carriers = Object.entries(fees?.by_carrier ?? {}).map(([carrier, fee]) => `${carrier} ${formatMoney(fee)}`);
  return [
    ...(fees === null || carriers.length === 0 ? [] : [say().run.fees({ total: fees.total, carriers })]),
    ...(next === null ? [] : [say().run.next({ way: next })]),
  ];
}
