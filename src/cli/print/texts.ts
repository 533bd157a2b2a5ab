import { statusWords } from '../../contract/enums.ts';
import { textsIn } from '../../domain/language.ts';

/** What tables for people say: the names of their columns, and the words of their values. */
export const printTexts = {
  yes: 'yes',
  no: 'no',
  /** The words of a status letter. */
  status: statusWords as Readonly<Record<string, string>>,
  /** The words of the status of what is not worked on: a customer is never done. */
  activity: { P: 'active', Z: 'new', N: 'inactive' } as Readonly<Record<string, string>>,
  /** The word of a state. */
  state: (state: string): string => state,
  /** The name of a column. */
  heading: (name: string): string => name,
};

export const say = textsIn('print', printTexts);
