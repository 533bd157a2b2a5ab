import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import type { Ports } from '../../action/ports.ts';
import { flagsOf, serviceActions } from '../../action/service.ts';
import { call } from '../../client/call.ts';
import { listRecords } from '../../client/pages.ts';
import { Refusal } from '../../client/refusal.ts';
import { findOperation, loadOperation } from '../../contract/areas.ts';
import { changeType, entity } from '../../contract/enums.ts';
import { kindOf } from '../../contract/kinds.ts';
import { flag, id, int, list, oneOf, record, requiring, text } from '../../contract/schema/scalars.ts';
import { webhookRules } from '../../contract/schema/webhook-rules.ts';
import { type Fields, fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { listen } from './listen-action.ts';
import { listenHints, listenInput } from './listen-input.ts';
import { recover } from './recover.ts';
import { say } from './texts.ts';
import { status } from './webhook-status.ts';

const DEFAULT_WITHIN = '10s';
/** The service's own timeout (decisions, section 8). */
const GIVE_UP_MS = 60_000;
/** Pause between chunks when sending slowly. */
const PAUSE_MS = 250;
const RESTART_MS = 120_000;

const finding = z.object({
  check: text('What was tried'),
  passed: flag('Whether the receiver did as it must'),
  reason: z.nullable(text('What was wrong')),
  demand: text('What a receiver must do here'),
  milliseconds: int('The longest that an answer took', 'ms'),
});

/** Tests a receiver from outside. */
export const test = action({
  id: 'webhooks.test',
  words: ['webhooks', 'test'],
  summary: 'Test a receiver: send it what the service may send, and check its answers',
  description:
    'The changes are made up, but your receiver will treat them as real, so test one that may receive them. Exits with 11 when something is wrong. With a restart command, a delivery is in flight while it runs.',
  examples: [
    'shopctl webhooks test http://127.0.0.1:3000/hook',
    'shopctl webhooks test http://127.0.0.1:3000/hook --junit report.xml',
  ],
  effect: 'program',
  mayAlso: ['store'],
  undo: { whyNot: 'what was sent cannot be called back' },
  needs: [],
  input: z.object({
    ...requiring({ url: text('address of the receiver') }, {}).shape,
    ...record({
      junit: text('write a JUnit report to this file as well'),
      restart_cmd: text('a command line that restarts the receiver, and ends when that is done'),
      within: text(`how long an answer may take; ${DEFAULT_WITHIN} when absent`),
    }).shape,
  }),
  positional: ['url'],
  hints: {
    url: { placeholder: 'URL', from: 'path' },
    junit: { placeholder: 'FILE', from: 'path' },
    restart_cmd: { placeholder: 'COMMAND', from: 'path' },
    within: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  },
  output: list(finding, 'One check each'),
  view: {
    columns: [
      { path: 'check' },
      { path: 'passed', kind: 'flag' },
      { path: 'milliseconds', header: 'ms', kind: 'number' },
      { path: 'reason' },
    ],
    name: 'check',
    fields: ['demand'],
  },
  async *run({ url, junit, restart_cmd: command, within }, ports) {
    const { clock, env, files, intend, report, signal, workingDirectory } = ports;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
      const message = say().targets.notHttp;
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'url', message }] });
    }
    const mostMs = millisecondsOf('within', within ?? DEFAULT_WITHIN);
    intend({ examine: parsed.host, restart: command ?? null });
    const { examinationJunit, examineReceiver, runShell, sendPost } = await import('../listen/index.ts');
    const restart = async () => {
      const given = { input: '', env, workingDirectory, timeoutMs: RESTART_MS, signal, says: report.ofProgram };
      const end = await runShell(command ?? '', given);
      if (end.kind === 'exit' && end.code === 0) return;
      throw new Refusal('restart_failed', say().verdict.noRestart);
    };
    const findings = [];
    const examination = {
      url,
      send: sendPost,
      clock,
      mostMs,
      giveUpMs: Math.max(mostMs, GIVE_UP_MS),
      pauseMs: PAUSE_MS,
      signal,
      ...(typeof command === 'string' ? { restart } : {}),
    };
    let notMade = 0;
    for await (const { notMade: fewer = 0, ...found } of examineReceiver(examination)) {
      findings.push(found);
      notMade += fewer;
      const { fault: _, ...shown } = found;
      yield shown;
    }
    if (typeof junit === 'string') {
      // A path or a query may contain the receiver's secret.
      await files.write(
        resolve(workingDirectory, junit),
        examinationJunit(`webhooks test ${parsed.origin}`, findings),
        0o644,
      );
    }
    const wrong = findings.filter(({ passed }) => !passed);
    const verdict = say().verdict;
    report.notice(verdict.passed({ passed: findings.length - wrong.length, of: findings.length + notMade }));
    if (wrong.length === 0) return;
    report.verdict('different');
    if (notMade > 0) return report.notice(verdict.unreached({ others: notMade }));
    const [{ fault } = { fault: null }] = findings;
    const same = wrong.filter((found) => found.fault === fault);
    // What is wrong with the simplest change explains the same fault of all others.
    if (fault !== null && same.length > 1) report.notice(verdict.oneReason({ count: same.length, fault }));
    for (const found of same.length > 1 ? wrong.filter((one) => one.fault !== fault) : wrong) {
      report.notice(verdict.must(found));
    }
  },
});

