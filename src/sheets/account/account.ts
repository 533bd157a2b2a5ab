import { keysOf } from '../../domain/json/keys-of.ts';
import {
  type Answers,
  type OpenQuestion,
  type QuestionId,
  questionKinds,
  questionOf,
  type Subject,
} from './questions.ts';

const MOST_ROWS_TOLD = 10;
/** So many lines that are left out are listed one by one; all are counted. */
const MOST_LISTED = 10_000;

/** A line that is left out, by its first cell, and why. */
export interface LeftOut {
  readonly cell: string;
  readonly reason: string;
}

/** A sheet of a file, and why it is not read; null for one that is read. */
export interface SheetAccount {
  readonly name: string;
  readonly reason: string | null;
}

/** A question that a row raises if it would be sent: `name` is what it is about, such as a word. */
export interface RowQuestion {
  readonly id: QuestionId;
  readonly name: string;
  /** Where it stands, for a person. */
  readonly cell: string;
}

/** Keeps account of one reading of a file: its sheets, and what a person has to say about it. */
export class Account {
  readonly answers: Answers;
  readonly sheets: SheetAccount[] = [];
  /** The first lines that are left out, in the order in which that was decided. */
  readonly leftOut: LeftOut[] = [];
  /** How many are, by the reason. */
  readonly reasons = new Map<string, number>();
  readonly #asked = new Map<QuestionId, Map<string, { rows: string[]; count: number }>>();

  constructor(answers: Answers = {}) {
    this.answers = answers;
  }

  leaveOut(cell: string, reason: string): void {
    if (this.leftOut.length < MOST_LISTED) this.leftOut.push({ cell, reason });
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  addSheet(name: string, reason: string | null): void {
    this.sheets.push({ name, reason });
  }

  /** Which sheet of a workbook is read, and why its others are not, in a sentence; none for what has no sheets. */
  get sheetsInWords(): readonly string[] {
    const read = this.sheets.find(({ reason }) => reason === null);
    if (read === undefined) return [];
    const others = this.sheets.flatMap(({ name, reason }) =>
      reason === null ? [] : [`${JSON.stringify(name)} (${reason})`],
    );
    const rest = others.length === 0 ? '' : `, and not ${others.join(', ')}`;
    return [`sheet ${JSON.stringify(read.name)} is read${rest}`];
  }

  /** How many lines are left out, by the reason, one sentence each. */
  get leftOutInWords(): readonly string[] {
    return [...this.reasons].map(
      ([reason, count]) => `${count} ${count === 1 ? 'line is' : 'lines are'} left out: ${reason}`,
    );
  }

  /** Asks about names, such as sheets or words, and the rows of cells. */
  ask(...questions: readonly RowQuestion[]): void {
    for (const question of questions) this.#add(question);
  }

  #add({ id, name, cell }: RowQuestion): void {
    const subjects = this.#asked.get(id) ?? new Map<string, { rows: string[]; count: number }>();
    this.#asked.set(id, subjects);
    const subject = subjects.get(name) ?? { rows: [], count: 0 };
    subjects.set(name, subject);
    subject.count += 1;
    if (subject.rows.length < MOST_ROWS_TOLD && cell !== '') subject.rows.push(cell);
  }

  /** The questions that are open, in the order of their list. */
  get questions(): readonly OpenQuestion[] {
    return keysOf(questionKinds).flatMap((id) => {
      const subjects = [...(this.#asked.get(id) ?? [])].map(([name, rest]): Subject => ({ name, ...rest }));
      return subjects.length === 0 ? [] : [questionOf(id, subjects)];
    });
  }
}
