import { keysOf } from '../../domain/json/keys-of.ts';
import { placeText } from '../formats/sheet.ts';
import { normalForm } from '../service/layout.ts';
import { say } from '../texts.ts';

/** What a person said about a file: by flags, by the keys of a mapping, or at a terminal. */
export interface Answers {
  /** The name of the sheet to read. */
  readonly sheet?: string | undefined;
  /** Whether all sheets with rows below a known header are read. */
  readonly all_sheets?: boolean | undefined;
  readonly hidden_rows?: 'read' | 'skip' | undefined;
  readonly struck_rows?: 'read' | 'skip' | undefined;
  /** Whether a row that equals the one above it counts, or is the same row twice. */
  readonly equal_rows?: 'each' | 'once' | undefined;
  /** Whether equal cash on several lines of an order is that of the order, or of each line. */
  readonly line_cash?: 'once' | 'each' | undefined;
  /** Whether rows without a code that repeat the recipient of the row above are of one order, or an order each. */
  readonly same_recipient?: 'one' | 'each' | undefined;
  /** What blank cash beside filled cells is: the total of the order, or nothing. */
  readonly blank_cash?: 'total' | 'zero' | undefined;
  /** Whether the quantity counts where goods name other pieces, or such cells are invalid. */
  readonly pieces?: 'quantity' | 'ask' | undefined;
  /** Whether orders with a word of status are sent, by the word; the empty one stands for a blank cell. */
  readonly status?: Readonly<Record<string, 'ship' | 'skip'>> | undefined;
  readonly tracked?: 'ship' | 'skip' | undefined;
  /** Whether orders with a word of payment collect cash, or are paid, by the word; the empty one stands for a blank cell. */
  readonly payment?: Readonly<Record<string, 'cash' | 'paid'>> | undefined;
  /** What amounts below 1,000 are counted in. */
  readonly unit?: 'thousand' | 'one' | undefined;
  /** Whether a ward of 2025 without a district is the former one of its name, if all of it lies in one district. */
  readonly new_wards?: 'ask' | 'same-name' | undefined;
  /** Whether orders are sent again that have ended since they were sent: by the kind of their end, or by their names. */
  readonly resend_ended?: Readonly<Record<string, 'send' | 'skip'>> | undefined;
  /** Columns that are left out, `*` for all. */
  readonly ignore_columns?: readonly string[] | undefined;
  /** The payment session of a file that names none. */
  readonly session?: string | undefined;
  /** The payment sessions whose lines the file replaces. */
  readonly replaces?: readonly string[] | undefined;
  /** Whether its lines are added to those that sessions have already. */
  readonly adds?: boolean | undefined;
}

export type QuestionId = Exclude<keyof Answers, 'all_sheets' | 'adds'>;

/** What a question is about, such as a word or a sheet, with the first of its rows and their number. */
export interface Subject {
  readonly name: string;
  readonly rows: readonly string[];
  readonly count: number;
}

/** How a question of a kind is answered; what it asks is in the catalogue. */
interface QuestionKind {
  /** The input and the key of a mapping that answer it; null where the answer holds for one file alone. */
  readonly flag: string;
  readonly key: string | null;
  /** The exit code where nobody answers. */
  readonly exit: 2;
  /** What may be answered; to one that is about names, for each of them; without any, one of the names. */
  readonly choices: readonly string[];
  readonly isByName?: true;
}

/** The one list of what a file may leave unsure: at most one question of a kind and file, with its rows. */
export const questionKinds: Readonly<Record<QuestionId, QuestionKind>> = {
  sheet: { flag: 'sheet', key: 'sheet', exit: 2, choices: [] },
  hidden_rows: { flag: 'hidden_rows', key: 'hidden_rows', exit: 2, choices: ['read', 'skip'] },
  struck_rows: { flag: 'struck_rows', key: 'struck_rows', exit: 2, choices: ['read', 'skip'] },
  equal_rows: { flag: 'equal_rows', key: 'equal_rows', exit: 2, choices: ['once', 'each'] },
  line_cash: { flag: 'line_cash', key: 'line_cash', exit: 2, choices: ['once', 'each'] },
  same_recipient: { flag: 'same_recipient', key: 'same_recipient', exit: 2, choices: ['one', 'each'] },
  blank_cash: { flag: 'blank_cash', key: 'blank_cash', exit: 2, choices: ['total', 'zero'] },
  pieces: { flag: 'pieces', key: 'pieces', exit: 2, choices: ['quantity', 'ask'] },
  status: { flag: 'status', key: 'status', exit: 2, choices: ['ship', 'skip'], isByName: true },
  tracked: { flag: 'tracked', key: 'tracked', exit: 2, choices: ['ship', 'skip'] },
  payment: { flag: 'payment', key: 'payment', exit: 2, choices: ['cash', 'paid'], isByName: true },
  unit: { flag: 'unit', key: 'unit', exit: 2, choices: ['thousand', 'one'] },
  new_wards: { flag: 'new_wards', key: 'new_wards', exit: 2, choices: ['ask', 'same-name'] },
  resend_ended: { flag: 'resend_ended', key: 'resend_ended', exit: 2, choices: ['skip', 'send'], isByName: true },
  ignore_columns: { flag: 'ignore_columns', key: 'ignore_columns', exit: 2, choices: ['skip'], isByName: true },
  replaces: { flag: 'replaces', key: null, exit: 2, choices: [] },
  session: { flag: 'session', key: null, exit: 2, choices: [] },
};

/** A question that is open. */
export interface OpenQuestion {
  readonly id: QuestionId;
  readonly text: string;
  readonly flag: string;
  readonly key: string | null;
  readonly exit: 2;
  readonly choices: readonly string[];
  readonly isByName: boolean;
  readonly subjects: readonly Subject[];
}

