import { reviewOf } from '../../flows/ship/review.ts';
import type { Question, ShipState } from '../../flows/ship/state.ts';
import { summaryOf } from '../../flows/ship/state.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { Invocation } from '../command.ts';
import { colourOn, styled } from '../print/style.ts';

/** Typed alone it goes one question back, and it is the value of the choice that does. */
export const BACK = '<';

const back = { name: '< go back', value: BACK };

export async function tell({ context }: Invocation, text: string): Promise<void> {
  await context.stderr.write(`  ${makeSafe(text)}\n`);
}

async function showSums({ context, session }: Invocation, state: ShipState): Promise<void> {
  const { stderr, env } = context;
  const sums = summaryOf(state);
  if (sums === '') return;
  const colour = colourOn({ isTerminal: stderr.isTerminal, env, noColour: session.globals['no-color'] === true });
  await stderr.write(`${styled(makeSafe(sums), 'dim', colour)}\n`);
}

/** A search is over with any of its choices, also with one that only says what is still to be typed. */
async function askLive(
  invocation: Invocation,
  question: Question,
  check: (answer: string) => true | string,
): Promise<string> {
  const { message, search = () => [] } = question;
  const source = (typed: string) => (typed.trim() === BACK ? [back] : search(typed));
  for (;;) {
    const answer = await invocation.context.prompter.search({ message, source });
    const verdict = answer.trim() === BACK || check(answer);
    if (verdict === true) return answer.trim();
    await tell(invocation, verdict || 'is required');
  }
}

/** Asks a person one question, with the sums above it; answers `BACK` where they want to go back. */
export async function askPerson(
  invocation: Invocation,
  question: Question,
  state: ShipState,
  check: (answer: string) => true | string,
): Promise<string> {
  if (question.step === 'review') for (const line of reviewOf(state)) await tell(invocation, line);
  await showSums(invocation, state);
  const { prompter } = invocation.context;
  const { message, kind, initial } = question;
  const proposed = initial === undefined ? {} : { initial };
  if (kind === 'choice') return prompter.choose({ message, choices: [...(question.choices ?? []), back], ...proposed });
  if (kind === 'live') return askLive(invocation, question, check);
  const validate = (answer: string) => answer.trim() === BACK || check(answer);
  const answer = await prompter.text({ message, validate, ...proposed });
  return answer.trim() === BACK ? BACK : answer;
}
