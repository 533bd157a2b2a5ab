import { resolve } from 'node:path';
import { curlOf } from '../../action/curl.ts';
import type { Ports, Report } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { invalidInput, Refusal } from '../../client/refusal.ts';
import { allOperations, areas, isAreaKey, loadOperation } from '../../contract/areas.ts';
import { labels } from '../../contract/labels.ts';
import type { FieldError, Operation } from '../../contract/operation.ts';
import { say as ofContract } from '../../contract/texts.ts';
import { type JunitCase, junitReport } from '../../platform/server/junit.ts';
import { isLoopbackHost } from '../../platform/server/loopback-server.ts';
import { type ConformanceState, type Judged, readAccepted, readConformance, withAcceptances } from '../accepted.ts';
import { WriteChecks } from '../check-writes.ts';
import { areaOf, Cleaning, type LeftOver } from '../clean-writes.ts';
import { driftPath, storedFindings } from '../findings.ts';
import type { Checked } from '../notebook.ts';
import { Probe } from '../probe.ts';
import { summaryOf, summaryText } from '../summary.ts';
import { say } from '../texts.ts';
import { openRuns, WriteJournal } from '../write-journal.ts';

/** What a run is asked for. */
export interface RunInput {
  readonly area?: readonly string[] | null | undefined;
  readonly write_shop?: string | null | undefined;
  readonly accepted?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly junit?: string | null | undefined;
  readonly slow?: number | null | undefined;
  readonly ship?: boolean | null | undefined;
  readonly max_fee?: number | null | undefined;
}

/** An answer that takes longer is a finding. */
export const SLOW_SECONDS = 5;

/** The areas that are named; a name without its family means those of both. Throws a Refusal for an unknown one. */
export function areasNamed(names: readonly string[] | null | undefined): readonly string[] | undefined {
  if (names === undefined || names === null || names.length === 0) return undefined;
  return names.flatMap((name) => {
    const found = isAreaKey(name) ? [name] : Object.keys(areas).filter((key) => key.split('.')[1] === name);
    if (found.length > 0) return found;
    const message = ofContract().oneOf({ values: Object.keys(areas), nearest: undefined });
    throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'area', message }] });
  });
}

/** The id of the shop that the keys act as; undefined for a partner's key of which it is not known. */
export async function shopOf(connection: Connection): Promise<string | undefined> {
  if (connection.key('shop-api-key') === undefined) return connection.key('shop-key')?.shop;
  return (await call(await loadOperation('shop.Misc/CurrentAccount'), {}, connection)).id ?? undefined;
}

/** Makes sure that what is written is written to the shop that was named, and to no other. Throws a Refusal. */
export async function sureOfShop(connection: Connection, shop: string): Promise<void> {
  const own = await shopOf(connection);
  if (own === shop) return;
  const message = say().otherShop({ shop, own });
  throw new Refusal('shop_mismatch', message, { kind: 'credential', facts: { shop } });
}

/** What a run may spend on shipments: nothing without --ship. Throws a Refusal for one flag without the others. */
function feeLimit({ ship, max_fee: most, write_shop: shop }: RunInput): number | undefined {
  const errors: FieldError[] = [];
  if (ship === true && !shop) errors.push({ path: 'write_shop', message: say().missing.shop });
  if (ship === true && typeof most !== 'number') errors.push({ path: 'max_fee', message: say().missing.most });
  if (ship !== true && typeof most === 'number') errors.push({ path: 'ship', message: say().missing.ship });
  if (errors.length > 0) throw invalidInput(errors);
  return ship === true && typeof most === 'number' ? most : undefined;
}

/** A connection on which a run tidies up although it was ended. */
export const uninterrupted = ({ signal: _, ...connection }: Connection): Connection => connection;

/** The operations that a run may write with, or clean up with: those that the key reaches. */
export async function reachableWith(connection: Connection): Promise<readonly Operation[]> {
  const operations = await allOperations();
  return operations.filter(
    ({ credential, effect }) => effect !== 'authorize' && connection.key(credential) !== undefined,
  );
}

/** Where a webhook of a run would lead: nowhere, in a form that the service takes. */
function webhookUrlFor({ baseUrl }: Connection, mark: string): string {
  const isHere = isLoopbackHost(new URL(baseUrl).hostname);
  return isHere ? `http://127.0.0.1:9/${mark}` : `https://${mark}.invalid/`;
}

