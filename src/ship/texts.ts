import { formatMoney } from '../domain/amounts/money.ts';
import { grouped, textsIn } from '../domain/language.ts';
import { PER_DAY } from './quotes.ts';

/** Names of which one is meant. */
interface Names {
  readonly names: readonly string[];
}

const or = (names: readonly string[]) => names.join(' or ');

/** A fee that an offer has, or does not name. */
type Fee = number | null | undefined;

const feeIn = (fee: Fee) => (fee === undefined || fee === null ? 'an unknown fee' : grouped(fee));

/** The parts of an order that are asked for, by their fields. */
const parts: Readonly<Record<string, string>> = {
  full_name: 'name',
  address1: 'street',
  phone: 'phone',
  province: 'province',
  district: 'district',
  ward: 'ward',
  product_name: 'product name',
  quantity: 'quantity',
  retail_price: 'price before discount',
  payment_price: 'price after discount',
  fee: 'fee',
  discount: 'discount',
  amount: 'amount',
  length: 'length',
  width: 'width',
  height: 'height',
};

/** What `fee_per_day_saved` is. */

/** What people read of this subject. */
export const shipTexts = {
  /** The steps of the wizard, in a sentence. */
  steps: {
    pickup: 'pickup',
    recipient: 'recipient',
    lines: 'lines',
    fees: 'fees and discount',
    parcel: 'parcel',
    cod: 'cash on delivery',
    insurance: 'insurance',
    try_on: 'inspection',
    note: 'note',
    service: 'service',
    review: 'review',
  },
  /** Menus of the wizard. */
  menu: {
    change: ({ step }: { step: string }) => `change: ${step}`,
    goBack: '< go back',
    goOn: 'continue',
    goOnWith: ({ question }: { question: string }) => `continue: ${question}`,
    tryAgain: 'try again',
    keep: 'save it as a draft and quit',
    leave: 'leave it as it is',
    leaveUnsent: 'do not send it',
    send: 'send it',
    asItIs: ({ present }: { present: string }) => `${present} (as it is)`,
    otherAddress: 'another address',
    noChoice: 'is not one of the choices',
    required: 'is required',
  },
  wizard: {
    introduction: 'Ctrl-C saves your answers as a draft; < goes back one question.',
    goOnOrChange: 'Continue, or change an answer?',
    whatNow: 'What now?',
    refused: ({ why }: { why: string }) => `refused: ${why}`,
    firstQuestion: 'this is the first question',
    perDay: `/DAY: ${PER_DAY}`,
    another: 'Ship another?',
    kept: ({ id, advice }: { id: string; advice: string }) => `saved as draft ${id}: ${advice}`,
    notSent: 'this order was not sent',
    leftAtOnce: 'the order was not sent, and no question was answered yet: run the same command to start over',
    didYouMean: ({ path, names }: Names & { path: string }) => `${path}: did you mean ${or(names)}?`,
    review: ({ service, fee }: { service: string; fee: number }) => `Send it with ${service} for ${grouped(fee)}?`,
    cancelled: ({ order }: { order: string }) =>
      `Order ${order} of this draft was cancelled: what you send now is a new order.`,
    theSame: ({ at, order }: { at: string; order: string }) =>
      `The same order was sent at ${at}, as order ${order}. Send another one like it?`,
    sameGoods: ({ at, order }: { at: string; order: string }) =>
      `The same goods went to this phone at ${at}, as order ${order}. Send this as well?`,
    sameCash: ({ at, order, cash }: { at: string; order: string; cash: string }) =>
      `A parcel with ${cash} went to this phone at ${at}, as order ${order}. Send this as well?`,
    feeChanged: ({ code, was, is }: { code: string; was: number; is: number }) =>
      `The fee of ${code} has changed from ${grouped(was)} to ${grouped(is)}. Send it anyway?`,
  },
  /** An answer of a file that does not fit. */
  answer: {
    none: 'contains no answers: expected a list of {question, answer}',
    notTaken: ({ question, answer, why }: { question: string; answer: string; why: string }) =>
      `${question}: ${answer} ${why}`,
    noChoice: ({ question, answer }: { question: string; answer: string }) =>
      `${question}: ${answer} is none of the choices`,
    fault: ({ question, fault }: { question: string; fault: string }) => `${question}: ${fault}`,
    unchangeable: ({ step }: { step: string }) => `${step} cannot be changed`,
    notAsked: ({ question }: { question: string }) => `${question} is not asked here`,
    otherAsked: ({ question, asked }: { question: string; asked: string }) =>
      `${question} is answered where ${asked} is asked`,
    outOfOrder: ({ question, asked }: { question: string; asked: string }) =>
      `the answers continue with ${question}, but ${asked} is asked: put an answer to ${asked} before it, or leave it out with all that follow, to be asked`,
    missing: ({ id, question }: { id: string; question: string }) => `there is no answer to ${id}: ${question}`,
  },
  amount: {
    negative: 'must not be negative',
    thousands: ({ amount, thousands }: { amount: number; thousands: number }) =>
      `is ${amount} or ${grouped(thousands)} meant?`,
    count: 'must be a whole number, for example 3',
    least: 'must be at least 1',
    unsummable: 'the amounts cannot be summed',
  },
  /** The sums above a question. */
  sums: {
    priced: (sums: {
      items: number;
      basket: string;
      discount?: string | undefined;
      fees?: string | undefined;
      total: string;
    }) =>
      `${itemsText(sums.items)} ${sums.basket}${sums.discount === undefined ? '' : ` - ${sums.discount} off`}${sums.fees === undefined ? '' : ` + ${sums.fees} fees`} = ${sums.total}`,
    unpriced: ({ items }: { items: number }) => `${itemsText(items)}, not all priced yet`,
    cash: ({ cash }: { cash: string }) => `COD ${cash}`,
  },
  address: {
    pickup: 'Pickup',
    recipient: 'Recipient',
    /** Which part of which address is asked for. */
    ask: ({ whose, what }: { whose: string; what: string }) => `${whose}: ${what}`,
    askOrPaste: ({ whose, what }: { whose: string; what: string }) => `${whose}: ${what}, or paste the whole message`,
    askPhone: ({ question, phones }: { question: string; phones: readonly string[] }) =>
      `${question} (${or(phones)}; what is not it goes into the note)`,
    full_name: 'full name',
    phone: 'phone',
    address1: 'street and number',
    province: 'province',
    district: 'district',
    ward: 'ward',
    place: ({ whose }: { whose: string }) => `${whose}: place (like q2 hcm)`,
    placeNow: ({ whose, now }: { whose: string; now: string }) => `${whose}: place (like q2 hcm) – now ${now}`,
    placeUnlisted: ({ whose, given }: { whose: string; given: string }) =>
      `${whose}: place (like q2 hcm) – ${given} is not in the list`,
    typeNames: 'none of these: type the names',
    notListed: 'is not in the list of places',
    several: ({ names }: Names) => `matches several places; did you mean ${or(names)}?`,
    none: 'is not one of them',
    wasMeant: ({ doubt, meant }: { doubt: string; meant: string }) => `${doubt}; was ${meant} meant?`,
    nameOnly: 'looks like a whole address; enter only the name here',
    street: ({ street }: { street: string }) => `street: ${street}`,
    fromWhere: 'Pickup: from where?',
    incomplete: 'is not a complete address',
    mayBe: ({ names }: Names) => `may be ${or(names)}`,
    elsewhere: ({ district }: { district: string }) => `lies in ${district}, which the service will send it to`,
    unknown: ({ level, names }: Names & { level: string }) =>
      `is no ${level} of the list${names.length === 0 ? '' : `; did you mean ${or(names)}?`}`,
    changed: ({ sent, answered, ward }: { sent: string; answered: string; ward: string }) =>
      `the service changed ${sent} to ${answered}, where ${ward} lies`,
    changedPlace: ({ sent, answered }: { sent: string; answered: string }) =>
      `the service changed ${sent} to ${answered}, where the place lies`,
    changedOf: ({ address, changed }: { address: string; changed: string }) => `${address}: ${changed}`,
  },
  customer: {
    who: 'Recipient: name or phone of a customer, or the whole message',
    which: 'Recipient: which address?',
    somebodyElse: 'somebody else: type the name',
    somebodyCalled: ({ name }: { name: string }) => `somebody else: ${name}`,
    none: 'is not a customer',
    noAddress: 'is not an address',
  },
  lines: {
    ask: ({ line, what }: { line: number; what: string }) => `Line ${line}: ${what}`,
    product_name: 'product name',
    quantity: 'how many',
    retail_price: 'price of one, before discount',
    payment_price: 'price of one, after discount',
    product: 'name or code of a product',
    somethingElse: 'something else: type its name',
    somethingCalled: ({ name }: { name: string }) => `something else: ${name}`,
    noProduct: 'is not a product',
    aboveRetail: ({ retail }: { retail: number }) => `is more than the price before discount, ${grouped(retail)}`,
    label: ({ quantity, product, price }: { quantity: string; product: string; price: string }) =>
      `${quantity} x ${product} at ${price}`,
    more: 'Lines: more?',
    done: 'that is all',
    add: 'add a line',
    change: ({ line }: { line: string }) => `change ${line}`,
    remove: ({ line }: { line: string }) => `remove ${line}`,
  },
  fees: {
    shipping: 'Fees: delivery fee that the buyer pays (0 for none)',
    other: 'Fees: other fees that the buyer pays (0 for none)',
    discount: 'Fees: discount on the whole order (0 for none)',
    aboveTotal: ({ total }: { total: number }) => `is more than the total of the order, ${grouped(total)}`,
  },
  parcel: {
    ask: ({ now }: { now?: string | undefined }) =>
      `Parcel: weight g, sides cm (${now === undefined ? 'for example 1200 30x25x20' : `now ${now}`})`,
    notComplete: ({ typed }: { typed: string }) => `${typed} is not complete yet: 1200 30x25x20`,
    noSides: ({ gross }: { gross: string }) => `${gross} gross, no sides`,
    weights: (weights: { sides: string; volumetric: string; gross: string; chargeable: string }) =>
      `${weights.sides} = ${weights.volumetric} volumetric, ${weights.gross} gross -> ${weights.chargeable} chargeable`,
    wrong: 'must be a weight, then no side or three, for example 1200 30x25x20',
    tooLarge: 'is too large',
  },
  cash: {
    ask: ({ was, message }: { was?: number | undefined; message?: string | undefined }) =>
      `Cash to collect from the buyer (0 if it is paid${was === undefined ? '' : `, was ${grouped(was)}`}${message === undefined ? '' : `; the message says ${message}`})`,
    above: ({ more, total }: { more: number; total: number }) =>
      `is ${grouped(more)} more than the total of the order, ${grouped(total)}`,
    little: ({ total }: { total: number }) => `is less than a tenth of the total of the order, ${grouped(total)}`,
  },
  insurance: {
    ask: ({ worth }: { worth?: number | undefined }) =>
      `Insurance of the goods${worth === undefined ? '' : `, worth ${grouped(worth)}`}?`,
    yes: 'yes, insured',
    no: 'no insurance',
  },
  tryOn: {
    ask: 'What may the buyer do before paying?',
    open: 'open the parcel and look',
    try: 'try the goods on',
    none: 'nothing',
  },
  noteForCarrier: 'Note for the carrier',
  service: {
    perDay: PER_DAY,
    ask: 'Service: which one?',
    cheapest: 'cheapest',
    fastest: 'fastest',
    best_value: 'best value',
    /** A service that has no name. */
    ofCode: ({ code }: { code: string }) => `service ${code}`,
    none: 'no carrier offers a service for this parcel',
    noneInTime: ({ by }: { by: string }) => `no service delivers by ${by}`,
    notOffered: ({ service }: { service: string }) => `service ${service} is not offered for this parcel`,
    offered: ({ codes }: { codes: readonly string[] }) => `offered are ${codes.join(', ')}`,
    aboveLimit: ({ code, fee, limit }: { code: string; fee: Fee; limit: number }) =>
      `service ${code} costs ${feeIn(fee)}; the limit is ${grouped(limit)}`,
    cheapestAbove: ({ fee, limit }: { fee: Fee; limit: number }) =>
      `the cheapest offer costs ${feeIn(fee)}, more than ${grouped(limit)}`,
    changed: ({ code, fee, agreed }: { code: string; fee: Fee; agreed: number }) =>
      `service ${code} costs ${feeIn(fee)} now; ${grouped(agreed)} was agreed to`,
    by: 'must be a day such as 2026-02-03, or a time such as 2026-02-03T12:00Z',
    byIs: ({ why }: { why: string }) => `by ${why}`,
    misspelt: ({ near, pick }: { near: string; pick: string }) => `must be ${near}, as it seems, and not ${pick}`,
  },
  /** The card of a pasted message; its labels are at most seven letters long. */
  card: {
    name: 'name',
    phone: 'phone',
    street: 'street',
    place: 'place',
    goods: 'goods',
    cash: 'cash',
    fees: 'fees',
    note: 'note',
    nothingToCollect: 'nothing to collect',
    paid: ({ cash, words }: { cash: string; words: string }) => `${cash} (${words})`,
    delivery: ({ fee }: { fee: number }) => `delivery ${grouped(fee)}`,
    each: ({ price }: { price: number }) => `at ${grouped(price)}`,
    noDelivery: ({ words }: { words: string }) => `the buyer pays no delivery (${words})`,
    against: ({ text }: { text: string }) => `speaks against sending it: ${text}`,
    notUsed: ({ doubt }: { doubt: string }) => `not used: ${doubt}`,
    notUnderstood: ({ text }: { text: string }) => `not understood: ${text}`,
    use: 'use it',
    useBut: ({ part }: { part: string }) => `use it, but change the ${part}`,
    discard: 'discard it',
    isRight: 'Recipient: is that right?',
    isHeld: 'The message speaks against sending it: use it?',
  },
  /** What is doubtful about a pasted message. */
  doubt: {
    tooLong: ({ length, most }: { length: number; most: number }) =>
      `has ${length} characters, of which ${most} can be read`,
    place: ({ names }: Names) => `the place may be ${or(names)}`,
    formerWard: ({ place }: { place: string }) => `the place may be ${place}: write the former ward`,
    strayWard: ({ ward, district, named }: { ward: string; district: string; named: string }) =>
      `${ward} is in ${district}, not in ${named}`,
    short: ({ written, names, meant }: Names & { written: string; meant: readonly string[] }) =>
      `${written} may be ${or(names)}${meant.length === 0 ? '' : `; did you mean ${or(meant)}?`}`,
    noProvince: ({ names }: Names) => `no province is named; did you mean ${or(names)}?`,
    phones: ({ phones }: { phones: readonly string[] }) => `several phone numbers: ${phones.join(', ')}`,
    name: ({ names }: Names) => `the name may be ${or(names)}`,
    weighed: ({ words }: { words: string }) => `${words}: whether that is one piece, or several, is not clear`,
    goods: ({ words }: { words: string }) => `${words}: whether that is one kind of goods, or two, is not clear`,
    amounts: ({ amounts }: { amounts: readonly string[] }) => `several amounts to collect: ${amounts.join(', ')}`,
    ambiguous: ({ words }: { words: string }) => `${words}: the amount can be read in more than one way`,
    paidToo: ({ words }: { words: string }) => `${words}: the message says that it is paid, too`,
    feeOnTop: ({ words }: { words: string }) => `${words}: the fee on top is not named`,
    leftUnsaid: 'how much is left to collect is not said',
    left: ({ left, total }: { left: number; total: number }) =>
      `${grouped(left)} of ${grouped(total)} may be left to collect`,
    paidPart: ({ words, left }: { words: string; left: string }) => `${words}: ${left}`,
    deliveryNamed: ({ words }: { words: string }) => `${words}: a fee for the delivery is named, too`,
    notGranted: ({ words }: { words: string }) => `${words}: whether that is granted is not clear`,
    ofOneOrAll: ({ words }: { words: string }) => `${words}: whether one costs that, or all do, is not clear`,
    forWhat: ({ words }: { words: string }) => `${words}: what it is for is not clear`,
    unread: ({ words }: { words: string }) => `${words}: the amount cannot be read`,
    leftOrAll: ({ words }: { words: string }) => `${words}: it may be what is left, or all`,
    feeBeside: ({ amount }: { amount: number }) => `${grouped(amount)}: the fee beside it may be on top of it`,
  },
  paste: {
    introduction: 'Paste the message, and press Enter. If more is asked for, Enter or Ctrl-D ends it.',
    message: 'Message',
    more: 'More',
    missing: 'there is no message to read',
  },
  /** What is about to be sent, a labelled line each. */
  review: {
    shop: 'shop',
    from: 'from',
    to: 'to',
    lines: 'lines',
    parcel: 'parcel',
    cash: 'cash',
    note: 'note',
    more: ({ count }: { count: number }) => `and ${count} more`,
    weight: ({ gross, sides, chargeable }: { gross: string; sides?: string | undefined; chargeable: string }) =>
      `${gross}${sides === undefined ? '' : `, ${sides}`}, ${chargeable} chargeable`,
    toCollect: ({ cash, words }: { cash: number; words: readonly string[] }) =>
      `${grouped(cash)} to collect; ${words.join('; ')}`,
    insured: 'insured',
    notInsured: 'not insured',
    none: 'the buyer may not open it before paying',
    open: 'the buyer may open it before paying',
    try: 'the buyer may try it before paying',
    aboveTotal: ({ more, total }: { more: number; total: number }) =>
      `WARNING: ${grouped(more)} more than the total of ${grouped(total)}`,
  },
  /** What a person was asked for, in a sentence about it. */
  asked: {
    recipient: 'the recipient',
    recipientOf: ({ part }: { part: string }) => `the recipient's ${part}`,
    pickup: 'the pickup',
    pickupOf: ({ part }: { part: string }) => `the pickup's ${part}`,
    line: ({ line }: { line: number }) => `line ${line}`,
    lineOf: ({ line, part }: { line: number; part: string }) => `line ${line}'s ${part}`,
    discount: 'the discount',
    fee: 'a fee',
    total: ({ part }: { part: string }) => `the total ${part}`,
    totalItems: 'the number of items',
    basket: 'the value of the goods',
    weight: "the parcel's weight",
    chargeable: "the parcel's chargeable weight",
    parcelOf: ({ part }: { part: string }) => `the parcel's ${part}`,
    cash: 'the cash to collect',
    insurance: 'the insurance',
    tryOn: 'what the buyer may do before paying',
    note: 'the note for the carrier',
    service: 'the service',
    parts,
  },
  /** A field and what is said of it. */
  field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
  warning: ({ field, what }: { field: string; what: string }) => `warning: ${field} ${what}`,
  run: {
    noDraft: 'there is no draft to continue',
    asItIs: 'a draft is continued as it is: leave out everything else',
    nothingAsked: ({ missing }: { missing: readonly string[] }) =>
      `nothing can be asked here: ${missing.join(', ')} missing`,
    missing: ({ name }: { name: string }) => `${name} is missing`,
    quoteFirst: ({ operation }: { operation: string }) =>
      `the quote comes first; then ${operation} is called with its service`,
    nothingToSend: ({ id }: { id: string }) => `draft ${id} has nothing to send`,
    elsewhere: ({ id }: { id: string }) => `draft ${id} was made for another account or service`,
    oneOrder: 'exactly one order is needed',
    ofOrder: ({ order, fault }: { order: string; fault: string }) => `order ${order}: ${fault}`,
    /** A shop whose name is not known. */
    shop: ({ shop }: { shop: string }) => `shop ${shop}`,
  },
  sent: {
    draft: ({ id, code, name }: { id: string; code?: string | undefined; name: string }) =>
      `draft ${id} is sent, ${code === undefined ? '' : `external_code ${code}, `}external_id ${name}`,
    theSame: 'the same without questions:',
    brief: ({ order, parcel, cash }: { order: string; parcel?: string | undefined; cash: string }) =>
      `sent: order ${order}${parcel === undefined ? '' : `, parcel ${parcel}`}, ${cash}`,
  },
  drafts: {
    none: 'there are no unfinished drafts',
    count: ({ count, state }: { count: number; state: string }) => `${count} ${state}`,
    open: 'open',
    sending: 'sending',
    unclear: 'unclear',
    done: 'done',
    failed: 'failed',
    undone: 'undone',
    called: ({ id }: { id: string }) => `draft ${id}`,
    inDoubt: ({ id }: { id: string }) => `draft ${id} may have shipped, and without the draft you cannot find out`,
    removeInDoubt: ({ id }: { id: string }) =>
      `draft ${id} may have shipped, and without the draft you cannot find out. Remove it?`,
    notConfirmed: 'not confirmed, nothing was removed',
    removed: ({ id }: { id: string }) => `removed draft ${id}`,
  },
  totals: {
    noOrder: 'must be an order',
    atLeast: ({ formula }: { formula: string }) => `at least ${formula}`,
    different: ({ count, of }: { count: number; of: number }) => `different: ${count} of ${of}`,
    belowZero: ({ count, of }: { count: number; of: number }) =>
      `below zero, which the service refuses: ${count} of ${of}`,
    isWrong: (wrong: { order: string; field: string; given: string; expected: number }) =>
      `order ${wrong.order}: ${wrong.field} is ${wrong.given}, should be ${wrong.expected}`,
    isBelowZero: ({ order, field }: { order: string; field: string }) =>
      `order ${order}: ${field} is below zero, which the service refuses`,
    leftWrong: 'wrong values were left as they are; overwrite replaces them',
  },
};

function itemsText(items: number): string {
  return items === 1 ? '1 item' : `${formatMoney(items)} items`;
}

export const say = textsIn('ship', shipTexts);
