import { formatMoney } from '../domain/amounts/money.ts';
import { textsIn } from '../domain/language.ts';

/** What a class of parcels is called. */
/** The first of several lines, in words, and how many more there are. */
interface SomeLines {
  readonly named: readonly string[];
  readonly rest: number;
}

const someLines = ({ named, rest }: SomeLines) =>
  `${named.join('; ')}${rest === 0 ? '' : ` and ${formatMoney(rest)} more`}`;

const className: Readonly<Record<string, string>> = {
  unknown: 'unknown',
  paid_not_delivered: 'paid_not_delivered',
  returned: 'returned',
  undeliverable: 'undeliverable',
  provisional_open: 'provisional_open',
  settled: 'settled',
  awaiting: 'awaiting',
  unpaid: 'unpaid',
  short: 'short',
  over: 'over',
  fee_differs: 'fee_differs',
  unexplained: 'unexplained',
  cod_changed: 'cod_changed',
  paid: 'paid',
  doubled: 'doubled',
  uncompensated: 'uncompensated',
  after_close: 'after_close',
};

/** What a class of parcels means. */
const classMeans: Readonly<Record<string, string>> = {
  unknown: 'the carrier names a parcel that the shop does not have',
  paid_not_delivered: 'cash was paid for a parcel that is not delivered by our records',
  returned: 'the parcel came back: no cash is due',
  undeliverable: 'the parcel was lost or cannot be delivered: no cash is due',
  provisional_open: 'a provisional charge was not given back',
  settled: 'delivered, in no payment file, and settled by a payment of the platform',
  awaiting: 'delivered and not paid yet, within the time that the carrier has',
  unpaid: 'delivered and not paid, and the time that the carrier has is over',
  short: 'less was paid than is due',
  over: 'more was paid than is due',
  fee_differs: 'the fees are not the quoted ones',
  unexplained: 'what is paid for its row does not follow from the amounts of the row',
  cod_changed: 'the cash to collect was changed after the order was made',
  paid: 'all is paid, and nothing differs',
  doubled: 'a line appears twice; it is counted once',
  uncompensated: 'the carrier charged for a parcel that it did not deliver, and gave nothing for it',
  after_close: 'a line came after its session was closed',
  left_out: 'delivered before the last day that a session pays, and paid in none',
};

