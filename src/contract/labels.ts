import { textsIn } from '../domain/language.ts';
import { statusWords } from './enums.ts';

/** What stands around values for people: the names of columns and fields, and the words of states. */
export const labelTexts = {
  yes: 'yes',
  no: 'no',
  /** The words of a status letter. */
  status: statusWords as Readonly<Record<string, string>>,
  /** The words of the status of what is not worked on: a customer is never done. */
  activity: { P: 'active', Z: 'new', N: 'inactive' } as Readonly<Record<string, string>>,
  /** The word of a state. */
  state: (state: string): string => state,
  /** The name of a column or a field. */
  heading: (name: string): string => name,
};

/** The labels in the language of the run. */
export const labels = textsIn('label', labelTexts);
