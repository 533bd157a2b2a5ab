import * as z from 'zod';
import type { Choice, Ports } from '../../../action/ports.ts';
import { CallError } from '../../../client/errors.ts';
import { Refusal } from '../../../client/refusal.ts';
import type { Answer } from '../../../ledger/intents/answers.ts';
import { type ShipState, stepTitles } from '../../conversation/state.ts';
import { QuoteRefused } from '../../offers/pick-quote.ts';
import { inWordsOfQuestions } from '../../questions/field-words.ts';
import { answeredSteps, CHANGE } from '../../questions/next-step.ts';
import { refusedQuestion } from '../../questions/refused-question.ts';
import { withPlaceHint } from './place-hint.ts';

/** Refusals that no other answer can fix. */
const ofTheKey: readonly string[] = ['unauthenticated', 'permission_denied'];
const mendedByAnswers: readonly string[] = [
  'invalid_argument',
  'failed_precondition',
  'out_of_range',
  'already_exists',
];

/** Whether another answer, or a retry, can fix it: certainly nothing was sent, and the key was not refused. */
function isForPerson(error: unknown): error is Error {
  if (error instanceof Refusal) return error.fieldErrors.length > 0;
  if (error instanceof QuoteRefused) return error.code === 'no_offer' || error.code === 'no_offer_in_time';
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return false;
  return ['service', 'network', 'request'].includes(error.kind) && !ofTheKey.includes(error.code);
}

function isMendable(error: Error): boolean {
  return error instanceof Refusal || (error instanceof CallError && mendedByAnswers.includes(error.code));
}

/** The choices if it is not known which answer was refused. */
function choicesFor(state: ShipState): Choice[] {
  return [
    { name: 'try again', value: '' },
    ...answeredSteps(state).map((step) => ({
      name: `change: ${stepTitles[step].toLowerCase()}`,
      value: step,
    })),
    { name: 'save it as a draft and quit', value: 'keep' },
  ];
}

/**
 * Asks a person what to do about a refusal: returns the answers to continue with, none to retry, `keep` to leave. If
 * the refused question is known, it is asked again at once. Undefined for a failure that cannot be fixed in the wizard.
 */
export async function afterRefusal(
  ports: Ports,
  thrown: unknown,
  state: ShipState,
): Promise<readonly Answer[] | 'keep' | undefined> {
  const { person, front, signal } = ports;
  if (!isForPerson(thrown) || signal.aborted) return undefined;
  const { locationTree } = await import('../../../domain/places/place-data.ts');
  const told = front.explain(await withPlaceHint(thrown, state.order));
  // Who typed the order knows the questions; who wrote a file of it, its fields.
  const worded = state.fromNothing ? inWordsOfQuestions : (text: string) => text;
  // Nobody refused anything where nobody answered.
  const isAway = thrown instanceof CallError && thrown.kind === 'network';
  await person.tell(`${isAway ? '' : 'refused: '}${worded(told.message)}`);
  if (told.hint !== undefined) await person.tell(worded(told.hint));
  const target = isMendable(thrown) ? refusedQuestion(thrown, state.order, locationTree) : undefined;
  if (target !== undefined) return [{ question: CHANGE, answer: target }];
  const choice = await person.ask({
    name: 'after_refusal',
    message: 'What now?',
    schema: z.string(),
    choices: choicesFor(state),
    initial: '',
  });
  if (choice === 'keep') return 'keep';
  return choice === '' ? [] : [{ question: CHANGE, answer: choice }];
}
