import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, money, record, text, time } from '../../contract/schema/scalars.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { agoText, momentInZone } from '../../domain/calendar.ts';
import { payToMirror } from '../../mirror/actions/copy-payments.ts';
import { type AtMirror, atMirror, rollupZone } from '../../mirror/actions/place.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import type { RowStore } from '../classes.ts';
import type { Claims, CodSums, Reconciled } from '../reconcile.ts';
import { type Asked, spanOf } from './span.ts';

const input = record({
  since: text('only parcels that were closed on this day or later: 2026-11-15, 15/11/2026, today or yesterday'),
  until: text('only parcels that were closed on this day or before'),
  carrier: text('only parcels of this carrier'),
  session: text('only parcels with a line in this payment session'),
  received: money('what the bank received for the session; needs --session'),
  grace: text('working days that carriers have to pay: 7d, or 7d,NAME=5d for single carriers; as set when absent'),
  differing: flag('list only parcels with a difference'),
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
    'Parcels that were delivered on or before the last day that a session of their carrier pays, and that no session has paid',
  ),
  parcels: list(parcel, 'The parcels'),
});

const amountColumns = [
  { path: 'due', kind: 'number' },
  { path: 'paid', kind: 'number' },
  { path: 'difference', kind: 'number' },
] as const;

const MOST_NAMED = 10;

function summarize({ differing, leftOut, settled }: Reconciled, total: CodSums, ports: Ports): void {
  const { notice, verdict } = ports.report;
  if (leftOut.length > 0) {
    verdict('different');
    const named = leftOut
      .slice(0, MOST_NAMED)
      .map((one) => `${one.shipping_code || one.fulfillment_id} by ${one.session}`);
    const more = leftOut.length > named.length ? ` and ${leftOut.length - named.length} more` : '';
    const due = formatMoney(leftOut.reduce((sum, one) => sum + one.due, 0));
    notice(
      `left out: ${leftOut.length} delivered ${leftOut.length === 1 ? 'parcel' : 'parcels'} with ${due} due, paid in no session (${named.join(', ')}${more})`,
    );
  }
  if (differing > 0) {
    verdict('different');
    notice(
      `${differing} of ${total.parcels} parcels differ: ${formatMoney(total.paid)} paid, ${formatMoney(total.due)} due`,
    );
  } else notice(`${total.parcels} parcels, and nothing differs`);
  if (total.due === 0) return;
  const both = `${formatMoney(settled)} of the ${formatMoney(total.due)} that is due`;
  notice(
    `paid is what imported payment files pay; the platform's own payments settled ${both}; ${ports.ui.advise('see_settled')}`,
  );
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
          { path: 'parcels', kind: 'number' },
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
          { path: 'also' },
          ...amountColumns,
          { path: 'fee_quoted', kind: 'number' },
          { path: 'fee_charged', kind: 'number' },
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
  atFirstSight: (given) => ({ ...given, differing: given.differing ?? true }),
  run: (given, ports) =>
    atMirror(ports, async (at) => {
      const cod = await import('../index.ts');
      const { span, days, completeUntil, copiedAt } = await spanOf(asked(given), at, ports);
      await payToMirror(at, ports);
      if (typeof given.to === 'string' && !/\.xlsx$/i.test(given.to)) {
        throw new Refusal(
          'format_unknown',
          `a dispute sheet is a workbook: the name of its file ends in .xlsx, not as ${given.to} does`,
        );
      }
      const received = await receivedOf(given, at, ports);
      const isShort = given.differing === true;
      const found = await cod.reconcile(at.mirror, span, { all: !isShort, claims: typeof given.to === 'string' });
      if (typeof given.to === 'string' && found.claims !== undefined) await writeSheet(given.to, found.claims, ports);
      const totals = cod.totalOf(found.sums);
      const fresh = momentInZone(Date.parse(completeUntil), rollupZone(ports));
      const age = agoText(ports.clock.now() - copiedAt);
      ports.report.notice(`Shipments complete up to ${fresh} (${rollupZone(ports)}), copied ${age}`);
      summarize(found, totals, ports);
      return {
        since: days.since ?? null,
        until: days.until ?? null,
        tz: rollupZone(ports),
        complete_until: completeUntil,
        sums: found.sums,
        classes: Object.fromEntries(
          [...cod.reportedBy.values()].flatMap(({ name, words }) => {
            const own = found.sums.filter((one) => one.class === name);
            return own.length === 0 ? [] : [[name, { words, ...cod.totalOf(own) }] as const];
          }),
        ),
        totals,
        settled: found.settled,
        received,
        left_out: found.leftOut,
        parcels: readOnce(found.parcels),
      };
    }),
});

const asked = ({ since, until, carrier, session, grace }: z.output<typeof input>): Asked => ({
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
    const message = 'is missing: an amount of the bank is compared with one session';
    throw new Refusal('invalid_input', `session ${message}`, { fieldErrors: [{ path: 'session', message }] });
  }
  const { explainReceived, sessionKinds } = await import('../index.ts');
  const kinds = await sessionKinds(mirror, shopId, session);
  if (kinds.size === 0)
    throw new Refusal('cod_unknown', `no payment line belongs to a session ${session}`, { kind: 'missing' });
  const compared = explainReceived(session, kinds, received);
  for (const { what, amount } of compared.parts) report.notice(`${session}: ${what} ${formatMoney(amount)}`);
  report.notice(
    `${session}: ${formatMoney(compared.expected)} is due, the bank received ${formatMoney(received)}: ${compared.rest === 0 ? 'nothing is left' : `${formatMoney(Math.abs(compared.rest))} ${compared.rest < 0 ? 'is missing' : 'is too much'}`}`,
  );
  if (compared.rest !== 0) report.verdict('different');
  return compared;
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
  const sheet = await disputeSheet(counted(), daysIn(rollupZone(ports)));
  await writeParts(
    resolve(ports.workingDirectory, to),
    (async function* () {
      yield sheet;
    })(),
  );
  ports.report.notice(`${count} parcels were written to ${to}`);
  if (settled > 0)
    ports.report.notice(
      `${settled} more ${settled === 1 ? 'is' : 'are'} not in it: the platform's own payments settled what is due`,
    );
}
