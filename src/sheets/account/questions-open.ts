import type { CellFault } from '../source-row.ts';
import type { OpenQuestion } from './questions.ts';

/** Thrown when a file was read to its end and a person has to say what is meant; nothing of it was used. */
export class QuestionsOpen extends Error {
  readonly kind = 'usage';
  readonly code = 'questions_open';
  readonly outcome = 'not_applied';
  readonly questions: readonly OpenQuestion[];
  /** What is wrong with its cells besides. */
  readonly faults: readonly CellFault[];
  /** The saved mapping by which it was read. */
  readonly mapping: string | undefined;

  constructor(
    questions: readonly OpenQuestion[],
    { faults = [], mapping }: { faults?: readonly CellFault[]; mapping?: string | undefined } = {},
  ) {
    super(questions.map(({ text }) => text).join('; '));
    this.name = 'QuestionsOpen';
    this.questions = questions;
    this.faults = faults;
    this.mapping = mapping;
  }
}