/** Says of orders that the service may make a customer of their address, where the key cannot remove one. */
export function tellUnseen(
  orders: readonly (Operation | undefined)[],
  reachable: readonly Operation[],
  mark: string,
  report: Report,
): void {
  const groups = orders.flatMap((order) => order?.alsoCreates ?? []);
  if (groups.every((group) => reachable.some(({ command }) => command === `${group} create`))) return;
  report.insist(say().mayLeaveCustomer({ mark }));
}

/** Where a run writes, and what it may spend. */
interface Writes {
  readonly shop: string;
  readonly areas: readonly string[] | undefined;
  readonly maxFee?: number | undefined;
}

/**
 * Makes the checks that write, and removes what they made, also when the run is ended meanwhile; returns what could not
 * be removed. What is left after a kill is in the journal of the run.
 */
export async function writeAndClean(
  ports: Ports,
  { notebook, probe }: ConformanceState,
  { shop, areas, maxFee }: Writes,
): Promise<readonly LeftOver[]> {
  const { clock, files, places, randomBytes, report } = ports;
  const { connection } = probe;
  const run = `${clock.now().toString(36)}-${Buffer.from(randomBytes(4)).toString('hex')}`;
  const mark = `shopctl-conformance-${run}`;
  const journal = new WriteJournal(files, places.state, run);
  const reachable = await reachableWith(connection);
  const operations = reachable.filter((one) => areas === undefined || areas.includes(areaOf(one)));
  const service = new URL(connection.baseUrl).origin;
  report.insist(say().began({ run, shop, mark }), {
    code: 'run_began',
    run,
    shop,
    mark,
  });
  if (maxFee !== undefined) tellUnseen(operations, reachable, mark, report);
  const left: LeftOver[] = [];
  try {
    const webhookUrl = webhookUrlFor(connection, mark);
    await new WriteChecks({
      probe,
      notebook,
      operations,
      reachable,
      journal,
      mark,
      service,
      shop,
      webhookUrl,
      maxFee,
    }).run();
  } finally {
    const cleaned = await new Cleaning(probe.on(uninterrupted(connection)), reachable).clean(journal);
    left.push(...cleaned.left);
  }
  return left;
}

/** Since when an operation deviates, as everyday answers showed it. */
async function driftedSince({ files, places }: Ports): Promise<(operation: string) => string | undefined> {
  const { findings } = await storedFindings(driftPath(places.state), files).catch(() => ({ findings: [] }));
  return (operation) => findings.flatMap((one) => (one.operation === operation ? [one.first_seen] : [])).sort()[0];
}

/** A run and what became of it: everything that is printed, and written to reports. */
export async function runConformance(input: RunInput, ports: Ports, connection: Connection) {
  const { clock, files, report, version, workingDirectory } = ports;
  const areas = areasNamed(input.area);
  const given = (name: string) => resolve(workingDirectory, name);
  const acceptances = input.accepted ? readAccepted(await files.read(given(input.accepted))) : [];
  const shop = input.write_shop ?? undefined;
  const maxFee = feeLimit(input);
  if (shop !== undefined) await sureOfShop(connection, shop);
  const operations = await allOperations();
  const slowMs = (input.slow ?? SLOW_SECONDS) * 1000;
  const state = await readConformance({
    connection,
    operations,
    slowMs,
    shown: curlOf,
    writes: shop !== undefined,
    ...(areas ? { areas } : {}),
  });
  const left = shop === undefined ? [] : await writeAndClean(ports, state, { shop, areas, maxFee });
  const now = new Date(clock.now()).toISOString();
  const findings = withAcceptances(state.notebook.findings, acceptances, now.slice(0, 10));
  const { checks } = state.notebook;
  const since = await driftedSince(ports);
  const summary = summaryOf(checks, findings, (operation) => since(operation) ?? now);
  const service = new URL(connection.baseUrl).origin;
  if (input.to) {
    const { conformancePage } = await import('../report-html.ts');
    await files.write(
      given(input.to),
      conformancePage({ service, at: now, by: `shopctl ${version}`, summary }, checks, findings),
      0o644,
    );
  }
  if (input.junit) {
    await files.write(given(input.junit), conformanceJunit(`shopctl conformance ${service}`, checks, findings), 0o644);
  }
  tell({ findings, left, unchecked: checks.filter(({ result }) => result === 'unchecked') }, report);
  report.notice(summaryText(summary));
  return { summary, checks, findings, left };
}

