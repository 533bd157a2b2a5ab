import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { accountOf, accountText } from '../../client/account.ts';
import { call } from '../../client/call.ts';
import { labels } from '../../contract/labels.ts';
import { flag, list, oneOf, record, requiring, text, time } from '../../contract/schema/scalars.ts';
import { paidBefore } from '../../domain/amounts/cash-on-delivery.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import { dayInZone, momentInZone } from '../../domain/calendar.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { isDerivedName } from '../../domain/named-by.ts';
import { onPaper, type PaperFacts, type PaperLanguage } from '../../domain/paper.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import { placeholders, type Sql, type SqlRow } from '../../store/sql.ts';
import { say } from '../texts.ts';

type Fields = Readonly<Record<string, unknown>>;

const sources = ['order', 'parcel', 'webhook', 'batch', 'slip', 'payment'] as const;

/** One thing that happened to an order. */
interface StoryEvent {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly source: (typeof sources)[number];
  readonly event: string;
  /** The parcel that a webhook told of, and its state then. */
  readonly came?: { readonly code: string; readonly state: string };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberIn = (value: unknown): number => Number(value ?? 0);
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

/** The word of an order's status. */
const statusWord = (status: unknown): string => labels().status[textIn(status)] ?? textIn(status);

/** What the order itself says; a moment that it does not have is no event. */
function ofOrder(order: Fields): StoryEvent[] {
  const { total_amount, cancel_reason, status } = order;
  const cash = numberIn(fieldsIn(order.shipping).cod_amount);
  const { full_name } = fieldsIn(order.shipping_address ?? order.customer_address);
  const buyer = textIn(full_name);
  const paid = paidBefore(order);
  const texts = say().story;
  const created = joined(
    buyer === '' ? texts.created : texts.createdFor({ buyer }),
    texts.amount({ amount: numberIn(total_amount) }),
    cash === 0 ? '' : texts.cash({ amount: cash }),
    paid === undefined ? '' : texts.paidBefore({ amount: paid }),
  );
  const all = [
    [order.created_at, created],
    [order.confirmed_at, texts.confirmed],
    [order.cancelled_at, joined(texts.cancelled, textIn(cancel_reason))],
    [status === 'N' ? '' : order.closed_at, texts.closed({ status: statusWord(status) })],
  ] as const;
  return all.flatMap(([at, event]) => (textIn(at) === '' ? [] : [{ time: textIn(at), source: 'order', event }]));
}

const codeOf = (parcel: Fields): string => textIn(parcel.shipping_code) || say().story.theParcel;

/** What a parcel says; cash counts as collected only if the service says so. */
function ofParcel(parcel: Fields): StoryEvent[] {
  const { carrier, shipping_state: state, shipping_service_fee, actual_shipping_service_fee } = parcel;
  const [code, isDelivered] = [codeOf(parcel), state === 'delivered'];
  const texts = say().story;
  const fee = texts.fee({ amount: numberIn(actual_shipping_service_fee ?? shipping_service_fee) });
  const collected = isDelivered ? texts.collected({ amount: numberIn(parcel.actual_cod_amount) }) : '';
  const closed = texts.parcelClosed({ code, state: stateWord(state) });
  const all = [
    [parcel.created_at, joined(texts.parcelCreated({ code }), textIn(carrier), fee)],
    [parcel.cancelled_at, joined(texts.parcelCancelled({ code }), textIn(parcel.cancel_reason))],
    [state === 'cancelled' ? '' : parcel.closed_at, joined(closed, collected)],
  ] as const;
  return all.flatMap(([at, event]) => (textIn(at) === '' ? [] : [{ time: textIn(at), source: 'parcel', event }]));
}

const stateWord = (state: unknown): string => say().value[textIn(state)] ?? textIn(state);

/** Where a parcel is, and what went wrong; empty if it does not say. */
function stateOf({ shipping_state, shipping_substate }: Fields): string {
  const substate = textIn(shipping_substate);
  return joined(stateWord(shipping_state), substate === 'default' ? '' : (say().story.substate[substate] ?? substate));
}

/** What is neither over nor told by a line of its own: how it stands now, and since when as far as that is known. */
function atPresent(
  order: Fields,
  parcels: readonly Fields[],
  past: readonly StoryEvent[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): StoryEvent[] {
  const texts = say().story;
  const time = new Date(now).toISOString();
  const open = parcels.filter(({ closed_at, cancelled_at }) => textIn(closed_at) === '' && textIn(cancelled_at) === '');
  if (parcels.length === 0 && textIn(order.closed_at) === '' && textIn(order.cancelled_at) === '')
    return [{ time, source: 'order', event: texts.notShipped({ status: statusWord(order.status) }) }];
  return open.map((parcel) => {
    const [code, state] = [codeOf(parcel), stateOf(parcel)];
    const what = texts.is({ name: code, state });
    const last = past.findLast(({ came }) => came?.code === code);
    const isSame = last?.came?.state === state;
    const since = Date.parse(isSame ? last.time : textIn(parcel.updated_at));
    if (!Number.isFinite(since)) return { time, source: 'parcel', event: what };
    const of = { what, moment: momentInZone(since, timeZone) };
    return { time, source: 'parcel', event: isSame ? texts.since(of) : texts.unchanged(of) };
  });
}

/** The changes that came by webhook: those in which a state is another than before. */
function ofChanges(rows: readonly SqlRow[]): StoryEvent[] {
  const last = new Map<string, string>();
  return rows.flatMap((row) => {
    const entity = textIn(row.entity);
    const latest = fieldsIn(fieldsIn(fieldsIn(JSON.parse(textIn(row.change))).latest)[entity]);
    const state = entity === 'order' ? statusWord(latest.status) : stateOf(latest);
    const key = `${entity} ${textIn(row.record_id)}`;
    if (state === '' || last.get(key) === state) return [];
    last.set(key, state);
    const came = { time: textIn(row.time), source: 'webhook' } as const;
    const { is, theOrder } = say().story;
    if (entity === 'order') return [{ ...came, event: is({ name: theOrder, state }) }];
    const code = codeOf(latest);
    return [{ ...came, event: is({ name: code, state }), came: { code, state } }];
  });
}

/** A line of a payment file. */
function ofPayment({ name, imported_at, session, shipping_code, kind, amount, cell }: SqlRow): StoryEvent {
  const { payment, paidFor, theParcel } = say().story;
  const paid = payment({
    code: textIn(shipping_code) || theParcel,
    kind: paidFor[textIn(kind)] ?? textIn(kind),
    amount: numberIn(amount),
  });
  return {
    time: textIn(imported_at),
    source: 'payment',
    event: joined(paid, `${name} ${placeText(`${cell}`)}`, textIn(session)),
  };
}

/** What this machine stores about an order and its parcels. */
async function storedOf(order: Fields, parcels: readonly Fields[], ports: Ports): Promise<StoryEvent[]> {
  const store = await ledgerOpener(ports).openIfThere();
  if (store === undefined) return [];
  const account = await accountOf('shop', ports.connection());
  const own = [accountText(account), accountText({ ...account, family: 'partner' })];
  const id = textIn(order.id);
  const ids = parcels.map((parcel) => textIn(parcel.id));
  const codes = parcels.map((parcel) => textIn(parcel.shipping_code)).filter((code) => code !== '');
  const among = (values: readonly string[]) => placeholders(1, values.length);
  const read = async (sql: Sql) => {
    const changes = await sql(
      `select distinct e.entity, e.record_id, e.time, c.change from events e join event_contents c on c.seq = e.seq
       where e.shop_id = ? and e.record_id in ${among([id, ...ids])} order by e.time, c.change`,
      [account.shop, id, ...ids],
    );
    const rows = await sql(
      `select b.id as batch, b.created_at, r.cell, r.state from batch_rows r join batches b on b.number = r.batch
       where r.id = ? and b.account in (?, ?) and r.state in ('done', 'undone', 'unclear') order by b.number, r.row`,
      [id, ...own],
    );
    const slips = await sql('select printed_at from printed_slips where order_id = ? and account in (?, ?)', [
      id,
      ...own,
    ]);
    const named = [...codes, ...ids];
    const payments =
      named.length === 0
        ? []
        : await sql(
            `select f.name, f.imported_at, l.session, l.shipping_code, l.kind, l.amount, l.cell from cod_lines l
             join cod_files f on f.number = l.file
             where f.shop_id = ? and l.repeats is null and (l.shipping_code in ${among(named)} or l.fulfillment_id in ${among(named)})
             order by f.number, l.line`,
            [account.shop, ...named, ...named],
          );
    return { changes, rows, slips, payments };
  };
  const texts = say().story;
  const { changes, rows, slips, payments } = await store.read(read).finally(() => store.close());
  return [
    ...ofChanges(changes),
    ...rows.map(({ batch, created_at, cell, state }) => ({
      time: textIn(created_at),
      source: 'batch' as const,
      event: joined(
        `${batch}`,
        texts.row({ cell: placeText(`${cell}`), state: texts.rowState[`${state}`] ?? `${state}` }),
      ),
    })),
    ...slips.map(({ printed_at }) => ({ time: textIn(printed_at), source: 'slip' as const, event: texts.slip })),
    ...payments.map(ofPayment),
  ];
}

/** What a buyer is told, in Vietnamese. */
const vi = {
  holding: 'đang giao',
  delivering: 'đang giao',
  delivered: 'đã giao',
  returning: 'chưa giao được, đang chuyển hoàn',
  returned: 'chưa giao được, đã hoàn về shop',
  undeliverable: 'không giao được',
  cancelled: 'đã hủy',
  waiting: 'đang chờ lấy hàng',
  orderCancelled: ({ order }: PaperFacts) => `Đơn ${order} đã hủy`,
  notSent: ({ order }: PaperFacts) => `Đơn ${order} đã được ghi nhận, chưa gửi đi`,
  is: ({ order, state }: PaperFacts) => `Đơn ${order} ${state}`,
  isStill: ({ order, state }: PaperFacts) => `Đơn ${order} đã hủy, nhưng kiện hàng vẫn ${state}`,
  isAfterAll: ({ order, state }: PaperFacts) => `Đơn ${order} đã hủy, nhưng kiện hàng ${state}`,
  on: ({ day }: PaperFacts) => ` ngày ${day}`,
  failedOnce: 'lần giao gần nhất chưa thành công',
  expected: ({ day }: PaperFacts) => `dự kiến giao ${day}`,
  parcel: ({ code }: PaperFacts) => `mã vận đơn ${code}`,
  cash: ({ amount }: PaperFacts) => `thu khi giao ${amount} ₫`,
  cashAfterAll: ({ amount }: PaperFacts) => `nếu nhận thì vẫn thu ${amount} ₫`,
};

/** The same in English. */
const en: typeof vi = {
  holding: 'is on its way',
  delivering: 'is on its way',
  delivered: 'was delivered',
  returning: 'could not be delivered and is being returned',
  returned: 'could not be delivered and was returned to the shop',
  undeliverable: 'cannot be delivered',
  cancelled: 'is cancelled',
  waiting: 'waits for its pickup',
  orderCancelled: ({ order }) => `Order ${order} is cancelled`,
  notSent: ({ order }) => `Order ${order} is noted and not sent yet`,
  is: ({ order, state }) => `Order ${order} ${state}`,
  isStill: ({ order, state }) => `Order ${order} is cancelled, but its parcel still ${state}`,
  isAfterAll: ({ order, state }) => `Order ${order} is cancelled, but its parcel ${state}`,
  on: ({ day }) => ` on ${day}`,
  failedOnce: 'the last delivery did not succeed',
  expected: ({ day }) => `expected on ${day}`,
  parcel: ({ code }) => `parcel ${code}`,
  cash: ({ amount }) => `${amount} ₫ to pay at the door`,
  cashAfterAll: ({ amount }) => `whoever takes it pays ${amount} ₫`,
};

const hasState = (state: string): state is 'delivered' => /^[a-z]+$/.test(state) && Object.hasOwn(vi, state);

/** A day as a buyer reads it: 4/12, and 30/12/2025 where that is another year than now. */
function dayText(moment: unknown, { now, timeZone }: Pick<Writing, 'now' | 'timeZone'>): string {
  const [year, month, day] = dayInZone(Date.parse(textIn(moment)), timeZone)
    .split('-')
    .map(Number);
  return [day, month, ...(dayInZone(now, timeZone).startsWith(`${year}-`) ? [] : [year])].join('/');
}

/** When a buyer is written to, in milliseconds since 1970, in which zone, and in which language. */
interface Writing {
  readonly now: number;
  readonly timeZone: string;
  readonly language?: PaperLanguage;
}

/** The sentence to send to the buyer, or one in each language; a day that is past is no promise, and is left out. */
export function buyerSentence(order: Fields, parcels: readonly Fields[], at: Writing): string {
  const { language = 'vi' } = at;
  const each = language === 'both' ? (['vi', 'en'] as const) : [language];
  return each.map((one) => sentenceIn(one, order, parcels, at)).join('\n');
}

/** What a buyer knows an order by. */
function nameToBuyer({ external_id, external_code, code }: Fields): string {
  const external = textIn(external_id);
  return textIn(external_code) || (isDerivedName(external) ? '' : external) || textIn(code);
}

function sentenceIn(language: 'vi' | 'en', order: Fields, parcels: readonly Fields[], at: Writing): string {
  const named = nameToBuyer(order);
  const tell = (text: keyof typeof vi, facts: PaperFacts = {}) =>
    onPaper(language, { vi, en })(text, { order: named, ...facts });
  const parcel = parcels.findLast(({ shipping_state }) => shipping_state !== 'cancelled');
  if (order.status === 'N' && parcel === undefined) return `${tell('orderCancelled')}.`;
  if (parcel === undefined) return `${tell('notSent')}.`;
  const shipping = textIn(parcel.shipping_state);
  const { estimated_delivery_at: expected, closed_at: closed, shipping_code: code } = parcel;
  const isOnItsWay = shipping === 'holding' || shipping === 'delivering';
  const isUnderWay = !hasState(shipping) || isOnItsWay;
  const isCancelled = order.status === 'N' && textIn(order.cancelled_at) !== '';
  const isExpected = isUnderWay && !isCancelled && Date.parse(textIn(expected)) >= at.now;
  const cash = isUnderWay ? numberIn(parcel.cod_amount) : 0;
  const state = tell(hasState(shipping) ? shipping : 'waiting');
  // An order that is cancelled alone leaves its parcel, and the cash, on their way.
  const ofCancelled = isUnderWay ? 'isStill' : 'isAfterAll';
  const isDated = shipping === 'delivered' && textIn(closed) !== '';
  const words = [
    `${tell(isCancelled ? ofCancelled : 'is', { state })}${isDated ? tell('on', { day: dayText(closed, at) }) : ''}`,
    parcel.shipping_substate === 'delivery_fail' && isOnItsWay ? tell('failedOnce') : '',
    isExpected ? tell('expected', { day: dayText(expected, at) }) : '',
    textIn(code) === '' ? '' : tell('parcel', { code: textIn(code) }),
    cash === 0 ? '' : tell(isCancelled ? 'cashAfterAll' : 'cash', { amount: formatMoney(cash).replaceAll(',', '.') }),
  ];
  return `${joined(...words)}.`;
}

/** Says what is not in a story because nothing here knows it. */
function missingIn(events: readonly StoryEvent[], parcels: readonly Fields[]): string[] {
  const { story: texts, notice } = say();
  const { and } = notice;
  const has = (wanted: StoryEvent['source']) => events.some(({ source }) => source === wanted);
  const paid = parcels.filter(({ platform_payment_status }) => platform_payment_status === 'P').map(codeOf);
  return [
    ...(has('webhook') ? [] : [texts.noWebhook]),
    ...(has('payment') || parcels.length === 0 ? [] : [texts.noPayment]),
    ...(paid.length === 0 ? [] : [texts.paidOut({ parcels: paid.reduce((one, other) => and({ one, other })) })]),
  ];
}

/** `orders story`. */
export const story = action({
  id: 'orders.story',
  words: ['orders', 'story'],
  summary: 'Tell what happened to an order, one line an event',
  description:
    'From the order and its parcels at the service, and from what this machine stores: changes that came by webhook, batches, printed slips and imported payments. The times of batches and payments are those of the run and of the import. What is not over ends with its state now. --for-buyer writes one sentence for the buyer, in the language of paper_lang: Vietnamese unless it is set.',
  examples: ['shopctl orders story WEB-2026-000117', 'shopctl orders story DH000131 --for-buyer'],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: { tells: { of: 'order', given: { for_buyer: true } } },
  input: requiring(
    { order: text('the order, by its id, code, external_id or parcel code') },
    { for_buyer: flag('write one sentence to send to the buyer instead, in the language of paper_lang') },
  ),
  positional: ['order'],
  hints: { order: { placeholder: 'ORDER', from: 'path' } },
  output: record({
    order: text('Id of the order'),
    events: list(
      z.object({
        time: time('When it happened, or when this machine learned of it'),
        source: oneOf(sources, 'What says so'),
        event: text('What happened'),
      }),
      'What happened, the oldest first',
    ),
    sentence: text('The sentence for the buyer'),
  }),
  view: ({ for_buyer }) =>
    for_buyer === true
      ? { columns: [{ path: 'sentence' }], name: 'sentence', text: 'sentence' }
      : {
          columns: [
            { path: 'time', kind: 'moment' },
            { path: 'source', kind: 'state' },
            { path: 'event', below: 'same-line' },
          ],
          name: 'event',
          list: 'events',
        },
  async run({ order: name, for_buyer }, ports) {
    const [{ GetOrder }, { findRecord }] = await Promise.all([
      import('../../contract/shop/order.ts'),
      import('../../operations/actions/find-record.ts'),
    ]);
    const at = { now: ports.clock.now(), timeZone: ports.settings.tz.value };
    const { id, by } = await findRecord(GetOrder, GetOrder, name, ports);
    if (id !== name) ports.report.notice(say().story.named({ name, by, id }));
    const answer = fieldsIn(await call(GetOrder, { id }, ports.connection()));
    const [order, parcels] = [fieldsIn(answer.order), recordsIn(answer.fulfillments)];
    if (for_buyer === true)
      return {
        order: id,
        sentence: buyerSentence(order, parcels, { ...at, language: ports.settings.paperLang.value }),
      };
    const events = [...ofOrder(order), ...parcels.flatMap(ofParcel), ...(await storedOf(order, parcels, ports))];
    for (const missing of missingIn(events, parcels)) ports.report.notice(missing);
    // Equal moments stay in the order of their sources: an order comes before its parcel.
    events.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
    const all = [...events, ...atPresent(order, parcels, events, at)];
    return { order: id, events: all.map(({ time, source, event }) => ({ time, source, event })) };
  },
});
