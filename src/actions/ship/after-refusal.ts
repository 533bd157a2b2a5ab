import * as z from 'zod';
import { CallError } from '../../client/errors.ts';
import type { Answer } from '../../flows/ship/answers.ts';
import { answeredSteps, CHANGE } from '../../flows/ship/next-step.ts';
import { QuoteRefused } from '../../flows/ship/pick-quote.ts';
import { refusedQuestion } from '../../flows/ship/refused-question.ts';
import { type ShipState, stepTitles } from '../../flows/ship/state.ts';
import type { Choice, Ports } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { withPlaceHint } from './place-hint.ts';

/** Refusals that no other answer mends. */
const ofTheKey: readonly string[] = ['unauthenticated', 'permission_denied'];
const mendedByAnswers: readonly string[] = [
  'invalid_argument',
  'failed_precondition',
  'out_of_range',
  'already_exists',
];

/** Whether an answer can mend it, or another try: surely nothing was sent, and the key is not what was refused. */
function isForPerson(error: unknown): error is Error {
  if (error instanceof Refusal) return error.fieldErrors.length > 0;
  if (error instanceof QuoteRefused) return error.code === 'no_offer' || error.code === 'no_offer_in_time';
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return false;
  return ['service', 'network', 'request'].includes(error.kind) && !ofTheKey.includes(error.code);
}

function isMendable(error: Error): boolean {
  return error instanceof Refusal || (error instanceof CallError && mendedByAnswers.includes(error.code));
}

/** The choices where nothing tells which answer was refused. */
function choicesFor(state: ShipState): Choice[] {
  return [
    { name: 'try again', value: '' },
    ...answeredSteps(state).map((step) => ({
      name: `change: ${stepTitles[step].toLowerCase()}`,
      value: step,
    })),
    { name: 'keep it as a draft and leave', value: 'keep' },
  ];
}

/**
 * What a person does about a refusal: the answers that come next, none to try again, `keep` to leave. The question that
 * was refused is asked again at once where that is known. Undefined for a failure that no person at the wizard can mend.
 */
export async function afterRefusal(
  ports: Ports,
  thrown: unknown,
  state: ShipState,
): Promise<readonly Answer[] | 'keep' | undefined> {
  const { person, front, signal } = ports;
  if (!isForPerson(thrown) || signal.aborted) return undefined;
  const { locationTree } = await import('../../domain/place-data.ts');
  const told = front.explain(await withPlaceHint(thrown, state.order));
  await person.tell(`refused: ${told.message}`);
  if (told.hint !== undefined) await person.tell(told.hint);
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