/** A question of a kind about these names or rows. */
export function questionOf(id: QuestionId, subjects: readonly Subject[]): OpenQuestion {
  const { isByName = false, ...kind } = questionKinds[id];
  const shown = subjects.map((subject) => ({ ...subject, rows: subject.rows.map(placeText) }));
  return { id, ...kind, isByName, text: say().question[id]({ subjects: shown }), subjects };
}

/** The answers that name what they are about. */
const byName = ['status', 'payment', 'resend_ended'] as const;

/** What was said of words of which nothing is said elsewhere. */
const withoutThose = <Answer>(
  said: Readonly<Record<string, Answer>> = {},
  elsewhere: Readonly<Record<string, Answer>> = {},
) => Object.fromEntries(Object.entries(said).filter(([word]) => answerIn(word, elsewhere) === undefined));

/** Everything that was said; what stands first counts more. */
export function answersOf(first: Answers = {}, second: Answers = {}): Answers {
  const given = Object.entries(first).filter(([, answer]) => answer !== undefined);
  const ignored = [...new Set([...(first.ignore_columns ?? []), ...(second.ignore_columns ?? [])])];
  const replaced = [...new Set([...(first.replaces ?? []), ...(second.replaces ?? [])])];
  return {
    ...second,
    ...Object.fromEntries(given),
    ...Object.fromEntries(
      byName.flatMap((id) => {
        const [own, others]: readonly Readonly<Record<string, string> | undefined>[] = [first[id], second[id]];
        return (own ?? others) ? [[id, { ...withoutThose(others, own), ...own }]] : [];
      }),
    ),
    ...(ignored.length === 0 ? {} : { ignore_columns: ignored }),
    ...(replaced.length === 0 ? {} : { replaces: replaced }),
  };
}

/** An answer of a person, as the question that it is for, the name that it is about, and as a person reads it. */
interface Answered {
  readonly id: QuestionId;
  readonly name: string;
  readonly written: string;
}

/** What was answered about how a file is read, one by one: not what its orders, or a payment session, may become. */
export function answeredIn(answers: Answers): readonly Answered[] {
  const {
    status = {},
    payment = {},
    resend_ended: _,
    session: __,
    replaces: ___,
    adds: ____,
    all_sheets,
    ...rest
  } = answers;
  const { ignore_columns, ...chosen } = rest;
  const written = (id: keyof typeof chosen | 'status' | 'payment', answer: string) => `${id} ${JSON.stringify(answer)}`;
  return [
    ...Object.entries({ status, payment }).flatMap(([id, said]) =>
      Object.entries(said).map(([name, answer]): Answered => {
        const of = id === 'payment' ? 'payment' : 'status';
        return { id: of, name, written: written(of, `${name}=${answer}`) };
      }),
    ),
    ...(all_sheets === true ? [{ id: 'sheet' as const, name: '', written: 'all_sheets' }] : []),
    ...(ignore_columns === undefined ? [] : [{ id: 'ignore_columns' as const, name: '', written: 'ignore_columns' }]),
    ...keysOf(chosen).flatMap((id) => {
      const answer = chosen[id];
      return answer === undefined ? [] : [{ id, name: '', written: written(id, answer) }];
    }),
  ];
}

/**
 * A word as answers name it: without accents, case and punctuation, but with its symbols and what is in other alphabets, which tell words
 * apart. Of one that is nothing but punctuation, all of it.
 */
export function wordForm(text: string): string {
  const shown = text
    .normalize('NFC')
    .replaceAll(/(?:\s|\u200D|\uFE0E|\uFE0F)+/gu, ' ')
    .trim();
  const folded = shown.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase();
  const kept = folded.replaceAll(/[^\p{L}\p{N}\p{S}?!]+/gu, ' ').trim();
  return kept === '' ? shown : kept;
}

/** What answers say of a word: of the word as it is written, or of one that differs by no more than accents and punctuation. */
export function answerIn<Answer>(text: string, answers: Readonly<Record<string, Answer>> = {}): Answer | undefined {
  const own = Object.entries(answers).find(([word]) => word.normalize('NFC') === text.normalize('NFC').trim());
  if (own !== undefined) return own[1];
  const form = wordForm(text);
  const alike = new Set(Object.entries(answers).flatMap(([word, said]) => (wordForm(word) === form ? [said] : [])));
  return alike.size === 1 ? [...alike][0] : undefined;
}

/** What a person answered about a word of status, a note or a colour. */
export const answerAbout = (text: string, { status }: Answers): 'ship' | 'skip' | undefined => answerIn(text, status);

/** Whether something was said about a name that a question is about. */
export function isSaid(answers: Answers, id: QuestionId, name: string): boolean {
  if (id === 'sheet') return answers.sheet !== undefined || answers.all_sheets === true;
  if (id === 'ignore_columns') return ['*', name].some((one) => answers.ignore_columns?.includes(one) === true);
  if (id !== 'status' && id !== 'payment') return answers[id] !== undefined;
  return answerIn<string>(name, answers[id]) !== undefined;
}

/** The likely answers about words of status in a sheet of one's own. */
export const presets: Readonly<Record<'ship' | 'skip', readonly string[]>> = {
  ship: ['Mới', 'Chốt', 'Chưa gửi', 'Chờ gửi', 'Chờ đóng gói'],
  skip: ['Đã gửi', 'Đã giao', 'Xong', 'Hủy', 'Hoàn', 'Bom', 'Hết hàng'],
};

/** The likely answer about a word of status in a sheet of one's own; undefined for one that says nothing. */
export function presetOf(word: string): 'ship' | 'skip' | undefined {
  const form = normalForm(word);
  return keysOf(presets).find((answer) => presets[answer].some((one) => normalForm(one) === form));
}
