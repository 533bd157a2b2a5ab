import type { RawRecord, RawShop } from '../support/random-shop.ts';

// What each report should say, computed from the JSON of the records with plain code of its own: no SQL, no rollup, and
// another way to find days.

const DAY = 86_400_000;

/** What a referee is asked. */
export interface Question {
  readonly shop: RawShop;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  readonly since: string;
  readonly until: string;
  readonly by: 'day' | 'week' | 'month';
  readonly timeZone: string;
}

const num = (value: unknown) => (typeof value === 'number' ? value : 0);
const sum = (records: readonly RawRecord[], of: (record: RawRecord) => number) =>
  records.reduce((total, record) => total + of(record), 0);

/** The clock on the wall of a zone as if it were UTC. */
function wall(at: number, timeZone: string): Date {
  const text = new Date(at).toLocaleString('sv-SE', { timeZone });
  return new Date(`${text.replace(' ', 'T')}Z`);
}

const dayOf = (at: unknown, timeZone: string) =>
  wall(Date.parse(String(at)), timeZone)
    .toISOString()
    .slice(0, 10);

/** The days of the week of a day: from the Monday to the Sunday. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const monday = date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY;
  const [first = '', last = ''] = [monday, monday + 6 * DAY].map((at) => new Date(at).toISOString().slice(0, 10));
  return `${first} to ${last.slice(5)}`;
}

const nameOf = { day: (day: string) => day, week: weekOf, month: (day: string) => day.slice(0, 7) };

const within =
  ({ since, until, timeZone }: Question) =>
  (record: RawRecord) => {
    const day = dayOf(record.created_at, timeZone);
    return day >= since && day < until;
  };

function byPeriod(question: Question, records: readonly RawRecord[]): [string, RawRecord[]][] {
  const { since, until, by, timeZone } = question;
  const groups = new Map<string, RawRecord[]>();
  for (let at = Date.parse(since); at < Date.parse(until); at += DAY)
    groups.set(nameOf[by](new Date(at).toISOString().slice(0, 10)), []);
  for (const record of records.filter(within(question)))
    groups.get(nameOf[by](dayOf(record.created_at, timeZone)))?.push(record);
  return [...groups];
}

const oneDigit = (part: number, whole: number) => Math.floor((part / whole) * 10 + 0.5) / 10;

const isReturned = ({ shipping_state: state }: RawRecord) => state === 'returning' || state === 'returned';
const isIn = (state: string) => (record: RawRecord) => record.shipping_state === state;
const collected = (records: readonly RawRecord[]) =>
  sum(records.filter(isIn('delivered')), (one) => num(one.actual_cod_amount));
const fees = (records: readonly RawRecord[]) => sum(records, (one) => num(one.actual_shipping_service_fee));

function figuresOf(parcels: readonly RawRecord[], { shop }: Question) {
  const cashOf = (one: RawRecord) => {
    if (one.shipping_state === 'delivered') return num(one.actual_cod_amount);
    return isReturned(one) || one.shipping_state === 'undeliverable' ? 0 : num(one.cod_amount);
  };
  return {
    parcels: parcels.length,
    cod_parcels: parcels.filter(({ cod_amount }) => num(cod_amount) !== 0).length,
    other_parcels: parcels.filter(({ cod_amount }) => num(cod_amount) === 0).length,
    value: sum(parcels, ({ order_id }) => num(shop.orders.find(({ id }) => id === order_id)?.total_amount)),
    cash: sum(parcels, cashOf),
    fees: sum(parcels, (one) => num(one.actual_shipping_service_fee ?? one.shipping_service_fee)),
  };
}

const unsettled = ({ shop }: Question) =>
  shop.fulfillments.filter(
    ({ shipping_state, platform_payment_status }) => shipping_state !== 'cancelled' && platform_payment_status !== 'P',
  );

const stageOf = ({ shipping_state: state }: RawRecord) => {
  if (state === 'picking' || state === 'delivered' || state === 'undeliverable') return state;
  if (state === 'holding' || state === 'delivering') return 'in_delivery';
  return state === 'returning' || state === 'returned' ? 'returned' : 'new';
};

/** The rows of each report, by name. */
export const referees: Readonly<Record<string, (question: Question) => readonly Record<string, unknown>[]>> = {
  sales: (question) =>
    byPeriod(
      question,
      question.shop.orders.filter(({ status }) => status !== 'N'),
    ).map(([period, orders]) => {
      const revenue = sum(orders, (order) => num(order.total_amount));
      const items = sum(orders, (order) => num(order.total_items));
      const average = orders.length === 0 ? null : Math.floor(revenue / orders.length);
      return { period, orders: orders.length, items, revenue, average };
    }),

  cod: (question) =>
    byPeriod(
      question,
      question.shop.fulfillments.filter(
        (one) => isReturned(one) || isIn('delivered')(one) || isIn('undeliverable')(one),
      ),
    ).map(([period, parcels]) => {
      const cash = collected(parcels);
      const settled = collected(parcels.filter(({ platform_payment_status }) => platform_payment_status === 'P'));
      return {
        period,
        delivered: parcels.filter(isIn('delivered')).length,
        undeliverable: parcels.filter(isIn('undeliverable')).length,
        returned: parcels.filter(isReturned).length,
        cod_amount: cash,
        fees: fees(parcels),
        payout: cash - fees(parcels),
        settled,
        outstanding: cash - settled,
      };
    }),

  carriers(question) {
    const parcels = question.shop.fulfillments.filter(within(question)).filter((one) => !isIn('cancelled')(one));
    const names = [...new Set(parcels.map(({ carrier }) => String(carrier)))];
    const rows = names.map((carrier) => {
      const own = parcels.filter((one) => one.carrier === carrier);
      const count = (is: (one: RawRecord) => boolean) => own.filter(is).length;
      const [delivered, returned, lost] = [count(isIn('delivered')), count(isReturned), count(isIn('undeliverable'))];
      const ended = delivered + returned + lost;
      const timed = own.filter((one) => isIn('delivered')(one) && one.closed_at !== undefined);
      const tookOf = (one: RawRecord) => Date.parse(String(one.closed_at)) - Date.parse(String(one.created_at));
      const charged = own.filter((one) => one.actual_shipping_service_fee !== undefined);
      const inDelivery = count(isIn('holding')) + count(isIn('delivering'));
      return {
        carrier,
        parcels: own.length,
        not_picked_up: own.length - ended - inDelivery,
        in_delivery: inDelivery,
        delivered,
        returned,
        undeliverable: lost,
        delivered_percent: ended === 0 ? null : oneDigit(100 * delivered, ended),
        days: timed.length === 0 ? null : oneDigit(sum(timed, tookOf), timed.length * DAY),
        late: timed.filter((one) => Date.parse(String(one.closed_at)) > Date.parse(String(one.estimated_delivery_at)))
          .length,
        late_now: unsettled(question).filter(
          (one) =>
            own.includes(one) &&
            ['in_delivery', 'undeliverable'].includes(stageOf(one)) &&
            Date.parse(String(one.estimated_delivery_at)) < question.now,
        ).length,
        cod_amount: collected(own),
        fees: fees(own),
        fee_each: charged.length === 0 ? null : Math.floor(fees(own) / charged.length),
      };
    });
    return rows.sort((one, other) => other.parcels - one.parcels || (one.carrier < other.carrier ? -1 : 1));
  },

  unreconciled: (question) =>
    ['delivered', 'undeliverable', 'returned', 'in_delivery'].map((stage) => ({
      stage,
      ...figuresOf(
        unsettled(question).filter((one) => stageOf(one) === stage),
        question,
      ),
    })),

  states(question) {
    const { now, timeZone } = question;
    const today = dayOf(new Date(now).toISOString(), timeZone);
    const groups: [string, (one: RawRecord) => boolean][] = [
      ['new', (one) => stageOf(one) === 'new'],
      ['picking', isIn('picking')],
      [
        'late_pickup',
        (one) => ['new', 'picking'].includes(stageOf(one)) && Date.parse(String(one.estimated_pickup_at)) < now,
      ],
      ['in_delivery', (one) => stageOf(one) === 'in_delivery'],
      [
        'due_today',
        (one) =>
          ['in_delivery', 'undeliverable'].includes(stageOf(one)) &&
          one.estimated_delivery_at !== undefined &&
          dayOf(one.estimated_delivery_at, timeZone) === today,
      ],
      ['delivered', isIn('delivered')],
      ['undeliverable', isIn('undeliverable')],
      ['returned', isReturned],
    ];
    return groups.map(([state, is]) => ({ state, ...figuresOf(unsettled(question).filter(is), question) }));
  },

  late(question) {
    const { now, timeZone } = question;
    const today = Date.parse(dayOf(new Date(now).toISOString(), timeZone));
    const names = ['today', 'tomorrow', 'in_2_days', 'in_3_days', 'in_4_days', 'in_5_days', 'in_6_days'];
    const expected = ({ estimated_delivery_at: at }: RawRecord) => {
      if (at === undefined) return 'unknown';
      if (Date.parse(String(at)) < now) return 'late';
      return names[Math.round((Date.parse(dayOf(at, timeZone)) - today) / DAY)] ?? 'later';
    };
    const parcels = unsettled(question).filter((one) => ['in_delivery', 'undeliverable'].includes(stageOf(one)));
    return ['late', ...names, 'later', 'unknown'].map((name) => ({
      expected: name,
      ...figuresOf(
        parcels.filter((one) => expected(one) === name),
        question,
      ),
    }));
  },

  'late-parcels'(question) {
    const { shop, now } = question;
    const at = ({ estimated_delivery_at }: RawRecord) => Date.parse(String(estimated_delivery_at));
    const late = unsettled(question).filter(
      (one) => ['in_delivery', 'undeliverable'].includes(stageOf(one)) && at(one) < now,
    );
    late.sort((one, other) => at(one) - at(other) || (String(one.id) < String(other.id) ? -1 : 1));
    return late.map((one) => ({
      parcel: one.shipping_code,
      recipient: '',
      phone: '',
      days: Math.floor((now - at(one)) / DAY),
      state: one.shipping_state,
      carrier: one.carrier,
      order: shop.orders.find(({ id }) => id === one.order_id)?.code ?? '',
      cash: one.shipping_state === 'undeliverable' ? 0 : num(one.cod_amount),
    }));
  },

  products(question) {
    const { shop } = question;
    const orders = shop.orders.filter(within(question)).filter(({ status }) => status !== 'N');
    const lines = orders.flatMap(({ lines }) => lines as RawRecord[]);
    const rows = [...new Set(lines.map(({ variant_id }) => variant_id))].map((id) => {
      const own = lines.filter(({ variant_id }) => variant_id === id);
      return {
        product: 'Áo',
        variant: shop.variants.find((variant) => variant.id === id)?.code ?? '',
        items: sum(own, ({ quantity }) => num(quantity)),
        revenue: sum(own, ({ quantity, payment_price }) => num(quantity) * num(payment_price)),
      };
    });
    return rows.sort((one, other) => other.items - one.items || (String(one.variant) < String(other.variant) ? -1 : 1));
  },

  customers(question) {
    const orders = question.shop.orders.filter(within(question)).filter(({ status }) => status !== 'N');
    const buyerOf = (order: RawRecord) => (order.customer_address ?? order.shipping_address) as Record<string, string>;
    const digitsOf = (order: RawRecord) => buyerOf(order).phone?.slice(-9);
    const rows = [...new Set(orders.map(digitsOf))].map((digits) => {
      const own = orders.filter((order) => digitsOf(order) === digits);
      const last = own
        .map(({ created_at }) => String(created_at))
        .sort()
        .at(-1);
      const newest = own.filter(({ created_at }) => created_at === last).map((order) => String(buyerOf(order).phone));
      return {
        customer: buyerOf(own[0] as RawRecord).full_name,
        phone: newest.sort()[0],
        orders: own.length,
        revenue: sum(own, ({ total_amount }) => num(total_amount)),
      };
    });
    return rows.sort((one, other) => other.revenue - one.revenue || other.orders - one.orders);
  },

  stock(question) {
    const { shop, since, until } = question;
    const days = Math.round((Date.parse(until) - Date.parse(since)) / DAY);
    const orders = shop.orders.filter(within(question)).filter(({ status }) => status !== 'N');
    const lines = orders.flatMap(({ lines }) => lines as RawRecord[]);
    const rows = shop.levels.map((level) => {
      const variant = shop.variants.find(({ id }) => id === level.variant_id);
      const sold = sum(
        lines.filter(({ variant_id }) => variant_id === level.variant_id),
        (line) => num(line.quantity),
      );
      const available = num(level.available_quantity);
      return {
        id: String(level.variant_id),
        code: variant?.code,
        name: variant?.name,
        available,
        committed: num(level.picked_quantity) + num(level.reserved_quantity),
        sold,
        per_day: oneDigit(sold, days),
        days_left: sold === 0 ? null : Math.max(0, Math.floor((available * days) / sold)),
      };
    });
    const last = Number.POSITIVE_INFINITY;
    rows.sort(
      (one, other) =>
        (one.days_left ?? last) - (other.days_left ?? last) || other.sold - one.sold || (one.id < other.id ? -1 : 1),
    );
    return rows.map(({ id: _, ...row }) => row);
  },
};

const sumOf = (rows: readonly Record<string, unknown>[], names: readonly string[]) =>
  rows.reduce((all, row) => names.reduce((sum, name) => sum + num(row[name]), all), 0);

/** The totals of reports that are not the sums of their rows. */
export const totalReferees: Readonly<
  Record<string, (rows: readonly Record<string, unknown>[]) => Record<string, unknown>>
> = {
  sales: (rows) => ({ average: Math.floor(sumOf(rows, ['revenue']) / sumOf(rows, ['orders'])) }),
  carriers: (rows) => ({
    delivered_percent: oneDigit(
      100 * sumOf(rows, ['delivered']),
      sumOf(rows, ['delivered', 'returned', 'undeliverable']),
    ),
  }),
};
