import { textsIn } from '../domain/language.ts';
import { statusWords } from './enums.ts';

const status: Readonly<Record<string, string>> = statusWords;
const activity: Readonly<Record<string, string>> = { P: 'active', Z: 'new', N: 'inactive' };

/** What a buyer may do before paying, as the service says it: `try_on`. */
const inspection: Readonly<Record<string, string>> = {};

/** What stands around values for people: the names of columns and fields, and the words of states. */
export const labelTexts = {
  yes: 'yes',
  no: 'no',
  /** The words of a status letter. */
  status,
  /** The words of the status of what is not worked on: a customer is never done. */
  activity,
  /** The words of what a buyer may do before paying; those of the service where there is none. */
  inspection,
  /** A status letter with its word; where that is in another language than the letter's, the word says it. */
  lettered: ({ letter, word }: { letter: string; word: string }): string => `${letter} ${word}`,
  /** The word of a state. */
  state: (state: string): string => state,
  /** A sentence that is declared or stored in English: what a field or a table holds, what differs from the contract. */
  sentence: (english: string): string => english,
  /** The name of a column or a field, by the kind of its values and, where two columns have one name, by their path. */
  heading: (name: string, _kind?: string, _path?: string): string => name,
};

/** The labels in the language of the run. */
export const labels = textsIn('label', labelTexts);
