import * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';
import type { Answer } from '../../../ledger/intents/answers.ts';
import { type Facts, type ShipState, stepTitles } from '../../conversation/state.ts';
import { answeredSteps, CHANGE, nextStep } from '../../questions/next-step.ts';
import { tellReview } from './ask.ts';

const GO_ON = '';
const KEEP = 'keep';

/** The answers without the final ones of the review, so that a saved or refused draft is reviewed again. */
export function withoutLastWords(answers: readonly Answer[]): Answer[] {
  const isLastWord = ({ question, answer }: Answer) =>
    question === 'review' && (answer === 'send' || answer === 'keep');
  return answers.filter((answer, index) => index !== answers.length - 1 || !isLastWord(answer));
}

/**
 * Asks a person who resumes a draft whether to continue or to change an answer: returns the answers to continue with,
 * or `keep` to leave it. Not asked if nothing is answered yet, or if the review offers the same.
 */
export async function comingBack(ports: Ports, state: ShipState, facts: Facts): Promise<readonly Answer[] | 'keep'> {
  const steps = answeredSteps(state);
  const next = nextStep(state, facts);
  if (steps.length === 0 || (next.kind === 'question' && next.question.id === 'review')) return [];
  await tellReview(ports, state, {});
  const choice = await ports.person.ask({
    name: 'go_on',
    schema: z.string(),
    message: 'Continue, or change an answer?',
    choices: [
      { name: next.kind === 'question' ? `continue: ${next.question.message}` : 'continue', value: GO_ON },
      ...steps.map((step) => ({ name: `change: ${stepTitles[step].toLowerCase()}`, value: step })),
      { name: 'leave it as it is', value: KEEP },
    ],
    initial: GO_ON,
  });
  if (choice === KEEP) return KEEP;
  return choice === GO_ON ? [] : [{ question: CHANGE, answer: choice }];
}