/** A kind of amounts. */
const kind: Readonly<Record<string, string>> = {
  cod: 'cod',
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

/** What a session adds up to by kind, beside what the bank received. */
const part: Readonly<Record<string, string>> = {
  cod: 'cash on delivery',
  delivery: 'delivery fees',
  return: 'fees for parcels that came back',
  redelivery: 'fees for further attempts',
  insurance: 'insurance',
  address_change: 'fees for changed addresses',
  discount: 'discounts',
  compensation: 'compensation for lost parcels',
  provisional: 'held: provisional charges',
  provisional_back: 'given back of what was held before',
  debt: 'carried over: debt of earlier sessions',
  transfer: 'transferred, as the file says',
  other: 'other fees',
  unexplained: 'net amounts that do not follow from their rows',
};

/** What people read of payments and of what follows from them. */
export const codTexts = {
  className,
  classMeans,
  kind,
  part,
  /** What a column of a payment file can be. */
  field: {
    shipping_code: "The carrier's code of the parcel",
    fulfillment_id: 'Our id of the shipment',
    session: 'The payment session',
    delivered_on: 'The day on which the parcel was delivered or came back',
    kind: 'The kind of the amount in a column of its own',
    amount: 'An amount whose kind is named in the row',
    net: 'Total that is paid for the row',
    ofKind: ({ kind }: { kind: string }) => `Amounts of the kind ${kind}`,
  },
  /** The same and the kinds of amounts as they are chosen, with other words by which people search them. */
  column: {
    shipping_code: "carrier's code of the parcel",
    fulfillment_id: 'our id of the shipment',
    session: 'payment session',
    delivered_on: 'day of delivery or return',
    kind: 'kind of the amount',
    amount: 'amount whose kind is named beside it',
    net: 'net amount of the row',
    cod: 'cash on delivery',
    delivery: 'delivery fee, ship',
    return: 'fee of a return',
    redelivery: 'fee of a further attempt',
    insurance: 'insurance fee',
    address_change: 'fee of a changed address',
    discount: 'discount',
    compensation: 'compensation',
    provisional: 'provisional charge',
    provisional_back: 'provisional charge given back',
    debt: 'debt of earlier sessions',
    transfer: 'transfer to the bank',
    other: 'other fee or deduction',
  },
  /** Rows of a sheet by number, or by first and last one: 7; 1–6. */
  rows: ({ count, rows }: { count: number; rows: string }) => `row${count === 1 ? '' : 's'} ${rows}`,
  file: {
    noneKnown: ({ name }: { name: string }) => `no row of ${name} looks like the headers of a payment file`,
    noneKnownHint: 'a header names at least the parcel and an amount, such as "Mã đơn hàng" and "COD"',
    whichRow: 'Which row names the columns?',
    nearly: (of: { name: string; title: string; layout: string; row: number; columns: string }) =>
      `${of.name} looks like a payment file of ${of.title} (${of.layout}), but row ${of.row} has no column ${of.columns}; nothing was read`,
    nearlyHint: 'ask the carrier for the whole file: without that column its sums would be wrong',
    unknown: ({ name, layouts }: { name: string; layouts: string }) =>
      `${name}: no row has the headers of a known layout (${layouts}); nothing was read`,
    unknownButPlaced: (of: { name: string; layouts: string; title: string; layout: string }) =>
      `${of.name}: no row has the headers of a known layout (${of.layouts}), but its columns stand where those of ${of.title} (${of.layout}) do, which is read by them alone; nothing was read`,
    records: ({ name }: { name: string }) => `${name} holds records, and a payment file is a table: csv or xlsx`,
    empty: ({ name }: { name: string }) => `${name} is empty`,
    noRows: ({ name }: { name: string }) => `${name} has no row with a parcel or an amount`,
    disagrees: (of: {
      name: string;
      layout: string;
      count: number;
      rows: number;
      places: string;
      what: string;
      why: string;
    }) =>
      `${of.name} is read with the layout ${of.layout}, but in ${of.count} of ${of.rows} rows (${of.places}) ${of.what}: ${of.why}; nothing was read`,
    swapped: ({ code, id }: { code: string; id: string }) => `${code} has an id of yours, and ${id} has none`,
    swappedWhy: 'the two may be swapped',
    turned: ({ cash }: { cash: string }) => `more is taken off than ${cash} has`,
    turnedWhy: 'columns may be swapped; a column with the net amount of each row would confirm it',
    gaps: ({ net }: { net: string }) => `${net} does not follow from the amounts of the row`,
    gapsWhy: 'columns may be swapped or renamed, or one with an amount is not read',
    readOtherwise: ({ count, places }: { count: number; places: string }) =>
      `${count} × read otherwise than written (${places})`,
    alike: ({ count, places }: { count: number; places: string }) =>
      `${count} × an amount that its parcel has in another row as well, and the rows differ: both count (${places})`,
    like: ({ cell, first }: { cell: string; first: string }) => `${cell} like ${first}`,
    unreadColumns: ({ names }: { names: readonly string[] }) =>
      `columns of money that are not read: ${names.map((name) => JSON.stringify(name)).join(', ')}`,
    noParcel: 'no parcel and no amount',
    sums: 'sums of other rows',
  },
  /** What is wrong with a layout. */
  layout: {
    notAField: ({ name, header, field }: { name: string; header: string; field: string }) =>
      `${name}: column ${header} is mapped to ${field}, which is not a field of a payment file`,
    notAFieldHint: ({ fields }: { fields: string }) => `the fields are ${fields}`,
    theFile: 'the file',
    none: ({ name, faults }: { name: string; faults: string }) => `${name} is not a layout: ${faults}`,
    noneHint: 'it has columns (a field for each column), and may have title, carrier and constants',
    noAmount: ({ name }: { name: string }) => `${name} is not a layout: no column is an amount (cod, delivery …)`,
    noParcel: ({ name }: { name: string }) => `${name} is not a layout: no column is shipping_code or fulfillment_id`,
    noKind: ({ name }: { name: string }) => `${name} is not a layout: amount needs a column kind, or the constant kind`,
  },
  /** What is said of a cell, behind the name of its column. */
  cell: {
    readAs: ({ value }: { value: string }) => `is read as ${value}`,
    masked: 'is hidden by asterisks: write it in full',
    lacksCode: ({ mark }: { mark: string }) => `ends with ${mark}, after which the code of the parcel is expected`,
    day: ({ layout }: { layout: string }) => `must be a day like ${layout}; the amounts of the row are counted`,
    spoilt: ({ what }: { what: string }) => `${what}: the row is not counted`,
    otherDays: ({ title, layout, usual }: { title: string; layout: string; usual: string }) =>
      `${title}: the dates are written like ${layout}, not like ${usual} as usual; they are read so`,
    blankParcel: ({ amounts }: { amounts: string }) => `is blank, but the row has ${amounts}: which parcel is it for?`,
    noParcel: ({ amounts }: { amounts: string }) =>
      `is no code of a parcel, but the row has ${amounts}: which parcel is it for?`,
    noAmounts: 'no amount',
    unpaid: ({ value }: { value: string }) => `is not paid, as ${value} says`,
    paidAllTheSame: ({ value }: { value: string }) => `is paid, though the row says ${value}`,
    paidOrNot: ({ value }: { value: string }) =>
      `stands beside ${value}: whether it was paid is not said, and the row is not counted`,
    blankCash: 'is blank: write 0 where nothing was collected',
    blankAmount: 'is blank: the row has no amount',
    noKind: 'is not a kind in the layout: add it to the words of the layout',
    belowZero: 'is below zero, and nothing in the row confirms it: it is not counted',
    /** `gap` is how much more is paid for the row than its amounts give. */
    gap: ({ sum, gap }: { sum: number; gap: number }) =>
      `does not follow from the row: its amounts give ${formatMoney(sum)}, ${formatMoney(Math.abs(gap))} ${gap < 0 ? 'more' : 'less'}; they are counted as given, and the difference as unexplained`,
    /** `gap` is how much more the row of sums says. */
    sum: ({ sum, gap }: { sum: number; gap: number }) =>
      `the rows above add up to ${formatMoney(sum)}, ${formatMoney(Math.abs(gap))} ${gap > 0 ? 'less' : 'more'} than that`,
    repeats: ({ first, kind, amount }: { first: string; kind: string; amount: number }) =>
      `repeats ${first}: ${kind} ${formatMoney(amount)} is counted once`,
    repeatsStored: ({ first, kind, amount }: { first: string; kind: string; amount: number }) =>
      `repeats ${first} of the same session: ${kind} ${formatMoney(amount)} is counted once`,
  },
  /** Where what a file says stands already. */
  stored: {
    otherCarrier: ({ name, its, own }: { name: string; its: string; own: string }) =>
      `${name} is of ${its}, and this file of ${own}`,
    /** A line here, and the one there. */
    differs: ({ here, there }: { here: string; there: string }) => `${here}, and ${there}`,
    here: ({ line, amount }: { line: string; amount: number }) => `${line} ${formatMoney(amount)}`,
    hereOf: ({ line, amount, day }: { line: string; amount: number; day: string }) =>
      `${line} ${formatMoney(amount)} of ${day}`,
    there: ({ amount, place }: { amount: number; place: string }) => `${formatMoney(amount)} at ${place}`,
    thereOf: ({ amount, place, day }: { amount: number; place: string; day: string }) =>
      `${formatMoney(amount)} of ${day} at ${place}`,
    parcel: ({ line, place }: { line: string; place: string }) => `${line} at ${place}`,
    /** Of the amounts of a file, those that are there already, those that are there otherwise, and the others. */
    equal: ({
      equal,
      differing,
      all,
      added,
      gone,
      place,
    }: {
      equal: number;
      differing: number;
      all: number;
      added: SomeLines;
      gone: SomeLines;
      place: string;
    }) => {
      const fresh = all - equal - differing;
      const isAlike = differing === 0 && (fresh > 0 || gone.named.length > 0);
      return [
        `${equal} of its ${all} amounts are equal, ${differing} ${differing === 1 ? 'differs' : 'differ'}`,
        fresh === 0 ? '' : `, ${fresh} ${fresh === 1 ? 'is' : 'are'} new (${someLines(added)})`,
        gone.named.length === 0 ? '' : `; the session has more, which is not in this file: ${someLines(gone)}`,
        isAlike ? `; the first that both have: ${place}` : `: ${place}`,
      ].join('');
    },
  },
  import: {
    textRows: ({ rows }: { rows: string }) => `without a parcel and without an amount: ${rows}`,
    sumRows: ({ rows }: { rows: string }) => `sums of other rows, compared and not counted: ${rows}`,
    saysElse: ({ now, stored }: { now: string; stored: string }) =>
      `read now, it says something else: ${now}; stored is ${stored}`,
    says: (of: { layout: string; carrier: string | null; sessions: string; amount: number }) =>
      `layout ${of.layout}, ${of.carrier === null ? '' : `carrier ${of.carrier}, `}session ${of.sessions}, ${formatMoney(of.amount)} in all`,
    known: ({ name }: { name: string }) => `was imported before as ${name}: nothing changed`,
    allThere: ({ count, sessions }: { count: number; sessions: string }) =>
      `all ${count} lines are in ${sessions} already: nothing was added`,
    someThere: ({ count, all, sessions }: { count: number; all: number; sessions: string }) =>
      `${count} of ${all} lines are in ${sessions} already, and the others were added`,
    added: ({ count, sessions }: { count: number; sessions: string }) =>
      `${formatMoney(count)} ${count === 1 ? 'line was' : 'lines were'} added to ${sessions}`,
    late: ({ session }: { session: string }) => `the session ${session} is closed: what came now is marked as such`,
    storesNow: ({ advice }: { advice: string }) => `${advice} stores what it says now`,
    moreProblems: ({ count }: { count: number }) => `and ${formatMoney(count)} more: see --output json`,
    unread: ({ count, rows }: { count: number; rows: number }) =>
      `${formatMoney(count)} of ${formatMoney(rows)} rows were not read, and nothing in them is counted`,
    repeated: ({ count }: { count: number }) =>
      `${count === 1 ? '1 line repeats another one and is' : `${formatMoney(count)} lines repeat others and are`} counted once`,
    replaced: ({ count, sessions }: { count: number; sessions: string }) =>
      `${formatMoney(count)} lines of ${sessions} were replaced`,
    kind: ({ kind, amount }: { kind: string; amount: number }) => `${kind} ${formatMoney(amount)}`,
    done: ({ rows, lines, amount, kinds }: { rows: number; lines: number; amount: number; kinds: string }) =>
      `${formatMoney(rows)} rows, ${formatMoney(lines)} lines, ${formatMoney(amount)} in all${kinds === '' ? '' : ` (${kinds})`}`,
    replacesOne: 'is about one file: the lines of a second one would take the place of those of the first',
    otherCarrier: ({ sessions }: { sessions: string }) => `nothing was replaced in ${sessions}`,
    closed: ({ sessions }: { sessions: string }) =>
      `nothing was replaced: the session ${sessions} is closed, and its sums were agreed to`,
    noFile: ({ path }: { path: string }) => `${path} has no payment file (csv, tsv or xlsx)`,
    notImported: ({ file, why }: { file: string; why: string }) => `${file} was not imported: ${why}`,
  },
  files: {
    /** The heading of the number of payment lines. */
    linesHeader: 'lines',
    noSession: ({ session }: { session: string }) => `no payment line belongs to a session ${session}`,
    importedAs: ({ name, as }: { name: string; as: string }) => `${name} was imported as ${as}`,
    noFileNorParcel: ({ name }: { name: string }) =>
      `no payment file has the name ${name}, and none has a line for such a parcel`,
    lines: ({ count, amount }: { count: number; amount: number }) =>
      `${count} lines, those that count add up to ${formatMoney(amount)}`,
    noFile: ({ name }: { name: string }) => `no payment file has the name or id ${name}`,
    several: ({ name, ids }: { name: string; ids: string }) =>
      `several payment files are called ${name}; their ids are ${ids}`,
    notDeleted: ({ name, sessions }: { name: string; sessions: string }) =>
      `${name} was not deleted: the session ${sessions} is closed, and its sums were agreed to`,
    /** What is deleted with a file; `gone` are the sessions that have no other lines. */
    goes: (of: { sessions: readonly string[]; lines: number; amount: number; gone: readonly string[] }) => {
      const lines = `${formatMoney(of.lines)} ${of.lines === 1 ? 'line' : 'lines'} of ${of.sessions.join(', ') || 'no session'}, ${formatMoney(of.amount)} in all, are deleted with it`;
      return of.gone.length === 0
        ? lines
        : `${lines}; nothing else is in ${of.gone.join(', ')}, and lines that were replaced there do not come back`;
    },
    state: { open: 'open', partly: 'partly closed', allClosed: 'closed' },
    isOpen: ({ session }: { session: string }) => `${session} is open`,
    isClosed: ({ session, by, at, amount }: { session: string; by: string; at: string; amount: number }) =>
      `${session} is closed, by ${by} at ${at}, with ${formatMoney(amount)}`,
    deleted: ({ name }: { name: string }) => `${name} and its lines were deleted`,
    reopened: ({ session, amount }: { session: string; amount: number }) =>
      `${session} is open again, with ${formatMoney(amount)}`,
    notClosed: ({ session }: { session: string }) => `the session ${session} is not closed`,
    changedMeanwhile: ({ session, seen, now }: { session: string; seen: number; now: number }) =>
      `the session ${session} was not closed: it changed meanwhile, from ${formatMoney(seen)} to ${formatMoney(now)}; look at it again`,
    closedAlready: ({ session, by, at, amount }: { session: string; by: string; at: string; amount: number }) =>
      `the session ${session} was closed already, by ${by} at ${at}, with ${formatMoney(amount)}`,
  },
  reconcile: {
    leftOutOne: ({ parcel, session }: { parcel: string; session: string }) => `${parcel} by ${session}`,
    leftOut: ({ count, due, named, more }: { count: number; due: number; named: string; more: number }) =>
      `left out: ${count} delivered ${count === 1 ? 'parcel' : 'parcels'} with ${formatMoney(due)} due, paid in no session (${named}${more > 0 ? ` and ${more} more` : ''})`,
    differ: ({ count, parcels, paid, due }: { count: number; parcels: number; paid: number; due: number }) =>
      `${count} of ${parcels} parcels differ: ${formatMoney(paid)} paid, ${formatMoney(due)} due`,
    repeated: ({ count }: { count: number }) =>
      `${formatMoney(count)} ${count === 1 ? 'parcel has' : 'parcels have'} lines that are repeated: each is counted once`,
    waiting: ({ count, due, advice }: { count: number; due: number; advice: string }) =>
      `${formatMoney(count)} delivered ${count === 1 ? 'parcel is' : 'parcels are'} not yet due to be paid, with ${formatMoney(due)}: ${advice} lists them`,
    agrees: ({ parcels }: { parcels: number }) => `${parcels} parcels, and nothing differs`,
    settled: ({ settled, due, advice }: { settled: number; due: number; advice: string }) =>
      `paid is what imported payment files pay; the platform's own payments settled ${formatMoney(settled)} of the ${formatMoney(due)} that is due; ${advice}`,
    /** A class of parcels of a session; the amount is how much more was paid than is due. */
    differing: ({ name, count, amount }: { name: string; count: number; amount: number }) =>
      `${name} ${count}${amount === 0 ? '' : ` (${formatMoney(amount)})`}`,
    notPaid: 'left out',
    stillDiffers: ({ session, count, named }: { session: string; count: number; named: readonly string[] }) =>
      `${count} ${count === 1 ? 'parcel' : 'parcels'} of ${session} still ${count === 1 ? 'differs' : 'differ'}: ${named.join('; ')}`,
    closing: 'closing a session with differences',
    closeSo: ({ session, amount }: { session: string; amount: number }) =>
      `Close ${session} as it is, with ${formatMoney(amount)}?`,
    notAWorkbook: ({ path }: { path: string }) =>
      `a dispute sheet is a workbook: the name of its file ends in .xlsx, not as ${path} does`,
    fresh: ({ moment, zone, age }: { moment: string; zone: string; age: string }) =>
      `Shipments complete up to ${moment} (${zone}), copied ${age}`,
    needsSession: 'is missing: an amount of the bank is compared with one session',
    part: ({ session, what, amount }: { session: string; what: string; amount: number }) =>
      `${session}: ${what} ${formatMoney(amount)}`,
    /** `rest` is how much more the bank received than is due. */
    received: (of: { session: string; expected: number; received: number; rest: number }) =>
      `${of.session}: ${formatMoney(of.expected)} is due, the bank received ${formatMoney(of.received)}: ${of.rest === 0 ? 'nothing is left' : `${formatMoney(Math.abs(of.rest))} ${of.rest < 0 ? 'is missing' : 'is too much'}`}`,
    written: ({ count, path }: { count: number; path: string }) => `${count} parcels were written to ${path}`,
    settledNotWritten: ({ count }: { count: number }) =>
      `${count} more ${count === 1 ? 'is' : 'are'} not in it: the platform's own payments settled what is due`,
    noSuchDay: 'must be a day that exists, like 2026-11-21 or 21/11/2026',
    beforeSince: ({ since }: { since: string }) => `must not be before since, ${since}`,
    noDays: 'must be a number of days, like 7d or 7d,ghn=5d',
    noShipments: 'the mirror has no shipments yet, so there is nothing to compare payments with',
  },
  sandbox: {
    ending: ({ path }: { path: string }) => `a payment file ends in .xlsx, .csv or .tsv, not as ${path} does`,
    noParcel: 'no parcel was delivered or came back',
    noParcelInWeek: ({ weeks }: { weeks: number }) =>
      `no parcel was delivered or came back: there are ${weeks} weeks with parcels`,
  },
};

export const say = textsIn('cod', codTexts);
