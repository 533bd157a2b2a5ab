import { REVIEW_INDENT, type ReviewFacts, reviewOf } from '../../flows/ship/review.ts';
import type { Question, ShipState } from '../../flows/ship/state.ts';
import { summaryOf } from '../../flows/ship/state.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { Invocation } from '../command.ts';
import { colourOn, styled } from '../print/style.ts';
import { wrapWords } from '../print/wrap.ts';

/** Typed alone it goes one question back, and it is the value of the choice that does. */
export const BACK = '<';

const back = { name: '< go back', value: BACK };

/** Says something above the questions; what is longer than a line of the terminal is broken between its words. */
export async function tell({ context }: Invocation, text: string, hang = 0): Promise<void> {
  const { stderr } = context;
  const indent = 2;
  const width = stderr.columns ? stderr.columns - indent : Number.POSITIVE_INFINITY;
  const lines = wrapWords(makeSafe(text), width, hang).map((line) => `${' '.repeat(indent)}${line}\n`);
  await stderr.write(lines.join(''));
}

/** Says what is about to be sent, as far as it is known. */
export async function tellReview(invocation: Invocation, state: ShipState, facts: ReviewFacts): Promise<void> {
  for (const line of reviewOf(state, facts)) await tell(invocation, line, REVIEW_INDENT);
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

/** What refuses a typed answer: what cannot be one, and once what is unusual; typed again, that is taken. */
function judge(question: Question, check: (answer: string) => true | string): (answer: string) => true | string {
  let doubted: string | undefined;
  return (answer) => {
    if (answer.trim() === BACK) return true;
    const verdict = check(answer);
    if (verdict !== true) return verdict;
    const doubt = question.doubt?.(answer);
    if (doubt === undefined || doubted === answer) return true;
    doubted = answer;
    return `${doubt} (Enter again keeps it)`;
  };
}

/** Asks a person one question, with the sums above it; answers `BACK` where they want to go back. */
export async function askPerson(
  invocation: Invocation,
  question: Question,
  state: ShipState,
  check: (answer: string) => true | string,
  reviewFacts: ReviewFacts,
): Promise<string> {
  if (question.step === 'review') await tellReview(invocation, state, reviewFacts);
  await showSums(invocation, state);
  const { prompter } = invocation.context;
  const { message, kind, initial } = question;
  const proposed = initial === undefined ? {} : { initial };
  if (kind === 'choice') return prompter.choose({ message, choices: [...(question.choices ?? []), back], ...proposed });
  if (kind === 'live') return askLive(invocation, question, check);
  const answer = await prompter.text({ message, validate: judge(question, check), ...proposed });
  return answer.trim() === BACK ? BACK : answer;
}
