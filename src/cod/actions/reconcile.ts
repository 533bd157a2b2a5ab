import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, money, oneOf, record, text, time } from '../../contract/schema/scalars.ts';
import { addDays, agoText, momentInZone } from '../../domain/calendar.ts';
import { dayText } from '../../domain/language.ts';
import { readDay } from '../../domain/moment-text.ts';
import { payToMirror } from '../../mirror/actions/copy-payments.ts';
import { type AtMirror, atMirror, rollupZone } from '../../mirror/actions/place.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import type { RowStore } from '../classes.ts';
import type { Claims, CodSums, Reconciled, ReconciledParcel } from '../reconcile.ts';
import { codTexts, say } from '../texts.ts';
import type { ReconcileSpan } from '../times-sql.ts';
import { atPayments } from './files.ts';

/** The class of what carriers have not paid and need not yet. */
const AWAITING = 'awaiting';

const input = record({
  since: text('only parcels that were closed on this day or later: 2026-11-15, 15/11/2026, today or yesterday'),
  until: text('only parcels that were closed on this day or before'),
  carrier: text('only parcels of this carrier'),
  session: text('only parcels with a line in this payment session'),
  received: money('what the bank received for the session; needs --session'),
  grace: text('working days that carriers have to pay: 7d, or 7d,NAME=5d for single carriers; as set when absent'),
  differing: flag('list only parcels with a difference'),
  class: oneOf(
    [AWAITING, ...Object.keys(codTexts.className).filter((name) => name !== AWAITING)],
    'list only parcels of this class, such as awaiting: delivered, and not yet due to be paid',
  ),
  to: text('write a dispute sheet to this file (xlsx): a sheet for each carrier'),
});

const evidence = z.object({
  file: text('The file'),
  cell: text('The cell'),
  session: text('The payment session'),
  kind: text('cod, delivery, return, insurance and so on'),
  amount: money('The amount from the point of view of the shop'),
  repeated: flag('Whether it repeats another line, and is not counted'),
});

const parcel = z.object({
  shipping_code: text("The carrier's code"),
  fulfillment_id: z.nullable(text('Id of the shipment; null for a parcel that the shop does not have')),
  order: z.nullable(text("The shop's own code of its order, else the service's; null if it is not known")),
  recipient: z.nullable(text('Who receives it; null if it is not known')),
  phone: z.nullable(text('Phone number of the recipient; null if it is not known')),
  carrier: z.nullable(text('The carrier; null if nothing says which')),
  session: z.nullable(text('The payment session of its lines; null without lines')),
  state: z.nullable(text('Its shipping state; null for a parcel that the shop does not have')),
  closed_at: z.nullable(time('When it was delivered or came back; null if it is on its way')),
  class: text('Its class'),
  also: list(text('A class'), 'What else is wrong with it'),
  due: money('Cash that the carrier owes'),
  paid: money('Cash that the carrier paid, over all files'),
  difference: money('Paid minus due'),
  fee_quoted: z.nullable(money('The quoted fee; null if it is not known')),
  fee_charged: z.nullable(money('The fees in the files, except for that of a return; null if no file has one')),
  provisional: money('Provisional charges that were not given back, below zero'),
  lines: list(evidence, 'Its payment lines'),
});

const sums = {
  parcels: int('Number of parcels', 'parcels'),
  due: money('Cash that carriers owe'),
  paid: money('Cash that carriers paid'),
  difference: money('Paid minus due'),
  amount: money('Everything that the lines say: cash, fees and the rest'),
};

const group = z.object({
  carrier: z.nullable(text('The carrier; null if nothing says which')),
  session: z.nullable(text('The payment session; null without lines')),
  class: text('The class'),
  ...sums,
});

const part = z.object({ what: text('What it is'), amount: money('Its sum in the session') });