/** The verdict of a run, the gravest first, and what a person needs to know besides the table. */
function tell(
  {
    findings,
    left,
    unchecked,
  }: { findings: readonly Judged[]; left: readonly LeftOver[]; unchecked: readonly Checked[] },
  report: Report,
): void {
  for (const { operation, id, mark, reason } of left) {
    report.insist(say().left({ operation, id, mark, why: labels().sentence(reason) }), {
      code: 'record_left',
      operation,
      id,
      mark,
    });
  }
  if (left.length > 0) report.verdict('unknownOutcome');
  const open = findings.filter(({ accepted }) => accepted === null);
  if (open.length > 0) report.verdict('different');
  for (const { operation, check, expired } of open) {
    if (expired !== null) report.notice(say().acceptedUntil({ operation, check, day: expired }));
  }
  if (unchecked.length === 0) return;
  report.verdict('partial');
  const reasons = new Map<string, Checked[]>();
  for (const one of unchecked) reasons.set(one.reason ?? '', [...(reasons.get(one.reason ?? '') ?? []), one]);
  for (const [reason, checks] of reasons) {
    const [first = '', ...others] = new Set(checks.map(({ operation }) => operation));
    const why = labels().sentence(reason);
    report.notice(say().undecided({ count: checks.length, operation: first, more: others.length, why }));
  }
}

const inWords = ({ path, expected, seen, kind }: Judged) =>
  `${kind}: ${path === '' ? 'the answer' : path} should be ${expected}, was ${seen}`;

/** A run as a JUnit report: a deviation is a failure, what was not decided is skipped and never passed. */
function conformanceJunit(name: string, checks: readonly Checked[], findings: readonly Judged[]): string {
  const cases = checks.map(({ check, operation, result, reason }): JunitCase => {
    const open = findings.filter((one) => one.check === check && one.operation === operation && one.accepted === null);
    const isDecided = result === 'holds' || result === 'deviates';
    return {
      group: operation,
      name: check,
      failures: open.map((one) => ({ message: inWords(one), detail: one.curl })),
      ...(isDecided ? {} : { skipped: `${result}: ${reason ?? ''}` }),
    };
  });
  return junitReport(name, cases);
}

/**
 * Removes what earlier runs of this machine left at the current service; a run against another service is left alone, and
 * named. With `forget`, what cannot be removed is forgotten.
 */
export async function cleanRuns(ports: Ports, forget: boolean) {
  const { files, places, report } = ports;
  const connection = ports.connection();
  const service = new URL(connection.baseUrl).origin;
  const operations = await allOperations();
  const reachable = await reachableWith(connection);
  const cleaning = new Cleaning(new Probe(connection, () => {}, curlOf), operations);
  const runs: string[] = [];
  const left: LeftOver[] = [];
  let removed = 0;
  const open = await openRuns(files, places.state);
  const shop = open.length === 0 ? undefined : await shopOf(connection);
  for (const run of open) {
    const journal = new WriteJournal(files, places.state, run);
    const remaining = await journal.remaining();
    const elsewhere = remaining.find((entry) => entry.service !== service || entry.shop !== shop);
    if (elsewhere !== undefined && !forget) {
      report.insist(say().ofElsewhere({ run, shop: elsewhere.shop, service: elsewhere.service }));
      report.verdict('unknownOutcome');
      continue;
    }
    const orders = remaining.map((entry) => operations.find(({ id }) => id === entry.operation));
    if (elsewhere === undefined) tellUnseen(orders, reachable, remaining[0]?.mark ?? run, report);
    const cleaned = elsewhere === undefined ? await cleaning.clean(journal) : { removed: 0, left: [] };
    runs.push(run);
    removed += cleaned.removed;
    left.push(...cleaned.left);
    if (forget) await journal.close();
  }
  for (const { operation, id, mark, reason } of left) {
    report.insist(say().left({ operation, id, mark, why: labels().sentence(reason) }), {
      code: 'record_left',
      operation,
      id,
      mark,
    });
  }
  if (left.length > 0) report.verdict('unknownOutcome');
  if (runs.length === 0) report.notice(say().nothingLeft);
  return { runs, removed, left };
}
