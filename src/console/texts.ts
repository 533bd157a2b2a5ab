import { textsIn } from '../domain/language.ts';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** What the console says of the actions, which are declared in English: screens, buttons, labels and their explanations. */
export const consoleTexts = {
  /** The name of the screen of a group. */
  screen: (group: string): string => screens[group] ?? capital(group.replaceAll('-', ' ')),
  /** The label of a field, whose name may mean several things; absent where its name is one. */
  label: (_name: string, _explanation?: string): string | undefined => undefined,
  /** The title above a sentence about a record, by the field that asks for it. */
  telling: (field: string): string => capital(field.replaceAll('_', ' ')),
  notAllowed: 'That may not be run from a page.',
  tooLarge: 'This file cannot be taken: it is too large.',
  fetchedAlready: 'This file was fetched already.',
  tooManyTabs: 'Too many tabs listen.',
  nothingThere: 'There is nothing at this address.',
  noAddress: 'This is not an address.',
  started: {
    at: ({ url }: { url: string }) => `The console is at ${url}`,
    opened: 'It was opened in the browser.',
    open: 'Open this address in a browser of this machine. It works once: --open gets another one.',
    ctrlC: 'Ctrl-C stops it.',
    elsewhere: 'It runs in another process, which keeps running.',
  },
  /** What is wrong with what a page sends. */
  given: {
    notFromPage: 'cannot be given from a page',
    noFile: 'takes no file',
    fileGone: 'is not there any more: send it again',
    noFormat: 'is not one of this result',
  },
  noRequest: 'This is not a request of the console.',
  needsJavaScript: 'The console needs JavaScript.',
  elsewhere: 'This console has another address.',
  fromElsewhere: 'The console answers its own page only.',
  noCookie: 'Open the console with the address that `shopctl console --open` prints: each address works once.',
};

const screens: Readonly<Record<string, string>> = {
  day: 'Today',
  fulfillments: 'Parcels',
  batch: 'Batches',
  report: 'Reports',
  cod: 'Cash on delivery',
};

export const say = textsIn('console', consoleTexts);
