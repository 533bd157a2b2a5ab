/** One answer given to the wizard; the ordered list of them is all that a draft stores of the conversation. */
export interface Answer {
  /** The question's id, for example `recipient.phone` or `lines[0].quantity`. */
  readonly question: string;
  readonly answer: string;
}

/**
 * The answers in a file: a list of `{question, answer}`, or an object with that list under `answers`, as `ship drafts
 * show --json` prints it. Undefined if it contains neither.
 */
export function answersIn(value: unknown): Answer[] | undefined {
  const list = Array.isArray(value) ? value : fieldsIn(value).answers;
  if (!Array.isArray(list)) return undefined;
  const answers = list.map((entry: Partial<Record<keyof Answer, unknown>> | null) => {
    const { question, answer } = entry ?? {};
    const isAnswer = ['string', 'number', 'boolean'].includes(typeof answer);
    return typeof question === 'string' && isAnswer ? { question, answer: String(answer) } : undefined;
  });
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

import { fieldsIn } from '../../domain/json/values.ts';
