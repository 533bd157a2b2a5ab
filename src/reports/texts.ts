import { formatMoney } from '../domain/amounts/money.ts';
import { textsIn } from '../domain/language.ts';

/** What people read of a column of a report. */
export interface ColumnWords {
  readonly header: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
}

/** What people read of a report. */
export interface ReportWords {
  readonly title: string;
  /** What it counts, in plain sentences: a paragraph a line. */
  readonly definition: string;
  /** What is in a span of days by which of its dates: its heading says it. Only of a report about a span. */
  readonly dated?: string;
  readonly columns: Readonly<Record<string, ColumnWords>>;
  /** The title of its chart. */
  readonly chart: string;
}

const UNSETTLED =
  'Shipments that are not cancelled and that the platform has not settled (platform_payment_status is not P).';
const CASH =
  'Cash is what the carrier collected for a delivered shipment, what it is to collect for one in delivery, and nothing for one that is undeliverable or on its way back.';
const period = { header: 'created', meaning: 'The day, the week from Monday, or the month' };

/** The figures that the reports about the present have in common. */
const parcelColumns = {
  parcels: { header: 'parcels', meaning: 'Shipments' },
  cod_parcels: { header: 'with COD', meaning: 'Those with cash on delivery' },
  other_parcels: { header: 'without', meaning: 'Those without' },
  value: { header: 'value', meaning: 'Total amounts of their orders' },
  cash: { header: 'cash', meaning: 'Cash collected, or to be collected' },
  fees: { header: 'fees', meaning: 'What the carrier charged, or what was quoted as long as it has not' },
};

/** Values that are codes in the rows of reports: groups of parcels, and their states. */
const value: Readonly<Record<string, string>> = {
  new: 'new',
  picking: 'picking',
  late_pickup: 'late_pickup',
  in_delivery: 'in_delivery',
  due_today: 'due_today',
  delivered: 'delivered',
  undeliverable: 'undeliverable',
  returned: 'returned',
  default: 'default',
  created: 'created',
  confirmed: 'confirmed',
  processing: 'processing',
  holding: 'holding',
  delivering: 'delivering',
  returning: 'returning',
  cancelled: 'cancelled',
  late: 'late',
  today: 'today',
  tomorrow: 'tomorrow',
  in_2_days: 'in_2_days',
  in_3_days: 'in_3_days',
  in_4_days: 'in_4_days',
  in_5_days: 'in_5_days',
  in_6_days: 'in_6_days',
  later: 'later',
  unknown: 'unknown',
};

/** What a report or a figure counts. */
const unit: Readonly<Record<string, string>> = { orders: 'orders', parcels: 'parcels', items: 'items', days: 'days' };

/** The figures of a day. */
const figure: Readonly<Record<string, string>> = {
  'new orders': 'new orders',
  revenue: 'revenue',
  shipped: 'shipped',
  'delivery fees': 'delivery fees',
  delivered: 'delivered',
  returned: 'returned',
  'cash collected': 'cash collected',
  'to be picked up': 'to be picked up',
  'late pickups': 'late pickups',
  'in delivery': 'in delivery',
  'due today': 'due today',
  'late deliveries': 'late deliveries',
  'cash outstanding': 'cash outstanding',
};

/** What a part of a parcel went wrong with, as the service calls it. */
const substate: Readonly<Record<string, string>> = {
  pick_fail: 'pick_fail',
  delivery_fail: 'delivery_fail',
  devivery_giveup: 'devivery_giveup',
  return_fail: 'return_fail',
  cancelling: 'cancelling',
};

/** What a payment of a kind is for. */
const paidFor: Readonly<Record<string, string>> = {
  cod: 'cash',
  delivery: 'delivery',
  return: 'return',
  redelivery: 'redelivery',
  insurance: 'insurance',
  address_change: 'address_change',
  discount: 'discount',
  compensation: 'compensation',
  provisional: 'provisional',
  provisional_back: 'provisional_back',
  debt: 'debt',
  transfer: 'transfer',
  other: 'other',
  unexplained: 'unexplained',
};

const rowState: Readonly<Record<string, string>> = {
  done: 'done',
  undone: 'done, and undone later',
  unclear: 'unclear',
};

