import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import { PromptEnded } from '../../platform/terminal/prompter.ts';
import { PASTE } from '../questions/pasted-message.ts';

const MOST_LINES = 100;

/** Takes the end of the input as an empty line, after at least one; before, it is what ends the run. */
const endedAfter = (lines: readonly string[]) => (error: unknown) => {
  if (error instanceof PromptEnded && error.isEndOfInput && lines.length > 0) return '';
  throw error;
};

/** The lines that a person pastes, up to an empty one. */
async function pastedLines({ person }: Ports): Promise<string> {
  const lines: string[] = [];
  await person.tell('Paste the message; an empty line or Ctrl-D ends it.');
  while (lines.length < MOST_LINES) {
    const line = await person.ask({ name: 'paste', message: 'Message', schema: z.string() }).catch(endedAfter(lines));
    if (line.trim() === '') break;
    lines.push(line);
  }
  return lines.join('\n');
}

/** A message of the buyer, as an answer that the questions take: pasted by a person, otherwise read from stdin. */
export async function pastedAnswer(ports: Ports): Promise<readonly Answer[]> {
  const text = ports.person.isThere ? await pastedLines(ports) : await ports.readStdin();
  if (text.trim() === '') throw new Refusal('message_missing', 'there is no message to read');
  return [{ question: PASTE, answer: text }];
}
