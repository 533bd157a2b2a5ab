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

/** What a cancellation finds of an order: parcels that end with it, those that nothing stops, or a delivery of its own. */
interface SaidEnds {
  readonly order: SaidOrder;
  readonly ending: readonly SaidParcel[];
  readonly away: readonly SaidParcel[];
  /** The status of a delivery that is no parcel, and that nothing stops. */
  readonly delivery: { readonly status: string; readonly isOnItsWay: boolean } | undefined;
}

const words: Readonly<Record<string, string>> = statusWords;
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

/** What is wrong with a request, and unusual about it; most of it follows the name of a field. */
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
};

export const say = textsIn('contract', contractTexts);