const unreconciled: ReportWords = {
  title: 'Not yet settled',
  definition: [
    UNSETTLED,
    CASH,
    'Value is the total amount of the order of each shipment. Fees are what the carrier charged, or what was quoted as long as it has not.',
    'Shipments that nobody has picked up yet are not in this report: `states` has them.',
  ].join('\n'),
  columns: {
    stage: { header: 'stage', meaning: 'Delivered, undeliverable, returned (or on the way back), or in delivery' },
    ...parcelColumns,
  },
  chart: 'Parcels that are not settled',
};

const states: ReportWords = {
  title: 'Where the parcels are',
  definition: [
    UNSETTLED,
    'new: the carrier has not been asked to pick it up. picking: it is to be picked up. in_delivery: at the carrier, or on the way to the buyer. returned: returned, or on the way back.',
    'late_pickup counts those of new and picking whose expected pickup is past, and due_today those in delivery (undeliverable ones too) whose expected delivery is today. Both are counted in another row as well, and so not in the total.',
    CASH,
  ].join('\n'),
  columns: { state: { header: 'state', meaning: 'Where the shipments are' }, ...parcelColumns },
  chart: 'Parcels by state',
};

const late: ReportWords = {
  title: 'Expected deliveries',
  definition: [
    `${UNSETTLED} Only those that the carrier has and the buyer has not: holding, delivering, undeliverable.`,
    'late: the expected delivery is past. today: it is later today. The other rows are the days that follow, later is the seventh day and on, and unknown has no expected delivery. The present is the moment up to which the mirror is complete.',
    CASH,
  ].join('\n'),
  columns: { expected: { header: 'expected', meaning: 'When the shipments should be delivered' }, ...parcelColumns },
  chart: 'Parcels by expected delivery',
};

const carriers: ReportWords = {
  title: 'Carriers',
  definition: [
    'Shipments by carrier, of those that were created in the span and are not cancelled.',
    'The rate is the delivered ones among those whose end is known: delivered, undeliverable, returned or on the way back. Cash is what was collected for delivered ones, fees what the carrier charged.',
    'Days are those from the creation of a delivered shipment until it was closed, on average. Delivered late is how many of these were closed after the expected delivery; late now is how many others the row late of `late` counts. The fee each is the fees divided by the shipments that were charged for.',
  ].join('\n'),
  dated: 'parcels created',
  columns: {
    carrier: { header: 'carrier', meaning: 'The carrier; empty if the service names none' },
    parcels: { header: 'created', meaning: 'Shipments that are not cancelled' },
    not_picked_up: { header: 'not picked up', meaning: 'The carrier does not have them yet' },
    in_delivery: { header: 'in delivery', meaning: 'At the carrier, or on their way to the buyer' },
    delivered: { header: 'delivered', meaning: 'Delivered' },
    returned: { header: 'returned', meaning: 'Returned, or on their way back' },
    undeliverable: { header: 'undeliverable', meaning: 'Lost, or cannot be delivered' },
    delivered_percent: { header: 'rate', meaning: 'Delivered ones among those whose end is known' },
    days: { header: 'days', meaning: 'From creation to delivery on average; empty if none was delivered' },
    late: { header: 'delivered late', meaning: 'Delivered after the expected delivery' },
    late_now: {
      header: 'late now',
      meaning: 'In delivery or undeliverable, not settled, and past the expected delivery',
    },
    cod_amount: { header: 'cash', meaning: 'Cash that was collected' },
    fees: { header: 'fees', meaning: 'What the carrier charged' },
    fee_each: {
      header: 'fee each',
      meaning: 'Fees per shipment that was charged for, rounded down; empty if none was',
    },
  },
  chart: 'Parcels of each carrier',
};