const output = z.object({
  since: z.nullable(text('The first day; null for everything')),
  until: z.nullable(text('The last day; null for everything')),
  tz: text('The time zone of the days'),
  complete_until: time('The moment up to which the mirror has every shipment'),
  sums: list(group, 'Sums by carrier, session and class'),
  classes: z
    .record(z.string(), z.object({ words: text('What it means'), ...sums }))
    .meta({ description: 'Sums by class' }),
  totals: z.object(sums).meta({ description: 'Sums over all parcels' }),
  settled: money("What of the cash that is due the platform's own payments settled"),
  received: z.nullable(
    z
      .object({
        session: text('The session'),
        expected: money('What its lines add up to, except for transfers'),
        received: money('What the bank received'),
        rest: money('Received minus expected'),
        parts: list(part, 'What it adds up from'),
      })
      .meta({ description: 'A session compared with the bank' }),
  ),
  left_out: list(
    z.object({
      shipping_code: text("The carrier's code"),
      fulfillment_id: text('Id of the shipment'),
      carrier: text('The carrier'),
      closed_at: time('When it was delivered'),
      due: money('Cash that the carrier owes'),
      session: text('The first session that could have paid it; the given one with --session'),
    }),
    'Parcels that were delivered on or before the last day that a session of their carrier pays, and that neither a session nor the platform has paid',
  ),
  parcels: list(parcel, 'The parcels'),
});

/** What a reconciliation was asked for. */
interface Asked {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly carrier: string | undefined;
  readonly session: string | undefined;
  readonly grace: string | undefined;
}

function wrong(path: string, message: string): Refusal {
  return new Refusal('invalid_input', `${path} ${message}`, { fieldErrors: [{ path, message }] });
}

/** The parcels that are meant. */
interface Spanned {
  readonly span: ReconcileSpan;
  /** The first and the last day, YYYY-MM-DD. */
  readonly days: { readonly since: string | undefined; readonly until: string | undefined };
  readonly completeUntil: string;
  readonly copiedAt: number;
}

/** The parcels that are meant, and how far the mirror has them. Throws a Refusal for a mirror without shipments. */
async function spanOf(
  { since, until, carrier, session, grace }: Asked,
  { mirror, shopId }: AtMirror,
  ports: Ports,
): Promise<Spanned> {
  const [{ graceOf, startOfDay, workingDaysBefore }, { daysIn }, { areaStates }] = await Promise.all([
    import('../index.ts'),
    import('../../mirror/store/write/days.ts'),
    import('../../mirror/store/area-states.ts'),
  ]);
  const dayOf = daysIn(rollupZone(ports));
  const now = dayOf(new Date(ports.clock.now()).toISOString());
  const dayIn = (path: string, given: string | undefined) => {
    const day = given === undefined ? undefined : readDay(given, now, path === 'until');
    if (given !== undefined && day === undefined) throw wrong(path, say().reconcile.noSuchDay);
    return day;
  };
  const [first, last] = [dayIn('since', since), dayIn('until', until)];
  if (first !== undefined && last !== undefined && first > last)
    throw wrong('until', say().reconcile.beforeSince({ since: dayText(first) }));
  const momentOf = (day: string | undefined) =>
    day === undefined ? undefined : startOfDay(day, dayOf).replace('Z', '');
  const days = graceOf(grace ?? ports.settings.codGrace.value);
  if (days === undefined) throw wrong('grace', say().reconcile.noDays);
  const shipments = (await areaStates(mirror, shopId)).find(({ area }) => area === 'fulfillments');
  const { complete_until: complete = null, began_here: copiedAt } = shipments ?? {};
  if (complete === null) {
    throw new Refusal('mirror_area_missing', say().reconcile.noShipments, { kind: 'missing' });
  }
  const completeUntil = new Date(Number(complete)).toISOString().replace('.000Z', 'Z');
  const today = dayOf(completeUntil);
  const overdue = (count: number) => startOfDay(workingDaysBefore(today, count), dayOf).replace('Z', '');
  return {
    completeUntil,
    copiedAt: Number(copiedAt),
    days: { since: first, until: last },
    span: {
      shopId,
      since: momentOf(first),
      // The first moment that is not in it.
      until: momentOf(last === undefined ? undefined : addDays(last, 1)),
      carrier,
      session,
      dayOf,
      overdueBefore: overdue(days.days),
      overdueOf: new Map([...days.of].map(([name, count]) => [name, overdue(count)])),
    },
  };
}

