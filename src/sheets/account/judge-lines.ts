import { placeText, type SheetLine, type TableSheet } from '../formats/sheet.ts';
import type { CellFault } from '../source-row.ts';
import { say } from '../texts.ts';
import type { Account, RowQuestion } from './account.ts';
import type { Roles } from './questions-open.ts';

/** What a rule says of one line of a record. */
export type LineVerdict =
  /** It is left out, for a reason; alone, or with the whole record. */
  | {
      readonly kind: 'leave';
      readonly reason: string;
      readonly isOfRecord?: true;
      /** The question whose answer leaves it out. */
      readonly question?: RowQuestion;
    }
  /** A person has to say, or has said. */
  | { readonly kind: 'ask'; readonly question: RowQuestion }
  | { readonly kind: 'fault'; readonly fault: CellFault };

/** Judges one line of a record, whose first line may say what it leaves blank. */
export type LineRule = (line: SheetLine, first: SheetLine) => readonly LineVerdict[];

/** The lines of a record that are read, what is wrong with it, and what a person has to say if it is sent. */
export interface JudgedLines {
  readonly lines: readonly SheetLine[];
  readonly faults: readonly CellFault[];
  readonly asks: readonly RowQuestion[];
}

/** What is judged: the columns by their roles, and the account that is kept. */
export interface Judging {
  readonly sheet: Pick<TableSheet, 'cellName'>;
  readonly roles: Roles;
  readonly account: Account;
  /** Whether a line of an order, or its first one, has cash that is collected. */
  readonly collects?: (line: SheetLine, first: SheetLine) => boolean;
}

/** How a person finds a line: by its first cell that is read. */
const cellOf = ({ sheet, roles }: Judging, { line }: SheetLine) => sheet.cellName(line, [...roles.keys()][0] ?? 0);

/** A text that is struck through by its characters: K̶h̶á̶c̶h̶, ~~Lan~~. */
const STRUCK = /\p{L}[\u0300-\u0334]*[\u0335-\u0338]|~~(?=[^\s~])[^~\n]*(?<=[^\s~])~~/u;

/**
 * Rows that a person may not want, though they are in the file: hidden ones, and those with a cell struck through that is read. A record
 * whose cell is merged with that of another one is wrong: what stands there may be of both.
 */
export function marksRule(judging: Judging): LineRule {
  const { sheet, roles, account } = judging;
  const verdictOf = (id: 'hidden_rows' | 'struck_rows', reason: 'hidden' | 'struck', cell: string): LineVerdict => {
    const answer = account.answers[id];
    const question = { id, name: reason === 'struck' ? 'struck through' : reason, cell, answer };
    if (answer !== 'skip') return { kind: 'ask', question };
    return { kind: 'leave', reason: say().reason[reason], isOfRecord: true, question };
  };
  return (line, first) => {
    const ofOther = line === first ? [...(line.merged ?? [])].filter(([column]) => roles.has(column)) : [];
    const struck = [...roles.keys()].find(
      (column) => line.struck?.includes(column) === true || STRUCK.test(String(line.cells[column] ?? '')),
    );
    return [
      ...(line.isHidden === true ? [verdictOf('hidden_rows', 'hidden', cellOf(judging, line))] : []),
      ...(struck === undefined ? [] : [verdictOf('struck_rows', 'struck', sheet.cellName(line.line, struck))]),
      ...ofOther.map(([column, { cell, text }]): LineVerdict => {
        const message = say().line.merged({ cell: placeText(cell), text });
        return { kind: 'fault', fault: { cell: sheet.cellName(line.line, column), value: '', message } };
      }),
    ];
  };
}

/** Rows of a record that equal the one above: the same row twice, or two lines that add up. */
export function equalRowsRule(judging: Judging): LineRule {
  let before: { readonly first: SheetLine; readonly line: SheetLine } | undefined;
  return (line, first) => {
    // Most records have one line, which is compared with none.
    const above = before?.first === first ? before.line : undefined;
    before = { first, line };
    const answer = judging.account.answers.equal_rows;
    if (above === undefined || JSON.stringify(above.cells) !== JSON.stringify(line.cells)) return [];
    const question: RowQuestion = { id: 'equal_rows', name: '', cell: cellOf(judging, line), answer };
    if (answer === 'once') return [{ kind: 'leave', reason: say().reason.equal, question }];
    return [{ kind: 'ask', question }];
  };
}

/**
 * Judges the lines of a record by every rule. What is left out is accounted for; a record that is left out in part is
 * invalid where that would make half an order of it, or collect the cash of what is not sent.
 */
export function judged(judging: Judging, rules: readonly LineRule[], lines: readonly SheetLine[]): JudgedLines {
  const [first] = lines;
  if (first === undefined) return { lines, faults: [], asks: [] };
  const verdicts = lines.map((line) => ({ line, said: rules.flatMap((rule) => rule(line, first)) }));
  if (verdicts.every(({ said }) => said.length === 0)) return { lines, faults: [], asks: [] };
  const left = verdicts.flatMap(({ line, said }) => {
    const verdict = said.find(({ kind }) => kind === 'leave');
    return verdict?.kind === 'leave' ? [{ line, verdict }] : [];
  });
  const isWhole = left.length === lines.length;
  const collects = left.length > 0 && lines.some((line) => judging.collects?.(line, first) === true);
  const parts = ({ question, isOfRecord }: (typeof left)[number]['verdict']) =>
    isOfRecord ?? (collects && question?.id !== 'equal_rows');
  const parted = isWhole ? [] : left.filter(({ verdict }) => parts(verdict));
  if (parted.length === 0) {
    for (const { line, verdict } of left) {
      judging.account.leaveOut(cellOf(judging, line), verdict.reason);
      if (verdict.question !== undefined) judging.account.ask(verdict.question);
    }
  }
  const gone = new Set(parted.length > 0 ? [] : left.map(({ line }) => line));
  const kept = verdicts.filter(({ line }) => !gone.has(line));
  const said = kept.flatMap((one) => one.said);
  return {
    lines: kept.map(({ line }) => line),
    faults: [
      ...said.flatMap((verdict) => (verdict.kind === 'fault' ? [verdict.fault] : [])),
      ...parted.map(({ line, verdict }) => ({
        cell: cellOf(judging, line),
        value: '',
        message: say().line.parted({ reason: verdict.reason }),
      })),
    ],
    asks: [
      ...said.flatMap((verdict) => (verdict.kind === 'ask' ? [verdict.question] : [])),
      ...parted.flatMap(({ verdict }) => verdict.question ?? []),
    ],
  };
}
