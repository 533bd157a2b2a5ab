import { keysOf } from '../../domain/json/keys-of.ts';
import { placeText } from '../formats/sheet.ts';
import { say } from '../texts.ts';
import {
  type Answers,
  answeredIn,
  type OpenQuestion,
  type QuestionId,
  questionKinds,
  questionOf,
  type Subject,
  wordForm,
} from './questions.ts';

const MOST_ROWS_REPORTED = 10;
const MOST_CELLS_REPORTED = 3;
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
  /** The column that it is about, where only the whole of it says whether there is a question. */
  readonly of?: { readonly isMeant: boolean };
  /** What was answered before it was asked; it is open without. */
  readonly answer?: string | undefined;
}

/** A question that was decided, with what was said of each name. */
export type DecidedQuestion = Omit<OpenQuestion, 'subjects'> & {
  readonly subjects: readonly (Subject & { readonly answer: string })[];
};

/** What is asked about one name in one column. */
interface Asked {
  readonly of: RowQuestion['of'] | undefined;
  readonly answer: string | undefined;
  readonly rows: string[];
  count: number;
}

type AskedByName = Map<QuestionId, Map<string, Asked[]>>;

/** The names that a kind of question is about, with the first of their rows. */
function subjectsOf(asked: AskedByName, id: QuestionId): readonly (Subject & { readonly answer: string })[] {
  return [...(asked.get(id) ?? [])].flatMap(([name, all]) => {
    const meant = all.filter(({ of }) => of?.isMeant !== false);
    const count = meant.reduce((sum, one) => sum + one.count, 0);
    const rows = meant.flatMap((one) => one.rows).slice(0, MOST_ROWS_REPORTED);
    return meant.length === 0 ? [] : [{ name, rows, count, answer: meant[0]?.answer ?? '' }];
  });
}

const raisedAs = (id: QuestionId, name: string) =>
  id === 'status' || id === 'payment' ? `${id} ${wordForm(name)}` : id;

/** What is unusual about a file as a whole; `code` says of which kind. */
export interface SheetWarning {
  readonly code: string;
  readonly message: string;
}

/** Keeps account of one reading of a file: its sheets, and what a person has to say about it. */
export class Account {
  readonly answers: Answers;
  readonly sheets: SheetAccount[] = [];
  /** The first lines that are left out, in the order in which that was decided. */
  readonly leftOut: LeftOut[] = [];
  /** What a person should know of its lines, in the order in which that was seen. */
  readonly warnings: SheetWarning[] = [];
  /** How many lines the sheets have below their headers, blank ones excepted, as far as they were read. */
  lines = 0;
  /** How many are left out, by the reason, with the first of their cells. */
  readonly reasons = new Map<string, { count: number; readonly cells: string[] }>();
  /** What any line raises a question about, whether or not it is asked. */
  readonly #raised = new Set<string>();
  readonly #open: AskedByName = new Map();
  readonly #decided: AskedByName = new Map();

  constructor(answers: Answers = {}) {
    this.answers = answers;
  }

  /** Leaves out a line, or so many from a cell on. */
  leaveOut(cell: string, reason: string, lines = 1): void {
    if (this.leftOut.length < MOST_LISTED) this.leftOut.push({ cell, reason });
    const of = this.reasons.get(reason) ?? { count: 0, cells: [] };
    this.reasons.set(reason, of);
    of.count += lines;
    if (of.cells.length < MOST_CELLS_REPORTED) of.cells.push(cell);
  }

  /** How many lines are left out. */
  get leftOutLines(): number {
    return [...this.reasons.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** The lines, which are counted on their way to whoever decides what they are. */
  async *counted<Line>(lines: AsyncIterable<Line>): AsyncGenerator<Line, void, undefined> {
    for await (const line of lines) {
      this.lines += 1;
      yield line;
    }
  }

  warn(code: string, ...messages: readonly string[]): void {
    for (const message of messages) this.warnings.push({ code, message });
  }

  addSheet(name: string, reason: string | null): void {
    this.sheets.push({ name, reason });
  }

  /** Which sheets of a workbook are read, and why its others are not, in a sentence; none for what has no sheets. */
  get sheetsInWords(): readonly string[] {
    const read = this.sheets.filter(({ reason }) => reason === null);
    if (read.length === 0) return [];
    const others = this.sheets.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]));
    return [say().account.sheets({ names: read.map(({ name }) => name), others })];
  }

  /** How many lines are left out, by the reason, one sentence each. */
  get leftOutInWords(): readonly string[] {
    return [...this.reasons].map(([reason, { count, cells }]) =>
      say().account.leftOut({ count, reason, cells: cells.map(placeText) }),
    );
  }

  /** Asks about names, such as sheets or words, and the rows of cells; what has an answer is only kept. */
  ask(...questions: readonly RowQuestion[]): void {
    this.raise(questions);
    for (const question of questions) this.#add(question);
  }

  /** Notes that answers to these questions are used, whether or not their rows are sent. */
  raise(questions: readonly RowQuestion[]): void {
    for (const { id, name } of questions) this.#raised.add(raisedAs(id, name));
  }

  /** Warns of each answer that a person gave to a question which the file does not raise: it changes nothing. */
  warnOfUnused(said: Answers): void {
    const hasSheets = this.sheets.length > 0;
    for (const { id, name, written } of answeredIn(said)) {
      if (this.#raised.has(raisedAs(id, name)) || (id === 'sheet' && hasSheets)) continue;
      this.warn('answer_unused', say().account.unused({ written }));
    }
  }

  #add({ id, name, cell, of, answer }: RowQuestion): void {
    const all = answer === undefined ? this.#open : this.#decided;
    const names = all.get(id) ?? new Map<string, Asked[]>();
    all.set(id, names);
    const asked = names.get(name) ?? [];
    names.set(name, asked);
    const known = asked.find((one) => one.of === of);
    const one: Asked = known ?? { rows: [], count: 0, of, answer };
    if (known === undefined) asked.push(one);
    one.count += 1;
    if (one.rows.length < MOST_ROWS_REPORTED && cell !== '') one.rows.push(cell);
  }

  /** The questions that are open, in the order of their list. */
  get questions(): readonly OpenQuestion[] {
    return keysOf(questionKinds).flatMap((id) => {
      const subjects = subjectsOf(this.#open, id).map(({ answer: _, ...subject }) => subject);
      return subjects.length === 0 ? [] : [questionOf(id, subjects)];
    });
  }

  /** The questions that were answered before they were asked, and what was said, in the order of their list. */
  get decided(): readonly DecidedQuestion[] {
    return keysOf(questionKinds).flatMap((id) => {
      const subjects = subjectsOf(this.#decided, id);
      return subjects.length === 0 ? [] : [{ ...questionOf(id, subjects), subjects }];
    });
  }
}