const cod: ReportWords = {
  title: 'Cash on delivery',
  definition: [
    'Shipments by the day on which they were created that are delivered, undeliverable, or on their way back. Shipments still in delivery do not count yet. What was collected on a day, whenever its shipments were created, is `cash collected` of the command `day`.',
    'Cash on delivery is what the carrier has collected for delivered shipments: a returned or undeliverable one brings none. Fees are what the carrier charged for all of them.',
    'Settled means that the platform has paid it out (platform_payment_status P); the rest is outstanding. The payout may be negative where fees exceed the cash.',
    'A compensation for a lost parcel is not in the records of the service, and so not in here.',
  ].join('\n'),
  dated: 'parcels created',
  columns: {
    period,
    delivered: { header: 'delivered', meaning: 'Shipments that were delivered' },
    undeliverable: { header: 'undeliverable', meaning: 'Shipments that were lost or cannot be delivered' },
    returned: { header: 'returned', meaning: 'Shipments that came back, or are on their way back' },
    cod_amount: { header: 'cash', meaning: 'Cash that was collected' },
    fees: { header: 'fees', meaning: 'What the carrier charged for these shipments' },
    payout: { header: 'payout', meaning: 'Cash less fees' },
    settled: { header: 'settled', meaning: 'Cash that was paid out' },
    outstanding: { header: 'outstanding', meaning: 'Cash that was not paid out yet' },
  },
  chart: 'Cash on delivery, settled and outstanding',
};

const sales: ReportWords = {
  title: 'Sales',
  definition: [
    'Orders by the day on which they were created. Cancelled orders (status N) do not count, whenever they were cancelled; returned ones (NS) do.',
    'Revenue is the total amount of the orders: goods after discounts, with the fees that buyers pay. The average is revenue divided by orders, rounded down.',
  ].join('\n'),
  dated: 'orders created',
  columns: {
    period,
    orders: { header: 'orders', meaning: 'Orders that are not cancelled' },
    items: { header: 'items', meaning: 'Items in those orders' },
    revenue: { header: 'revenue', meaning: 'Sum of their total amounts' },
    average: { header: 'average', meaning: 'Revenue per order, rounded down; empty without orders' },
  },
  chart: 'Revenue',
};

const products: ReportWords = {
  title: 'Products',
  definition: [
    'Order lines of orders that were created in the span and are not cancelled (status N), by product and variant; those that were returned (NS) count. What sold most comes first.',
    'Lines that name a variant of the catalogue are joined by it. Goods in free text are joined where name and attributes are the same but for case, diacritics and punctuation, and are shown in the spelling of the line that sold most.',
    'Revenue is quantity times the price payable for one item. Discounts on a whole order and fees are not in it: the report `sales` has them.',
  ].join('\n'),
  dated: 'orders created',
  columns: {
    product: { header: 'product', meaning: 'Name of the product' },
    variant: {
      header: 'variant',
      meaning: 'Its attributes, such as colour and size; the code of the variant if it has none',
    },
    items: { header: 'items', meaning: 'Items sold' },
    revenue: { header: 'revenue', meaning: 'Quantity times the price payable for one item' },
  },
  chart: 'Items sold',
};

const customers: ReportWords = {
  title: 'Customers',
  definition: [
    'Orders that were created in the span and are not cancelled (status N), by the phone number of the buyer, however it is written, or by the name where there is none; those that were returned (NS) count. Who buys most comes first.',
    'The buyer is the recipient where the order names no other. The name is that of the newest order. Revenue is the sum of the total amounts.',
  ].join('\n'),
  dated: 'orders created',
  columns: {
    customer: { header: 'customer', meaning: 'Name of the buyer, by the newest order' },
    phone: { header: 'phone', meaning: 'Phone number of the buyer' },
    orders: { header: 'orders', meaning: 'Number of orders' },
    revenue: { header: 'revenue', meaning: 'Sum of their total amounts' },
  },
  chart: 'Revenue by customer',
};

const stock: ReportWords = {
  title: 'Stock',
  definition: [
    'The stock of each variant that is not deleted, as of the last sync, and what was sold of it in the span, in orders that are not cancelled.',
    'Available can be sold; committed is picked or reserved for orders. Days left is the available stock divided by what is sold per day, rounded down; it is empty for a variant that did not sell. What runs out first comes first.',
  ].join('\n'),
  dated: 'orders created',
  columns: {
    code: { header: 'code', meaning: 'Code of the variant' },
    name: { header: 'name', meaning: 'Name of the variant' },
    available: { header: 'available', meaning: 'What can be sold' },
    committed: { header: 'committed', meaning: 'Picked or reserved' },
    sold: { header: 'sold', meaning: 'Sold in the span' },
    per_day: { header: 'per day', meaning: 'Sold per day of the span' },
    days_left: { header: 'days left', meaning: 'How long the available stock lasts' },
  },
  chart: 'Days of stock left, the lowest first',
};