type Entity = (typeof entity)[number];
const notFound = (kind: Entity, id: string | undefined) =>
  new Refusal('no_record', id === undefined ? say().send.noneYet({ kind }) : say().send.none({ kind, id }), {
    kind: 'missing',
    fieldErrors: [{ path: 'record', message: say().send.noSuchRecord }],
  });

/** An order of the partner's shop, or its newest parcel: all that a partner can read. */
async function readByPartner(ports: Ports, kind: Entity, id: string | undefined): Promise<Fields> {
  if ((kind !== 'order' && kind !== 'fulfillment') || id === undefined) {
    throw new Refusal('no_record', say().send.ofPartner, {
      fieldErrors: [{ path: 'record', message: say().send.orderId }],
    });
  }
  const answer = await call(await loadOperation('partner.Shipping/GetOrder'), { id }, ports.connection());
  const [parcel] = recordsIn(fieldsIn(answer).fulfillments);
  const found = kind === 'order' ? fieldsIn(fieldsIn(answer).order) : parcel;
  if (found === undefined) throw notFound(kind, id);
  return found;
}

/** The record of a kind by its id, or the newest one. Throws a Refusal if there is none, and a CallError. */
async function recordFor(ports: Ports, kind: Entity, id: string | undefined): Promise<Fields> {
  if (ports.settings.as?.value !== 'shop') return readByPartner(ports, kind, id);
  const { list, get, per, pick } = kindOf(kind) ?? {};
  const connection = ports.connection();
  const reading = await findOperation((id === undefined ? list : (get ?? list)) ?? '');
  if (reading === undefined || per !== undefined) {
    throw new Refusal('no_record', get === undefined ? say().send.hasNoId({ kind }) : say().send.giveId({ kind }));
  }
  if (reading.page === undefined) return fieldsIn(await call(reading, { id }, connection));
  const filter = id !== undefined && pick === 'id' ? { filter: { id: [id] } } : {};
  const sorting = 'paging' in reading.request.shape ? { paging: { sort: '-updated_at' } } : {};
  for await (const record of listRecords(reading, { ...filter, ...sorting }, connection)) {
    if (id === undefined || String(record.id) === id) return record;
  }
  throw notFound(kind, id);
}

/** What a callback shows of a record that was changed. */
const identifying = new Set(['id', 'shop_id', 'updated_at']);

