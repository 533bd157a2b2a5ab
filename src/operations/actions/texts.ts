import { formatMoney } from '../../domain/amounts/money.ts';
import { textsIn } from '../../domain/language.ts';

/** What people read of this subject. */
export const operationsTexts = {
  waiting: 'another shopctl is sending the same record; waiting for its answer',
  exampleName: 'the external_id is only an example: it will contain the id of the ledger, which does not exist yet',
  /** Records beside those of a list. */
  notReadBeside: ({ names, why }: { names: readonly string[]; why: string }) =>
    `${names.join(', ')} could not be read: ${why}`,
  done: ({ command, name }: { command: string; name: string | undefined }) =>
    `done: ${command}${name === undefined ? '' : ` ${name}`}`,
  parcelFailed: ({ code, message }: { code: string; message: string | undefined }) =>
    `a parcel of the order failed: ${message === undefined ? code : `${message} (${code})`}`,
  illustration: 'this is an illustration, and no data of yours: the service does not implement the operation',
  notSeen: 'the answer does not say which order it is, or whether its parcel was picked up: nothing was sent',
  /** A record that is called by another name than its id. */
  named: {
    id: 'id',
    code: 'code',
    external_id: 'external_id',
    external_code: 'external_code',
    shipping_code: 'parcel code',
    workspace: 'name in the workspace',
    withoutRecord: 'the answer does not say which record has the name',
    none: ({ text, latest }: { text: string; latest: number | undefined }) =>
      `nothing is called ${text}: no id, code, external_id or parcel code${latest === undefined ? '' : `, nor an external_code of the latest ${formatMoney(latest)}`}`,
    several: ({ text, count, records }: { text: string; count: number; records: readonly string[] }) =>
      `${text} names ${count} records: ${records.join('; ')}`,
    record: ({ called, id, by }: { called: string; id: string; by: readonly string[] }) =>
      `${called}, ${id}, by its ${by.join(' and ')}`,
  },
  list: {
    format: ({ path }: { path: string }) =>
      `a list can be written to a file that ends in .csv, .xlsx or .jsonl, not to ${path}`,
    negative: 'must not be negative',
    atLeastOne: 'must be at least 1',
    lookedAt: ({ read, found }: { read: number; found: number }) =>
      `${read} ${read === 1 ? 'record was' : 'records were'} looked at, ${found} shown`,
    leftOut: ({ path, message, id }: { path: string; message: string; id: string | undefined }) =>
      `a record cannot be read and was left out: ${path} ${message}${id === undefined ? '' : ` (id ${id})`}`,
    moreLeftOut: 'further records cannot be read and are left out',
    noState: ({ state, known }: { state: string; known: readonly string[] }) =>
      `${state} is none of ${known.join(', ')}`,
    stateOfParcel: ({ state, known }: { state: string; known: readonly string[] }) =>
      `${state} is none of ${known.join(', ')}; parcels have that state: list the fulfillments`,
    noWords: 'must have a letter or a digit',
    moment: ({ examples }: { examples: string }) => `must be ${examples}`,
  },
  api: {
    path: ({ path }: { path: string }) => `${path} is not an operation's path`,
    noRecord: 'is no record',
    again: 'is for creates of what can have an external_id',
    unguarded: 'nothing guards this write: the same once more may make another one',
    noTable: 'an answer of any operation has no table',
    unknown: ({ id }: { id: string }) => `the contract has no operation ${id}`,
    didYouMean: ({ id, near }: { id: string; near: string }) =>
      `the contract has no operation ${id}; did you mean ${near}?`,
  },
  noCommand: ({ words }: { words: string }) => `no command is named ${words}`,
};

export const say = textsIn('operations', operationsTexts);
