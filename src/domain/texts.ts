import { grouped, MOMENT_EXAMPLES, textsIn } from './language.ts';

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** Unambiguous ways to write an amount. */
const EXAMPLES = 'write it like 1350000, 1.350.000 or 1,350,000';

/** What is not a phone number. */
const noPhone = (why: string) => `is not a phone number: ${why}`;

const orMeant = (names: readonly string[]) => (names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`);

/** What is said of times, amounts, weights, phone numbers, places and damaged texts; most of it follows the name of a field. */
export const domainTexts = {
  daysAgo: ({ count }: { count: number }) => counted(count, 'day'),
  hoursAgo: ({ count }: { count: number }) => counted(count, 'hour'),
  minutesAgo: ({ count }: { count: number }) => counted(count, 'minute'),
  justNow: 'less than a minute ago',
  /** A day and a time in a sentence. */
  atTime: ({ day, time }: { day: string; time: string }) => `${day} ${time}`,
  /** How a day without its year is read. */
  dayReadAs: ({ written, day }: { written: string; day: string }) => `${written} is read as ${day}`,
  /** Ways to write a moment. */
  moments: MOMENT_EXAMPLES,
  /** Why a text is no amount. */
  amount: {
    empty: `is empty: ${EXAMPLES}`,
    lostDigits: `has lost digits, as spreadsheets do with long numbers: ${EXAMPLES}`,
    percentage: `is a percentage, and no amount: ${EXAMPLES}`,
    allDigits: `must have all its digits: ${EXAMPLES}`,
    none: `is not an amount: ${EXAMPLES}`,
    unclear: `can be read in more than one way: ${EXAMPLES}`,
  },
  readAsAmount: ({ amount }: { amount: number }) => `is read as ${grouped(amount)}`,
  /** Why a number cannot be used in a sum. */
  noSum: {
    not_an_integer: 'must be an integer',
    not_safe: 'is larger than a JSON number can carry exactly',
    negative: 'must not be negative',
    overflow: 'adds up to more than a JSON number can carry exactly',
    not_a_list: 'must be a list',
    not_an_object: 'must be an object',
  },
  smallCash: 'is cash below 1,000: nobody collects so little',
  phone: {
    characters: noPhone('it can only have digits, spaces and + ( ) . -'),
    two: noPhone('it may be two'),
    decimal: noPhone('a program has added a decimal place'),
    tooFew: ({ fewest }: { digits: number; fewest: number }) => noPhone(`it has fewer than ${fewest} digits`),
    tooMany: ({ digits }: { digits: number; most: number }) => noPhone(`${digits} digits are too many`),
    foreign: 'is a foreign number',
    unusualBehind84: 'is unusual for a number that begins with +84',
    callCentre: 'is the number of a call centre',
    withoutZero: 'seems to have lost its leading 0',
    unusual: ({ digits, start }: { digits: number; start: string }) =>
      `is unusual: ${digits} digits, beginning with ${start}`,
  },
  birthday: {
    none: 'is not a date like 1990-05-17 or 17/05/1990',
    monthFirst: 'names the month first; day first is usual: 17/05/1990',
    noSuchDay: 'is a day that does not exist',
    future: 'is in the future',
    early: ({ years }: { years: number }) => `is more than ${years} years ago`,
  },
  email: {
    none: 'is not an e-mail address: one looks like name@example.com',
    atHost: ({ host }: { host: string }) => `is at ${host}`,
  },
  place: {
    newer: ({ place }: { place: string }) => `is newer than our list, which has ${place}`,
    ambiguous: ({ text, names }: { text: string; names: readonly string[] }) =>
      `${JSON.stringify(text)} names more than one place${orMeant(names)}`,
    unknown: ({ text, names }: { text: string; names: readonly string[] }) =>
      `${JSON.stringify(text)} is not in our list of places${orMeant(names)}`,
    moved: (names: { ward: string; district: string; written: string }) =>
      `${names.ward} lies in ${names.district}, not in ${names.written}: it goes to ${names.district}`,
    noSuchNumber: (names: { ward: string; district: string; written: string }) =>
      `${names.written} has no ${names.ward}, which is one of ${names.district}: write the right one of both`,
  },
  damage: {
    lost: 'is damaged text: characters are lost; get the file once more, as UTF-8',
    misread: 'is damaged text: UTF-8 that was read in another encoding; save the file as UTF-8',
    legacy: ({ font }: { font: string }) => `is written for a font of former times (${font}): convert it to Unicode`,
    masked: 'is hidden by the marketplace: write it in full',
    noValue: 'is what is written where there is no value: write the value, or nothing',
    unseenRemoved: 'has characters that nobody sees; they are removed',
  },
  json: {
    at: ({ fault, line, column }: { fault: string; line: number; column: number }) =>
      `${fault} at line ${line}, column ${column}`,
    afterValue: 'unexpected text after the JSON value',
    separator: ({ close }: { close: string }) => `expected "," or "${close}"`,
    key: 'expected a property name in double quotes',
    colon: 'expected ":"',
    value: 'expected a value',
    escape: 'bad escape in a string',
    control: 'control character in a string',
    end: 'unexpected end of the text',
    doubtful: ({ written, whole, broken }: { written: string; whole: number; broken: number }) =>
      `is written ${written}, which may be ${grouped(whole)} or ${broken}: put what is meant in quotes`,
    /** `key` is quoted. */
    twice: ({ key }: { key: string }) => `the key ${key} appears twice`,
  },
  /** What the value of a setting has to be. */
  setting: {
    profile: 'the name of a profile',
    shop: 'the id of a shop, or its name',
    url: 'an http or https url',
    anyUrl: 'a url',
    workspace: 'the absolute path of a file, or like postgres://user@host:5432/database',
    noPassword: 'leave the password out of the address, and put it in PGPASSWORD or ~/.pgpass',
    oneOf: ({ names }: { names: readonly string[] }) => names.join(' or '),
    format: ({ names }: { names: readonly string[] }) => `one of ${names.join(', ')}`,
    seconds: ({ most }: { most: number }) => `a number of seconds, more than 0 and at most ${most}`,
    count: 'a whole number',
    onOrOff: 'true or false',
    orLocked: 'true, false or locked',
    onOff: 'on or off',
    zone: 'a time zone such as Asia/Ho_Chi_Minh',
    days: 'a number of days, like 7d or 7d,ghn=5d',
  },
  /** Words of a large number on the axis of a chart. */
  chart: {
    thousand: 'k',
    million: 'M',
    billion: 'B',
    trillion: 'T',
  },
};

export const say = textsIn('domain', domainTexts);