const amountColumns = [
  { path: 'due', kind: 'number' },
  { path: 'paid', kind: 'number' },
  { path: 'difference', kind: 'number' },
] as const;

const MOST_NAMED = 10;

function summarize(
  { differing, repeated, leftOut, settled }: Reconciled,
  { parcels, paid, due }: CodSums,
  ports: Ports,
): void {
  const { notice, verdict } = ports.report;
  const texts = say().reconcile;
  if (leftOut.length > 0) {
    verdict('different');
    const named = leftOut
      .slice(0, MOST_NAMED)
      .map((one) => texts.leftOutOne({ parcel: one.shipping_code || one.fulfillment_id, session: one.session }));
    const due = leftOut.reduce((sum, one) => sum + one.due, 0);
    const more = leftOut.length - named.length;
    notice(texts.leftOut({ count: leftOut.length, due, named: named.join(', '), more }));
  }
  if (differing > 0) {
    verdict('different');
    notice(texts.differ({ count: differing, parcels, paid, due }));
  } else notice(texts.agrees({ parcels }));
  if (repeated > 0) notice(texts.repeated({ count: repeated }));
  if (due === 0) return;
  notice(texts.settled({ settled, due, advice: ports.ui.advise('see_settled') }));
}

/** `cod reconcile`. */
export const reconcileAction = action({
  id: 'cod.reconcile',
  words: ['cod', 'reconcile'],
  summary: 'Compare what carriers paid with the parcels, each in one class',
  description:
    'Reads the mirror: run `shopctl mirror sync` first. Without dates it takes every parcel. Exits with 11 if anything differs, and with 0 if all agrees.',
  examples: [
    'shopctl cod reconcile',
    'shopctl cod reconcile --since 2026-11-01 --until 2026-11-30 --to disputes.xlsx',
    'shopctl cod reconcile --session ghtk-2026-11-20 --received 12500000',
  ],
  effect: 'store',
  undo: { whyNot: 'payments that arrived stay stored' },
  needs: ['key', 'workspace'],
  page: { isLook: true },
  input,
  hints: {
    since: { placeholder: 'DAY' },
    until: { placeholder: 'DAY' },
    carrier: { placeholder: 'NAME' },
    session: { placeholder: 'NAME' },
    received: { placeholder: 'AMOUNT' },
    grace: { placeholder: 'DAYS' },
    to: { placeholder: 'FILE', from: 'path', page: { download: ['xlsx'] } },
  },
  output,
  view: {
    columns: [
      { path: 'complete_until', header: 'complete until', kind: 'time' },
      {
        path: 'classes',
        heads: true,
        each: [
          { path: 'key', header: 'class' },
          { path: 'parcels', kind: 'number' },
          ...amountColumns,
          { path: 'words', optional: true },
        ],
      },
      {
        path: 'sums',
        heads: true,
        each: [
          { path: 'carrier' },
          { path: 'session' },
          { path: 'class' },
          { path: 'parcels', kind: 'number', optional: true },
          ...amountColumns,
        ],
      },
      {
        path: 'left_out',
        header: 'left out',
        heads: true,
        each: [
          { path: 'shipping_code' },
          { path: 'carrier' },
          { path: 'session' },
          { path: 'closed_at', kind: 'time' },
          { path: 'due', kind: 'number' },
        ],
      },
      {
        path: 'parcels',
        heads: true,
        each: [
          { path: 'shipping_code' },
          { path: 'class' },
          { path: 'also', optional: true },
          ...amountColumns,
          { path: 'fee_quoted', kind: 'number', optional: true },
          { path: 'fee_charged', kind: 'number', optional: true },
          { path: 'provisional', kind: 'number', optional: true },
        ],
      },
      { path: 'received.expected', kind: 'number' },
      { path: 'received.received', kind: 'number' },
      { path: 'received.rest', kind: 'number' },
      {
        path: 'received.parts',
        each: [{ path: 'what' }, { path: 'amount', kind: 'number' }],
      },
    ],
    name: 'complete_until',
  },
  atFirstSight: (given) => ({ ...given, differing: given.differing ?? !given.class }),
  run: (given, ports) =>
    atMirror(ports, async (at) => {
      const cod = await import('../index.ts');
      const { span, days, completeUntil, copiedAt } = await spanOf(asked(given), at, ports);
      await payToMirror(at, ports);
      if (typeof given.to === 'string' && !/\.xlsx$/i.test(given.to)) {
        throw new Refusal('format_unknown', say().reconcile.notAWorkbook({ path: given.to }));
      }
      const received = await receivedOf(given, at, ports);
      const only = given.class ?? undefined;
      const all = given.differing !== true && only === undefined;
      const found = await cod.reconcile(at.mirror, span, { all, only, claims: typeof given.to === 'string' });
      if (typeof given.to === 'string' && found.claims !== undefined) await writeSheet(given.to, found.claims, ports);
      const totals = cod.totalOf(found.sums);
      const fresh = momentInZone(Date.parse(completeUntil), rollupZone(ports));
      const age = agoText(ports.clock.now() - copiedAt);
      ports.report.notice(say().reconcile.fresh({ moment: fresh, zone: rollupZone(ports), age }));
      summarize(found, totals, ports);
      const waiting = found.sums.filter((one) => one.class === AWAITING);
      if (waiting.length > 0 && !all && only !== AWAITING) {
        const { parcels: count, due } = cod.totalOf(waiting);
        ports.report.notice(say().reconcile.waiting({ count, due, advice: ports.ui.advise('list_waiting') }));
      }
      if (typeof given.session === 'string') await tellState(given.session, ports);
      return {
        since: days.since ?? null,
        until: days.until ?? null,
        tz: rollupZone(ports),
        complete_until: completeUntil,
        sums: found.sums.map((one) => ({ ...one, class: className(one.class) })),
        classes: Object.fromEntries(
          [...cod.reportedBy.keys()].flatMap((name) => {
            const own = found.sums.filter((one) => one.class === name);
            if (own.length === 0) return [];
            return [[className(name), { words: say().classMeans[name] ?? name, ...cod.totalOf(own) }] as const];
          }),
        ),
        totals,
        settled: found.settled,
        received,
        left_out: found.leftOut,
        parcels: inWords(readOnce(found.parcels)),
      };
    }),
});