const course: ReportWords = {
  title: 'Parcels by day',
  definition: 'Shipments by the day of their creation, and by the day on which they were closed.',
  columns: {
    period: { header: 'period', meaning: 'The day' },
    shipped: { header: 'shipped', meaning: 'Shipments that were created and are not cancelled' },
    quoted: { header: 'quoted', meaning: 'What was quoted for their delivery' },
    delivered: { header: 'delivered', meaning: 'Shipments that were delivered' },
    returned: { header: 'returned', meaning: 'Shipments that came back' },
    cash: { header: 'cash', meaning: 'Cash that was collected' },
  },
  chart: 'Delivered',
};

/** What people read of reports. */
export const reportsTexts = {
  report: { unreconciled, states, late, carriers, cod, sales, products, customers, stock, course },
  /** The lists of the records behind a figure: their columns, and what is counted. */
  list: {
    columns: {
      parcel: { header: 'parcel', meaning: 'Its parcel code' },
      recipient: { header: 'recipient', meaning: 'Who receives it' },
      phone: { header: 'phone', meaning: 'Phone number of the recipient' },
      state: { header: 'state', meaning: 'Its state' },
      status: { header: 'status', meaning: 'Its status' },
      carrier: { header: 'carrier', meaning: 'The carrier' },
      order: { header: 'order', meaning: "The shop's own code of its order, or else the service's" },
      cash: parcelColumns.cash,
      fees: { header: 'fee', meaning: 'What was quoted for the delivery' },
      revenue: { header: 'revenue', meaning: 'Its total amount' },
    },
    daysHeader: 'days',
    /** By the column of the date from which days are counted. */
    days: {
      created_at: 'Whole days since it was created',
      closed_at: 'Whole days since it was closed',
      estimated_delivery_at: 'Whole days since the expected delivery',
      estimated_pickup_at: 'Whole days since the expected pickup',
    },
    lateParcels: 'Late parcels',
    lateDefinition: [
      `${UNSETTLED} Only those that the carrier has and the buyer has not (holding, delivering, undeliverable), and whose expected delivery is past: the row late of the report \`late\`. The latest come first.`,
      CASH,
    ].join('\n'),
    open: [UNSETTLED, CASH].join('\n'),
    created: 'Shipments by the day, parcels created.',
    closed: 'Shipments by the day, parcels closed.',
    orders: 'Orders that were created on the day and are not cancelled (status N).',
  },
  dated: { parcelsCreated: 'parcels created', parcelsClosed: 'parcels closed', ordersCreated: 'orders created' },
  value,
  unit,
  figure,
  /** A figure of the present beside those of a day that is over. */
  ofNow: ({ figure: name }: { figure: string }) => `${name} (now)`,
  total: 'Total',
  /** A name in a chart of what has none. */
  none: 'none',
  span: {
    fresh: ({ moment, zone }: { moment: string; zone: string }) => `complete up to ${moment} (${zone})`,
    now: ({ fresh }: { fresh: string }) => `now, ${fresh}`,
    days: ({ since, until }: { since: string; until: string }) => `${since} to ${until}`,
    day: ({ day, fresh }: { day: string; fresh: string }) => `${day}, ${fresh}`,
    dated: ({ dated, days, fresh }: { dated: string; days: string; fresh: string }) => `${dated} ${days}, ${fresh}`,
    copied: ({ what, age }: { what: string; age: string }) => `${what}, copied ${age}`,
    renewed: ({ copied, way }: { copied: string; way: string }) => `${copied}; ${way}`,
  },
  page: {
    nothing: 'There is nothing to show.',
    leftOut: ({ count, rows, sheet }: { count: number; rows: number; sheet: string }) =>
      `The first ${count} of ${formatMoney(rows)} rows; all of them: ${sheet}`,
    counts: 'What it counts',
    columns: 'Columns',
    reports: 'Reports',
    report: 'Report',
    glance: 'At a glance',
    days: 'Days',
    sheet: 'Sheet',
    large: ({ path, megabytes }: { path: string; megabytes: number }) =>
      `${path} has ${megabytes} MB, which a browser opens slowly: .xlsx is better`,
    ending: ({ path }: { path: string }) => `a report can be written to .html, .xlsx, .csv or .jsonl, not to ${path}`,
  },
  notice: {
    neverCopied: ({ areas, count }: { areas: string; count: number }) =>
      `${areas} ${count === 1 ? 'was' : 'were'} never copied completely, so a report about them would be wrong; nothing was written`,
    copiesFirst: 'nothing was copied yet: the shop is copied to this machine first',
    and: ({ one, other }: { one: string; other: string }) => `${one} and ${other}`,
    age: ({ age }: { age: string }) => `From the mirror, copied ${age}`,
    within: ({ names }: { names: readonly string[] }) =>
      `${names.join(' and ')}: of these rows, counted in another one as well, and not in the total`,
    fromRecords: ({ zone }: { zone: string }) =>
      `The mirror's sums per day are not in ${zone}: this was computed from the records, which takes longer`,
    fees: ({ fees }: { fees: number }) =>
      `delivery fees, ${formatMoney(fees)}, were quoted for the parcels that were shipped on the day; carriers may charge otherwise`,
    paid: ({ paid, advice }: { paid: number; advice: string }) =>
      `only what the platform has settled counts here; imported payment files paid ${formatMoney(paid)} of the rest; ${advice}`,
    owed: ({ owed, paid, advice }: { owed: number; paid: number; advice: string }) =>
      `cash outstanding, ${formatMoney(owed)}, is what the platform has not settled; imported payment files paid ${formatMoney(paid)} of it; ${advice}`,
  },
  /** What cannot be asked of a report, behind the name of the flag. */
  unfit: {
    day: 'must be a day that exists, from 1900 to 2199, such as 2026-11-22 or 22/11/2026',
    now: ({ name }: { name: string }) => `cannot be given: ${name} is about the present`,
    listOfNow: ({ name }: { name: string }) => `cannot be given: the list of ${name} is of the present`,
    by: ({ name }: { name: string }) => `cannot be given: the rows of ${name} are not periods`,
    width: 'must be from 40 to 1000',
    list: ({ names }: { names: string }) => `cannot be given: only ${names} can be listed`,
    directory: 'is required: the directory for all reports',
    zone: 'must be a time zone such as Asia/Ho_Chi_Minh',
    beforeSince: ({ since }: { since: string }) => `must not be before since, ${since}`,
  },
  /** What happened to an order. */
  story: {
    substate,
    paidFor,
    rowState,
    created: 'created',
    createdFor: ({ buyer }: { buyer: string }) => `created for ${buyer}`,
    cash: ({ amount }: { amount: number }) => `COD ${formatMoney(amount)} ₫`,
    paidBefore: ({ amount }: { amount: number }) => `paid before ${formatMoney(amount)} ₫`,
    amount: ({ amount }: { amount: number }) => `${formatMoney(amount)} ₫`,
    confirmed: 'confirmed',
    cancelled: 'cancelled',
    closed: ({ status }: { status: string }) => `closed: ${status}`,
    theParcel: 'the parcel',
    theOrder: 'the order',
    fee: ({ amount }: { amount: number }) => `fee ${formatMoney(amount)} ₫`,
    collected: ({ amount }: { amount: number }) => `collected ${formatMoney(amount)} ₫`,
    parcelCreated: ({ code }: { code: string }) => `${code} created`,
    parcelCancelled: ({ code }: { code: string }) => `${code} cancelled`,
    parcelClosed: ({ code, state }: { code: string; state: string }) => `${code} closed: ${state}`,
    notShipped: ({ status }: { status: string }) => `${status}, not shipped`,
    is: ({ name, state }: { name: string; state: string }) => `${name} is ${state}`,
    since: ({ what, moment }: { what: string; moment: string }) => `${what}, since ${moment}`,
    unchanged: ({ what, moment }: { what: string; moment: string }) => `${what}, unchanged since ${moment}`,
    row: ({ cell, state }: { cell: string; state: string }) => `${cell}: ${state}`,
    slip: 'slip printed',
    payment: ({ code, kind, amount }: { code: string; kind: string; amount: number }) =>
      `${code}: ${kind} ${formatMoney(amount)} ₫`,
    noWebhook: 'No change of it came by webhook: `shopctl webhooks listen` stores what comes from now on',
    noPayment: 'No imported payment file has its parcel',
    paidOut: ({ parcels }: { parcels: string }) => `The service says that ${parcels} is paid out`,
    named: ({ name, by, id }: { name: string; by: string; id: string }) => `${name} is the ${by} of ${id}`,
  },
};

export const say = textsIn('reports', reportsTexts);
