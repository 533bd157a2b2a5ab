import { textsIn } from '../../domain/language.ts';

/** What fields are called that are asked for, where that is more than their names and descriptions. */
const fields: Readonly<Record<string, string>> = {};

/** What people read of this subject. */
export const runTexts = {
  fields,
  /** The question for a field that is missing. */
  ask: ({ name, description, unit }: { name: string; description: string | undefined; unit: string | undefined }) =>
    `${name}${description === undefined ? '' : ` – ${description}`}${unit === undefined ? '' : ` (${unit})`}`,
  oneMore: ({ name }: { name: string }) => `One more of ${name}?`,
  /** What is wrong with an answer. */
  answer: {
    required: 'is required',
    id: 'must be an id, digits only',
    whole: 'must be a whole number',
    number: 'must be a number',
    notUnderstood: 'is not understood',
    doubt: ({ doubt }: { doubt: string }) => `${doubt} (Enter again keeps it)`,
  },
  confirm: {
    needed: ({ what }: { what: string }) => `${what} has to be confirmed: add --yes`,
    notDone: 'not confirmed, nothing was done',
    notSent: 'not confirmed, nothing was sent',
    /** Of a question on a page whose numbers are no longer those that were agreed to. */
    changedSince: ({ was }: { was: string }) => `this has changed since; it was: ${was}`,
    forGood: ({ words }: { words: string }) => `${words} cannot be undone: add --yes to confirm`,
    removes: ({ words }: { words: string }) => `${words} removes something: add --yes to confirm`,
    addYes: 'add --yes to confirm',
    addYesToo: ({ fault }: { fault: string }) => `${fault}; add --yes to confirm`,
  },
  isNameOf: ({ text, by, id }: { text: string; by: string; id: string }) => `${text} is the ${by} of ${id}`,
  input: {
    foreign: ({ flag, action }: { flag: string; action: string }) => `${flag} is not known to ${action}`,
    didYouMean: ({ flag }: { flag: string }) => `did you mean ${flag}?`,
    noId: 'is not a 64-bit integer id',
    digits: 'an id is digits alone',
    search: ({ command }: { command: string }) => `\`${command}\` searches names, phones and codes`,
    /** A field and what is said of it. */
    field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
    replaced: ({ replacing, other }: { replacing: string; other: string }) =>
      `${replacing} describes the whole parcel: leave out ${other}`,
    give: ({ flags }: { flags: readonly string[] }) => `give ${flags.join(', ')}, or the whole request with --input`,
    noFile: ({ flag, words, path }: { flag: string; words: string; path: string }) =>
      `${flag} takes ${words} or a file; there is no file ${path}`,
    twoNamed: ({ flag, other }: { flag: string; other: string }) =>
      `${flag} and ${other} name two of them: leave one out`,
    twice: ({ field, values }: { field: string; values: readonly string[] }) =>
      `${field} is given twice, as ${values.join(' and as ')}`,
    leaveOneOut: 'leave one of them out',
    empty: 'is empty: give a value',
    emptyOrOut: 'is empty: give a value, or leave it out',
  },
  variables: {
    empty: ({ names }: { names: readonly string[] }) =>
      `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} set, but empty`,
    unset: 'give a value, or unset it',
  },
  more: {
    some: 'there may be more: leave out --limit, or give --all',
    limit: 'there may be more: take everything with --all, or more of it with --limit N',
    goOn: ({ flags }: { flags: string }) => `there may be more: take everything with --all, or continue with ${flags}`,
  },
  meaning: ({ column, meaning }: { column: string; meaning: string }) => `${column}: ${meaning}`,
  keyForCurl: ({ variable, command }: { variable: string; command: string }) =>
    `first export ${variable} with what ${command} prints`,
  personNeeded: ({ operation }: { operation: string }) =>
    `SHOPCTL_AGENT is set, and ${operation} writes: only the user can run this`,
  dryRun: { notSent: 'dry run: nothing was sent', notDone: 'dry run: nothing was done' },
  waiting: ({ what }: { what: string }) => `waiting for ${what} …`,
};

export const say = textsIn('run', runTexts);