/** Says whether a session is closed. */
async function tellState(session: string, ports: Ports): Promise<void> {
  const closed = await atPayments(ports, ({ payments, shopId }) => payments.closed(shopId));
  const found = closed.find((one) => one.session === session);
  const { isOpen, isClosed } = say().files;
  if (found === undefined) ports.report.notice(isOpen({ session }));
  else
    ports.report.notice(isClosed({ session, by: found.closed_by, at: found.closed_at, amount: Number(found.amount) }));
}

/** A session, and what its lines add up to. */
interface SessionSum {
  readonly session: string;
  readonly amount: number;
}

/** Says what of a session still differs, which is known where there is a mirror; returns whether anything does. */
async function tellDifferences(session: string, ports: Ports): Promise<boolean> {
  const [{ mirrorExists }, { mirrorPlace }, { areaStates }, cod] = await Promise.all([
    import('../../mirror/index.ts'),
    import('../../mirror/actions/place.ts'),
    import('../../mirror/store/area-states.ts'),
    import('../index.ts'),
  ]);
  if (!mirrorExists(mirrorPlace(ports))) return false;
  const differences = new Map<string, { count: number; amount: number }>();
  await atMirror(ports, async (at) => {
    const states = await areaStates(at.mirror, at.shopId);
    if (!states.some(({ area, complete_until: until }) => area === 'fulfillments' && until !== null)) return;
    await payToMirror(at, ports);
    const { span } = await spanOf(asked({ session }), at, ports);
    const { parcels, leftOut } = await cod.reconcile(at.mirror, span, { all: false });
    const add = (name: string, amount: number) => {
      const before = differences.get(name) ?? { count: 0, amount: 0 };
      differences.set(name, { count: before.count + 1, amount: before.amount + amount });
    };
    for await (const { class: own, also, difference } of readOnce(parcels))
      add([own, ...also].map(className).join(', '), difference);
    for (const { due } of leftOut) add(say().reconcile.notPaid, -due);
  });
  if (differences.size === 0) return false;
  const texts = say().reconcile;
  const named = [...differences].map(([name, { count, amount }]) => texts.differing({ name, count, amount }));
  const count = [...differences.values()].reduce((sum, one) => sum + one.count, 0);
  const message = texts.stillDiffers({ session, count, named });
  if (ports.person.isThere) await ports.person.tell(message);
  else ports.report.notice(message);
  return true;
}