/** A callback with one change, as the service would send it now (contract, "Change (event payload)"). */
function callbackWith(
  kind: Entity,
  type: (typeof changeType)[number],
  record: Fields,
  { clock, randomBytes }: Pick<Ports, 'clock' | 'randomBytes'>,
): string {
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const known = Object.fromEntries(Object.entries(record).filter(([name]) => identifying.has(name)));
  const changed = type === 'create' ? record : known;
  const id = String((Buffer.from(randomBytes(8)).readBigUInt64BE() % 9n) * 10n ** 17n + 10n ** 18n);
  const change = { change_type: type, entity: kind, time, changed: { [kind]: changed }, latest: { [kind]: record } };
  return JSON.stringify({ id, changes: [change] });
}

/** The service's own timeout (decisions, section 8). */
const TIMEOUT_MS = 60_000;

/** Sends one change to a receiver. */
const send = action({
  id: 'webhooks.send',
  words: ['webhooks', 'send'],
  summary: 'Send a receiver one change of a real record',
  description:
    'The record is read from the service: the one that you name, or the newest of its kind. Nothing is changed there; the receiver gets the callback that the service would send, and its answer is shown. Exits with 11 if the service would not accept that answer.',
  examples: [
    'shopctl webhooks send http://127.0.0.1:3000/hook --entity order --change create',
    'shopctl webhooks send http://127.0.0.1:3000/hook --entity order --change update --record 1234567890123456789',
  ],
  effect: 'program',
  undo: { whyNot: 'what was sent cannot be called back' },
  needs: ['key'],
  input: z.object({
    url: text('address of the receiver'),
    entity: oneOf(entity, 'the kind of the record'),
    change: z.optional(oneOf(changeType, 'what happened to it; update when absent')),
    record: z.optional(id('the record; the newest one when absent')),
  }),
  positional: ['url'],
  hints: { url: { placeholder: 'URL', from: 'path' } },
  output: z.object({
    change: text('What was sent'),
    record_id: z.nullable(text('Id of the record')),
    accepted: flag('Whether the service would accept the answer'),
    status: z.nullable(int('The HTTP status; null if no answer came', 'status')),
    milliseconds: int('How long the answer took', 'ms'),
    answer: z.nullable(text('The beginning of the answer')),
    reason: z.nullable(text('What is wrong with it')),
  }),
  async run({ url, entity: kind, change = 'update', record: wanted }, ports) {
    const [wrong] = webhookRules({ url, entities: [] });
    if (wrong !== undefined) throw new Refusal('invalid_input', wrong.message, { fieldErrors: [wrong] });
    const { clock, report, signal } = ports;
    const record = await recordFor(ports, kind, wanted);
    ports.intend({ send: `${kind} ${change}`, to: new URL(url).host });
    const { receive, sendPost } = await import('../listen/index.ts');
    const body = callbackWith(kind, change, record, ports);
    const found = await receive({ url, body, send: sendPost, clock, timeoutMs: TIMEOUT_MS, signal });
    if (found.reason !== null) report.verdict('different');
    const record_id = typeof record.id === 'string' ? record.id : null;
    return { change: `${kind} ${change}`, record_id, accepted: found.reason === null, ...found };
  },
});

const { until_idle: _, count: __, expect: ___, within: ____, keep: _____, ...lasting } = listenInput.shape;

/** The listener as a user service. */
const { install, uninstall } = serviceActions({
  group: 'webhooks',
  called: 'listen',
  summary: 'Write a systemd user unit that runs the listener with this configuration',
  description:
    'It listens with the current profile and these flags, restarts after any failure, and leaves its webhook in place. Keys stay where they are saved: keys from the environment are not written to the unit.',
  examples: ['shopctl webhooks install --register --forward-to http://127.0.0.1:3000/hook'],
  input: z.object(lasting),
  hints: listenHints,
  words: (given) => ['webhooks', 'listen', ...flagsOf(given), ...(given.register === true ? ['--keep'] : [])],
});

/** The webhook commands besides the service's own operations. */
export const actions = [listen, status, recover, send, test, install, uninstall];
