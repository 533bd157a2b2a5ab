import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { flagsOf, serviceActions } from '../../action/service.ts';
import { call } from '../../client/call.ts';
import { listRecords } from '../../client/pages.ts';
import { Refusal } from '../../client/refusal.ts';
import { findOperation, loadOperation } from '../../contract/areas.ts';
import { changeType, entity } from '../../contract/enums.ts';
import { kindOf } from '../../contract/kinds.ts';
import { flag, id, int, oneOf, text } from '../../contract/schema/scalars.ts';
import { webhookRules } from '../../contract/schema/webhook-rules.ts';
import { type Fields, fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { say } from '../texts.ts';
import { listen } from './listen-action.ts';
import { listenHints, listenInput } from './listen-input.ts';
import { recover } from './recover.ts';
import { test } from './test-receiver.ts';
import { status } from './webhook-status.ts';

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
