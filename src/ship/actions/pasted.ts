import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import { PromptEnded } from '../../platform/terminal/prompter.ts';
import { PASTE } from '../questions/pasted-message.ts';
import { say } from '../texts.ts';

const MOST_LINES = 100;

/** Takes the end of the input as the end of the message, after at least one line; before, it is what ends the run. */
const endedAfter = (lines: readonly string[]) => (error: unknown) => {
  if (error instanceof PromptEnded && error.isEndOfInput && lines.length > 0) return undefined;
  throw error;
};

/**
 * The lines that a person pastes. What a terminal marks as one paste is the whole message; elsewhere its lines come one by
 * one, an empty one may stand within it, and an Enter behind which nothing comes is the end.
 */
async function pastedLines({ person }: Ports): Promise<string> {
  const lines: string[] = [];
  await person.tell(say().paste.introduction);
  while (lines.length < MOST_LINES) {
    const message = lines.length === 0 ? say().paste.message : say().paste.more;
    const question = { name: 'paste', message, schema: z.string(), takesMessage: true, isMore: lines.length > 0 };
    const line = await person.ask(question).catch(endedAfter(lines));
    if (line === undefined || (line === '' && lines.at(-1) === '')) break;
    lines.push(line);
    if (line.includes('\n')) break;
  }
  return lines.join('\n');
}

/** A message of the buyer, as an answer that the questions take: pasted by a person, otherwise read from stdin. */
export async function pastedAnswer(ports: Ports): Promise<readonly Answer[]> {
  const text = ports.person.isThere ? await pastedLines(ports) : await ports.readStdin();
  if (text.trim() === '') throw new Refusal('message_missing', say().paste.missing);
  return [{ question: PASTE, answer: text }];
}
