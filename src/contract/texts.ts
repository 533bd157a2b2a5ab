import { grouped, textsIn } from '../domain/language.ts';
import { statusWords } from './enums.ts';

/** An order in a sentence. */
interface SaidOrder {
  readonly code: string | undefined;
  readonly name?: string | undefined;
  /** The letter of its status. */
  readonly status?: string | undefined;
  readonly total?: number | undefined;
}

/** A parcel in a sentence: its code, its state, and its cash, 0 without. */
export interface SaidParcel {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly cash: number;
}

interface Why {
  readonly why: string;
}

/** The HTTP status of an answer. */
interface Status {
  readonly status: number;
}

/** How a body begins that is not JSON. */
interface Begin {
  readonly begin: string;
}

interface Noun {
  readonly noun: string;
}

/** What became of a write, said before what is known of it. */
interface Fate {
  readonly fate: string;
}

interface Named {
  readonly name: string;
}

interface Shop {
  readonly shop: string;
}

/** What a cancellation finds of an order: parcels that end with it, those that nothing stops, or a delivery of its own. */
interface SaidEnds {
  readonly order: SaidOrder;
  readonly ending: readonly SaidParcel[];
  readonly away: readonly SaidParcel[];
  /** The status of a delivery that is no parcel, and that nothing stops. */
  readonly delivery: { readonly status: string; readonly isOnItsWay: boolean } | undefined;
}

const words: Readonly<Record<string, string>> = statusWords;
const quotedIn = (begin: string) => (begin === '' ? '' : ` ("${begin}")`);
const items = (count: number | bigint) => `${count} ${count === 1 ? 'item' : 'items'}`;
const orMeant = (name: string | undefined) => (name === undefined ? '' : `; did you mean ${name}?`);
const orderCalled = ({ code }: SaidOrder) => (code === undefined ? 'this order' : `order ${code}`);
const parcelCalled = ({ code }: SaidParcel) => (code === undefined ? 'parcel' : `parcel ${code}`);

function endings(ending: readonly SaidParcel[]): string {
  if (ending.length === 0) return '';
  return `, and so ${ending.length > 1 ? 'are' : 'is'} ${namesOf(ending)}`;
}

const namesOf = (parcels: readonly SaidParcel[]) =>
  parcels.map((parcel) => `its ${parcelCalled(parcel)}`).join(' and ');

/** What a cancellation finds where a parcel was picked up, by its state. */
const found: Readonly<Record<string, string>> = {
  returning: 'is returning: it comes back to the shop by itself',
  returned: 'is returned: the shop has it back, and there is nothing to stop',
  undeliverable: 'is undeliverable: the carrier has given it up, and knows where it is',
};

function standing(parcel: SaidParcel): string {
  const { state = '', cash } = parcel;
  if (state === 'delivered') {
    const collected = cash > 0 ? `, ${grouped(cash)} in cash was collected` : '';
    return `its ${parcelCalled(parcel)} is delivered: the buyer has it${collected}, and the service takes no request for a return`;
  }
  return `its ${parcelCalled(parcel)} ${found[state] ?? `is ${state}: the carrier has it, and nothing stops it any more`}`;
}

function goingOn(parcel: SaidParcel): string {
  const { state, cash } = parcel;
  const which = `its ${parcelCalled(parcel)}`;
  // Nothing of it goes on any more, and no cash is collected.
  if (state === 'returned' || state === 'undeliverable') return `${which} is ${state}, and stays so`;
  if (state === 'returning') return `${which} is returning, and comes back by itself`;
  if (state !== 'delivered')
    return `${which} is ${state} and goes on${cash > 0 ? `, with ${grouped(cash)} in cash to collect` : ''}`;
  return cash > 0
    ? `${which} is delivered, and ${grouped(cash)} in cash was collected: that brings back neither goods nor money`
    : `${which} is delivered: that does not bring it back`;
}

