import { textsIn } from '../../domain/language.ts';

const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`;

/** What the page of the console says by itself. */
export const pageTexts = {
  screens: 'Screens',
  more: 'More',
  keys: 'Keys',
  keyOf: {
    '/': 'search: go to the first filter',
    'j, k': 'next row, row before',
    Enter: 'open the row',
    Escape: 'back',
    '?': 'this help',
  },
  close: 'Close',
  loading: 'Loading …',
  cannotShow: 'The console cannot show anything',
  noProfile: 'no profile',
  readOnly: 'read-only',
  timesIn: ({ zone }: { zone: string }) => `times in ${zone}`,
  noScreen: 'There is no such screen',
  /** The language that the switch leads to, in that language. */
  otherLanguage: 'Tiếng Việt',
  title: ({ screen }: { screen: string }) => `${screen} · shopctl console`,
  lists: 'Lists',
  actions: 'Actions',
  actionsCounted: ({ count }: { count: number }) => `Actions (${count})`,
  filters: 'Filters',
  filtersOf: ({ list }: { list: string }) => `Filters: ${list}`,
  filtersCounted: ({ count, set, isPhone }: { count: number; set: number; isPhone: boolean }) =>
    `${isPhone ? 'Filters' : 'More filters'} (${count}${isPhone && set > 0 ? `, ${set} set` : ''})`,
  nothingMatches: 'Nothing matches these filters. Clear a filter, or look at a longer time.',
  nothingYet: 'There is nothing here yet.',
  /** Behind the command that it is about. */
  saysWhere: 'says where it comes from.',
  beginWith: ({ action }: { action: string }) => `Begin with “${action}”.`,
  columns: 'Columns',
  show: 'Show',
  newRows: ({ count }: { count: number }) => `${count} new`,
  rows: ({ count, isComing }: { count: number; isComing: boolean }) =>
    `${counted(count, 'row', 'rows')}${isComing ? ' so far' : ''}`,
  pages: 'Pages',
  firstPage: 'First page',
  back: 'Back',
  nextPage: 'Next page',
  firstRows: 'First rows',
  nextRows: 'Next rows',
  nothingShows: 'There is nothing that shows one of these.',
  moreColumns: ({ count }: { count: number }) => `${counted(count, 'more column', 'more columns')} on a wider page`,
  firstOf: ({ shown, of }: { shown: number; of: number }) => `The first ${shown} of ${of}`,
  otherFields: ({ count }: { count: number }) => `Other fields (${count})`,
  copied: 'Copied',
  copyCommand: 'Copy command',
  copyText: 'Copy text',
  copyAs: ({ form }: { form: string }) => `Copy as ${form}`,
  mayHaveHappened: 'It may have happened.',
  wasDone: 'It was done.',
  exit: ({ code }: { code: number }) => `exit ${code}`,
  progress: 'Progress',
  done: ({ done, of, rate }: { done: number; of: number; rate: number }) => {
    const speed = rate < 10 ? rate.toFixed(1) : Math.round(rate);
    return `${done.toLocaleString('en')} of ${of.toLocaleString('en')}${rate > 0 ? `, ${speed} a second` : ''}`;
  },
  result: 'Result',
  lookingForMore: 'Looking for more …',
  wasWritten: ({ file }: { file: string }) => `${file} was written.`,
  download: 'Download',
  timeLine: 'Time line',
  /** Where a line of it is from: a list, by its screen or by the words that are typed. */
  source: ({ words }: { screen: string; words: string }) => words,
  /** In front of the command that brings changes. */
  nothingKnown: 'Nothing is known yet. Changes appear here while a listener runs:',
  dryRun: 'Dry run',
  willBeSent: 'This will be sent',
  amounts: 'Amounts in it:',
  /** The words of a button that does it: "Cancel the order", of an action that cancels an order. */
  doIt: ({ action }: { action: string }) => action.replace(/^(\S+) an? /, '$1 the '),
  yes: 'Yes, do it',
  no: 'No',
  isDone: 'Done.',
  working: 'Working …',
  required: 'required',
  choose: 'Choose …',
  /** A value that is chosen, a list as a tab, or what else can be asked: by the words that are typed. */
  choice: (value: string): string => value,
  true: 'yes',
  false: 'no',
  remove: ({ what, at }: { what: string; at: number }) => `Remove ${what.toLowerCase()} ${at}`,
  add: ({ what }: { what: string }) => `Add to ${what.toLowerCase()}`,
  pairs: ({ what }: { what: string }) => `${what}: name=value, one on a line`,
  fieldsCounted: ({ count, isAll }: { count: number; isAll: boolean }) =>
    `${isAll ? 'Fields' : 'More fields'} (${count})`,
  noAnswer: 'The console does not answer.',
  isItRunning: 'Is `shopctl console` still running?',
  failed: 'The console failed.',
  openAgain: 'Open the console again.',
  stopped: 'The console stopped before the end of this list.',
  reload: 'Reload this page.',
  sendAgain:
    'Send the same from this form once more: a record that was made is shown then, and not made again. `shopctl ledger list` shows a write only while its outcome is unknown.',
};

export const say = textsIn('page', pageTexts);
