import type { DriftFinding } from '../../live/findings.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { shellWord } from '../errors/advice.ts';

/** What a person is told of a new deviation that shopctl cannot use, and how to see the others. */
export function driftNotice({ operation, path, expected, seen, id }: DriftFinding, others: number): string {
  const where = path === '' ? `the answer of ${operation}` : `${path} in the answer of ${operation}`;
  const more = others === 0 ? '' : ` There ${others === 1 ? 'is 1 more' : `are ${others} more`} like it.`;
  return makeSafe(
    `The service no longer answers as its contract says: ${where} should be ${expected}, and was ${seen}.${more} \`shopctl drift show ${shellWord(id)}\` shows it, \`shopctl drift list\` all of them.`,
  );
}