/**
 * Says what of a session still differs, and lets whoever closes it agree to its sum, and to no other: at a terminal where something
 * differs, on a page always. A dry run says the same, and nobody is asked in it. Throws a Refusal for a no.
 */
export async function agreeToClose(of: SessionSum, ports: Ports): Promise<void> {
  const { person } = ports;
  const differs = await tellDifferences(of.session, ports);
  if (person.isAtPage !== true) ports.intend({ close: of.session });
  if (person.isAtPage !== true && !(differs && person.isThere)) return;
  const { closing, closeSo } = say().reconcile;
  await person.confirm({ what: closing, message: closeSo(of) });
}

const asked = ({ since, until, carrier, session, grace }: Partial<z.output<typeof input>>): Asked => ({
  since: since ?? undefined,
  until: until ?? undefined,
  carrier: carrier ?? undefined,
  session: session ?? undefined,
  grace: grace ?? undefined,
});

async function receivedOf(
  { received, session }: z.output<typeof input>,
  { mirror, shopId }: AtMirror,
  { report }: Ports,
) {
  if (typeof received !== 'number') return null;
  if (typeof session !== 'string') {
    const message = say().reconcile.needsSession;
    throw new Refusal('invalid_input', `session ${message}`, { fieldErrors: [{ path: 'session', message }] });
  }
  const { explainReceived, sessionKinds } = await import('../index.ts');
  const kinds = await sessionKinds(mirror, shopId, session);
  if (kinds.size === 0) throw new Refusal('cod_unknown', say().files.noSession({ session }), { kind: 'missing' });
  const compared = explainReceived(session, kinds, received);
  for (const { what, amount } of compared.parts) report.notice(say().reconcile.part({ session, what, amount }));
  report.notice(say().reconcile.received(compared));
  if (compared.rest !== 0) report.verdict('different');
  return compared;
}

/** What people call a class. */
const className = (name: string) => say().className[name] ?? name;

/** Parcels as people read them. */
async function* inWords(parcels: AsyncIterable<ReconciledParcel>): AsyncGenerator<ReconciledParcel, void, undefined> {
  const kinds = say().kind;
  for await (const parcel of parcels)
    yield {
      ...parcel,
      class: className(parcel.class),
      also: parcel.also.map(className),
      lines: parcel.lines.map((line) => ({ ...line, kind: kinds[line.kind] ?? line.kind })),
    };
}

/** The rows of a spool, which is closed behind them. */
async function* readOnce<Row>(rowStore: RowStore<Row>): AsyncGenerator<Row, void, undefined> {
  try {
    yield* rowStore.rows();
  } finally {
    await rowStore.close();
  }
}

async function writeSheet(to: string, { parcels, settled }: Claims, ports: Ports): Promise<void> {
  ports.intend({ write: to });
  const [{ disputeSheet }, { daysIn }] = await Promise.all([
    import('../index.ts'),
    import('../../mirror/store/write/days.ts'),
  ]);
  let count = 0;
  const counted = async function* () {
    for await (const parcel of readOnce(parcels)) {
      count += 1;
      yield parcel;
    }
  };
  const sheet = await disputeSheet(counted(), daysIn(rollupZone(ports)), ports.settings.paperLang.value);
  await writeParts(
    resolve(ports.workingDirectory, to),
    (async function* () {
      yield sheet;
    })(),
  );
  ports.report.notice(say().reconcile.written({ count, path: to }));
  if (settled > 0) ports.report.notice(say().reconcile.settledNotWritten({ count: settled }));
}
