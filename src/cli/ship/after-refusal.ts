import { CallError } from '../../client/errors.ts';
import type { Answer } from '../../flows/ship/answers.ts';
import { answeredSteps, CHANGE } from '../../flows/ship/next-step.ts';
import { QuoteRefused } from '../../flows/ship/pick-quote.ts';
import { refusedQuestion } from '../../flows/ship/refused-question.ts';
import { type ShipState, stepTitles } from '../../flows/ship/state.ts';
import type { Invocation } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { tell } from './ask.ts';
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
  if (error instanceof UsageError) return error.fieldErrors.length > 0;
  if (error instanceof QuoteRefused) return error.code === 'no_offer' || error.code === 'no_offer_in_time';
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return false;
  return ['service', 'network', 'request'].includes(error.kind) && !ofTheKey.includes(error.code);
}

function isMendable(error: Error): boolean {
  return error instanceof UsageError || (error instanceof CallError && mendedByAnswers.includes(error.code));
}

/** The choices where nothing tells which answer was refused. */
function choicesFor(state: ShipState) {
  return [
    { name: 'try again', value: '' },
    ...answeredSteps(state).map((step) => ({
      name: `change: ${stepTitles[step].toLowerCase()}`,
      value: step as string,
    })),
    { name: 'keep it as a draft and leave', value: 'keep' },
  ];
}

/**
 * What a person does about a refusal: the answers that come next, none to try again, `keep` to leave. The question that
 * was refused is asked again at once where that is known. Undefined for a failure that no person at the wizard can mend.
 */
export async function afterRefusal(
  invocation: Invocation,
  thrown: unknown,
  state: ShipState,
): Promise<readonly Answer[] | 'keep' | undefined> {
  const { context } = invocation;
  if (!isForPerson(thrown) || context.signal.aborted) return undefined;
  const { locationTree } = await import('../../domain/place-data.ts');
  const told = (await withPlaceHint(thrown, state.order)) as Error & { readonly hint?: string };
  await tell(invocation, `refused: ${told.message}`);
  if (told.hint !== undefined) await tell(invocation, told.hint);
  const target = isMendable(thrown) ? refusedQuestion(thrown, state.order, locationTree) : undefined;
  if (target !== undefined) return [{ question: CHANGE, answer: target }];
  const choice = await context.prompter.choose({ message: 'What now?', choices: choicesFor(state), initial: '' });
  if (choice === 'keep') return 'keep';
  return choice === '' ? [] : [{ question: CHANGE, answer: choice }];
}
