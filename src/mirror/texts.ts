import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const mirrorTexts = {
  nothingYet: ({ advice }: { advice: string }) => `nothing was copied yet: ${advice}`,
  ofPartner: ({ advice }: { advice: string }) =>
    `a partner's key copies the orders that it knows, and no whole list: ${advice}`,
  goesOn: ({ advice }: { advice: string }) =>
    `the first copy is not complete yet; it continues where it stopped: ${advice}`,
  nothingTo: ({ reading }: { reading: 'ask' | 'compare' | 'export' | 'report' }) =>
    `nothing was copied yet, so there is nothing to ${reading}`,
  oneOf: ({ names }: { names: readonly string[] }) => `must be one of ${names.join(', ')}`,
  /** A field and what is wrong with it. */
  field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
  query: {
    missing: 'is missing',
    fileOrStatement: 'cannot be given with a statement: give one of the two',
    written: ({ count, file }: { count: number; file: string }) =>
      `${count} ${count === 1 ? 'row was' : 'rows were'} written to ${file}`,
    /** Why a statement is refused before it is run. */
    has: ({ word }: { word: string }) => `it has ${word}`,
    begins: ({ words }: { words: string }) => `it begins with ${words}`,
    empty: 'there is no statement in it',
    several: 'it has several statements',
    notARead: ({ why }: { why: string }) => `only a statement that reads can be run: ${why}; nothing was changed`,
    giveOne: 'give one SELECT, WITH, VALUES or EXPLAIN statement',
    writes: 'the statement writes; nothing was changed',
    writesSo: ({ message }: { message: string }) => `the statement writes: ${message}; nothing was changed`,
    unreadable: ({ place }: { place: string }) =>
      `${place} cannot be read: SQLite writes beside it, and its directory cannot be written`,
    late: ({ seconds }: { seconds: number }) => `the query was ended after ${seconds} s; nothing was changed`,
  },
  forget: {
    effect: ({ origin }: { origin: string }) =>
      `this deletes the mirror of ${origin}, and with it the history of its records, which no sync brings back`,
    done: ({ advice }: { advice: string }) =>
      `The mirror was deleted, and with it the earlier versions of its records: ${advice} again`,
    none: 'There was no mirror: nothing was deleted',
  },
  poll: {
    found: ({ count }: { count: number }) =>
      `A poll found ${count} ${count === 1 ? 'record' : 'records'} whose present state no webhook had delivered; what happened in between is not known`,
    failed: ({ why }: { why: string }) => `could not poll the service for missed changes: ${why}`,
  },
  sync: {
    watchOnly: 'works with --watch only',
    reach: ({ read }: { read: number }) =>
      `A partner's key lists nothing: ${read} ${read === 1 ? 'order' : 'orders'} known from its own writes and from webhooks ${read === 1 ? 'was' : 'were'} read. Other orders, customers, products and stock are out of reach`,
    waiting: 'Another shopctl is working on this mirror: waiting for it to finish.',
  },
  verify: {
    never: ({ areas }: { areas: readonly string[] }) =>
      `${areas.join(', ')} ${areas.length === 1 ? 'was' : 'were'} never copied completely, so nothing about ${areas.length === 1 ? 'it' : 'them'} can be compared`,
    atLeastOne: 'must be at least 1',
    takes: ({ calls }: { calls: number }) => `Comparing everything takes about ${calls} calls.`,
    differs: ({ compared, advice }: { compared: number; advice: string }) =>
      `${compared} records were compared; ${advice}`,
    equal: ({ compared }: { compared: number }) => `${compared} records were compared, and nothing differs`,
  },
  place: {
    noService: 'no service is known: a mirror is the copy of a shop at a service',
    severalShops: 'the mirror has the records of several shops',
    needsOwnKey: "this takes the shop's own key: a partner's key lists nothing",
    ofOther: ({ place, origin }: { place: string; origin: string }) =>
      `${place} holds the mirror of ${origin}; nothing was changed`,
    otherDatabase: ({ origin }: { origin: string }) => `use another database for the mirror of ${origin}`,
    busy: ({ place, process }: { place: string; process: number | undefined }) =>
      `another shopctl${process === undefined ? '' : ` (process ${process})`} is working on the mirror ${place}: nothing was done`,
    damaged: ({ place }: { place: string }) =>
      `${place} is not a mirror, or is damaged; orders and batches are elsewhere, and are as they were`,
  },
};

export const say = textsIn('mirror', mirrorTexts);
