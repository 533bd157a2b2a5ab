import * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';
import { REVIEW_INDENT, type ReviewFacts, reviewOf } from '../../conversation/review.ts';
import { type Choice, type Question, type ShipState, summaryOf } from '../../conversation/state.ts';

/** As the only answer it goes back one question; it is also the value of the choice that does so. */
export const BACK = '<';

const back = { name: '< go back', value: BACK };

/** Prints the order about to be sent, as far as it is known. */
export async function tellReview({ person }: Ports, state: ShipState, facts: ReviewFacts): Promise<void> {
  for (const line of reviewOf(state, facts)) await person.tell(line, { hang: REVIEW_INDENT });
}

/** Validates a typed answer, leaving `BACK` to the caller. */
function answerTo(check: (answer: string) => true | string) {
  return z.string().superRefine((answer, context) => {
    const verdict = answer === BACK || check(answer);
    if (verdict !== true) context.addIssue(verdict || 'is required');
  });
}

/** What was answered before, first among the choices as long as nothing is typed: Enter alone changes nothing. */
function searchOf({ initial, search, choiceOf }: Question): (typed: string) => readonly Choice[] {
  const found = (typed: string) => search?.(typed) ?? [];
  if (initial === undefined) return found;
  const before = choiceOf?.(initial) ?? found(initial).find(({ value }) => value === initial);
  if (before === undefined) return found;
  return (typed) =>
    typed.trim() === '' ? [before, ...found(typed).filter(({ value }) => value !== before.value)] : found(typed);
}

/** Asks a person one question, with the sums above it; returns `BACK` if they want to go back. */
export async function askPerson(
  ports: Ports,
  question: Question,
  state: ShipState,
  check: (answer: string) => true | string,
  reviewFacts: ReviewFacts,
): Promise<string> {
  const { person } = ports;
  const { id, step, message, card = [], kind, initial, choices = [], doubt, takesMessage } = question;
  const search = searchOf(question);
  if (step === 'review') await tellReview(ports, state, reviewFacts);
  for (const line of card) await person.tell(line);
  const sums = summaryOf(state);
  if (sums !== '') await person.tell(sums, { isAside: true });
  return person.ask({
    name: id,
    message,
    schema: answerTo(check),
    ...(initial === undefined ? {} : { initial }),
    ...(takesMessage === undefined ? {} : { takesMessage }),
    ...(kind === 'choice' ? { choices: [...choices, back] } : {}),
    ...(kind === 'live' ? { search: (typed: string) => (typed.trim() === BACK ? [back] : search(typed)) } : {}),
    ...(doubt === undefined ? {} : { doubt: (answer) => (answer === BACK ? undefined : doubt(answer)) }),
  });
}