/** What is wrong with a request, and unusual about it; most of it follows the name of a field. And what is wrong with an answer, an address and a key. */
export const contractTexts = {
  required: 'is required',
  missing: 'is missing',
  /** In place of a value that is not there. */
  nothing: 'nothing',
  wrong: 'is wrong',
  unlike: 'is not what it should be',
  inexact: 'is larger than a JSON number can carry exactly',
  /** What a value has to be, by what its schema calls it. */
  must: {
    string: 'must be text',
    int: 'must be an integer',
    number: 'must be a number',
    boolean: 'must be true or false',
    array: 'must be a list',
    object: 'must be an object',
    record: 'must be an object',
  },
  atLeastItems: ({ count }: { count: number | bigint }) => `must have at least ${items(count)}`,
  atMostItems: ({ count }: { count: number | bigint }) => `must have at most ${items(count)}`,
  oneOf: ({ values, nearest }: { values: readonly string[]; nearest: string | undefined }) =>
    `must be one of ${values.join(', ')}${orMeant(nearest)}`,
  noField: ({ nearest }: { nearest: string | undefined }) => `is not a field of the contract${orMeant(nearest)}`,
  notSupported: 'is not supported yet: leave it out or empty',
  ids: {
    none: 'is not a 64-bit integer id',
    lostDigits: 'is too large for a JSON number to carry exactly: write the id as a string',
    list: 'must be ids separated by commas, for example 1,2,3',
    prefix: ({ least }: { least: number }) => `needs at least ${least} characters`,
  },
  /** How a value is doubtful as a document writes it. */
  written: {
    text: ({ written }: { written: string }) => `must be text: put it in quotes, '${written}'`,
    thousands: ({ written, value, whole, broken }: { written: string; value: number; whole: number; broken: number }) =>
      `is written ${written}, which a program reads as ${value} and may be ${grouped(whole)} or ${broken}: write it without a point, or in quotes`,
    point: ({ written, value }: { written: string; value: number }) =>
      `is written ${written}, which a program reads as ${value}: write it without a point, or in quotes`,
    digits: ({ written, value }: { written: string; value: number }) =>
      `is written ${written}, which a program reads as ${value}: write it in digits`,
  },
  rules: {
    /** Behind what a list of names of fields stands, as a pattern. */
    beforeNames: 'together with |exactly one of |at least one of ',
    exactlyOne: ({ names }: { names: readonly string[] }) => `is missing: give exactly one of ${names.join(', ')}`,
    together: ({ given, names }: { given: string; names: readonly string[] }) =>
      `cannot go together with ${given}: give exactly one of ${names.join(', ')}`,
    atLeastOne: ({ names }: { names: readonly string[] }) => `is missing: give at least one of ${names.join(', ')}`,
    empty: 'must not be empty',
    negative: 'must not be negative',
    atLeast: ({ least }: { least: number }) => `must be at least ${least}`,
    goTogether: ({ one, other }: { one: string; other: string }) => `is missing: ${one} and ${other} go together`,
    degrees: ({ most }: { most: number }) => `must be from -${most} to ${most} degrees`,
    url: 'must be an http or https URL',
    userInUrl: 'must not carry a user name or password',
    secondTime: ({ name }: { name: string }) => `names ${name} a second time`,
    aboveRetail: ({ given, expected }: { given: number; expected: number }) =>
      `is ${given}, more than the retail_price of ${expected}`,
    missingSum: ({ expected, formula }: { expected: number; formula: string }) =>
      `is missing, should be ${expected} (${formula})`,
    sum: ({ given, expected, formula }: { given: number; expected: number; formula: string }) =>
      `is ${given}, should be ${expected} (${formula})`,
    leastWeight: ({ given, minimum, formula }: { given: number; minimum: number; formula: string }) =>
      `is ${given}, should be at least ${minimum} (${formula})`,
  },
  /** What is unusual about a request, and is sent nevertheless. */
  notes: {
    meant: ({ note, meant }: { note: string; meant: string }) => `${note}; was ${meant} meant?`,
    deprecatedType: 'is a deprecated type',
    shortName: 'is a single character, which the service may refuse',
    repeatedLine: 'repeats another line of the order, and both are sent: remove one if it was copied by mistake',
    pieces: ({ pieces, quantity }: { pieces: number; quantity: number }) =>
      `names ${pieces} pieces, and the quantity is ${quantity}`,
    externalId: 'may be refused by the service: 2 to 100 letters without accents, digits and -._$#: are safe',
    cashTenth: ({ total }: { total: number }) => `is a tenth of the total of the order, ${grouped(total)}`,
    cashBelow: ({ less, total }: { less: number; total: number }) =>
      `is ${grouped(less)} less than the total of the order, ${grouped(total)}: is the rest paid?`,
    cashAbove: ({ more, total }: { more: number; total: number }) =>
      `is ${grouped(more)} more than the total of the order, ${grouped(total)}`,
    heavy: ({ grams }: { grams: number }) => `is ${grouped(grams)} g, or ${grams / 1000} kg: is that meant?`,
    light: ({ grams }: { grams: number }) => `is ${grams} g: were ${grams} kg meant?`,
    noWeight: 'is 0 g: the fee is that of the lightest parcel, and the carrier may charge more',
  },
  cancel: {
    /** An order before it is cancelled: its name, state and money, and its parcels. */
    subject: ({ order, parcels }: { order: SaidOrder; parcels: readonly SaidParcel[] }) => {
      const facts = [
        ...(order.status === undefined ? [] : [words[order.status] ?? []].flat()),
        ...(order.total === undefined ? [] : [grouped(order.total)]),
        ...parcels.map((parcel) => {
          const cash = parcel.cash > 0 ? ` with ${grouped(parcel.cash)} in cash` : '';
          return `${parcelCalled(parcel)} ${parcel.state ?? 'new'}${cash}`;
        }),
      ];
      return `${orderCalled(order)}${order.name === undefined ? '' : ` for ${order.name}`}: ${facts.join(', ')}`;
    },
    effect: ({ ending, away, delivery }: SaidEnds) => {
      const isOfParcels = away.length > 0 || delivery !== undefined;
      const rest =
        delivery === undefined
          ? away.map(goingOn).join('; ')
          : `its delivery is ${words[delivery.status] ?? ''}, and ${delivery.isOnItsWay ? 'goes on' : 'stays so'}`;
      return `the order is cancelled${endings(ending)}${isOfParcels ? `; ${rest}` : ''}`;
    },
    endsToo: ({ order, ending }: SaidEnds) =>
      `${orderCalled(order)} is not cancelled alone: ${namesOf(ending)} ${ending.length > 1 ? 'are' : 'is'} not picked up, and would be cancelled with it`,
    goesOn: ({ order, away, delivery }: SaidEnds) => {
      const which =
        delivery === undefined ? away.map(standing).join('; ') : `its delivery is ${words[delivery.status] ?? ''}`;
      const end = delivery?.isOnItsWay === true ? ', and nothing stops it any more' : '';
      return `${orderCalled(order)} is not cancelled: ${which}${end}`;
    },
    /** What a cancellation did; `failed` is in the words of the service. */
    done: ({
      order,
      isCancelled,
      parcels,
      failed,
    }: {
      order: SaidOrder;
      isCancelled: boolean;
      parcels: readonly SaidParcel[];
      failed: readonly string[];
    }) => {
      const rest = parcels.length > 0 ? parcels.map(goingOn) : failed;
      return `${orderCalled(order)} ${isCancelled ? 'is cancelled, but' : 'is not cancelled:'} ${rest.join('; ')}`;
    },
  },
  notShipped: 'its shipping part is stored with it, and nothing is shipped, not even when it is confirmed',
  /** A call that has no answer, or one that is not what the contract says. */
  call: {
    lost: ({ why }: Why) => `the call was sent and its answer was lost: ${why}`,
    failedHere: 'the call was sent, and something failed here before the response was read',
    doubted: ({ why }: Why) =>
      `an attempt may have been carried out although it was refused, and the next one failed: ${why}`,
    cancelled: 'the call was cancelled before it was sent',
  },
  answer: {
    empty: ({ status }: Status) => `the service answered ${status} with an empty body`,
    compressed: ({ status, encoding }: Status & { encoding: string }) =>
      `the service answered ${status} compressed (content-encoding: ${encoding}), which was not asked for`,
    brokenJson: ({ status }: Status) => `the service answered ${status} with broken JSON`,
    page: ({ status, begin }: Status & Begin) =>
      `the service answered ${status} with a web page${quotedIn(begin)}: a proxy in front of it?`,
    noJson: ({ status, type, begin }: Status & Begin & { type: string | undefined }) =>
      `the service answered ${status} with ${type ?? 'no content type'} where JSON was expected${quotedIn(begin)}`,
    tooDeep: ({ status, levels }: Status & { levels: number }) =>
      `the service answered ${status} with JSON that is nested deeper than ${levels} levels`,
    tooMany: ({ status, values }: Status & { values: number }) =>
      `the service answered ${status} with JSON that holds more than ${values} values`,
    redirect: ({ status, target }: Status & { target: string | undefined }) =>
      `the service answered ${status}, a redirect to ${target ?? 'another path'}, which is not followed`,
    otherAddress: 'the base url is probably not the address of the service itself',
    accepted: 'the service answered 202: it has taken the call, and not carried it out yet',
    tooManyCalls: 'the service refused the call: too many calls',
    unlike: ({ path, what }: { path: string; what: string }) =>
      `the answer is not what the contract says: ${path === '' ? 'the body' : path} ${what}`,
    ofAnother: ({ by }: { by: string }) =>
      `the answer is not about what was asked for: its ${by} is another, or missing`,
    endless: ({ pages, direction, cursor }: { pages: number; direction: 'after' | 'before'; cursor: string }) =>
      `the list did not end after ${pages} pages; it goes on ${direction} ${cursor}`,
    longCursor: ({ most }: { most: number }) => `a cursor of the list has more than ${most} characters`,
  },
  /** What was noted of answers that differ from the contract. */
  drift: {
    none: 'No answer has differed from the contract.',
    noSuch: ({ id }: { id: string }) => `There is no finding ${id}; it may have been forgotten.`,
  },
  /** Why an answer does not prove what it answers. */
  doubt: {
    foreign: 'its answer is not one of this operation',
    ofAnother: 'its answer is about another record',
    namesNone: 'its answer names no record',
    withoutName: 'its answer has an id, and not the external_id that was sent',
    withoutContent: 'its answer has an id, and not what was sent',
    aboutNone: 'its answer is about no record',
    notEnded: 'its answer has a record that has not ended',
    noCount: 'its answer does not say how many were changed',
    halfDone: 'its answer says that it is neither confirmed nor shipped',
  },
  /** What became of a write whose answer was lost; `noun` is what it makes: order, customer. */
  fate: {
    lost: 'its answer was lost',
    answerLost: ({ noun }: Noun) => `the answer to the ${noun} was lost. It may exist`,
    answered: ({ noun, status, seconds }: Noun & Status & { seconds: number }) =>
      `the service answered ${status} to the ${noun}${seconds === 0 ? '' : `, and asks to wait ${seconds} s`}. It may exist`,
    notWaited: ({ noun }: Noun) => `the answer to the ${noun} was not waited for. It may exist`,
    taken: ({ noun, why }: Noun & Why) =>
      `a value of the ${noun} is taken. It may exist: it could not be looked up: ${why}`,
    notLookedUp: ({ fate, why }: Fate & Why) => `${fate}: it could not be looked up: ${why}`,
    nothingProved: ({ fate }: Fate) =>
      `${fate}: the answer has an id without the external_id, and reading it proved nothing`,
    another: ({ fate }: Fate) => `${fate}: a look-up returned another record`,
    equalEnded: ({ fate }: Fate) =>
      `${fate}: its external_id has an equal order that ended, and whose parcel was shipped`,
    differs: ({ fate, difference }: Fate & { difference: string }) =>
      `${fate}: its external_id belongs to a record that differs in ${difference}`,
    nameTaken: ({ fate, name }: Fate & { name: string }) =>
      `${fate}: its ${name} is taken, but not by a record that could be found`,
    nothingYet: ({ fate }: Fate) => `${fate}: a look-up found nothing yet`,
    foundEnded: ({ fate }: Fate) => `${fate}: the record that was found is cancelled or returned`,
    foundHalfDone: ({ fate }: Fate) => `${fate}: what was found under its name is neither confirmed nor shipped`,
    refusedAgain: ({ fate, why }: Fate & Why) => `${fate}: when sent again it was refused: ${why}`,
    notShipped: ({ name }: { name: string }) => `order ${name} was created before, but neither confirmed nor shipped`,
    over: 'an earlier run created it, and it has since been cancelled or returned',
    earlierRun: 'an earlier run sent it and did not get the answer',
  },
  address: {
    none: 'the base url is not a url',
    unsafe: ({ url }: { url: string }) => `the base url must be https, or loopback: ${url}`,
    more: 'the base url must not contain a user, a query or a fragment',
  },
  /** Keys, and the shops that they are of. */
  key: {
    names: {
      'partner-api-key': "a partner's API key",
      'shop-key': 'a shop key',
      'shop-api-key': "a shop's own API key",
    },
    needed: ({ name }: Named) => `${name} is needed, and there is none`,
    elsewhere: ({ home, origin }: { home: string; origin: string }) =>
      `the saved key belongs to ${home} and is not sent to ${origin}`,
    inQuotes: ({ name }: Named) => `${name} is in quotes, which are taken for a part of it: leave them out`,
    malformed: ({ name }: Named) =>
      `${name} contains a space, a line break or another character that a header cannot carry`,
    shopNotSignedIn: ({ shop }: Shop) => `shop ${shop} is not signed in here`,
    noShopSignedIn: ({ shop }: Shop) => `no shop is signed in as ${JSON.stringify(shop)}`,
    noShopCalled: ({ shop }: Shop) => `no shop is called ${shop} here`,
    ofNobody: ({ shop }: Shop) => `the key does not say whose it is, and ${shop} was asked for: nothing was sent`,
    ofOther: ({ owner, shop }: Shop & { owner: string }) =>
      `the key is that of ${owner}, and ${shop} was asked for: nothing was sent`,
    otherProfile: (other: { variable: string; given: string; profile: string; own: readonly string[] }) =>
      `${other.variable} is of ${other.given}, and profile ${other.profile} of ${other.own.join(', ')}: nothing was sent`,
    ofAllShops: ({ what, shop }: Shop & { what: string }) =>
      `${what}, and ${shop} alone was asked for: nothing was done`,
    ofOtherShop: ({ what, shop, owner }: Shop & { what: string; owner: string | null }) =>
      `${what} belongs to another shop than ${shop}${owner === null ? '' : `: ${owner}`}`,
    ofPartner: ({ shop }: Shop) =>
      `the partner's own key is for all of its shops, and ${shop} alone was asked for: nothing was sent`,
    noProfile: ({ profile }: { profile: string }) => `there is no profile ${JSON.stringify(profile)}`,
    noService: 'no service is named',
  },
};

export const say = /* @__PURE__ */ textsIn('contract', contractTexts);
